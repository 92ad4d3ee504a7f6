"""Colours: two palettes of our own, two of the terminal's own colours, and styles for roles.

Text reaches a contrast of at least 4.5 to 1 on its background in our palettes (WCAG AA, a
test computes it); the ``ansi`` themes use the user's sixteen colours and never set a background.
"""

from __future__ import annotations

from dataclasses import dataclass

from rich.style import Style
from textual.theme import BUILTIN_THEMES, Theme

from quizapp.text.spans import Role


@dataclass(frozen=True, slots=True)
class Palette:
    """A theme's colours by what they are for."""

    background: str
    surface: str
    panel: str
    text: str
    muted: str
    accent: str
    code: str
    good: str
    warn: str
    bad: str


DARK = Palette(
    background="#14161b",
    surface="#1a1d24",
    panel="#242833",
    text="#d9dce3",
    muted="#8f97a8",
    accent="#7cc0ff",
    code="#d3b98c",
    good="#84d49a",
    warn="#efc56f",
    bad="#ff9494",
)
LIGHT = Palette(
    background="#fbfaf6",
    surface="#f2f0ea",
    panel="#e4e1d8",
    text="#22252c",
    muted="#5c6270",
    accent="#0a58a3",
    code="#7a4a12",
    good="#1c6b36",
    warn="#7f5300",
    bad="#ab211a",
)
ANSI = Palette(
    background="default",
    surface="default",
    panel="default",
    text="default",
    muted="bright_black",
    accent="blue",
    code="cyan",
    good="green",
    warn="magenta",
    bad="red",
)
PALETTES = {"dark": DARK, "light": LIGHT, "ansi-dark": ANSI, "ansi-light": ANSI}
"""By the name in the settings."""


def theme(name: str) -> Theme:
    """Return Textual's theme for a name in the settings."""
    if name in BUILTIN_THEMES:
        return BUILTIN_THEMES[name]
    palette = PALETTES[name]
    return Theme(
        name=f"quizapp-{name}",
        primary=palette.accent,
        secondary=palette.code,
        accent=palette.accent,
        success=palette.good,
        warning=palette.warn,
        error=palette.bad,
        foreground=palette.text,
        background=palette.background,
        surface=palette.surface,
        panel=palette.panel,
        dark=name == "dark",
        variables={"scrollbar": palette.panel, "scrollbar-background": palette.background},
    )


def styles(name: str) -> dict[Role, Style]:
    """Return how each role is drawn; without colours, weight and underline still tell them."""
    p = PALETTES[name]
    muted = Style(dim=True) if p is ANSI else Style(color=p.muted)
    return {
        Role.TEXT: Style(),
        Role.STRONG: Style(bold=True),
        Role.EMPHASIS: Style(italic=True),
        Role.CODE: Style(color=p.code),
        Role.HEADING: Style(color=p.accent, bold=True),
        Role.SUBHEADING: Style(bold=True),
        Role.MUTED: muted,
        Role.LINK: Style(color=p.accent, underline=True),
        Role.GOOD: Style(color=p.good),
        Role.WARN: Style(color=p.warn),
        Role.BAD: Style(color=p.bad),
        Role.ACCENT: Style(color=p.accent, bold=True),
        Role.BAR: Style(color=p.accent),
        Role.BASELINE: muted,
        Role.MARK: Style(color=p.warn, bold=True),
        Role.CHOSEN: Style(reverse=True),
        Role.KEY: Style(color=p.accent, bold=True),
    }

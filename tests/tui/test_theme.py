"""Colours that can be read, on every background a theme has."""

from __future__ import annotations

import pytest

from quizapp.services.settings import THEMES
from quizapp.text.spans import Role
from quizapp.tui.theme import DARK, LIGHT, PALETTES, Palette, styles, theme


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio (WCAG 2.2)."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("palette", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize("ground", ["background", "surface", "panel"])
@pytest.mark.parametrize("ink", ["text", "muted", "accent", "code", "good", "warn", "bad"])
def test_text_is_legible(palette: Palette, ground: str, ink: str) -> None:
    assert contrast(getattr(palette, ink), getattr(palette, ground)) >= 4.5


@pytest.mark.parametrize("name", THEMES)
def test_every_theme_of_the_settings_is_one(name: str) -> None:
    assert theme(name).name
    assert set(styles(name)) == set(Role)


@pytest.mark.parametrize("name", ["ansi-dark", "ansi-light"])
def test_report_11_the_ansi_themes_keep_the_terminal_s_own_ground_and_ink(name: str) -> None:
    assert theme(name).ansi
    assert PALETTES[name].background == "default"
    for role, style in styles(name).items():
        assert style.bgcolor is None, role
        if style.color is not None:
            # Black and white are the ground of one terminal or the other.
            assert style.color.name not in ("black", "white", "bright_white", "yellow"), role


def test_without_colours_verdicts_and_grades_are_words() -> None:
    from quizapp.cards.kinds import Lang
    from quizapp.tui.words import words

    for lang in Lang:
        assert len(set(words(lang).verdicts.values())) == len(words(lang).verdicts)
        assert all(words(lang).ratings.values())

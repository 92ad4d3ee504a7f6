"""The footer: as many of the keys on offer as fit, the most useful first, in one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from textual.events import Click

from quizapp.text.spans import Role, Span
from quizapp.tui.widgets.rows import Rows

KEY_NAMES = {
    "enter": "⏎",
    "escape": "Esc",
    "space": "␣",
    "slash": "/",
    "question_mark": "?",
    "tab": "Tab",
}


class KeyHint(NamedTuple):
    """One key of the footer."""

    key: str
    label: str
    action: str
    enabled: bool = True
    kept: bool = False
    """It is shown however little room there is."""


def key_name(key: str) -> str:
    """Return a key as people read it: ``^s`` for Ctrl+S."""
    if key.startswith("ctrl+"):
        return f"^{key[5:].upper()}"
    return KEY_NAMES.get(key, key.upper() if len(key) > 1 else key)


class KeyBar(Rows):
    """One line of keys; a click does what the key does."""

    DEFAULT_CSS = "KeyBar { height: 1; background: $panel; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._hints: tuple[KeyHint, ...] = ()
        self._places: list[tuple[int, int, str]] = []

    def offer(self, hints: Sequence[KeyHint]) -> None:
        """Show these keys, in the order of their use."""
        self._hints = tuple(hints)
        self._draw()

    def on_resize(self) -> None:
        """Fit the keys into the new width."""
        self._draw()

    async def on_click(self, event: Click) -> None:
        """Do what the key under the mouse does."""
        for start, end, action in self._places:
            if start <= event.x < end:
                await self.screen.run_action(action)
                return

    def _draw(self) -> None:
        width = self.size.width
        if width <= 0:
            return
        spans: list[Span] = []
        self._places = []
        used = 0
        for hint in self._fitting(width):
            name, cells = key_name(hint.key), _cells(hint)
            spans += (
                Span(f" {name}", Role.KEY if hint.enabled else Role.MUTED),
                Span(f" {hint.label} ", Role.TEXT if hint.enabled else Role.MUTED),
            )
            self._places.append((used, used + cells, hint.action))
            used += cells
        self.show([tuple(spans)])

    def _fitting(self, width: int) -> list[KeyHint]:
        """Return the hints there is room for, in their order."""
        room = width - sum(_cells(hint) for hint in self._hints if hint.kept)
        fitting: list[KeyHint] = []
        for hint in self._hints:
            if hint.kept:
                fitting.append(hint)
            elif room >= _cells(hint):
                fitting.append(hint)
                room -= _cells(hint)
            else:
                room = 0
        return fitting


def _cells(hint: KeyHint) -> int:
    return cell_len(key_name(hint.key)) + cell_len(hint.label) + 3

"""The first line of a screen: where one is on the left, how far on the right."""

from __future__ import annotations

from rich.cells import cell_len

from quizapp.text.cells import clip, safe
from quizapp.text.spans import Role, Span
from quizapp.tui.widgets.rows import Rows


class TopBar(Rows):
    """One line with a text at either end; the left one is cut where both do not fit."""

    DEFAULT_CSS = "TopBar { height: 1; background: $panel; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._left = self._right = ""

    def say(self, left: str, right: str = "") -> None:
        """Show these texts."""
        self._left, self._right = safe(left), safe(right)
        self._draw()

    def on_resize(self) -> None:
        """Set both texts at the ends of the new width."""
        self._draw()

    def _draw(self) -> None:
        width = self.size.width
        if width <= 0:
            return
        right = clip(self._right, width // 2)
        name = "quizapp"
        room = max(0, width - cell_len(right) - len(name) - 5)
        left = clip(self._left, room)
        gap = " " * max(1, width - cell_len(left) - cell_len(right) - len(name) - 4)
        self.show(
            [
                (
                    Span(f" {name}", Role.ACCENT),
                    Span(f"  {left}{gap}"),
                    Span(f"{right} ", Role.MUTED),
                )
            ]
        )

"""Lines of spans, drawn as they are: the ground of every widget of ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from quizapp.text.spans import Line, Role

if TYPE_CHECKING:
    from quizapp.tui.app import QuizApp


def role_styles(widget: Widget) -> dict[Role, Style]:
    """Return the styles of the theme that the program shows now."""
    return cast("QuizApp", widget.app).role_styles


def strip_of(line: Line, styles: dict[Role, Style]) -> Strip:
    """Return a line ready to be drawn."""
    return Strip([Segment(text, styles[role]) for text, role in line])


class Rows(Widget):
    """A block of lines, as high as they are many; what does not fit is cut off."""

    DEFAULT_CSS = "Rows { height: auto; }"

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._lines: tuple[Line, ...] = ()
        self._base: Style | None = None

    def notify_style_update(self) -> None:
        """Forget the colours that lines were drawn on."""
        super().notify_style_update()
        self._base = None

    def show(self, lines: Sequence[Line]) -> None:
        """Draw these lines from now on."""
        before, self._lines = self._lines, tuple(lines)
        if before != self._lines:
            self.refresh(layout=len(before) != len(self._lines))

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines that are shown."""
        return self._lines

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines there are."""
        del container, viewport, width
        return len(self._lines)

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        width = self.size.width
        if self._base is None:
            # Worked out from every widget above, so not for every line.
            self._base = self.rich_style
        if y >= len(self._lines):
            return Strip.blank(width, self._base)
        strip = strip_of(self._lines[y], role_styles(self))
        return strip.adjust_cell_length(width, Style()).apply_style(self._base)

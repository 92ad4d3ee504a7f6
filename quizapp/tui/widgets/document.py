"""A whole document in one widget: laid out once per width, its strips kept.

Textual's own Markdown widget makes a child widget of every paragraph, about four milliseconds
each (Textual issue 4586); this one draws a card of 150 lines in the time of a few of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from quizapp.text.spans import Line, Role, Span
from quizapp.tui.widgets.rows import role_styles, strip_of

Layout = Callable[[int], Sequence[Line]]
"""From a width in cells to lines."""


class Document(ScrollView, can_focus=True):
    """Scrollable lines, of Markdown or of whatever can lay itself out in a width."""

    DEFAULT_CSS = """
    Document {
        height: 1fr;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
        overflow-x: hidden;
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._layout_of: Layout = lambda width: ()  # noqa: ARG005
        self._lines: tuple[Line, ...] = ()
        self._strips: dict[int, Strip] = {}
        self._laid_out_for = -1
        self._base: Style | None = None
        self.markdown = ""
        """The document, if it is Markdown."""

    def show(self, markdown: str, home: bool = True) -> None:
        """Show a Markdown document, from its beginning."""

        def layout(width: int) -> Sequence[Line]:
            from quizapp.text.markdown import render

            return render(markdown, width).lines

        self.markdown = markdown
        self.show_layout(layout, home)

    def show_layout(self, layout: Layout, home: bool = True) -> None:
        """Show whatever ``layout`` makes of the width, again at every change of the width."""
        self._layout_of = layout
        self._laid_out_for = -1
        self._lay_out()
        if home:
            self.scroll_home(animate=False)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines at the present width."""
        return self._lines

    def go_to(self, line: int) -> None:
        """Scroll so that a line is the first one seen."""
        self.scroll_to(y=line, animate=False)

    def headings(self) -> list[int]:
        """Return the lines at which sections begin."""
        found = []
        for number, line in enumerate(self._lines):
            if any(span.role in (Role.HEADING, Role.SUBHEADING) for span in line):
                found.append(number)
        return found

    def next_heading(self, step: int) -> None:
        """Scroll to the next section, or with -1 to the one before."""
        here = self.scroll_offset.y
        lines = [line for line in self.headings() if (line - here) * step > 0]
        if lines:
            self.go_to(min(lines) if step > 0 else max(lines))

    def notify_style_update(self) -> None:
        """Forget what was drawn in other colours."""
        super().notify_style_update()
        self._strips.clear()
        self._base = None

    def on_resize(self) -> None:
        """Lay the document out again if its width has changed."""
        self._lay_out()

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        if width <= 0 or width == self._laid_out_for:
            return
        self._laid_out_for = width
        self._strips.clear()
        self._lines = tuple(self._layout_of(width))
        self.virtual_size = Size(width, len(self._lines))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw one line of what is seen."""
        number = self.scroll_offset.y + y
        width = self.size.width
        if self._base is None:
            # Worked out from every widget above, so not for every line.
            self._base = self.rich_style
        if number >= len(self._lines):
            return Strip.blank(width, self._base)
        strip = self._strips.get(number)
        if strip is None or strip.cell_length != width:
            drawn = strip_of(self._lines[number], role_styles(self))
            strip = drawn.adjust_cell_length(width, Style()).apply_style(self._base)
            self._strips[number] = strip
        return strip


def paragraph(text: str, role: Role = Role.TEXT) -> Layout:
    """Return the layout of plain text that is wrapped and nothing else."""

    def layout(width: int) -> Sequence[Line]:
        from quizapp.text.cells import safe
        from quizapp.text.wrap import wrap

        rows = (safe(row) for row in text.split("\n"))
        return [line for row in rows for line in wrap((Span(row, role),), width)]

    return layout

"""The floor for the next card: the same screen, the card one widget that Rich renders."""

from __future__ import annotations

from rich.markdown import Markdown
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Footer, Header, OptionList, Static

from benchmarks.bare_screen import CARD


class CardView(ScrollView):
    """A document as strips, rendered once per text and width."""

    text = CARD
    strips: tuple[Strip, ...] = ()

    def show(self, text: str) -> None:
        """Render another text."""
        self.text = text
        width = self.scrollable_content_region.width
        options = self.app.console.options.update(width=width, height=None)
        lines = self.app.console.render_lines(Markdown(self.text), options, pad=True)
        self.strips = tuple(Strip(line).adjust_cell_length(width) for line in lines)
        self.virtual_size = Size(width, len(self.strips))
        self.refresh()

    def on_resize(self) -> None:
        """Render for the new width."""
        self.show(self.text)

    def render_line(self, y: int) -> Strip:
        """Serve a strip."""
        y += self.scroll_offset.y
        if y >= len(self.strips):
            return Strip.blank(self.size.width, self.rich_style)
        return self.strips[y].apply_style(self.rich_style)


class Bare(App[None]):
    """Counts its cards."""

    BINDINGS = [("q", "quit", "Quit"), ("n", "next", "Next")]  # noqa: RUF012
    CSS = "OptionList { width: 30; } #n { height: 1; }"
    cards = 0

    def compose(self) -> ComposeResult:
        """Lay out a typical screen."""
        yield Header()
        with Horizontal():
            yield OptionList(*[f"Deck {n} 内核" for n in range(30)])
            yield CardView()
        yield Static("", id="n")
        yield Footer()

    def on_mount(self) -> None:
        """Say when it can be seen."""
        self.call_after_refresh(lambda: self.query_one("#n", Static).update("READY"))

    def action_next(self) -> None:
        """Show another card."""
        self.cards += 1
        self.query_one(CardView).show(f"# count={self.cards:05d}\n\n{CARD}")


if __name__ == "__main__":
    Bare().run()

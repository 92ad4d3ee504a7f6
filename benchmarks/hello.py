"""The least Textual program that shows a text: the floor for start-up."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class Hello(App[None]):
    """One line of text, and q to leave."""

    BINDINGS = [("q", "quit", "Quit")]  # noqa: RUF012 - Textual's own way

    def compose(self) -> ComposeResult:
        """Show the line that the benchmark waits for."""
        yield Static("HELLO-READY")


if __name__ == "__main__":
    Hello().run()

"""Where answers are typed."""

from __future__ import annotations

from textual.widgets import TextArea


class AnswerEditor(TextArea):
    """A text area that wraps, takes pasted and composed text, and never reads markup."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(
            id=id,
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            highlight_cursor_line=False,
        )

    def begin(self, text: str = "", hint: str = "") -> None:
        """Start a new answer."""
        self.load_text(text)
        self.placeholder = hint
        self.move_cursor(self.document.end)

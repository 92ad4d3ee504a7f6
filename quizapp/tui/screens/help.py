"""Every key, place by place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from quizapp.text.cells import pad
from quizapp.text.spans import Line, Role, Span
from quizapp.tui.actions import ACTIONS, Place
from quizapp.tui.bindings import bindings
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.widgets.document import Document
from quizapp.tui.widgets.keybar import KeyBar, key_name
from quizapp.tui.widgets.topbar import TopBar

KEYS = 16
"""Cells of the column of keys."""


class HelpScreen(QuizScreen):
    """All actions with their keys."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(Place.HELP)

    @property
    def place(self) -> Place:
        """The help."""
        return Place.HELP

    def compose(self) -> ComposeResult:
        """Lay out one document."""
        yield TopBar()
        yield Document(id="help")
        yield KeyBar()

    def on_mount(self) -> None:
        """Fill the document."""
        self.query_one(Document).focus()
        self.retell()

    def retell(self) -> None:
        """Show the keys in the present language."""
        self.query_one(TopBar).say(self.words.help_title)
        self.query_one(Document).show_layout(self._layout)
        self.offer_keys()

    def _layout(self, width: int) -> Sequence[Line]:
        words = self.words
        lines: list[Line] = [(Span(words.help_intro, Role.MUTED),), ()]
        for place in Place:
            if place in (Place.SEARCH, Place.HELP):
                continue
            actions = [action for action in ACTIONS if place in action.places]
            lines.append((Span(words.places[place], Role.HEADING),))
            for action in actions:
                keys = "  ".join(key_name(key) for key in action.keys)
                text = words.actions[action.id].long
                lines.append(
                    (Span(f"  {pad(keys, KEYS)}", Role.KEY), Span(pad(text, width - KEYS - 2)))
                )
            lines.append(())
        return lines

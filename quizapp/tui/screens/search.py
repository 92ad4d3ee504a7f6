"""Search as one types, in both languages at once."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from quizapp.text.cells import clip, safe
from quizapp.tui.actions import Place
from quizapp.tui.bindings import bindings
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.widgets.keybar import KeyBar
from quizapp.tui.widgets.topbar import TopBar


class SearchScreen(QuizScreen):
    """A line to type in and the places that were found."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(Place.SEARCH),
        Binding("down", "results", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._cards: list[str] = []

    @property
    def place(self) -> Place:
        """The search."""
        return Place.SEARCH

    def compose(self) -> ComposeResult:
        """Lay out the line over the results."""
        yield TopBar()
        yield Input(id="find")
        yield OptionList(id="results", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        """Wait for a query."""
        self.retell()
        self.query_one("#find", Input).focus()

    def retell(self) -> None:
        """Say it in the present language, and search again."""
        self.query_one(TopBar).say(self.words.actions["search"].short)
        self.query_one("#find", Input).placeholder = self.words.search_hint
        self.offer_keys()
        self.find(self.query_one("#find", Input).value)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search for what is typed so far."""
        self.find(event.value)

    @work(exclusive=True, group="find", thread=True)
    def find(self, query: str) -> None:
        """Search off the event loop; a later query takes an earlier one's place."""
        from textual.worker import get_current_worker

        from quizapp.cards.search import search

        worker = get_current_worker()
        hits = search(self.workspace.library, query, self.workspace.language) if query else []
        options = [
            Option(Content(f"{hit.card} · {hit.where} · {clip(safe(hit.line), 100)}"), id=f"{n}")
            for n, hit in enumerate(hits)
        ]
        if not worker.is_cancelled:
            cards = [hit.card for hit in hits]
            self.app.call_from_thread(self._show, query, options, cards)

    def _show(self, query: str, options: list[Option], cards: list[str]) -> None:
        self._cards = cards
        results = self.query_one("#results", OptionList)
        results.clear_options()
        results.add_options(options)
        if options:
            results.highlighted = 0
        count = self.words.results.format(n=len(options)) if options else self.words.nothing_found
        self.query_one(TopBar).say(self.words.actions["search"].short, count if query else "")

    def on_input_submitted(self) -> None:
        """Open the best place."""
        self._open(self.query_one("#results", OptionList).highlighted)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the place that was chosen."""
        self._open(event.option_index)

    def action_results(self) -> None:
        """Go from the line into the results."""
        self.query_one("#results", OptionList).focus()

    def _open(self, index: int | None) -> None:
        if index is not None and index < len(self._cards):
            self.quiz.open_card(self._cards[index])

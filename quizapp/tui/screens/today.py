"""The first screen: what is due, how the days went and come, and the cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import OptionList

from quizapp.text.spans import Line, Role, Span
from quizapp.tui.actions import Place
from quizapp.tui.bindings import bindings
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.widgets.keybar import KeyBar
from quizapp.tui.widgets.rows import Rows
from quizapp.tui.widgets.topbar import TopBar

if TYPE_CHECKING:
    from quizapp.services.today import CardRow, Overview
    from quizapp.tui.words import Words

INDENT = Span("  ")


class TodayScreen(QuizScreen):
    """Today's figures and the way into the review."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(Place.TODAY)
    AUTO_FOCUS = ""

    def __init__(self) -> None:
        super().__init__()
        self._overview: Overview | None = None

    @property
    def place(self) -> Place:
        """Today."""
        return Place.TODAY

    def compose(self) -> ComposeResult:
        """Lay out the figures over the list of cards."""
        yield TopBar()
        yield Rows(id="figures")
        yield OptionList(id="cards", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the frame at once; the history opens after the first paint."""
        self.query_one(TopBar).say(self.words.places[Place.TODAY])
        self.query_one("#figures", Rows).show([(), (INDENT, Span(self.words.opening, Role.MUTED))])
        self.offer_keys()
        self.call_after_refresh(self.load)

    def on_screen_resume(self) -> None:
        """Count again after a review."""
        if self._overview is not None:
            self.load()

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Open the history if need be, and count."""
        from quizapp.services.today import overview
        from quizapp.store.values import StoreError

        try:
            await self.workspace.open()
            self._overview = await overview(self.workspace)
        except StoreError as error:
            self._fail(error)
            return
        self.retell()
        self.quiz.spare_the_collector()

    def retell(self) -> None:
        """Show the figures in the present language."""
        self.offer_keys()
        found = self._overview
        if found is None:
            return
        words = self.words
        right = words.streak.format(n=found.streak.current) if found.streak.current else ""
        day = f"{found.day:%Y-%m-%d} {words.weekday(found.day)}"
        self.query_one(TopBar).say(f"{words.places[Place.TODAY]} · {day}", right)
        self.query_one("#figures", Rows).show(list(self._figures(found)))
        self._list_cards(found)

    def _figures(self, found: Overview) -> Iterator[Line]:
        words = self.words
        counts = found.counts
        yield ()
        yield (
            INDENT,
            *_figure(counts.due, words.due, Role.ACCENT),
            *_figure(counts.new, words.new, Role.GOOD),
            *_figure(counts.learning, words.learning, Role.WARN),
            Span(words.done_today.format(n=found.done), Role.MUTED),
        )
        yield ()
        yield (INDENT, Span(self._advice(found), Role.STRONG))
        if found.held_back:
            note = words.held_back.format(n=found.held_back)
            yield (INDENT, Span(note, Role.MUTED))
        for note in self._notes(found):
            yield from _wrapped(note, self.size.width - 4, Role.WARN)
        yield ()
        yield from self._forecast(found)

    def _forecast(self, found: Overview) -> Iterator[Line]:
        """Yield the coming days as columns, if anything is due on one of them."""
        from quizapp.charts.columns import columns

        values = [number for _, number in found.forecast]
        if not any(values):
            return
        yield (INDENT, Span(self.words.forecast, Role.MUTED))
        labels = [f"{self.words.weekday(day)} {number or '·'}" for day, number in found.forecast]
        for line in columns(values, labels, 3):
            yield (INDENT, *line)
        yield ()

    def _advice(self, found: Overview) -> str:
        words = self.words
        if not found.cards:
            return words.no_cards
        if found.counts.total:
            return f"⏎ {words.actions['start'].long}"
        later = ""
        if found.next_due is not None:
            days = (found.next_due - found.day).days
            later = " " + words.next_due.format(when=words.interval_of(days))
        return words.nothing_due + later

    def _notes(self, found: Overview) -> Iterator[str]:
        if found.problems:
            yield self.words.problems.format(n=found.problems)
        for problem in self.workspace.problems:
            yield str(problem)

    def _list_cards(self, found: Overview) -> None:
        from textual.content import Content
        from textual.widgets.option_list import Option

        cards = self.query_one("#cards", OptionList)
        chosen = cards.highlighted
        cards.clear_options()
        width = max(40, self.size.width - 6)
        for row in found.cards:
            card = self.workspace.library.card(row.id, self.workspace.language)
            title = card.title if card else row.title
            line = _card_line(row, title, width, self.words)
            cards.add_option(Option(Content(line), id=row.id))
        cards.highlighted = chosen if found.cards else None

    def _fail(self, error: Exception) -> None:
        self.query_one("#figures", Rows).show(
            [
                (),
                (INDENT, Span(self.words.error_title, Role.BAD)),
                *_wrapped(str(error), self.size.width - 4),
            ]
        )

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the card that was chosen."""
        if event.option.id:
            self.quiz.open_card(event.option.id)

    def action_start(self) -> None:
        """Begin the review."""
        if self._overview is not None:
            self.quiz.open_review()

    def action_more(self) -> None:
        """Study more than is due."""
        if self._overview is not None:
            from quizapp.tui.screens.review import ReviewScreen

            self.app.push_screen(ReviewScreen(more=True))

    def action_interview(self) -> None:
        """Choose a mock interview."""
        if self._overview is not None:
            self.quiz.open_interviews()

    def action_browse(self) -> None:
        """Go into the list of cards, or out of it."""
        cards = self.query_one("#cards", OptionList)
        if cards.has_focus:
            self.set_focus(None)
        else:
            self.set_focus(cards)
            if cards.highlighted is None and cards.option_count:
                cards.highlighted = 0

    def action_statistics(self) -> None:
        """Show the statistics."""
        from quizapp.tui.screens.statistics import StatisticsScreen

        self.app.push_screen(StatisticsScreen())

    def action_search(self) -> None:
        """Search the cards."""
        from quizapp.tui.screens.search import SearchScreen

        self.app.push_screen(SearchScreen())

    @work(exclusive=True, group="undo")
    async def action_undo(self) -> None:
        """Take the last rating back."""
        from quizapp.services.review import undo

        undone = await undo(self.workspace)
        if undone is None or undone.rating is None:
            self.quiz.tell(self.words.nothing_to_undo)
            return
        rating = self.words.ratings[undone.rating]
        self.quiz.tell(self.words.undone.format(rating=rating, prompt=undone.prompt))
        self.load()


def _figure(number: int, label: str, role: Role) -> tuple[Span, Span]:
    return Span(f"{number}", role if number else Role.MUTED), Span(f" {label}     ")


def _card_line(row: CardRow, title: str, width: int, words: Words) -> str:
    from quizapp.text.cells import pad, safe

    share = words.learned.format(n=row.learned, of=row.prompts)
    count = f"{row.due} {words.due}" if row.due else ""
    right = f"{count}  {share}".strip()
    return f"{pad(safe(title), width - cell_len(right) - 2)}  {right}"


def _wrapped(text: str, width: int, role: Role = Role.TEXT) -> list[Line]:
    from quizapp.text.cells import safe
    from quizapp.text.wrap import wrap_text

    return [(INDENT, *line) for line in wrap_text(safe(text), max(20, width), role)]

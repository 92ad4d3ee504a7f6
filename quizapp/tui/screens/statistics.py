"""Retention, time and scores, from the whole log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType

from quizapp.charts.bars import Bar, bars
from quizapp.charts.columns import calendar, columns
from quizapp.memory.statistics import Share
from quizapp.text.cells import pad
from quizapp.text.spans import Line, Role, Span
from quizapp.text.wrap import wrap_text
from quizapp.tui.actions import Place
from quizapp.tui.bindings import bindings
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.widgets.document import Document
from quizapp.tui.widgets.keybar import KeyBar
from quizapp.tui.widgets.topbar import TopBar
from quizapp.tui.words import Words

if TYPE_CHECKING:
    from quizapp.services.statistics import Statistics


class StatisticsScreen(QuizScreen):
    """Charts of the log."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(Place.STATISTICS)

    def __init__(self) -> None:
        super().__init__()
        self._found: Statistics | None = None

    @property
    def place(self) -> Place:
        """The statistics."""
        return Place.STATISTICS

    def compose(self) -> ComposeResult:
        """Lay out one document."""
        yield TopBar()
        yield Document(id="page")
        yield KeyBar()

    def on_mount(self) -> None:
        """Work the figures out."""
        self.query_one(Document).focus()
        self.retell()
        self._load()

    @work(exclusive=True, group="load")
    async def _load(self) -> None:
        from quizapp.services.statistics import statistics
        from quizapp.store.values import StoreError

        try:
            self._found = await statistics(self.workspace)
        except StoreError as error:
            self.quiz.tell(str(error), "error")
        self.retell()

    def action_search(self) -> None:
        """Search the cards."""
        from quizapp.tui.screens.search import SearchScreen

        self.app.push_screen(SearchScreen())

    def retell(self) -> None:
        """Show the figures in the present language."""
        self.query_one(TopBar).say(self.words.statistics)
        self.offer_keys()
        self.query_one(Document).show_layout(self._layout, home=False)

    def _layout(self, width: int) -> Sequence[Line]:
        found = self._found
        if found is None:
            return [(Span(self.words.working, Role.MUTED),)]
        if not found.reviews:
            return [(Span(self.words.nothing_yet, Role.MUTED),)]
        return list(self._lines(found, width))

    def _lines(self, found: Statistics, width: int) -> Iterator[Line]:
        words = self.words
        yield (Span(words.retention, Role.HEADING),)
        yield from bars(
            [
                _share_bar(words.young, found.retention.young),
                _share_bar(words.mature, found.retention.mature),
            ],
            min(width, 70),
        )
        yield ()
        yield (Span(words.reviews_per_day, Role.HEADING),)
        weeks = min(26, max(4, (width - 6) // 2))
        counts = {day: total.reviews for day, total in found.days.items()}
        for name, line in zip(words.weekdays, calendar(counts, found.day, weeks), strict=True):
            yield (Span(pad(name, 4), Role.MUTED), *line)
        yield (Span(words.weeks_shown.format(n=weeks), Role.MUTED),)
        spent = words.time_spent.format(
            hours=f"{found.seconds / 3600:.1f}", minutes=f"{found.recent_seconds / 60:.0f}"
        )
        yield (Span(spent, Role.MUTED),)
        yield ()
        yield (Span(words.score_bands, Role.HEADING),)
        yield from bars(
            [
                _share_bar(
                    words.band.format(
                        low=f"{band.low:.0%}", high=f"{band.high:.0%}", n=band.answers
                    ),
                    band.next_time,
                )
                for band in found.bands
            ],
            min(width, 70),
        )
        yield ()
        if found.drift.answers:
            yield from _drift_lines(found, words, width)
            yield ()
        yield (Span(words.expected, Role.HEADING),)
        days = found.forecast[: max(1, min(len(found.forecast), width // 8))]
        labels = [f"{words.weekday(day.day)} {day.expected:.1f}" for day in days]
        yield from columns([day.expected for day in days], labels, 4)


def _drift_lines(found: Statistics, words: Words, width: int) -> Iterator[Line]:
    """Show how far grader, corrected ticks and own rating are apart: lately, and before."""
    lately, all_ = found.recent_drift, found.drift
    for drift in (lately, all_) if all_.answers > lately.answers else (lately,):
        yield (Span(words.drift.format(n=drift.answers), Role.HEADING),)
        if drift.automatic_points is not None and drift.corrected_points is not None:
            text = words.drift_ticks.format(
                automatic=f"{drift.automatic_points:.1f}",
                corrected=f"{drift.corrected_points:.1f}",
                added=f"{drift.added or 0:.1f}",
                removed=f"{drift.removed or 0:.1f}",
            )
            yield from wrap_text(text, width)
        for label, steps in (
            (words.drift_correction, drift.correction),
            (words.drift_own, drift.own),
        ):
            if steps.total:
                counts = words.drift_steps.format(
                    same=steps.same, higher=steps.higher, lower=steps.lower
                )
                yield from wrap_text(f"{label}{words.colon}{counts}", width, Role.MUTED)


def _share_bar(label: str, share: Share) -> Bar:
    shown = f"{share.rate:.0%} ({share.passed}/{share.total})" if share.rate is not None else "–"
    return Bar(label, share.rate, shown)

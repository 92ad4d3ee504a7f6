"""Choosing a mock interview: a new one as one likes it, or one there was."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from quizapp.interview.options import Languages, Options
from quizapp.interview.wording import Wording, wording
from quizapp.services.interview import decks, interviews
from quizapp.store.values import StoreError
from quizapp.text.spans import Line, Role, Span
from quizapp.tui.actions import Place
from quizapp.tui.bindings import bindings
from quizapp.tui.interview_lines import Chooser, changed
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.widgets.document import Document
from quizapp.tui.widgets.keybar import KeyBar
from quizapp.tui.widgets.topbar import TopBar

SHOWN = 50
"""Interviews in the list."""
SEEDS = 10**6


class MockScreen(QuizScreen):
    """The choices, and under them the interviews so far."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(Place.MOCK),
        Binding("up,k", "move(-1)", show=False),
        Binding("down,j", "move(1)", show=False),
        Binding("left", "change(-1)", show=False),
        Binding("right,space", "change(1)", show=False),
    ]
    AUTO_FOCUS = ""

    def __init__(self) -> None:
        super().__init__()
        self._chooser: Chooser | None = None

    @property
    def place(self) -> Place:
        """Choosing."""
        return Place.MOCK

    @property
    def texts(self) -> Wording:
        """The words of an interview, in the present language."""
        return wording(self.workspace.language)

    def compose(self) -> ComposeResult:
        """Lay out one document."""
        yield TopBar()
        yield Document(id="page")
        yield KeyBar()

    def on_mount(self) -> None:
        """Read what there is."""
        self.retell()
        self._load()

    def on_screen_resume(self) -> None:
        """List again after an interview."""
        if self._chooser is not None:
            self._load()

    @work(exclusive=True, group="load")
    async def _load(self) -> None:
        try:
            await self.workspace.open()
            past = await interviews(self.workspace, SHOWN)
        except StoreError as error:
            self.quiz.tell(str(error), "error")
            return
        found = decks(self.workspace)
        if self._chooser is None:
            options = Options(languages=Languages(self.workspace.language.value))
            self._chooser = Chooser(options, found, tuple(past))
        else:
            self._chooser = replace(self._chooser, decks=found, past=tuple(past))
        self.retell()

    def retell(self) -> None:
        """Show everything in the present language."""
        self.query_one(TopBar).say(self.words.places[Place.MOCK])
        self.offer_keys()
        document = self.query_one(Document)
        document.show_layout(self._layout, home=False)
        if self._chooser is not None:
            width = document.scrollable_content_region.width
            _, line = self._chooser.lines(self.texts, width, self.workspace.calendar.zone)
            top, height = document.scroll_offset.y, max(1, document.size.height)
            if not top <= line < top + height - 1:
                document.go_to(max(0, line - height // 2))

    def _layout(self, width: int) -> Sequence[Line]:
        if self._chooser is None:
            return [(Span(self.words.working, Role.MUTED),)]
        return self._chooser.lines(self.texts, width, self.workspace.calendar.zone)[0]

    def action_move(self, step: int) -> None:
        """Choose another row."""
        if self._chooser is not None:
            cursor = min(max(0, self._chooser.cursor + step), self._chooser.count - 1)
            self._chooser = replace(self._chooser, cursor=cursor)
            self.retell()

    def action_change(self, step: int) -> None:
        """Change what is chosen."""
        found = self._chooser
        if found is not None and found.interview is None:
            options = changed(found.options, found.cursor, step, found.decks)
            self._chooser = replace(found, options=options)
            self.retell()

    def action_begin(self) -> None:
        """Begin the interview, or open the one that is chosen."""
        from quizapp.tui.screens.interview import InterviewScreen
        from quizapp.tui.screens.report import ReportScreen

        found = self._chooser
        if found is None:
            return
        one = found.interview
        if one is None:
            seed = random.SystemRandom().randrange(SEEDS)
            self.app.push_screen(InterviewScreen(replace(found.options, seed=seed)))
        elif one.options is None:
            self.quiz.tell(self.texts.unreadable, "warning")
        elif one.summary is None:
            self.app.push_screen(InterviewScreen(resume=one.id))
        else:
            self.app.push_screen(ReportScreen(one.id))

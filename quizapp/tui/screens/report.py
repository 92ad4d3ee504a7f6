"""An interview's report."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType

from quizapp.interview.markdown import markdown
from quizapp.interview.page import page
from quizapp.interview.report import Report
from quizapp.interview.wording import wording
from quizapp.services.errors import UserError
from quizapp.services.interview import load_report
from quizapp.store.values import StoreError
from quizapp.tui.actions import Place
from quizapp.tui.bindings import bindings
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.widgets.document import Document
from quizapp.tui.widgets.keybar import KeyBar
from quizapp.tui.widgets.topbar import TopBar


class ReportScreen(QuizScreen):
    """The whole report, what to study from it, and a way to take it along."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(Place.REPORT)

    def __init__(self, interview: str) -> None:
        super().__init__()
        self._interview = interview
        self._report: Report | None = None

    @property
    def place(self) -> Place:
        """A report."""
        return Place.REPORT

    def compose(self) -> ComposeResult:
        """Lay out one document."""
        yield TopBar()
        yield Document(id="page")
        yield KeyBar()

    def on_mount(self) -> None:
        """Read the interview."""
        self.query_one(Document).focus()
        self.retell()
        self._load()

    @work(exclusive=True, group="load")
    async def _load(self) -> None:
        try:
            self._report = await load_report(self.workspace, self._interview)
        except (StoreError, UserError) as error:
            self.quiz.tell(str(error), "error")
            return
        self.query_one(Document).show(markdown(self._report, self.workspace.calendar.zone))
        self.retell()

    def retell(self) -> None:
        """Say what is the interface's; the report stays in the language of the answers."""
        self.query_one(TopBar).say(self.words.places[Place.REPORT], self._interview[:8])
        self.offer_keys()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to study and to write once there is something."""
        if action == "study":
            return self._report is not None and bool(self._report.study)
        if action == "export":
            return self._report is not None
        return super().check_action(action, parameters)

    def action_next_section(self) -> None:
        """Go to the next question."""
        self.query_one(Document).next_heading(1)

    def action_previous_section(self) -> None:
        """Go to the question before."""
        self.query_one(Document).next_heading(-1)

    def action_study(self) -> None:
        """Review what was missed, now."""
        from quizapp.tui.screens.review import ReviewScreen

        if self._report is not None and self._report.study:
            self.app.push_screen(ReviewScreen(only=self._report.study))

    @work(exclusive=True, group="export")
    async def action_export(self) -> None:
        """Write the report as files, for a browser, a printer or a friend."""
        if self._report is None:
            return
        texts = wording(self.workspace.language)
        folder = self.workspace.paths.data / "interviews"
        try:
            paths = await asyncio.to_thread(self._write, self._report, folder)
        except OSError as error:
            self.quiz.tell(f"{folder}: {error.strerror}", "error")
            return
        self.quiz.tell(texts.written.format(paths=" ".join(map(str, paths))))

    def _write(self, made: Report, folder: Path) -> list[Path]:
        folder.mkdir(parents=True, exist_ok=True)
        zone = self.workspace.calendar.zone
        stem = f"{made.at.astimezone(zone):%Y-%m-%d-%H%M}-{made.id[:8]}"
        written = []
        for suffix, text in ((".html", page(made, zone)), (".md", markdown(made, zone))):
            path = folder / f"{stem}{suffix}"
            path.write_text(text, encoding="utf-8")
            written.append(path)
        return written

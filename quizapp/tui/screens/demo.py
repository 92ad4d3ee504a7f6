"""A card's claims and the runs that judge them: here, and recorded elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.worker import Worker, WorkerState

from quizapp.cards.model import Card
from quizapp.proof.protocol import Event
from quizapp.proof.record import Record
from quizapp.proof.run import RunResult
from quizapp.services.demo_list import demo_digests
from quizapp.services.proving import claims_of, demos_of, judge_all, keep_run, records, run_demo
from quizapp.text.cells import safe
from quizapp.text.spans import Line, Role, Span
from quizapp.text.wrap import wrap
from quizapp.tui.actions import Place
from quizapp.tui.bindings import bindings
from quizapp.tui.proof_lines import claim_lines, params_note, record_label, run_lines
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.widgets.document import Document
from quizapp.tui.widgets.keybar import KeyBar
from quizapp.tui.widgets.topbar import TopBar

PAINTS = 12
"""Times a second that a run's progress is drawn, however many events come."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded run that comes with the program."""

    run: Record
    old: bool
    """The demo has changed since."""


class DemoScreen(QuizScreen):
    """Runs demos and says whether the card's claims hold on this machine."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(Place.DEMO)

    def __init__(self, card: str, prove_all: bool = False) -> None:
        super().__init__()
        self._card_id = card
        self._prove_all = prove_all
        self._chosen = ""
        self._results: dict[str, RunResult] = {}
        """The runs of this visit, by demo."""
        self._recorded: dict[str, Recorded] = {}
        self._worker: Worker[None] | None = None
        self._at_work = ""
        """The demo that runs."""
        self._queue: list[str] = []
        """Those that come after it."""
        self._dirty = False
        self._notes: dict[str, str] = {}

    @property
    def place(self) -> Place:
        """A proof."""
        return Place.DEMO

    @property
    def card(self) -> Card | None:
        """The card in the present language."""
        return self.workspace.library.card(self._card_id, self.workspace.language)

    @property
    def demos(self) -> tuple[str, ...]:
        """The demos of the card, in the order of its claims."""
        card = self.card
        return demos_of(card) if card else ()

    @property
    def demo(self) -> str:
        """The demo that is shown; empty if the card has none."""
        found = self.demos
        return self._chosen if self._chosen in found else next(iter(found), "")

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return self._worker is not None and self._worker.state in (
            WorkerState.PENDING,
            WorkerState.RUNNING,
        )

    @property
    def _result(self) -> RunResult | None:
        return self._results.get(self.demo)

    def compose(self) -> ComposeResult:
        """Lay out one document."""
        yield TopBar()
        yield Document(id="page")
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the claims and the record; a run is drawn a few times a second."""
        self.query_one(Document).focus()
        self.retell()
        self.run_worker(self._look_up, thread=True, group="record")
        self.set_interval(1 / PAINTS, self._paint)
        if self._prove_all:
            self.action_prove_all()

    def _look_up(self) -> None:
        digests = demo_digests()
        for demo in self.demos:
            found = next(iter(records(demo)), None)
            if found is not None:
                self._recorded[demo] = Recorded(found, found.digest != digests.get(demo))
        self._dirty = True

    def _paint(self) -> None:
        if self._dirty:
            self._dirty = False
            self.retell()

    def retell(self) -> None:
        """Show everything in the present language."""
        words = self.words
        right = ""
        if self.running:
            done = self._results.get(self._at_work)
            progress = done.progress if done else None
            told = [words.running, self._at_work if self._at_work != self.demo else ""]
            told += [progress.stage, f"{progress.fraction:.0%}"] if progress else []
            told += [f"+{len(self._queue)}"] if self._queue else []
            right = " · ".join(filter(None, told))
        self.query_one(TopBar).say(
            f"{words.places[Place.DEMO]} · {self._card_id} · {self.demo}", right
        )
        self.offer_keys()
        self.query_one(Document).show_layout(lambda width: list(self._lines(width)), home=False)

    def _lines(self, width: int) -> Iterator[Line]:
        words, card = self.words, self.card
        if card is None or not self.demo:
            yield (Span(words.no_demo, Role.MUTED),)
            return
        yield from self._choice(width)
        yield from self._state(width)
        claims = claims_of(card, self.demo)
        record = self._recorded.get(self.demo)
        here = judge_all(claims, self._result) if self._ended else None
        recorded = judge_all(claims, record.run.result) if record else None
        if self._result is not None:
            where = f"{words.measured_here}{words.colon}{self._device()}"
            yield from wrap((Span(where, Role.SUBHEADING),), width, indent=2)
            yield from run_lines(self._result, words, width)
            yield ()
        yield from claim_lines(claims, here, recorded, words, width)
        if record is not None:
            label = record_label(record.run, words)
            yield from wrap((Span(label, Role.SUBHEADING),), width, indent=2)
            if record.old:
                yield (Span(words.stale, Role.WARN),)
            yield (Span(f"$ {safe(record.run.command)}", Role.CODE),)
            yield from run_lines(record.run.result, words, width)
        else:
            yield (Span(words.no_record, Role.MUTED),)

    def _choice(self, width: int) -> Iterator[Line]:
        """Yield the card's demos, the one that is shown marked, if there are several."""
        found = self.demos
        if len(found) < 2:
            return
        spans = [Span(f"{self.words.demos}{self.words.colon}", Role.MUTED)]
        for name in found:
            ended = self._results.get(name)
            role = Role.TEXT
            if ended is not None and ended.finished:
                role = Role.GOOD if ended.done else Role.BAD
            edges = ("▸", "◂") if name == self.demo else (" ", " ")
            spans += (Span(edges[0], Role.ACCENT), Span(name, role), Span(edges[1], Role.ACCENT))
        yield from wrap(spans, width, indent=2)
        yield ()

    def _state(self, width: int) -> Iterator[Line]:
        failed = self._result.failed if self._result else None
        if failed is not None:
            title = self.words.failures.get(failed.kind, failed.kind)
            yield (Span(title, Role.BAD),)
            yield from wrap((Span(safe(failed.message)),), width)
            if failed.remedy:
                yield from wrap((Span(safe(failed.remedy), Role.CODE),), width)
            yield ()
        elif note := self._notes.get(self.demo, ""):
            yield (Span(note, Role.MUTED),)
            yield ()
        elif self._result is None and self._at_work != self.demo:
            yield (Span(self.words.press_run, Role.STRONG),)
            yield ()

    @property
    def _ended(self) -> bool:
        return self._result is not None and self._result.finished

    def _device(self) -> str:
        device = self._result.device if self._result else None
        if device is None:
            return self.words.working
        versions = ", ".join(f"{n} {v}" for n, v in device.versions.items())
        told = f"{device.name} ({device.kind}), {self.workspace.now():%Y-%m-%d}, {versions}"
        note = params_note(self._result, self.words) if self._result else ""
        return safe(told) + note

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to run or to cancel, whichever makes sense."""
        if action in ("run", "prove_all"):
            return not self.running and bool(self.demo)
        if action == "next_demo":
            return len(self.demos) > 1
        if action == "cancel":
            return self.running
        return super().check_action(action, parameters)

    def action_run(self) -> None:
        """Run the demo."""
        if not self.running and self.demo:
            self._start([self.demo])

    def action_prove_all(self) -> None:
        """Run every demo of the card, one after the other."""
        if not self.running and self.demos:
            self._start(list(self.demos))

    def action_next_demo(self) -> None:
        """Show the next demo of the card."""
        found = self.demos
        if len(found) > 1:
            self._show(found[(found.index(self.demo) + 1) % len(found)])

    def _show(self, demo: str) -> None:
        self._chosen = demo
        self.query_one(Document).scroll_home(animate=False)
        self.retell()

    def _start(self, demos: list[str]) -> None:
        self._queue = demos
        self._worker = self.run_worker(self._run_all(), group="run", exclusive=True)
        self._show(demos[0])

    async def _run_all(self) -> None:
        while self._queue:
            shown = self._at_work in ("", self.demo)
            self._at_work = self._queue.pop(0)
            self._results[self._at_work] = RunResult()
            self._notes.pop(self._at_work, None)
            if shown:  # whoever looks at another one goes on looking at it
                self._show(self._at_work)
            await self._run(self._at_work)
        self._at_work = ""

    async def _run(self, demo: str) -> None:
        events: list[Event] = []
        seed = time.time_ns() % 2**31
        async with aclosing(run_demo(self.quiz.runner, demo, seed=seed)) as steps:
            async for step in steps:
                events.append(step.event)
                self._results[demo] = step.result
                self._dirty = True
        await self._store(demo, events)

    async def _store(self, demo: str, events: Sequence[Event]) -> None:
        from quizapp.store.values import StoreError

        result = self._results[demo]
        if result.done is None:
            self._dirty = True
            return
        try:
            cards = [self.card] if self.card else []
            await keep_run(self.workspace, cards, self.quiz.runner, result, events)
            self._notes[demo] = self.words.stored
        except StoreError as error:
            self.quiz.tell(str(error), "error")
        self._dirty = True

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say so when a run begins or ends, cancelled ones included."""
        if event.worker is self._worker:
            self._dirty = True

    def action_cancel(self) -> None:
        """Cancel the run, and those that would come after it."""
        if self._worker is not None and self.running:
            self._worker.cancel()
            self._results.pop(self._at_work, None)
            self._notes[self._at_work] = self.words.cancelled
            self._queue, self._at_work = [], ""
            self._dirty = True

    async def action_back(self) -> None:
        """Go back; a run that is under way is cancelled."""
        self.action_cancel()
        self.app.pop_screen()

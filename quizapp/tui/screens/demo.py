"""A card's claims and the runs that judge them: here, and recorded elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.worker import Worker, WorkerState

from quizapp.cards.model import Card
from quizapp.proof.protocol import Event
from quizapp.proof.run import RunResult
from quizapp.services.demo_list import demo_digests
from quizapp.services.proving import claims_of, demos_of, judge_all, keep_run, records, run_demo
from quizapp.text.cells import safe
from quizapp.text.spans import Line, Role, Span
from quizapp.text.wrap import wrap
from quizapp.tui.actions import Place
from quizapp.tui.bindings import bindings
from quizapp.tui.proof_lines import claim_lines, record_label, run_lines
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.widgets.document import Document
from quizapp.tui.widgets.keybar import KeyBar
from quizapp.tui.widgets.topbar import TopBar

if TYPE_CHECKING:
    from quizapp.proof.record import Record

PAINTS = 12
"""Times a second that a run's progress is drawn, however many events come."""


class DemoScreen(QuizScreen):
    """Runs demos and says whether the card's claims hold on this machine."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(Place.DEMO)

    def __init__(self, card: str) -> None:
        super().__init__()
        self._card_id = card
        self._result: RunResult | None = None
        self._record: Record | None = None
        self._record_is_old = False
        self._worker: Worker[None] | None = None
        self._dirty = False
        self._note = ""

    @property
    def place(self) -> Place:
        """A proof."""
        return Place.DEMO

    @property
    def card(self) -> Card | None:
        """The card in the present language."""
        return self.workspace.library.card(self._card_id, self.workspace.language)

    @property
    def demo(self) -> str:
        """The demo that is shown; empty if the card has none."""
        card = self.card
        return next(iter(demos_of(card)), "") if card else ""

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return self._worker is not None and self._worker.state in (
            WorkerState.PENDING,
            WorkerState.RUNNING,
        )

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

    def _look_up(self) -> None:
        found = records(self.demo)
        self._record = found[0] if found else None
        digest = demo_digests().get(self.demo)
        self._record_is_old = self._record is not None and self._record.digest != digest
        self._dirty = True

    def _paint(self) -> None:
        if self._dirty:
            self._dirty = False
            self.retell()

    def retell(self) -> None:
        """Show everything in the present language."""
        words = self.words
        right = ""
        if self.running and self._result is not None and self._result.progress is not None:
            progress = self._result.progress
            right = f"{words.running} · {progress.stage} · {progress.fraction:.0%}"
        elif self.running:
            right = words.running
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
        yield from self._state(width)
        claims = claims_of(card, self.demo)
        here = judge_all(claims, self._result) if self._ended else None
        recorded = judge_all(claims, self._record.result) if self._record else None
        if self._result is not None:
            where = f"{words.measured_here}{words.colon}{self._device()}"
            yield from wrap((Span(where, Role.SUBHEADING),), width, indent=2)
            yield from run_lines(self._result, words, width)
            yield ()
        yield from claim_lines(claims, here, recorded, words, width)
        if self._record is not None:
            label = record_label(self._record, words)
            yield from wrap((Span(label, Role.SUBHEADING),), width, indent=2)
            if self._record_is_old:
                yield (Span(words.stale, Role.WARN),)
            yield (Span(f"$ {safe(self._record.command)}", Role.CODE),)
            yield from run_lines(self._record.result, words, width)
        else:
            yield (Span(words.no_record, Role.MUTED),)

    def _state(self, width: int) -> Iterator[Line]:
        failed = self._result.failed if self._result else None
        if failed is not None:
            title = self.words.failures.get(failed.kind, failed.kind)
            yield (Span(title, Role.BAD),)
            yield from wrap((Span(safe(failed.message)),), width)
            if failed.remedy:
                yield from wrap((Span(safe(failed.remedy), Role.CODE),), width)
            yield ()
        elif self._note:
            yield (Span(self._note, Role.MUTED),)
            yield ()
        elif self._result is None and not self.running:
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
        return safe(f"{device.name} ({device.kind}), {self.workspace.now():%Y-%m-%d}, {versions}")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to run or to cancel, whichever makes sense."""
        if action == "run":
            return not self.running and bool(self.demo)
        if action == "cancel":
            return self.running
        return super().check_action(action, parameters)

    def action_run(self) -> None:
        """Run the demo."""
        if self.running or not self.demo:
            return
        self._result, self._note = RunResult(), ""
        self._worker = self.run_worker(self._run(), group="run", exclusive=True)
        self.query_one(Document).scroll_home(animate=False)
        self.retell()

    async def _run(self) -> None:
        events: list[Event] = []
        async with aclosing(
            run_demo(self.quiz.runner, self.demo, seed=time.time_ns() % 2**31)
        ) as steps:
            async for step in steps:
                events.append(step.event)
                self._result = step.result
                self._dirty = True
        await self._store(events)

    async def _store(self, events: Sequence[Event]) -> None:
        from quizapp.store.values import StoreError

        result = self._result
        if result is None or result.done is None:
            self._dirty = True
            return
        try:
            cards = [self.card] if self.card else []
            await keep_run(self.workspace, cards, self.quiz.runner, result, events)
            self._note = self.words.stored
        except StoreError as error:
            self.quiz.tell(str(error), "error")
        self._dirty = True

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say so when a run begins or ends, cancelled ones included."""
        if event.worker is self._worker:
            self._dirty = True

    def action_cancel(self) -> None:
        """Cancel the run."""
        if self._worker is not None and self.running:
            self._worker.cancel()
            self._result, self._note = None, self.words.cancelled
            self._dirty = True

    async def action_back(self) -> None:
        """Go back; a run that is under way is cancelled."""
        self.action_cancel()
        self.app.pop_screen()

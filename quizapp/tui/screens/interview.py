"""Sitting a mock interview: a question and its clock, the ticks, "prove it", the end."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import aclosing
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Click
from textual.widgets import TextArea
from textual.worker import Worker, WorkerState

from quizapp.interview import events
from quizapp.interview.events import Manner, Proved
from quizapp.interview.machine import MoveError
from quizapp.interview.markdown import share
from quizapp.interview.options import Options, Style
from quizapp.interview.questions import Role as Part
from quizapp.interview.scoring import mark
from quizapp.interview.state import Phase, State, Turn
from quizapp.interview.wording import Wording, wording
from quizapp.proof.protocol import Event
from quizapp.proof.run import RunResult
from quizapp.services.errors import UserError
from quizapp.services.interview import Interviewing
from quizapp.services.proving import keep_run, records, run_demo
from quizapp.store.values import StoreError
from quizapp.text.cells import safe
from quizapp.text.markdown import render
from quizapp.text.spans import Line, Role, Span
from quizapp.text.wrap import wrap, wrap_text
from quizapp.tui.actions import Place
from quizapp.tui.appraisal import Ticks, toggled
from quizapp.tui.bindings import bindings
from quizapp.tui.interview_lines import clock_line, gauge, proof_lines, tick_lines, tick_rows
from quizapp.tui.screens.dictating import DictatingScreen
from quizapp.tui.widgets.document import Document
from quizapp.tui.widgets.editor import AnswerEditor
from quizapp.tui.widgets.keybar import KeyBar
from quizapp.tui.widgets.rows import Rows
from quizapp.tui.widgets.topbar import TopBar

TICK = 0.25
"""Seconds between two looks at the clock."""
KEEP = 4
"""Looks at the clock between two times that what is typed is kept."""
WIDE = 110
"""Columns from which the model answer stands beside the points and not below them."""
PLACES = {
    Phase.TICKING: Place.SIT_TICK,
    Phase.PROVING: Place.PROVE,
    Phase.PAUSED: Place.PAUSE,
}


class InterviewScreen(DictatingScreen):
    """One interview, begun anew or gone on with."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(Place.SIT, Place.SIT_TICK, Place.PROVE, Place.PAUSE),
        *(Binding(str(n), f"tick({n})", show=False) for n in range(1, 10)),
        Binding("up,k", "move(-1)", show=False),
        Binding("down,j", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]
    AUTO_FOCUS = ""

    def __init__(self, options: Options | None = None, resume: str = "") -> None:
        super().__init__()
        self._options = options
        self._resume = resume
        self._interviewing: Interviewing | None = None
        self._shown: tuple[Phase, int, int] | None = None
        """Phase, question and how often it was asked again: what the stage is set for."""
        self._ticks = Ticks(frozenset())
        self._owners: dict[int, int] = {}
        self._sure = False
        self._busy = True
        self._looks = 0
        self._kept = ""
        self._run: Worker[None] | None = None
        self._result: RunResult | None = None
        self._proved: Proved | None = None
        """What a run or a record said, before the candidate goes on."""

    @property
    def state(self) -> State | None:
        """Where the interview is; ``None`` before it has begun."""
        return self._interviewing.state if self._interviewing else None

    @property
    def place(self) -> Place:
        """Answering, ticking, proving or pausing."""
        state = self.state
        return PLACES.get(state.phase, Place.SIT) if state else Place.SIT

    @property
    def texts(self) -> Wording:
        """The words of an interview, in the present language."""
        return wording(self.workspace.language)

    @property
    def running(self) -> bool:
        """Whether a demo is under way."""
        states = (WorkerState.PENDING, WorkerState.RUNNING)
        return self._run is not None and self._run.state in states

    def compose(self) -> ComposeResult:
        """Lay out question, clock, editor and points; the stage says which are seen."""
        yield TopBar()
        yield Rows(id="question")
        yield AnswerEditor(id="editor")
        with Horizontal(id="reveal"):
            yield Document(id="appraisal")
            yield Document(id="reference")
        yield Rows(id="state")
        yield KeyBar()

    def on_mount(self) -> None:
        """Begin, or go on."""
        for name in ("#editor", "#reveal", "#state"):
            self.query_one(name).display = False
        self.query_one(TopBar).say(self.words.places[Place.MOCK])
        self.query_one("#question", Rows).show([(Span(self.words.working, Role.MUTED),)])
        self.set_interval(TICK, self._look)
        self._do(self._begin)

    async def _begin(self) -> None:
        if self._options is not None:
            self._interviewing = await Interviewing.begin(self.workspace, self._options)
        else:
            self._interviewing = await Interviewing.resume(self.workspace, self._resume)
        self._stage()

    def on_resize(self) -> None:
        """Fit everything into the new width."""
        self.retell()

    # The stage.

    def _stage(self) -> None:
        """Show what belongs to the phase; where the interview is over, its report."""
        state = self.state
        assert state is not None
        if state.phase is Phase.OVER:
            from quizapp.tui.screens.report import ReportScreen

            self.app.switch_screen(ReportScreen(state.id))
            return
        turn = state.turn
        number = turn.question.number if turn else -1
        now = (state.phase, number, len(turn.reprompts) if turn else 0)
        fresh, self._shown = now != self._shown, now
        answering = state.phase is Phase.ANSWERING
        self.query_one("#editor").display = answering
        self.query_one("#state").display = answering
        self.query_one("#reveal").display = state.phase in (Phase.TICKING, Phase.PROVING)
        self._busy = False
        if fresh:
            self._set(state)
        self.retell()

    def _set(self, state: State) -> None:
        self._proved, self._result = None, None
        if state.phase is Phase.ANSWERING and state.turn is not None:
            self._sure = self.spoken = False
            self._kept = state.turn.draft
            editor = self.query_one(AnswerEditor)
            editor.begin(state.turn.draft)
            editor.focus()
            return
        self.set_focus(None)
        if state.to_tick is not None:
            self._ticks = Ticks(frozenset(state.to_tick.said))
        self.query_one("#appraisal", Document).scroll_home(animate=False)

    def retell(self) -> None:
        """Say everything again that is on the screen."""
        state = self.state
        self.offer_keys()
        if state is None or state.phase is Phase.OVER:
            return
        self._tell_where(state)
        self.query_one("#question", Rows).show(self._question(state))
        match state.phase:
            case Phase.ANSWERING:
                self._tell_time()
            case Phase.TICKING:
                self._tell_ticks(state)
            case Phase.PROVING:
                self._tell_proof()

    def _tell_where(self, state: State) -> None:
        turn = state.to_tick or state.turn
        left = self.words.places[self.place]
        if turn is not None and state.phase in (Phase.ANSWERING, Phase.TICKING):
            role = self.texts.one_role[turn.question.role]
            left = f"{left} · {turn.question.card} · {role}"
        done = (turn.question.round if turn else 0) + 1
        self.query_one(TopBar).say(left, f"{done}/{len(state.plan)}")

    def _question(self, state: State) -> list[Line]:
        width = max(20, self.size.width - 4)
        room = max(3, self.size.height // 3)
        return list(self._asked(state, width))[: room if state.to_tick else self.size.height]

    def _asked(self, state: State, width: int) -> Iterator[Line]:
        texts = self.texts
        if state.phase is Phase.PAUSED:
            # Not the question: thinking about it would be off the clock.
            yield (Span(texts.paused, Role.HEADING),)
            return
        challenge = state.challenge
        if state.phase is Phase.PROVING and challenge is not None:
            yield (Span(texts.prove_it, Role.HEADING),)
            yield from wrap((Span(challenge.asked.says, Role.STRONG),), width)
            return
        turn = state.to_tick or state.turn
        if turn is None:
            return
        if turn.reprompts and state.phase is Phase.ANSWERING:
            asked = wording(state.options.languages.asks).asked_again[turn.reprompts[-1]]
            yield from wrap_text(asked, width, Role.WARN)
            yield ()
        for line in render(turn.question.text, width).lines:
            yield tuple(Span(s.text, Role.STRONG if s.role is Role.TEXT else s.role) for s in line)
        if state.phase is Phase.ANSWERING:
            for hint in turn.hints:
                yield from wrap_text(
                    f"{texts.hint}{texts.colon}{safe(hint.text)}", width, Role.WARN
                )

    def _tell_time(self) -> None:
        interviewing, state = self._interviewing, self.state
        if interviewing is None or state is None or state.turn is None:
            return
        reading = interviewing.reading
        line = clock_line(state.turn, reading, self._sure, self.texts)
        if self.recording:
            line = (*line, Span(f" · {self.words.recording}", Role.BAD))
        width = max(10, self.size.width - 4)
        limit = state.turn.question.seconds
        self.query_one("#state", Rows).show([gauge(reading, limit, width), line])
        hint = self.texts.summary_here if state.turn.spoke else self.texts.answer_here
        if state.turn.question.role is Part.CALCULATION:
            hint = self.words.answer_number
        editor = self.query_one(AnswerEditor)
        if editor.placeholder != hint:
            editor.placeholder = hint

    def _tell_ticks(self, state: State) -> None:
        turn = state.to_tick
        assert turn is not None
        wide = self.size.width >= WIDE
        self.query_one("#reference").display = wide

        def reference(width: int) -> list[Line]:
            heading = (Span(self.texts.model_answer, Role.SUBHEADING),)
            return [heading, *render(turn.question.reference, width).lines]

        def layout(width: int) -> Sequence[Line]:
            lines, self._owners = tick_lines(turn, self._ticks, self.texts, width)
            return lines if wide else [*lines, (), *reference(width)]

        self.query_one("#appraisal", Document).show_layout(layout, home=False)
        if wide:
            self.query_one("#reference", Document).show_layout(reference, home=False)

    def _tell_proof(self) -> None:
        self.query_one("#reference").display = False
        document = self.query_one("#appraisal", Document)
        document.show_layout(lambda width: list(self._proof(width)), home=False)

    def _proof(self, width: int) -> Iterator[Line]:
        texts, state = self.texts, self.state
        challenge = state.challenge if state else None
        if challenge is None:
            return
        if self._proved is not None:
            yield from proof_lines(self._proved, texts, width)
            return
        if self.running:
            progress = self._result.progress if self._result else None
            told = f" · {progress.stage} · {progress.fraction:.0%}" if progress else ""
            yield (Span(f"{texts.running}{told}", Role.ACCENT),)
            return
        failed = self._result.failed if self._result else None
        if failed is not None:
            text = texts.demo_failed.format(colon=texts.colon, message=safe(failed.message))
            yield from wrap_text(text, width, Role.BAD)
            yield ()
        yield from wrap_text(texts.proof_how.format(demo=challenge.asked.demo), width, Role.MUTED)

    # The clock.

    def _look(self) -> None:
        """Show the clock, ring the bell, and keep what is typed."""
        interviewing, state = self._interviewing, self.state
        if interviewing is None or state is None or state.phase is not Phase.ANSWERING:
            return
        if self.app.screen is self:
            self._tell_time()
        if self._busy:
            return
        text = self.query_one(AnswerEditor).text
        if interviewing.bell_is_due:
            self.app.bell()
            self._quietly(lambda: interviewing.happen(events.Bell(text)))
            return
        self._looks += 1
        if self._looks % KEEP == 0 and text != self._kept:
            self._kept = text
            self._quietly(lambda: interviewing.keep_draft(text))

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Log the first word, so that its time is known."""
        interviewing, state = self._interviewing, self.state
        text = event.text_area.text
        if interviewing is None or state is None or state.turn is None or not text.strip():
            return
        answering = state.phase is Phase.ANSWERING and not self._busy
        if answering and state.turn.first_word is None and not state.turn.spoke:
            self._quietly(lambda: interviewing.happen(events.Drafted(text)))

    def _quietly(self, step: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        """Log something of the program's own; that it comes too late is no fault."""

        async def done() -> None:
            try:
                await step()
            except MoveError:
                return
            except StoreError as error:
                self.quiz.tell(str(error), "error")

        self.run_worker(done(), group="clock")

    # Answering.

    def action_give(self) -> None:
        """Give the answer; an empty one was said aloud."""
        text = self.query_one(AnswerEditor).text
        turn = self.state.turn if self.state else None
        if turn is None:
            return
        if turn.question.role is Part.CALCULATION and not text.strip():
            self.quiz.tell(self.texts.asked_again[events.Why.UNREAD], "warning")
            return
        manner = Manner.TYPED if text.strip() else Manner.SPOKEN
        if self.spoken and text.strip():
            manner = Manner.TRANSCRIBED
        elif turn.spoke and text.strip():
            manner = Manner.SUMMARISED
        self._happen(events.Answered(text, manner, self._sure))

    def action_give_up(self) -> None:
        """Say that one does not know; what is typed stays an answer."""
        text = self.query_one(AnswerEditor).text
        self._happen(events.Answered(text, Manner.GAVE_UP))

    def action_spoke(self) -> None:
        """Stop the clock: it was said aloud."""
        turn = self.state.turn if self.state else None
        if turn is not None and not turn.spoke:
            self._happen(events.Spoke())

    def action_sure(self) -> None:
        """Say, or take back, that one is sure."""
        self._sure = not self._sure
        self._tell_time()

    def action_skip(self) -> None:
        """Pass on the question."""
        self._happen(events.Skipped())

    def action_hint(self) -> None:
        """See the beginning of a point."""
        interviewing = self._interviewing
        turn = self.state.turn if self.state else None
        if interviewing is None or turn is None or self._busy:
            return
        text = self.query_one(AnswerEditor).text

        async def hint() -> None:
            if text != turn.draft:
                # What is typed already needs no hint.
                await interviewing.happen(events.Drafted(text))
            found = interviewing.hint()
            if found is None:
                self.quiz.tell(self.texts.no_hint)
            else:
                await interviewing.happen(found)
            self._stage()

        self._do(hint)

    def action_pause(self) -> None:
        """Stop the clock."""
        self._do(self._leave_and_stage)

    async def _leave_and_stage(self) -> None:
        await self.keep()
        self._stage()

    async def keep(self) -> None:
        """Stop the clock and keep what is typed."""
        interviewing = self._interviewing
        if interviewing is not None and interviewing.state.phase is Phase.ANSWERING:
            await interviewing.leave(self.query_one(AnswerEditor).text)

    # Ticking.

    def action_tick(self, number: int) -> None:
        """Tick or untick a row by its number."""
        self._toggle(number - 1)

    def action_tick_chosen(self) -> None:
        """Tick or untick the chosen row."""
        self._toggle(self._ticks.cursor)

    def action_move(self, step: int) -> None:
        """Choose another row."""
        turn = self.state.to_tick if self.state else None
        if turn is not None:
            cursor = min(max(0, self._ticks.cursor + step), len(tick_rows(turn)) - 1)
            self._ticks = Ticks(self._ticks.parts, self._ticks.false, cursor)
            self.retell()

    def action_page(self, step: int) -> None:
        """Scroll by a page."""
        document = self.query_one("#appraisal", Document)
        height = max(1, document.size.height - 2)
        document.scroll_to(y=document.scroll_offset.y + step * height, animate=False)

    def on_click(self, event: Click) -> None:
        """Tick the row under the mouse."""
        document = self.query_one("#appraisal", Document)
        if event.widget is not document or self.place is not Place.SIT_TICK:
            return
        offset = event.get_content_offset(document)
        if offset is not None:
            owner = self._owners.get(offset.y + document.scroll_offset.y)
            if owner is not None:
                self._toggle(owner)

    def _toggle(self, number: int) -> None:
        turn = self.state.to_tick if self.state else None
        if turn is None or self._busy:
            return
        found = tick_rows(turn)
        if number < len(found):
            ticks = toggled(self._ticks, found[number])
            self._ticks = Ticks(ticks.parts, ticks.false, number)
            self.retell()

    def _ticked(self, turn: Turn) -> None:
        made = events.Ticked(
            turn.question.number,
            tuple(sorted(self._ticks.parts)),
            tuple(sorted(self._ticks.false)),
        )

        async def tick() -> None:
            interviewing = self._interviewing
            assert interviewing is not None
            state = await interviewing.happen(made)
            if state.options.style is Style.PRACTICE:
                marked = mark(state.turns[turn.question.number])
                role = self.texts.one_role[turn.question.role]
                told = share(marked.value, self.texts)
                self.quiz.tell(
                    self.texts.counted.format(role=role, colon=self.texts.colon, share=told)
                )
            self._stage()

        self._do(tick)

    # Proving, and going on.

    def action_go_on(self) -> None:
        """Go on: with these ticks, with or without a proof, after a pause."""
        state = self.state
        if state is None or self._busy:
            return
        if state.phase is Phase.PAUSED:
            self._happen(events.Resumed())
        elif state.phase is Phase.PROVING and not self.running:
            self._happen(self._proved or events.Skipped())
        elif state.to_tick is not None:
            self._ticked(state.to_tick)

    def action_prove_here(self) -> None:
        """Run the demo that measures the claim."""
        if not self.running and self._proved is None:
            self._result = None
            self._run = self.run_worker(self._demo(), group="run", exclusive=True)
            self.retell()

    async def _demo(self) -> None:
        interviewing = self._interviewing
        challenge = interviewing.state.challenge if interviewing else None
        found = interviewing.claim if interviewing else None
        if interviewing is None or challenge is None or found is None:
            return
        happened: list[Event] = []
        async with aclosing(run_demo(self.quiz.runner, challenge.asked.demo)) as steps:
            async for step in steps:
                happened.append(step.event)
                self._result = step.result
                self._tell_proof()
        result = self._result
        if result is None or result.done is None:
            return
        self._proved = interviewing.proof(result, self.quiz.runner.name)
        try:
            await keep_run(self.workspace, [found[0]], self.quiz.runner, result, happened)
        except StoreError as error:
            self.quiz.tell(str(error), "error")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say so when a run begins or ends."""
        if event.worker is self._run and self.place is Place.PROVE:
            self.retell()

    def action_prove_record(self) -> None:
        """Show the recorded proof."""
        state, interviewing = self.state, self._interviewing
        if state is None or interviewing is None or state.challenge is None or self.running:
            return
        demo = state.challenge.asked.demo

        async def look() -> None:
            record = next(iter(records(demo)), None)
            if record is None:
                self.quiz.tell(self.texts.no_record.format(demo=demo), "warning")
            else:
                self._proved = interviewing.proof(record.result, "record", record.date.date())
            self._stage()

        self._do(look)

    def action_cancel(self) -> None:
        """Cancel the run."""
        if self._run is not None and self.running:
            self._run.cancel()
            self._result = None
            self.retell()

    def action_end_early(self) -> None:
        """Ask nothing more."""
        state = self.state
        if state is not None and not state.done:
            self.action_cancel()
            self._happen(events.EndedEarly(self.query_one(AnswerEditor).text))

    async def action_back(self) -> None:
        """Leave; the clock stands, and nothing is lost."""
        self.action_cancel()
        await self.keep()
        self.app.pop_screen()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what the phase allows."""
        state = self.state
        if state is None:
            return action in ("back", "quit", "help", "language", "theme", "interrupt")
        if action in ("tick", "move", "page"):
            return state.phase in (Phase.TICKING, Phase.PROVING)
        if action in ("prove_here", "prove_record"):
            return self.place is Place.PROVE and not self.running and self._proved is None
        if action == "cancel":
            return self.running
        if action == "record" and not self.workspace.settings.speech_command:
            return False
        if action == "end_early":
            return not state.done and super().check_action(action, parameters)
        if action == "go_on" and self.running:
            return False
        return super().check_action(action, parameters)

    def _happen(self, what: events.Happening) -> None:
        if self._busy:
            return

        async def happen() -> None:
            assert self._interviewing is not None
            await self._interviewing.happen(what)
            self._stage()

        self._do(happen)

    def _do(self, step: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do one step of the interview at a time; keys in between find nothing to do."""
        self._busy = True
        self.run_worker(self._guarded(step), exclusive=False, group="interview")

    async def _guarded(self, step: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await step()
        except MoveError as error:
            self.quiz.tell(str(error), "warning")
        except (StoreError, UserError) as error:
            self.quiz.tell(str(error), "error")
            if self._interviewing is None:
                self.app.pop_screen()
        finally:
            self._busy = False

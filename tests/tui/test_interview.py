"""The interview, driven by keys."""

from __future__ import annotations

from datetime import timedelta

import pytest

from quizapp.interview.events import Manner
from quizapp.interview.options import Options, Style
from quizapp.interview.state import Phase
from quizapp.services.workspace import Workspace
from quizapp.store import history, runs
from quizapp.tui.app import QuizApp
from quizapp.tui.screens.interview import InterviewScreen
from quizapp.tui.screens.mock import MockScreen
from quizapp.tui.screens.report import ReportScreen
from quizapp.tui.screens.review import ReviewScreen
from quizapp.tui.widgets.editor import AnswerEditor
from tests.tui import events
from tests.tui.conftest import FixedClock, PlayedRunner
from tests.tui.driving import press, screen_text, settle, shown

SIZE = (80, 24)
GOOD = "the intermediates stay in registers and the flops do not change"
ONE = Options(length=1, seed=5)


def interview(app: QuizApp) -> InterviewScreen:
    assert isinstance(app.screen, InterviewScreen)
    return app.screen


async def begun(app: QuizApp, pilot: object, options: Options = ONE) -> InterviewScreen:
    await settle(pilot)  # type: ignore[arg-type]
    app.open_interview(options)
    await settle(pilot)  # type: ignore[arg-type]
    return interview(app)


async def test_it_is_chosen_from_today_and_changed_by_arrows(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "i")
        assert isinstance(app.screen, MockScreen)
        assert "▸ Decks                 ◂ all ▸" in shown(app, "#page")
        await press(pilot, "right", "down", "left", "down", "down", "right", "down", "space")
        text = shown(app, "#page")
        for part in ("test", "Main questions          3", "senior", "◂ live ▸", "none yet"):
            assert part in text
        await press(pilot, "f2")
        assert "以前的面试" in shown(app, "#page")
        await press(pilot, "f2", "enter")
        state = interview(app).state
        assert state is not None
        options = state.options
        assert (options.decks, options.length, options.style) == (("test",), 3, Style.LIVE)


async def test_a_whole_interview_ends_in_its_report_and_counts(
    app: QuizApp, workspace: Workspace, clock: FixedClock
) -> None:
    app._runner = PlayedRunner(events.good_run())
    async with app.run_test(size=SIZE) as pilot:
        screen = await begun(app, pilot)
        assert "Why is fusion [fast], and [/b] when not?" in shown(app, "#question")
        assert "30 s left · core points by the bell: 1 · not sure" in shown(app, "#state")
        clock.at += timedelta(seconds=12)
        screen.query_one(AnswerEditor).insert(GOOD)
        await press(pilot, "ctrl+t", "ctrl+s")
        text = shown(app, "#appraisal")
        assert "1 ✓ ★ Intermediates stay in registers." in text
        assert "“the intermediates stay in registers" in text
        assert "Model answer" in text, "at 80 columns it follows the points"
        await press(pilot, "enter")
        assert screen.place.value == "sit"
        await press(pilot, "ctrl+n", "ctrl+n")
        assert "how long at least?" in shown(app, "#question")
        screen.query_one(AnswerEditor).insert("12 ms")
        await press(pilot, "ctrl+s")
        assert "Prove it." in shown(app, "#question")
        await press(pilot, "d")
        await settle(pilot)
        text = shown(app, "#appraisal")
        assert "proved · NVIDIA H200 · local · 2026-03-02" in text
        await press(pilot, "enter")
        await settle(pilot)
        assert isinstance(app.screen, ReportScreen)
        text = shown(app, "#page")
        for part in ("Mock interview", "Main questions  100 %", "proved", "What to study next"):
            assert part in text
        assert len(workspace.database.run(runs.runs)) == 1
        logged = {entry.prompt: entry for entry in workspace.database.run(history.log)}
        assert logged["fusion-short/main"].seconds == 12
        await press(pilot, "s")
        assert isinstance(app.screen, ReviewScreen)
        assert "left" in screen_text(app)[0]


async def test_the_bell_rings_and_what_comes_later_is_late(app: QuizApp, clock: FixedClock) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await begun(app, pilot)
        editor = screen.query_one(AnswerEditor)
        editor.insert("the flops do not change. ")
        await settle(pilot)
        clock.at += timedelta(seconds=31)
        await pilot.pause(0.4)
        await settle(pilot)
        assert "time is up: 1 s over" in shown(app, "#state")
        state = screen.state
        assert state is not None
        assert state.turns[0].bell == "the flops do not change. "
        editor.insert("the intermediates stay in registers")
        await press(pilot, "ctrl+s")
        assert screen.state is not None
        heard = screen.state.turns[0].heard
        assert heard is not None
        assert heard.late == ("P1a",)


async def test_said_aloud_it_is_ticked_or_summarised(app: QuizApp, clock: FixedClock) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await begun(app, pilot)
        clock.at += timedelta(seconds=20)
        await press(pilot, "ctrl+o")
        clock.at += timedelta(seconds=300)
        screen.query_one(AnswerEditor).insert(GOOD)
        await press(pilot, "ctrl+s")
        assert screen.state is not None
        turn = screen.state.turns[0]
        assert (turn.manner, turn.seconds, turn.first_word) == (Manner.SUMMARISED, 20, None)
        await press(pilot, "enter", "ctrl+s")
        turn = screen.state.turns[1]
        assert turn.manner is Manner.SPOKEN
        await press(pilot, "1")
        assert "1 ✓" in shown(app, "#appraisal")


async def test_a_hint_shows_the_beginning_and_costs(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await begun(app, pilot)
        screen.query_one(AnswerEditor).insert("the intermediates stay in registers. ")
        await press(pilot, "f4")
        assert "Hint: The FLOPs …" in shown(app, "#question"), "not what is typed already"
        screen.query_one(AnswerEditor).insert("the flops do not change")
        await press(pilot, "ctrl+s", "enter")
        assert screen.state is not None
        assert screen.state.turns[0].hinted == {"P2a"}


async def test_pausing_hides_the_question_and_stops_the_clock(
    app: QuizApp, clock: FixedClock
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await begun(app, pilot)
        clock.at += timedelta(seconds=5)
        screen.query_one(AnswerEditor).insert("half")
        await press(pilot, "f8")
        text = "\n".join(screen_text(app))
        assert "Paused; the clock stands." in text
        assert "Why is fusion" not in text
        assert "half" not in text
        clock.at += timedelta(seconds=600)
        await press(pilot, "enter")
        assert screen.query_one(AnswerEditor).text == "half"
        assert "25 s left" in shown(app, "#state")


@pytest.mark.parametrize("way", ["escape", "quit", "killed"])
async def test_leaving_loses_nothing(workspace: Workspace, clock: FixedClock, way: str) -> None:
    first = QuizApp(workspace, PlayedRunner([]))
    async with first.run_test(size=SIZE) as pilot:
        screen = await begun(first, pilot)
        clock.at += timedelta(seconds=5)
        screen.query_one(AnswerEditor).insert("half an answer")
        if way == "escape":
            await press(pilot, "escape")
        elif way == "quit":
            # Not the key: it also starts the timer that ends a program that hangs.
            await first._leave(0)
        else:
            await pilot.pause(1.3)
            await settle(pilot)
    clock.at += timedelta(hours=3)
    again = QuizApp(Workspace(workspace.paths, clock), PlayedRunner([]))
    async with again.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "i", *["down"] * 7)
        assert "not over: Enter goes on with it" in shown(again, "#page")
        await press(pilot, "enter")
        assert "Paused" in shown(again, "#question")
        await press(pilot, "enter")
        assert interview(again).query_one(AnswerEditor).text == "half an answer"
        assert "25 s left" in shown(again, "#state")


async def test_ending_early_takes_what_is_typed(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await begun(app, pilot)
        screen.query_one(AnswerEditor).insert(GOOD)
        await press(pilot, "f9")
        assert screen.place.value == "sit-tick"
        await press(pilot, "enter")
        await settle(pilot)
        assert isinstance(app.screen, ReportScreen)
        assert "Ended early" in shown(app, "#page")


async def test_live_shows_no_model_answer_before_the_end(app: QuizApp) -> None:
    options = Options(length=1, seed=5, style=Style.LIVE)
    async with app.run_test(size=SIZE) as pilot:
        screen = await begun(app, pilot, options)
        screen.query_one(AnswerEditor).insert(GOOD)
        await press(pilot, "ctrl+s")
        state = screen.state
        assert state is not None
        assert state.phase is Phase.ANSWERING
        await press(pilot, "f9")
        assert "1 ✓ ★" in shown(app, "#appraisal")


async def test_a_proof_may_fail_be_recorded_or_passed_on(app: QuizApp) -> None:
    app._runner = PlayedRunner(events.crash())
    async with app.run_test(size=SIZE) as pilot:
        screen = await begun(app, pilot)
        await press(pilot, "ctrl+n", "ctrl+n", "ctrl+n", "ctrl+n")
        assert "Prove it." in shown(app, "#question")
        await press(pilot, "r")
        assert screen.place.value == "prove", "there is no record here"
        await press(pilot, "d")
        await settle(pilot)
        assert "ended without a result" in shown(app, "#appraisal")
        await press(pilot, "enter")
        await settle(pilot)
        assert isinstance(app.screen, ReportScreen)
        assert "nothing is taken off for it" in shown(app, "#page")


async def test_false_statements_are_asked(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await begun(app, pilot)
        screen.query_one(AnswerEditor).insert("it stays in registers, with fewer flops")
        await press(pilot, "ctrl+s")
        assert "3 ?   Fusion reduces the FLOPs." in shown(app, "#appraisal")
        await press(pilot, "3")
        assert "3 ✓   Fusion reduces the FLOPs." in shown(app, "#appraisal")
        await press(pilot, "enter")
        assert screen.state is not None
        assert screen.state.turns[0].false == ("X1",)


async def test_the_report_is_written_as_files(app: QuizApp, workspace: Workspace) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await begun(app, pilot)
        screen.query_one(AnswerEditor).insert(GOOD)
        await press(pilot, "f9", "enter")
        await settle(pilot)
        await press(pilot, "w")
        folder = workspace.paths.data / "interviews"
        assert sorted(path.suffix for path in folder.iterdir()) == [".html", ".md"]


async def test_an_interview_that_cannot_begin_says_why_and_goes_back(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        app.open_interview(Options(decks=("none",)))
        await settle(pilot)
        assert not isinstance(app.screen, InterviewScreen)
        (told,) = app._notifications
        assert told.message == "there is no deck none; there are test"

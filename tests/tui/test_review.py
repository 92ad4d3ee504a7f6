"""The review, driven by keys."""

from __future__ import annotations

from quizapp.memory.model import Rating
from quizapp.services.workspace import Workspace
from quizapp.store import history
from quizapp.store.values import Mode
from quizapp.tui.app import QuizApp
from quizapp.tui.widgets.editor import AnswerEditor
from tests.tui.driving import press, screen_text, settle, shown

SIZE = (80, 24)
SAID = "The intermediate values stay in a register and never leave the chip."


async def test_today_counts_and_starts(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert "0 due     6 new" in shown(app, "#figures")
        await press(pilot, "enter")
        assert "Why is fusion [fast], and [/b] when not?" in shown(app, "#question")


async def test_an_answer_is_asked_kept_scored_and_scheduled(
    app: QuizApp, workspace: Workspace
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter")
        app.screen.query_one(AnswerEditor).insert(SAID)
        await press(pilot, "ctrl+s")
        text = shown(app, "#appraisal")
        assert "1 ✓ ★ Intermediates stay in registers." in text
        assert "2 ·   The FLOPs do not change." in text
        assert "“The intermediate values stay in a register" in text, (
            "the evidence is the user's own sentence"
        )
        assert "▸a Again" in shown(app, "#ratings")
        await press(pilot, "2")
        assert "▸g Good" in shown(app, "#ratings"), "ticking the missed point raises the score"
        await press(pilot, "enter")
        assert "Kernel fusion" in shown(app, "#question"), "the next prompt is asked"
        (entry,) = workspace.database.run(history.entries)
    assert (entry.answer, entry.mode, entry.rating) == (SAID, Mode.TYPED, Rating.GOOD)
    assert set(entry.ticks) == {"P1a", "P2a"}
    assert entry.suggested == ("P1a",)
    assert entry.score == 1.0


async def test_a_rating_can_be_clicked(app: QuizApp, workspace: Workspace) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter")
        app.screen.query_one(AnswerEditor).insert(SAID)
        await press(pilot, "ctrl+s", "2")
        column = shown(app, "#ratings").split("\n")[0].index("Hard")
        await pilot.click("#ratings", offset=(column + 2, 0))
        await settle(pilot)
        (entry,) = workspace.database.run(history.entries)
    assert entry.rating is Rating.HARD


async def test_the_palette_speaks_chinese_too(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "f2", "ctrl+p")
        await pilot.pause(0.3)
        assert any("要做什么" in line for line in screen_text(app))


async def test_an_empty_answer_was_said_aloud(app: QuizApp, workspace: Workspace) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter", "ctrl+s")
        assert "Said aloud: tick what you said." in shown(app, "#appraisal")
        await press(pilot, "1", "2", "enter")
        (entry,) = workspace.database.run(history.entries)
    assert (entry.mode, entry.score) == (Mode.SPOKEN, 1.0)


async def test_giving_up_proposes_again_and_the_prompt_returns(
    app: QuizApp, workspace: Workspace
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter", "ctrl+g")
        assert "▸a Again" in shown(app, "#ratings")
        assert "you gave up" in shown(app, "#ratings")
        await press(pilot, "enter")
        (schedule,) = workspace.database.run(history.schedules).values()
    assert schedule.due == schedule.last


async def test_a_rating_more_than_a_step_away_is_refused_and_says_why(
    app: QuizApp, workspace: Workspace
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter", "ctrl+g", "e")
        assert [n.message for n in app._notifications] == [
            "Easy is more than a step from the proposed Again."
        ]
        assert workspace.database.run(history.entries) == []


async def test_follow_ups_are_taken_with_one_key_each_with_its_own_schedule(
    app: QuizApp, workspace: Workspace
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter", "ctrl+s", "1", "2", "f")
        assert "How do you find a chain?" in shown(app, "#question")
        await press(pilot, "ctrl+s", "1", "enter")
        assert "And CUDA Graph?" in shown(app, "#question")
        await press(pilot, "ctrl+s", "1", "enter")
        found = workspace.database.run(history.schedules)
    assert set(found) == {
        "fusion-short/main",
        "fusion-short/followup-1",
        "fusion-short/followup-2",
    }


async def test_undo_takes_the_rating_back_and_asks_again(
    app: QuizApp, workspace: Workspace
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter", "ctrl+s", "1", "2", "enter", "ctrl+s", "u")
        assert "Why is fusion" in shown(app, "#question")
        assert workspace.database.run(history.schedules) == {}


async def test_a_calculation_is_judged_and_its_slip_named(
    app: QuizApp, workspace: Workspace
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter")
        screen = app.screen
        while "GB/s" not in shown(app, "#question"):
            await press(pilot, "ctrl+n")
        exercise = screen._asked.exercise  # type: ignore[attr-defined]
        editor = screen.query_one(AnswerEditor)
        editor.insert(f"{exercise.wrong[0].value * 1e3:.6g} ms")
        await press(pilot, "ctrl+s")
        assert "counts the writes only" in shown(app, "#appraisal")
        await press(pilot, "enter")
        (entry,) = workspace.database.run(history.entries)
    assert entry.score == 0.0
    assert entry.seed == exercise.seed


async def test_the_language_switches_in_the_middle_and_nothing_typed_is_lost(
    app: QuizApp,
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter")
        app.screen.query_one(AnswerEditor).insert("中间结果留在寄存器里")
        await press(pilot, "f2")
        assert "融合为什么快？" in shown(app, "#question")
        assert app.screen.query_one(AnswerEditor).text == "中间结果留在寄存器里"
        await press(pilot, "ctrl+s")
        assert "必答点" not in shown(app, "#appraisal")
        assert "1 ✓ ★ 中间结果留在寄存器里。" in shown(app, "#appraisal")
        await press(pilot, "f2")
        assert "1 ✓ ★ Intermediates stay in registers." in shown(app, "#appraisal")


async def test_the_session_ends_with_what_it_came_to(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter")
        for _ in range(6):
            await press(pilot, "ctrl+s", "1", "2", "enter")
            if "Done for today" in shown(app, "#question"):
                break
            if app.screen._shown:  # type: ignore[attr-defined]
                await press(pilot, "a")
        text = shown(app, "#question")
        while "Done for today" not in text:
            await press(pilot, "ctrl+s", "1", "2")
            await press(pilot, "enter")
            text = shown(app, "#question")
        assert "answers, mean recall" in text


async def test_markup_and_escapes_in_an_answer_show_as_they_are(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter")
        app.screen.query_one(AnswerEditor).insert("[red]x[/red] [/b] [link=a]\x1b[31m\tend 👩‍👩‍👧")
        await press(pilot, "ctrl+s")
        text = "\n".join(screen_text(app))
    assert "[red]x[/red] [/b] [link=a]␛[31m" in text


async def test_what_is_typed_is_kept_when_the_session_is_left(
    app: QuizApp, workspace: Workspace
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter")
        app.screen.query_one(AnswerEditor).insert("half an ans")
        await press(pilot, "escape", "enter")
        assert app.screen.query_one(AnswerEditor).text == "half an ans"
        assert workspace.database.run(history.entries) == []


async def test_taking_the_follow_ups_says_what_it_rated(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter", "ctrl+g", "f")
        (note,) = app._notifications
        assert note.message == "Again: today\n2 follow-up questions"

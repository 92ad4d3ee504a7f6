"""Speaking into an answer."""

from __future__ import annotations

import shlex
import sys

import pytest
from textual.pilot import Pilot

from quizapp.interview.events import Manner
from quizapp.interview.options import Options
from quizapp.services.workspace import Workspace
from quizapp.tui.app import QuizApp
from quizapp.tui.screens.interview import InterviewScreen
from quizapp.tui.widgets.editor import AnswerEditor
from tests.tui.driving import press, screen_text, settle, shown

SIZE = (100, 30)


@pytest.fixture
def dictated(workspace: Workspace) -> None:
    """A command that hears the same words every time."""
    command = shlex.join([sys.executable, "-c", "print('intermediates stay in registers')"])
    workspace.use(speech_command=command)


async def spoken(pilot: Pilot[None]) -> None:
    await press(pilot, "ctrl+r")
    await pilot.pause(0.5)
    await press(pilot, "ctrl+r")


@pytest.mark.usefixtures("dictated")
async def test_an_answer_is_spoken_and_can_be_edited(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter", "ctrl+r")
        assert "● recording; Ctrl+R ends it" in shown(app, "#state")
        await pilot.pause(0.5)
        await press(pilot, "ctrl+r")
        assert "recording" not in shown(app, "#state")
        editor = app.screen.query_one(AnswerEditor)
        assert editor.text == "intermediates stay in registers"
        await press(pilot, "!", "ctrl+s")
        assert "1 ✓ ★" in shown(app, "#appraisal")


@pytest.mark.usefixtures("dictated")
async def test_an_interview_knows_that_it_was_spoken(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        app.open_interview(Options(length=1, seed=5))
        await settle(pilot)
        await spoken(pilot)
        await press(pilot, "ctrl+s")
        assert isinstance(app.screen, InterviewScreen)
        assert app.screen.state is not None
        assert app.screen.state.turns[0].manner is Manner.TRANSCRIBED


async def test_without_a_command_nothing_is_missing(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter")
        assert "Record" not in screen_text(app)[-1]
        await press(pilot, "ctrl+r")
        assert not list(app._notifications)


async def test_a_command_that_fails_is_told_and_takes_nothing(
    app: QuizApp, workspace: Workspace
) -> None:
    workspace.use(speech_command="/no/such/program")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter")
        app.screen.query_one(AnswerEditor).insert("typed")
        await press(pilot, "ctrl+r")
        (told,) = app._notifications
        assert told.message.startswith("/no/such/program cannot be started")
        assert app.screen.query_one(AnswerEditor).text == "typed"

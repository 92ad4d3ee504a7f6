"""Every screen as it is drawn, cell by cell, at two sizes and in both languages.

The expected screens are text files in ``snapshots``; ``QUIZAPP_SNAPSHOTS=write`` writes them
anew, for the diff to be read before it is committed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest
from textual.pilot import Pilot

from quizapp.interview.options import Options
from quizapp.services.workspace import Workspace
from quizapp.tui.app import QuizApp
from quizapp.tui.widgets.editor import AnswerEditor
from tests.tui import events
from tests.tui.conftest import FixedClock, PlayedRunner
from tests.tui.driving import press, screen_text, settle

FOLDER = Path(__file__).parent / "snapshots"
SIZES = ((80, 24), (140, 45))
SAID = {
    "en": "the intermediates stay in registers, with fewer flops",
    "zh": "中间结果留在寄存器里，计算量不变",
}
Play = Callable[[QuizApp, Pilot[None], FixedClock], Awaitable[None]]


def say(app: QuizApp) -> None:
    app.screen.query_one(AnswerEditor).insert(SAID[app.workspace.language.value])


async def today(app: QuizApp, pilot: Pilot[None], clock: FixedClock) -> None:
    pass


async def asking(app: QuizApp, pilot: Pilot[None], clock: FixedClock) -> None:
    await press(pilot, "enter")
    say(app)


async def ticking(app: QuizApp, pilot: Pilot[None], clock: FixedClock) -> None:
    await asking(app, pilot, clock)
    await press(pilot, "ctrl+s")


async def card(app: QuizApp, pilot: Pilot[None], clock: FixedClock) -> None:
    await press(pilot, "c", "enter")


async def proof(app: QuizApp, pilot: Pilot[None], clock: FixedClock) -> None:
    await card(app, pilot, clock)
    await press(pilot, "d", "r")
    await pilot.pause(0.2)


async def statistics(app: QuizApp, pilot: Pilot[None], clock: FixedClock) -> None:
    await ticking(app, pilot, clock)
    await press(pilot, "enter", "escape", "s")


async def search(app: QuizApp, pilot: Pilot[None], clock: FixedClock) -> None:
    await press(pilot, "slash", *"register")


async def keys(app: QuizApp, pilot: Pilot[None], clock: FixedClock) -> None:
    await press(pilot, "f1")


async def choosing(app: QuizApp, pilot: Pilot[None], clock: FixedClock) -> None:
    await press(pilot, "i", "down", "down", "down")


async def sitting(app: QuizApp, pilot: Pilot[None], clock: FixedClock) -> None:
    from quizapp.interview.options import Languages

    languages = Languages(app.workspace.language.value)
    app.open_interview(Options(length=1, seed=5, languages=languages))
    await settle(pilot)
    clock.at += timedelta(seconds=12)
    say(app)
    await pilot.pause(0.4)


async def sitting_ticks(app: QuizApp, pilot: Pilot[None], clock: FixedClock) -> None:
    await sitting(app, pilot, clock)
    await press(pilot, "ctrl+s")


async def report(app: QuizApp, pilot: Pilot[None], clock: FixedClock) -> None:
    await sitting_ticks(app, pilot, clock)
    await press(pilot, "enter", "f9")
    await settle(pilot)


PLAYS: dict[str, Play] = {
    play.__name__: play
    for play in (
        today,
        asking,
        ticking,
        card,
        proof,
        statistics,
        search,
        keys,
        choosing,
        sitting,
        sitting_ticks,
        report,
    )
}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("size", SIZES, ids=["80x24", "140x45"])
@pytest.mark.parametrize("name", PLAYS)
async def test_a_screen_looks_as_it_did(
    workspace: Workspace, clock: FixedClock, name: str, size: tuple[int, int], lang: str
) -> None:
    with workspace.paths.config.open("a", encoding="utf-8") as file:
        file.write(f'language = "{lang}"\n')
    app = QuizApp(Workspace(workspace.paths, clock), PlayedRunner(events.good_run()))
    async with app.run_test(size=size, notifications=False) as pilot:
        await settle(pilot)
        await PLAYS[name](app, pilot, clock)
        await settle(pilot)
        app.clear_notifications()
        await settle(pilot)
        lines = [_still(line) for line in screen_text(app)]
    seen = "\n".join(lines).rstrip() + "\n"
    path = FOLDER / f"{name}.{size[0]}x{size[1]}.{lang}.txt"
    if os.environ.get("QUIZAPP_SNAPSHOTS") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(seen, encoding="utf-8")
    assert seen == path.read_text(encoding="utf-8")


def _still(line: str) -> str:
    """Return a line without what differs from run to run: the seconds that an answer took."""
    line = re.sub(r"^(  )\d+ s ", r"\g<1>0 s ", line)
    return re.sub(r"\b[0-9a-f]{8}$", "01234567", line)

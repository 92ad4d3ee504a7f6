"""Driving the program by its keys and reading what it shows."""

from __future__ import annotations

from textual.pilot import Pilot

from quizapp.text.spans import plain
from quizapp.tui.app import QuizApp
from quizapp.tui.widgets.document import Document
from quizapp.tui.widgets.rows import Rows


async def settle(pilot: Pilot[None]) -> None:
    """Wait until no work of the program's is under way and everything is drawn."""
    for _ in range(3):
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


def shown(app: QuizApp, selector: str) -> str:
    """The text of a widget of ours, all of it, seen or scrolled away."""
    widget = app.screen.query_one(selector)
    assert isinstance(widget, Rows | Document)
    return "\n".join(plain(line).rstrip() for line in widget.lines)


def screen_text(app: QuizApp) -> list[str]:
    """The rows of the terminal as they are drawn."""
    strips = app.screen._compositor.render_strips()
    return [strip.text.rstrip() for strip in strips]

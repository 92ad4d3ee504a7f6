"""The command palette: every action of the registry where it is on offer, and every card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.app import SystemCommand
from textual.markup import escape
from textual.screen import Screen

from quizapp.text.cells import safe
from quizapp.tui.actions import ACTIONS, Place
from quizapp.tui.widgets.keybar import key_name

if TYPE_CHECKING:
    from quizapp.tui.app import QuizApp
    from quizapp.tui.screens.base import QuizScreen


def commands(app: QuizApp, screen: Screen[object]) -> Iterator[SystemCommand]:
    """Yield what can be done on a screen, then the cards that can be opened."""
    from quizapp.tui.screens.base import QuizScreen

    if isinstance(screen, QuizScreen):
        yield from _actions(app, screen)
    lang = app.workspace.language
    if app.workspace.is_open:
        for id_ in app.workspace.library.ids:
            card = app.workspace.library.card(id_, lang)
            if card is not None:
                # The palette reads markup, and a title is somebody's text.
                yield SystemCommand(
                    escape(safe(card.title)), id_, lambda id_=id_: app.open_card(id_)
                )


def _actions(app: QuizApp, screen: QuizScreen) -> Iterator[SystemCommand]:
    labels = app.words.actions
    for action in ACTIONS:
        everywhere = Place.EVERYWHERE in action.places
        if not everywhere and not screen.check_action(action.id, ()):
            continue
        keys = " ".join(key_name(key) for key in action.keys)
        target = f"app.{action.id}" if everywhere else f"screen.{action.id}"

        async def run(target: str = target) -> None:
            await app.run_action(target)

        yield SystemCommand(labels[action.id].long, keys, run)

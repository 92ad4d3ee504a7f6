"""What all screens share: the words, the workspace, and a footer made from the registry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from textual.screen import Screen

from quizapp.tui.actions import ACTIONS, Place, at, key_at
from quizapp.tui.widgets.keybar import KeyBar, KeyHint
from quizapp.tui.words import Words

if TYPE_CHECKING:
    from quizapp.services.workspace import Workspace
    from quizapp.tui.app import QuizApp


class QuizScreen(Screen[None]):
    """A screen of the program."""

    @property
    def quiz(self) -> QuizApp:
        """The program."""
        return cast("QuizApp", self.app)

    @property
    def words(self) -> Words:
        """The texts of the present language."""
        return self.quiz.words

    @property
    def workspace(self) -> Workspace:
        """Settings, cards and history."""
        return self.quiz.workspace

    @property
    def place(self) -> Place:
        """Where the user is, for the keys on offer."""
        raise NotImplementedError

    def retell(self) -> None:
        """Say everything again, in the present language."""
        raise NotImplementedError

    def offer_keys(self) -> None:
        """Show the keys of the present place in the footer."""
        self.query_one(KeyBar).offer(list(self._hints()))

    def _hints(self) -> Iterable[KeyHint]:
        labels = self.words.actions
        for action in at(self.place):
            enabled = bool(self.check_action(action.id, ()))
            if action.footer and (enabled or not action.optional):
                own = Place.EVERYWHERE not in action.places
                yield KeyHint(
                    key=key_at(action, self.place),
                    label=labels[action.id].short,
                    action=action.id if own else f"app.{action.id}",
                    enabled=enabled,
                    kept=action.id in ("help", "quit"),
                )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Tell whether an action of the registry is on offer where the user is."""
        del parameters
        known = next((item for item in ACTIONS if item.id == action), None)
        if known is None or action == "back" or Place.EVERYWHERE in known.places:
            return True
        return self.place in known.places

    async def action_back(self) -> None:
        """Go back to the screen before."""
        self.app.pop_screen()

"""One card file as it was read: its front matter, its text, and where everything stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quizapp.cards.assembling import assemble
from quizapp.cards.front import FrontMatter
from quizapp.cards.model import Card, Lang


@dataclass(frozen=True, slots=True)
class CardFile:
    """One language file of a card, not yet merged with the other."""

    path: str
    front: FrontMatter
    text: Card
    """What stands below the front matter; machine data has its defaults."""
    lines: Mapping[tuple[str, ...], int]
    """Line of each key of the front matter (``("points", "P1", "weight")``) and of each id and
    section of the text (``("P1",)``, ``("cases",)``)."""

    @property
    def id(self) -> str:
        """The card's id."""
        return self.front.id

    @property
    def lang(self) -> Lang:
        """The language of this file."""
        return self.front.lang

    @property
    def card(self) -> Card:
        """The card as this file alone tells it."""
        return assemble(self.text, self.front)

    def line(self, *where: str) -> int:
        """Return the line of the innermost of these keys that the file has; 1 if of none."""
        for end in range(len(where), 0, -1):
            if where[:end] in self.lines:
                return self.lines[where[:end]]
        return 1

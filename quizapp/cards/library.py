"""All cards of all folders, both languages of each merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quizapp.cards.card_file import CardFile
from quizapp.cards.model import Card, Lang, Prompt
from quizapp.cards.problems import Problem


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A card file that somebody else has read from disk."""

    path: str
    text: str


class Library:
    """The cards by id and language; a broken file never hides a healthy one."""

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of all cards, in the order of their files."""
        raise NotImplementedError

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the files, one by one and language against language."""
        raise NotImplementedError

    def card(self, id_: str, lang: Lang) -> Card | None:
        """Return a card in this language, else in the other, else ``None``."""
        raise NotImplementedError

    def languages(self, id_: str) -> tuple[Lang, ...]:
        """Return the languages a card is written in."""
        raise NotImplementedError

    def file(self, id_: str, lang: Lang) -> CardFile | None:
        """Return the file that a card's text in this language was read from."""
        raise NotImplementedError

    def path(self, id_: str, lang: Lang) -> str | None:
        """Return the path of the card's file in this language, else in the other."""
        raise NotImplementedError

    def prompts(self, lang: Lang) -> dict[str, Prompt]:
        """Return every prompt by its key; one that this language lacks comes in the other."""
        raise NotImplementedError

    def prompt(self, key: str, lang: Lang) -> Prompt | None:
        """Return one prompt by its key ``card/id``."""
        raise NotImplementedError


def build(roots: Sequence[Sequence[SourceFile]], problems: Sequence[Problem] = ()) -> Library:
    """Read all files; a later root's file takes the place of an earlier one's."""
    raise NotImplementedError

"""Reads a card file; every broken thing is a problem, and no text raises."""

from __future__ import annotations

from dataclasses import dataclass

from quizapp.cards.card_file import CardFile
from quizapp.cards.problems import Problem


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of reading a file."""

    draft: CardFile | None
    """``None`` when the file does not even say which card it is."""
    problems: tuple[Problem, ...]
    """In the order of the lines."""


def read(text: str, path: str) -> Reading:
    """Read the text of a card file; the path tells its language if the text does not."""
    raise NotImplementedError

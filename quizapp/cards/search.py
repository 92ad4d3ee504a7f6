"""Search as you type over the cards, in both languages at once."""

from __future__ import annotations

from dataclasses import dataclass

from quizapp.cards.library import Library
from quizapp.cards.model import Lang


@dataclass(frozen=True, slots=True)
class Hit:
    """One place where a query was found."""

    card: str
    """The card's id."""
    prompt: str
    """Id of the prompt on the card that the place belongs to; ``main`` for the card itself."""
    where: str
    """``title``, ``id``, ``tag``, ``concept``, ``point``, ``case``, ``follow-up``, ``answer``."""
    line: str
    """The text around the match, one line."""
    score: float
    """Higher is nearer."""


def search(library: Library, query: str, lang: Lang, limit: int = 50) -> list[Hit]:
    """Return the best places for a query, best first, the given language before the other."""
    raise NotImplementedError

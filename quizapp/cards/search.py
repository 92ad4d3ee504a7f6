"""Search as you type over the cards, in both languages at once.

Plain scanning of text folded once: a thousand cards are a few megabytes, and Python's own
substring search goes through them faster than an index would pay for.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from weakref import WeakKeyDictionary

from quizapp.cards.library import Library
from quizapp.cards.model import MAIN, Card, Lang

EXCERPT = 120
"""Longest line of a hit, characters."""

_WEIGHT = {
    "title": 8.0,
    "id": 7.0,
    "tag": 6.0,
    "concept": 5.0,
    "follow-up": 4.0,
    "case": 3.0,
    "point": 3.0,
    "answer": 2.0,
    "text": 1.0,
}
"""What a match is worth by where it stands."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One place where a query was found."""

    card: str
    """The card's id."""
    prompt: str
    """Id of the prompt on the card that the place belongs to; ``main`` for the card itself."""
    where: str
    """``title``, ``id``, ``tag``, ``concept``, ``follow-up``, ``case``, ``point``, ``answer`` or
    ``text``."""
    line: str
    """The text around the match, one line."""
    score: float
    """Higher is nearer."""


@dataclass(frozen=True, slots=True)
class _Entry:
    card: str
    prompt: str
    where: str
    lang: Lang
    text: str
    folded: str


def search(library: Library, query: str, lang: Lang, limit: int = 50) -> list[Hit]:
    """Return the best places for a query, best first, the given language before the other.

    Every word of the query must stand there; of one prompt's places only the best is returned.
    """
    words = fold(query).split()
    if not words:
        return []
    best: dict[tuple[str, str], tuple[float, _Entry]] = {}
    for entry in _entries(library):
        if all(word in entry.folded for word in words):
            score = _score(entry, words, lang)
            key = (entry.card, entry.prompt)
            if key not in best or score > best[key][0]:
                best[key] = (score, entry)
    ranked = sorted(best.values(), key=lambda found: -found[0])
    return [
        Hit(entry.card, entry.prompt, entry.where, _excerpt(entry, words[0]), score)
        for score, entry in islice(ranked, limit)
    ]


def fold(text: str) -> str:
    """Fold width, case and accents, so that people find what they type without them."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(c for c in decomposed if not unicodedata.combining(c))
    return " ".join(unicodedata.normalize("NFC", plain).split())


def _score(entry: _Entry, words: list[str], lang: Lang) -> float:
    """Rank by place, then by how much of the text the words are, whole words first."""
    near = sum(map(len, words)) / max(1, len(entry.folded))
    begins = sum(_begins_word(entry.folded, word) for word in words) / len(words)
    own = 1.0 if entry.lang is lang else 0.5
    return own * (_WEIGHT[entry.where] + near + begins)


def _begins_word(text: str, word: str) -> bool:
    if word[0] > "\u2e7f":  # Chinese has no gaps between words
        return True
    return text.startswith(word) or f" {word}" in text or f"-{word}" in text or f"({word}" in text


def _excerpt(entry: _Entry, word: str) -> str:
    """Return the part of the text where the word stands, cut at the excerpt's length."""
    text = " ".join(entry.text.split())
    if len(text) <= EXCERPT:
        return text
    # Folding seldom changes lengths, and an excerpt need not be exact.
    at = max(0, entry.folded.find(word) - EXCERPT // 3)
    start = text.rfind(" ", 0, at) + 1 if at else 0
    start = start if at - start < EXCERPT // 4 else at
    piece = text[start : start + EXCERPT - 2]
    return f"{'…' if start else ''}{piece}{'…' if start + len(piece) < len(text) else ''}"


_FOLDED: WeakKeyDictionary[Library, tuple[_Entry, ...]] = WeakKeyDictionary()


def _entries(library: Library) -> tuple[_Entry, ...]:
    """Fold the library's text once; it goes when the library does."""
    if library not in _FOLDED:
        _FOLDED[library] = tuple(_fold_all(library))
    return _FOLDED[library]


def _fold_all(library: Library) -> Iterator[_Entry]:
    for id_ in library.ids:
        for lang in library.languages(id_):
            card = library.card(id_, lang)
            for prompt, where, text in _places(card) if card else ():
                if text:
                    yield _Entry(id_, prompt, where, lang, text, fold(text))


def _places(card: Card) -> Iterable[tuple[str, str, str]]:
    """Yield prompt, kind of place and text of everything that can be found."""
    yield MAIN, "title", card.title
    yield MAIN, "id", f"{card.deck} {card.id}"
    yield from ((MAIN, "tag", tag) for tag in card.tags)
    yield from ((MAIN, "point", point.text) for point in card.points)
    yield MAIN, "answer", card.answer
    yield MAIN, "text", card.by_hand
    for concept in card.concepts:
        yield concept.id, "concept", f"{concept.name} · {concept.text}"
        yield from ((concept.id, "point", point.text) for point in concept.points)
    for case in card.cases:
        yield case.id, "case", f"{case.situation} · {case.result} · {case.reason}"
    for calculation in card.calculations:
        yield calculation.id, "text", calculation.ask
    for follow_up in card.follow_ups:
        yield follow_up.id, "follow-up", follow_up.question
        yield follow_up.id, "answer", follow_up.answer
        yield from ((follow_up.id, "point", point.text) for point in follow_up.points)
    yield from ((MAIN, "text", section.text) for section in card.extra)
    yield from ((MAIN, "text", source.text) for source in card.sources)

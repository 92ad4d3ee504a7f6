"""Search as you type over the cards, in both languages at once.

Plain scanning of text folded once: a thousand cards are a few megabytes, and Python's own
substring search goes through them faster than an index would pay for.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
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
"""What a match is worth by where it stands, from most to least."""


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
    prompt: str
    text: str
    folded: str


@dataclass(frozen=True, slots=True)
class _Page:
    """The folded text of one card in one language."""

    card: str
    lang: Lang
    entries: Mapping[str, tuple[_Entry, ...]]
    """By kind of place."""
    whole: str
    """All of it, so that most pages are passed over with one look."""


@dataclass(frozen=True, slots=True)
class _Found:
    score: float
    page: _Page
    where: str
    entry: _Entry


def search(library: Library, query: str, lang: Lang, limit: int = 50) -> list[Hit]:
    """Return the best places for a query, best first, the given language before the other.

    Every word of the query must stand there; of one prompt's places only the best is returned.
    """
    words = fold(query).split()
    if not words:
        return []
    pages = [page for page in _pages(library) if all(word in page.whole for word in words)]
    best: dict[tuple[str, str], _Found] = {}
    for where, weight in _WEIGHT.items():
        # A place of this kind scores at most two more than its weight: stop when none can enter.
        if sum(found.score >= weight + 2 for found in best.values()) >= limit:
            break
        for found in _matches(pages, where, words, lang):
            key = (found.page.card, found.entry.prompt)
            if key not in best or found.score > best[key].score:
                best[key] = found
    ranked = nlargest(limit, best.values(), key=lambda found: found.score)
    return [
        Hit(f.page.card, f.entry.prompt, f.where, _excerpt(f.entry, words[0]), f.score)
        for f in ranked
    ]


def _matches(
    pages: Sequence[_Page], where: str, words: Sequence[str], lang: Lang
) -> Iterator[_Found]:
    for page in pages:
        for entry in page.entries.get(where, ()):
            if all(word in entry.folded for word in words):
                share = 1.0 if page.lang is lang else 0.5
                score = share * (_WEIGHT[where] + _closeness(entry.folded, words))
                yield _Found(score, page, where, entry)


def fold(text: str) -> str:
    """Fold width, case and accents, so that people find what they type without them."""
    # Width before case: a full-width or mathematical capital is one only once it is narrow.
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    plain = "".join(c for c in decomposed if not unicodedata.combining(c))
    return " ".join(unicodedata.normalize("NFC", plain).split())


def _closeness(text: str, words: Sequence[str]) -> float:
    """Rank by how much of the text the words are, and whether they begin words of it: 0 to 2."""
    near = min(1.0, sum(map(len, words)) / len(text))
    return near + sum(_begins_word(text, word) for word in words) / len(words)


def _begins_word(text: str, word: str) -> bool:
    if word[0] > "\u2e7f":  # Chinese has no gaps between words.
        return True
    return text.startswith(word) or any(f"{gap}{word}" in text for gap in " -(")


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


_FOLDED: WeakKeyDictionary[Library, tuple[_Page, ...]] = WeakKeyDictionary()


def _pages(library: Library) -> tuple[_Page, ...]:
    """Fold the library's text once; it goes when the library does."""
    if library not in _FOLDED:
        _FOLDED[library] = tuple(
            _page(card)
            for id_ in library.ids
            for lang in library.languages(id_)
            if (card := library.card(id_, lang)) is not None
        )
    return _FOLDED[library]


def _page(card: Card) -> _Page:
    entries: dict[str, list[_Entry]] = {}
    for prompt, where, text in _places(card):
        folded = fold(text)
        if folded:
            entries.setdefault(where, []).append(_Entry(prompt, text, folded))
    whole = "\n".join(entry.folded for each in entries.values() for entry in each)
    return _Page(card.id, card.lang, {where: tuple(e) for where, e in entries.items()}, whole)


def _places(card: Card) -> Iterator[tuple[str, str, str]]:
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

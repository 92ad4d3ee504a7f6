"""Makes sure that nothing of a page is lost: every word is in the card or told to the reader."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from quizapp.cards.importing.asking import answered
from quizapp.cards.importing.lines import PageLine, asked, unlisted
from quizapp.cards.model import Card
from quizapp.cards.sections import CASE_COLUMNS

_WORD = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff]|[^\W_\u2e80-\u9fff\uf900-\ufaff]+|[^\w\s]")
_MARKS = frozenset("#*|·:：｜-—–=+")
"""What sets a page and is set anew in the card."""


def words(text: str) -> Iterator[str]:
    """Yield words, Chinese characters, and the signs that are not mere marks."""
    return (word for word in _WORD.findall(text) if word not in _MARKS)


def texts(card: Card) -> Iterator[str]:
    """Yield all that a card holds of a page, without the headings that every card has."""
    yield card.title
    yield from (card.diagram, card.answer, card.by_hand)
    for concept in card.concepts:
        yield from (concept.name, concept.text)
    for case in card.cases:
        yield from (case.situation, case.result, case.reason)
    if card.cases:
        yield from CASE_COLUMNS[card.lang]
    yield from (point.text for point in card.points)
    for follow_up in card.follow_ups:
        yield from (follow_up.question, follow_up.answer)
    yield from (source.text for source in card.sources)
    for section in card.extra:
        yield from (section.heading, section.text)


def missing(lines: Sequence[PageLine], kept: Iterable[str]) -> Iterator[tuple[PageLine, str]]:
    """Yield the lines of which words are not in ``kept``, and these words."""
    left = Counter(word for text in kept for word in words(text))
    for line in lines:
        lost = []
        for word in words(line.text if line.code else _content(line.text)):
            if left[word] > 0:
                left[word] -= 1
            else:
                lost.append(word)
        if lost:
            yield line, " ".join(lost)


def _content(text: str) -> str:
    """Return a line without the marks that say what it is."""
    inner = unlisted(text).strip("#*_ ")
    return inner[max(asked(inner), answered(inner)) :]

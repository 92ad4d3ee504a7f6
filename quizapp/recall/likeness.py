"""How alike a stretch of speech and a reference phrasing are: in letters, and in what they say.

Letters are character n-grams, which need no tokeniser for Chinese.  What is said is the set of
the lexicon's concepts and the words it does not know, weighted by how few of a prompt's points
speak of them; so an English phrasing recognises a Chinese sentence and other people's words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from quizapp.recall.everyday import DIRECTIONS
from quizapp.recall.lexicon import NUMBER
from quizapp.recall.speech import FUNCTION_WORDS, Speech, Window, listen

SIZES = (2, 3, 4)
WANTED = 0.65
"""How much it matters that all of a phrasing was said, against that nothing else was."""
_QUIET = frozenset(
    ("only", "also", "still", "all", "whole", "high", "big", "data", "each", "after")
)
"""Concepts that say little by themselves."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a stretch of speech says."""

    features: frozenset[str]
    """Concepts as ``@name``, and stems of words outside the lexicon."""
    directions: frozenset[str]
    letters: Mapping[str, float]
    """Weighted n-grams, of length 1 together."""
    tokens: int


def meaning(speech: Speech, window: Window) -> Meaning:
    """Return what a window says."""
    features = {feature for feature, _ in _features(speech, window)}
    figures = {feature for feature in features if feature[0].isdigit()}
    directions = {f"@{direction}" for direction in DIRECTIONS} & features
    return Meaning(
        frozenset(features),
        frozenset(directions | figures),
        letters(speech.text(window)),
        window.end - window.start,
    )


def shared(speech: Speech, window: Window, phrase: Meaning) -> tuple[Window, ...]:
    """Return the words of a window that say what the phrase says, too."""
    return tuple(
        place for feature, place in _features(speech, window) if feature in phrase.features
    )


def _features(speech: Speech, window: Window) -> Iterator[tuple[str, Window]]:
    """Yield what a window says, piece by piece, and where."""
    known: set[int] = set()
    for mention in speech.mentions:
        if window.start <= mention.start and mention.end <= window.end:
            figure = mention.concept == NUMBER
            feature = speech.tokens[mention.start].stem if figure else f"@{mention.concept}"
            yield feature, Window(mention.start, mention.end)
            known.update(range(mention.start, mention.end))
    for number in range(window.start, window.end):
        token = speech.tokens[number]
        if number not in known and token.word not in FUNCTION_WORDS:
            yield token.stem, Window(number, number + 1)


@lru_cache(maxsize=2048)
def of_phrase(phrase: str) -> Meaning:
    """Return what a phrasing says, all of it."""
    speech = listen(phrase)
    return meaning(speech, Window(0, len(speech.tokens))) if speech.tokens else _NOTHING


@lru_cache(maxsize=4096)
def letters(text: str) -> Mapping[str, float]:
    """Return the weighted character n-grams of a text in the one spelling."""
    padded = f" {text} "
    counts = Counter(
        padded[start : start + size] for size in SIZES for start in range(len(padded) - size + 1)
    )
    # Longer n-grams say more; repeated ones say little more than once.
    weighted = {gram: (1 + math.log(n)) * len(gram) ** 0.5 for gram, n in counts.items()}
    length = math.sqrt(sum(value * value for value in weighted.values())) or 1.0
    return {gram: value / length for gram, value in weighted.items()}


_NOTHING = Meaning(frozenset(), frozenset(), {}, 0)


def in_letters(one: Meaning, other: Meaning) -> float:
    """Return the cosine of two stretches' n-grams, 0 to 1."""
    small, large = sorted((one.letters, other.letters), key=len)
    return sum(value * large[gram] for gram, value in small.items() if gram in large)


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each feature says, for one prompt."""

    by_feature: Mapping[str, float]
    otherwise: float

    @classmethod
    def of(cls, statements: Sequence[Sequence[str]]) -> Weights:
        """Weigh features by how few of the statements' phrasings hold them."""
        spoken: Counter[str] = Counter()
        for phrases in statements:
            spoken.update(set[str]().union(*(of_phrase(phrase).features for phrase in phrases)))
        most = math.log(1 + len(statements))
        found = {feature: math.log(1 + len(statements) / n) for feature, n in spoken.items()}
        for feature in found:
            if feature[1:] in _QUIET and feature[0] == "@":
                found[feature] *= 0.4
        return cls(found, most * 0.5)

    def total(self, features: Iterable[str]) -> float:
        """Return how much the features say together."""
        return sum(self.by_feature.get(feature, self.otherwise) for feature in features)


def in_meaning(common: float, wanted: float, given: float) -> float:
    """Return how much of what is wanted was said, and how little else, 0 to 1."""
    return common / (WANTED * wanted + (1 - WANTED) * given) if common else 0.0


def contrary(said: Meaning, phrase: Meaning) -> bool:
    """Tell whether the phrase says a direction or a figure that was not said."""
    return bool(phrase.directions - said.directions)

"""Which parts of an answer's points were said, each with the user's own words as evidence.

A part is ticked by an author's rule, by likeness to a reference phrasing, or by likeness to a
sentence the user confirmed for it before.  What is only somewhat alike is suggested, and what
is suggested counts for nothing until the user ticks it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from quizapp.cards.model import FalseStatement, Part, Point
from quizapp.recall.likeness import (
    Weights,
    contrary,
    in_letters,
    in_meaning,
    meaning,
    of_phrase,
)
from quizapp.recall.rules import satisfied, stands
from quizapp.recall.speech import Speech, Window, listen

TICK = 0.58
"""Likeness to a reference phrasing from which a part is ticked."""
SUGGEST = 0.22
OWN = 0.45
"""Likeness to the user's own confirmed sentence from which a part is ticked."""
FEWEST_TOKENS = 4
"""A window of fewer is no statement that a phrasing could be recognised in."""


class State(StrEnum):
    """What the program makes of a part."""

    TICKED = "ticked"
    SUGGESTED = "suggested"
    BLANK = "blank"


class How(StrEnum):
    """What made it so."""

    RULE = "rule"
    PHRASING = "phrasing"
    OWN = "own"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Finding:
    """A part, and the stretch of the answer that speaks of it."""

    state: State = State.BLANK
    start: int = 0
    end: int = 0
    how: How = How.NOTHING
    likeness: float = 0.0
    words: tuple[tuple[int, int], ...] = ()
    """Stretches of the answer that made it so, to be highlighted."""


@dataclass(frozen=True, slots=True)
class Grade:
    """What was found in an answer."""

    parts: Mapping[str, Finding]
    false: Mapping[str, Finding]
    """By false statement: suggested where the answer seems to say it; asked, never punished."""

    @property
    def ticked(self) -> frozenset[str]:
        """Ids of the parts that are ticked."""
        return frozenset(id_ for id_, f in self.parts.items() if f.state is State.TICKED)

    @property
    def suggested(self) -> frozenset[str]:
        """Ids of the parts that are suggested."""
        return frozenset(id_ for id_, f in self.parts.items() if f.state is State.SUGGESTED)

    @property
    def flagged(self) -> tuple[str, ...]:
        """Ids of the false statements to ask about."""
        return tuple(id_ for id_, f in self.false.items() if f.state is not State.BLANK)

    def evidence(self, answer: str) -> dict[str, str]:
        """Return the user's own words for each part that has any."""
        return {
            id_: " ".join(answer[f.start : f.end].split())
            for id_, f in self.parts.items()
            if f.state is not State.BLANK
        }


def parts_of(point: Point) -> tuple[Part, ...]:
    """Return a point's parts; one without parts is its own, with its text as phrasing."""
    return point.parts or (Part(point.id, say=(point.text,)),)


def grade(
    points: Sequence[Point],
    false_statements: Sequence[FalseStatement],
    answer: str,
    confirmed: Iterable[tuple[str, str]] = (),
) -> Grade:
    """Find the parts of the points, and the false statements, in an answer.

    ``confirmed`` are the user's own sentences, ``(part, sentence)``.
    """
    parts = [part for point in points for part in parts_of(point)]
    ids = {point.id for point in points}
    relevant = [s for s in false_statements if not s.against or ids & {*s.against}]
    as_parts = [Part(s.id, s.match, s.reject, s.say) for s in relevant]
    own: dict[str, list[str]] = {}
    for part, sentence in confirmed:
        own.setdefault(part, []).append(sentence)
    listener = _Listener(listen(answer), _weights(tuple(parts), tuple(as_parts)))
    return Grade(
        {part.id: listener.part(part, own.get(part.id, ())) for part in parts},
        {part.id: listener.false(part) for part in as_parts},
    )


@lru_cache(maxsize=256)
def _weights(parts: tuple[Part, ...], false: tuple[Part, ...]) -> Weights:
    return Weights.of([part.say for part in (*parts, *false)])


class _Listener:
    """Looks for statements in one answer."""

    def __init__(self, speech: Speech, weights: Weights) -> None:
        self._speech = speech
        self._weights = weights
        self._windows = () if speech.stuffed else speech.windows
        self._said = [
            (window, said, weights.total(said.features))
            for window in self._windows
            if window.end - window.start >= FEWEST_TOKENS
            for said in (meaning(speech, window),)
        ]

    def part(self, part: Part, own: Sequence[str]) -> Finding:
        """Find a part by rule, by the user's own sentences, or by its phrasings."""
        allowed = {w: None for w in self._windows if not stands(part.reject, self._speech, w)}
        held = satisfied(part.accept, self._speech, allowed)
        if held is not None:
            return self._finding(State.TICKED, How.RULE, held[0], 1.0, held[1])
        mine = self._most_alike(own, allowed)
        if mine and mine[0] >= OWN:
            return self._finding(State.TICKED, How.OWN, mine[1], mine[0])
        best = self._most_alike(part.say, allowed)
        if best is None or best[0] < SUGGEST:
            return Finding()
        ticked = best[0] >= TICK and not best[2]
        state = State.TICKED if ticked else State.SUGGESTED
        return self._finding(state, How.PHRASING, best[1], best[0])

    def false(self, statement: Part) -> Finding:
        """Find a false statement: only what is plain is worth a question."""
        found = self.part(statement, ())
        if found.state is not State.TICKED:
            return Finding()
        return Finding(State.SUGGESTED, found.start, found.end, found.how, found.likeness)

    def _most_alike(
        self, phrases: Sequence[str], allowed: Collection[Window]
    ) -> tuple[float, Window, bool] | None:
        """Return the highest likeness, its window, and whether that says the contrary."""
        best: tuple[float, Window, bool] | None = None
        wanted = [
            (phrase, self._weights.total(phrase.features)) for phrase in map(of_phrase, phrases)
        ]
        for window, said, given in self._said:
            if window not in allowed:
                continue
            for phrase, total in wanted:
                common = self._weights.total(said.features & phrase.features)
                if not common:
                    continue
                likeness = 0.5 * in_meaning(common, total, given) + 0.5 * in_letters(said, phrase)
                if best is None or likeness > best[0]:
                    best = (likeness, window, contrary(said, phrase))
        return best

    def _finding(
        self,
        state: State,
        how: How,
        window: Window,
        likeness: float,
        marks: Sequence[Window] = (),
    ) -> Finding:
        start, end = self._speech.original(window.start, window.end)
        words = tuple(sorted({self._speech.original(m.start, m.end) for m in marks}))
        return Finding(state, start, end, how, likeness, words)

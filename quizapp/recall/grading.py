"""Which parts of an answer's points were said, each with the user's own words as evidence.

A part is ticked by an author's rule, by likeness to a reference phrasing, or by likeness to a
sentence the user confirmed for it before.  What is only somewhat alike is suggested, and what
is suggested counts for nothing until the user ticks it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from quizapp.cards.model import FalseStatement, Part, Point
from quizapp.recall.likeness import Weights
from quizapp.recall.matching import Finding, Listener, State
from quizapp.recall.speech import listen, sentences


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
            id_: _quoted(answer, f.start, f.end)
            for id_, f in self.parts.items()
            if f.state is not State.BLANK
        }

    def learned(self, answer: str, ticks: Collection[str]) -> dict[str, str]:
        """Return the user's own words for each part ticked, to be known again next time.

        Where nothing was found for a part, these are all sentences that say nothing else, a
        line each; :func:`grade` takes such lines one by one.
        """
        found = self.evidence(answer)
        taken = [(f.start, f.end) for f in self.parts.values() if f.state is State.TICKED]
        every = sentences(answer)
        free = [place for place in every if not any(_overlap(place, other) for other in taken)]
        otherwise = "\n".join(_quoted(answer, *place) for place in free or every)
        words = {id_: found.get(id_, otherwise) for id_ in self.parts if id_ in ticks}
        return {id_: sentence for id_, sentence in words.items() if sentence}


def _quoted(answer: str, start: int, end: int) -> str:
    return " ".join(answer[start:end].split())


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


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
    for part, words in confirmed:
        own.setdefault(part, []).extend(words.splitlines())
    listener = Listener(listen(answer), _weights(tuple(parts), tuple(as_parts)))
    told = {point.id for point in points if not point.parts}
    return Grade(
        {
            part.id: listener.text(part.say[0], own.get(part.id, ()))
            if part.id in told
            else listener.part(part, own.get(part.id, ()))
            for part in parts
        },
        {part.id: listener.false(part) for part in as_parts},
    )


@lru_cache(maxsize=256)
def _weights(parts: tuple[Part, ...], false: tuple[Part, ...]) -> Weights:
    return Weights.of([part.say for part in (*parts, *false)])

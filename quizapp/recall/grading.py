"""Which parts of an answer's points were said, each with the user's own words as evidence.

A part is ticked by an author's rule, by likeness to a reference phrasing, or by likeness to a
sentence the user confirmed for it before.  What is only somewhat alike is suggested, and what
is suggested counts for nothing until the user ticks it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from quizapp.cards.model import FalseStatement, Part, Point
from quizapp.recall.lexicon import pattern
from quizapp.recall.similarity import similarity
from quizapp.recall.windows import Window, windows

TICK = 0.46
"""Likeness to a reference phrasing from which a part is ticked."""
SUGGEST = 0.33
OWN = 0.55
"""Likeness to the user's own confirmed sentence from which a part is ticked."""
FEWEST_TOKENS = 4
"""A window of fewer is no statement; keywords in a row are not one, either."""
FUNCTION_SHARE = 0.06
"""Share of function words under which an answer is a list of keywords."""

_FUNCTION = re.compile(
    r"(?<![a-z])(?:the|a|an|is|are|was|be|to|of|in|on|it|its|and|so|that|this|which|you|we|they|for"
    r"|not|no|but|when|with|as|at|by|from|if|or|then|than|do|does|can|will|have|has|just|only)"
    r"(?![a-z])|[的了是在就不把和会也都要没有从到被让给与或而]"
)
_WORD = re.compile(r"[a-z0-9']+|[\u3400-\u9fff]")


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
    places = windows(answer)
    statements = [] if _stuffed(answer) else [w for w in places if w.tokens >= FEWEST_TOKENS]
    own: dict[str, list[str]] = {}
    for part, sentence in confirmed:
        own.setdefault(part, []).append(sentence)
    return Grade(
        {
            part.id: _part(part, statements, own.get(part.id, ()))
            for point in points
            for part in parts_of(point)
        },
        {s.id: _false(s, statements) for s in false_statements},
    )


def _part(part: Part, places: Sequence[Window], own: Sequence[str]) -> Finding:
    rejects = [pattern(term) for term in part.reject]
    allowed = [w for w in places if not any(reject.search(w.text) for reject in rejects)]
    for window in allowed:
        if _accepted(part.accept, window):
            return Finding(State.TICKED, window.start, window.end, How.RULE, 1.0)
    mine = _most_alike(own, allowed, How.OWN)
    if mine.likeness >= OWN:
        return mine
    found = _most_alike(part.say, allowed, How.PHRASING)
    if found.likeness < SUGGEST:
        return Finding()
    state = State.TICKED if found.likeness >= TICK else State.SUGGESTED
    return Finding(state, found.start, found.end, How.PHRASING, found.likeness)


def _false(statement: FalseStatement, places: Sequence[Window]) -> Finding:
    as_part = Part(statement.id, statement.match, statement.reject, statement.say)
    found = _part(as_part, places, ())
    if found.how is How.PHRASING and found.likeness < TICK:
        return Finding()
    return (
        Finding(State.SUGGESTED, found.start, found.end, found.how, found.likeness)
        if (found.state is State.TICKED)
        else Finding()
    )


def _accepted(alternatives: Sequence[Sequence[str]], window: Window) -> bool:
    return any(
        all(pattern(term).search(window.text) for term in group) for group in alternatives if group
    )


def _most_alike(phrases: Sequence[str], places: Sequence[Window], how: How) -> Finding:
    best = Finding()
    for window in places:
        for phrase in phrases:
            likeness = similarity(window.text, phrase)
            if likeness > best.likeness:
                best = Finding(State.TICKED, window.start, window.end, how, likeness)
    return best


def _stuffed(answer: str) -> bool:
    """Tell a list of keywords from speech, by the function words of the whole answer."""
    text = " ".join(window.text for window in windows(answer))
    words = len(_WORD.findall(text))
    return words > 8 and len(_FUNCTION.findall(text)) < FUNCTION_SHARE * words

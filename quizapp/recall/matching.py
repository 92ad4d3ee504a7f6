"""Looks for statements in one answer: by rule, by the user's own sentences, by phrasings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from quizapp.cards.model import Part
from quizapp.recall.likeness import (
    Meaning,
    Weights,
    contrary,
    in_letters,
    in_meaning,
    meaning,
    of_phrase,
    shared,
)
from quizapp.recall.rules import satisfied, stands
from quizapp.recall.speech import Speech, Window, sentences

TICK = 0.58
"""Likeness to a reference phrasing from which a part is ticked."""
SUGGEST = 0.22
"""Likeness from which a part is suggested."""
SUGGEST_TEXT = 0.28
"""The same for a sentence of a text that nobody wrote phrasings for."""
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


class _Likest(NamedTuple):
    """The stretch of an answer that is most like one of some phrasings."""

    likeness: float
    window: Window
    phrase: Meaning
    contrary: bool
    """Whether the phrasing says a direction or a figure that was not said."""


class Listener:
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
        mine = self._own(own, allowed)
        if mine is not None:
            return mine
        best = self._most_alike(part.say, allowed)
        if best is None or best.likeness < SUGGEST:
            return Finding()
        ticked = best.likeness >= TICK and not best.contrary
        return self._alike(State.TICKED if ticked else State.SUGGESTED, How.PHRASING, best)

    def text(self, text: str, own: Sequence[str]) -> Finding:
        """Find what a text says that nobody wrote rules or phrasings for: mostly a suggestion."""
        mine = self._own(own, self._windows)
        if mine is not None:
            return mine
        whole = self._most_alike((text,), self._windows)
        if whole and whole.likeness >= TICK and not whole.contrary:
            return self._alike(State.TICKED, How.PHRASING, whole)
        parts = [" ".join(text[start:end].split()) for start, end in sentences(text)]
        best = self._most_alike(parts, self._windows)
        if best is None or best.likeness < SUGGEST_TEXT:
            return Finding()
        return self._alike(State.SUGGESTED, How.PHRASING, best)

    def false(self, statement: Part) -> Finding:
        """Find a false statement: only what is plain is worth a question."""
        found = self.part(statement, ())
        if found.state is not State.TICKED:
            return Finding()
        return replace(found, state=State.SUGGESTED)

    def _own(self, own: Sequence[str], allowed: Collection[Window]) -> Finding | None:
        mine = self._most_alike(own, allowed)
        if mine is None or mine.likeness < OWN:
            return None
        return self._alike(State.TICKED, How.OWN, mine)

    def _most_alike(self, phrases: Sequence[str], allowed: Collection[Window]) -> _Likest | None:
        """Return the allowed window that is most like one of the phrases."""
        best: _Likest | None = None
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
                if best is None or likeness > best.likeness:
                    best = _Likest(likeness, window, phrase, contrary(said, phrase))
        return best

    def _alike(self, state: State, how: How, found: _Likest) -> Finding:
        marks = shared(self._speech, found.window, found.phrase)
        return self._finding(state, how, found.window, found.likeness, marks)

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

"""A study session as a value: what is asked next, and what an answer changes.

A session knows keys and nothing of clocks, scores or the store: whoever drives it records
the answer first and then goes on with the session that :meth:`Session.answered` returns.  It
can be dropped at any moment and made again from a fresh plan; nothing is lost with it but the
list of skipped prompts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from quizapp.memory.model import Rating
from quizapp.memory.queue import Counts, Plan

AGAIN_AFTER = 4
"""How many other prompts are answered before one rated Again returns, if there are as many."""

AT_THE_END = 10**9
"""More answers than any session has."""


@dataclass(frozen=True, slots=True)
class Relearning:
    """A prompt rated Again that is to return in this session."""

    key: str
    at: int
    """The number of answers from which on it may return."""


@dataclass(frozen=True, slots=True)
class Session:
    """What is left to ask, in order; every change returns another session."""

    first: tuple[str, ...] = ()
    """Asked before all else: taken by the user, or undone."""
    pending: tuple[str, ...] = ()
    """In the plan's order."""
    learning: tuple[Relearning, ...] = ()
    skipped: tuple[str, ...] = ()
    """Not asked again in this session; they stay due and stand in the next plan."""
    new: frozenset[str] = frozenset()
    """Those that had never been reviewed when they came in."""
    answers: int = 0

    def next(self) -> str | None:
        """Return the key of the prompt to ask; ``None`` when the session is over.

        A prompt under relearning returns as soon as enough others were answered, or at once
        when there are no others.
        """
        if self.first:
            return self.first[0]
        ready = [item for item in self.learning if item.at <= self.answers]
        if ready:
            return ready[0].key
        if self.pending:
            return self.pending[0]
        return self.learning[0].key if self.learning else None

    def answered(self, key: str, rating: Rating, misled: bool = False) -> Session:
        """Return the session after an answer.

        Again brings the prompt back soon; a user who was sure and wrong is asked at the end.
        """
        left = replace(self._without((key,)), answers=self.answers + 1)
        if misled:
            return replace(left, learning=(*left.learning, Relearning(key, AT_THE_END)))
        if rating != Rating.AGAIN:
            return left
        back = Relearning(key, left.answers + AGAIN_AFTER)
        return replace(left, learning=(*left.learning, back))

    def skip(self, key: str) -> Session:
        """Return the session without that prompt."""
        left = self._without((key,))
        return replace(left, skipped=(*left.skipped, key))

    def take(self, keys: Sequence[str], new: Collection[str] = ()) -> Session:
        """Return the session that asks these next, in this order, due or not, limit or not.

        ``new`` are those of them that have never been reviewed.  Today's queue is not made
        shorter for them; the next plan counts them.
        """
        wanted = tuple(dict.fromkeys(keys))
        left = self._without(wanted)
        return replace(left, first=(*wanted, *left.first), new=left.new | set(new))

    def undo(self, key: str) -> Session:
        """Return the session that asks that prompt again, its last review being undone.

        It need not have been asked in this session: the review may be of an earlier one.
        """
        left = self._without((key,))
        return replace(left, first=(key, *left.first), answers=max(0, self.answers - 1))

    @property
    def counts(self) -> Counts:
        """What is left; a new prompt counts as learning once it was rated Again."""
        waiting = (*self.first, *self.pending)
        new = sum(key in self.new for key in waiting)
        return Counts(len(waiting) - new, new, len(self.learning))

    def _without(self, keys: Collection[str]) -> Session:
        return replace(
            self,
            first=_less(self.first, keys),
            pending=_less(self.pending, keys),
            learning=tuple(item for item in self.learning if item.key not in keys),
            skipped=_less(self.skipped, keys),
        )


def start(plan: Plan) -> Session:
    """Return the session that asks a plan; prompts answered Again before it wait their turn."""
    learning = tuple(Relearning(key, AGAIN_AFTER) for key in plan.learning)
    return Session(pending=plan.order, learning=learning, new=frozenset(plan.new))


def _less(keys: tuple[str, ...], gone: Collection[str]) -> tuple[str, ...]:
    return tuple(key for key in keys if key not in gone)

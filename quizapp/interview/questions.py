"""A question as it was asked: whole, so that a report needs no card that may have changed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from quizapp.cards.model import FalseStatement, Point, PromptKind
from quizapp.recall.calculations import Exercise


class Role(StrEnum):
    """What a question is in its round."""

    MAIN = "main"
    FOLLOW_UP = "follow-up"
    CALCULATION = "calculation"


@dataclass(frozen=True, slots=True)
class Slot:
    """One round as it was planned; the follow-ups are chosen when they are asked."""

    prompt: str
    """Key of the main question."""
    calculation: str = ""
    """Key of the calculation; empty: none."""
    claim: str = ""
    """The claim, ``card/id``, of which the interviewer will say "prove it"; empty: none."""

    @property
    def card(self) -> str:
        """The card's id."""
        return self.prompt.partition("/")[0]


@dataclass(frozen=True, slots=True)
class Choice:
    """Why this follow-up and no other: the factors of its rank."""

    weight: float
    """Of all the points it tests."""
    missed: float
    """Share of that weight that had not been said."""
    false: bool
    """Something false was said about what it tests."""
    last: float
    """Share of it that was missed last time."""

    @property
    def rank(self) -> float:
        """Weight × missed × (1 + false) × (1 + missed last time)."""
        return self.weight * self.missed * (1 + self.false) * (1 + self.last)


@dataclass(frozen=True, slots=True)
class Question:
    """What the interviewer asked, and what an answer is held against."""

    number: int
    """From 0, in the order asked."""
    uuid: str
    """Of the review it may become; it follows from the interview and the number."""
    role: Role
    round: int
    """From 0; the slot it belongs to."""
    prompt: str
    """Key, ``card/id``."""
    kind: PromptKind
    text: str
    """Markdown, in the language of the questions."""
    reference: str
    """The model answer, Markdown, in the language of the answers."""
    points: tuple[Point, ...]
    """The rubric: ids, texts, weights and parts, without the rules to find them by."""
    false_statements: tuple[FalseStatement, ...]
    """Common ones, without the rules to find them by."""
    seconds: float
    """To the bell."""
    exercise: Exercise | None = None
    """The values drawn, if it is a calculation."""
    choice: Choice | None = None
    """Of a follow-up."""

    @property
    def card(self) -> str:
        """The card's id."""
        return self.prompt.partition("/")[0]

    @property
    def goal(self) -> tuple[Point, ...]:
        """The points to have said by the bell: the core ones, or all if none is marked."""
        return tuple(point for point in self.points if point.core) or self.points

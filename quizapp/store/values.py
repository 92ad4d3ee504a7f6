"""The plain values that cross the border of the store; importing them imports no SQLAlchemy."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from quizapp.memory.model import Rating, Review


class StoreError(Exception):
    """The history cannot be used, told in one line, and what to do about it."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(f"{message}; {remedy}" if remedy else message)
        self.message = message
        self.remedy = remedy


class ConflictError(StoreError):
    """Another program reviewed the same prompt in between; nothing was written."""


class Kind(StrEnum):
    """What an entry of the log tells."""

    REVIEW = "review"
    UNDO = "undo"
    """The review :attr:`Entry.undoes` does not count."""
    SUSPEND = "suspend"
    RESUME = "resume"
    RELEASE = "release"
    """The user let a leech go: what came before does not count for it."""


class Mode(StrEnum):
    """How an answer was given."""

    TYPED = "typed"
    SPOKEN = "spoken"
    GAVE_UP = "gave-up"
    UNFINISHED = "unfinished"
    """A draft only: typed, and not given when the program ended."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the append-only log."""

    uuid: str
    """Made by whoever writes it, so that writing twice writes once."""
    kind: Kind
    prompt: str
    """The prompt's key, ``card/id``."""
    at: datetime
    """UTC, time-zone aware."""
    day: date
    """Study day, as the user's settings were then."""
    rating: Rating | None = None
    proposed: Rating | None = None
    """What the score came to, before the user's own step."""
    score: float | None = None
    """Recall score, 0 to 1."""
    seconds: float = 0.0
    mode: Mode | None = None
    sure: bool = False
    lang: str = ""
    answer: str = ""
    ticks: tuple[str, ...] = ()
    """Ids of the parts that were said, after the user's corrections."""
    suggested: tuple[str, ...] = ()
    """Ids of the parts the grader had ticked."""
    missed: tuple[str, ...] = ()
    """Ids of the points that got no credit."""
    false_claims: tuple[str, ...] = ()
    """Ids of the false statements the user confirmed."""
    evidence: Mapping[str, str] = field(default_factory=dict)
    """Part id → the user's own sentence, for the parts that were ticked."""
    seed: int | None = None
    """Of a calculation's values."""
    inputs: Mapping[str, float] = field(default_factory=dict)
    """A calculation's values themselves: a template that is edited draws others."""
    client: str = ""
    """The machine it was written on, where several share a history."""
    undoes: str = ""
    """The uuid of the review that an undo takes back."""
    id: int = 0
    """Its place in the log; given by the store."""

    @property
    def card(self) -> str:
        """The card's id."""
        return self.prompt.partition("/")[0]

    @property
    def review(self) -> Review:
        """The entry as scheduling sees it; ``ValueError`` unless it is a review."""
        if self.rating is None:
            raise ValueError(f"a {self.kind} has no rating")
        return Review(
            self.prompt,
            self.at,
            self.rating,
            self.seconds,
            self.score,
            self.missed,
            misled(self.sure, self.proposed, self.false_claims),
        )


def misled(sure: bool, proposed: Rating | None, false_claims: Collection[str]) -> bool:
    """Tell whether a user was sure and wrong: forgot it by the ticks, or said something false."""
    return sure and (proposed == Rating.AGAIN or bool(false_claims))


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer that was given and not rated yet; it outlives the program."""

    uuid: str
    """Becomes the uuid of the review."""
    prompt: str
    at: datetime
    text: str
    mode: Mode
    seconds: float
    sure: bool = False
    lang: str = ""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A demo's run, kept with everything it said."""

    id: str
    demo: str
    at: datetime
    device_kind: str
    device_name: str
    source: str
    """``local``, ``ssh:HOST`` or ``record``."""
    digest: str
    """Of the demo's sources."""
    outcome: str
    """``done``, or the kind of failure."""
    events: str
    """JSON lines of the wire protocol."""
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VerdictRecord:
    """What a run said about a claim."""

    claim: str
    """``card/claim``."""
    run: str
    verdict: str
    predicate: str
    """As it stood when it was judged."""
    digest: str
    """Of the demo's sources."""
    device_kind: str
    device_name: str
    source: str
    at: datetime
    detail: Mapping[str, Any] = field(default_factory=dict)
    """The terms of the predicate with their numbers."""


@dataclass(frozen=True, slots=True)
class InterviewRecord:
    """A mock interview as it was begun."""

    id: str
    at: datetime
    setup: Mapping[str, Any]
    """Options and plan, as :mod:`quizapp.interview.codec` writes them."""
    client: str = ""


@dataclass(frozen=True, slots=True)
class InterviewEvent:
    """One event of an interview's log."""

    number: int
    """From 0, without gaps."""
    at: datetime
    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class InterviewDraft:
    """What is typed in an interview and not given yet."""

    at: datetime
    after: int
    """The number of events it came after."""
    text: str


@dataclass(frozen=True, slots=True)
class DayCount:
    """What the log has of one study day."""

    day: date
    reviews: int
    seconds: float

"""What can happen in an interview; the log has them in order, each with its instant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from quizapp.cards.model import FalseStatement, Point
from quizapp.interview.questions import Question
from quizapp.recall.calculations import Judgement


class Manner(StrEnum):
    """How an answer was given."""

    TYPED = "typed"
    SPOKEN = "spoken"
    """Said aloud and not written down: the candidate ticks what was said."""
    SUMMARISED = "summarised"
    """Said aloud, and then written down in short."""
    TRANSCRIBED = "transcribed"
    """Said aloud to the user's own speech-to-text command."""
    GAVE_UP = "gave-up"


class Why(StrEnum):
    """Why the interviewer asks again."""

    VAGUE = "vague"
    """No point was heard in the answer."""
    UNREAD = "unread"
    """Not one number could be read."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What the program made of an answer."""

    ticked: tuple[str, ...] = ()
    """Ids of the parts it found."""
    suggested: tuple[str, ...] = ()
    """Ids of the parts it would ask about."""
    flagged: tuple[str, ...] = ()
    """Ids of the false statements to ask about."""
    evidence: Mapping[str, str] = field(default_factory=dict)
    """By part or false statement: the candidate's own words."""
    late: tuple[str, ...] = ()
    """Ids of the parts whose words came after the bell."""
    judgement: Judgement | None = None
    """Of a calculation."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What an interview came to; each share is 0 to 1, ``None`` where nothing was asked."""

    total: float | None
    main: float | None
    follow_ups: float | None
    calculations: float | None
    questions: int
    """Asked and not dropped."""
    seconds: float
    """Spent on answers."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The interviewer asked; the clock runs."""

    question: Question


@dataclass(frozen=True, slots=True)
class Drafted:
    """The draft is this now."""

    text: str
    as_typed: bool = True
    """Whether it is logged as it is typed, so that the time of the first word is known."""


@dataclass(frozen=True, slots=True)
class Bell:
    """Time is up; what was drafted by then is kept, and overtime begins."""

    text: str


@dataclass(frozen=True, slots=True)
class Hinted:
    """A hint was shown; its parts count half from now on."""

    point: str
    parts: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Spoke:
    """The candidate has finished speaking; the clock stands while it is written down."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer was given."""

    text: str
    manner: Manner
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Graded:
    """The program looked for the points in the answer."""

    heard: Heard


@dataclass(frozen=True, slots=True)
class Reprompted:
    """The interviewer asks for something more definite, once; the clock runs on."""

    why: Why


@dataclass(frozen=True, slots=True)
class Ticked:
    """The candidate corrected the ticks of a question."""

    number: int
    ticks: tuple[str, ...]
    """Ids of the parts that were said."""
    false: tuple[str, ...] = ()
    """Ids of the false statements that were said."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """The candidate passes on the question, on adding to the answer, or on the proof."""


@dataclass(frozen=True, slots=True)
class Challenged:
    """ "Prove it": the interviewer wants a claim measured."""

    round: int
    claim: str
    """``card/id``."""
    says: str
    """In the language of the answers."""
    demo: str
    holds: str
    """The predicate."""
    on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proved:
    """A demo's run, or its record, was judged."""

    verdict: str
    """Of :class:`quizapp.proof.verdict.Verdict`."""
    source: str
    """``local``, ``ssh:HOST`` or ``record``."""
    device: str = ""
    text: str = ""
    """The numbers it rests on, in one line."""
    day: str = ""
    """When it was measured, ISO 8601."""


@dataclass(frozen=True, slots=True)
class Paused:
    """The clock stands until :class:`Resumed`."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The clock runs again, if it ran before the pause."""


@dataclass(frozen=True, slots=True)
class EndedEarly:
    """No more questions; the draft of the open one is its answer."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Concluded:
    """The interviewer has no more questions; in a live interview the ticks come now."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The interview is over."""

    summary: Summary


@dataclass(frozen=True, slots=True)
class Regrade:
    """A question held against its card of a later day."""

    number: int
    reference: str
    points: tuple[Point, ...]
    false_statements: tuple[FalseStatement, ...]
    heard: Heard
    ticks: tuple[str, ...]
    false: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Regraded:
    """The answers were graded again; what was heard before stays in the log."""

    questions: tuple[Regrade, ...]
    summary: Summary


Happening = (
    Asked
    | Drafted
    | Bell
    | Hinted
    | Spoke
    | Answered
    | Graded
    | Reprompted
    | Ticked
    | Skipped
    | Challenged
    | Proved
    | Paused
    | Resumed
    | EndedEarly
    | Concluded
    | Finished
    | Regraded
)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, and when."""

    at: datetime
    """UTC, time-zone aware."""
    what: Happening

"""Where an interview is: a value that only :mod:`quizapp.interview.machine` makes new ones of."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from quizapp.interview.events import Challenged, Heard, Hinted, Manner, Proved, Summary, Why
from quizapp.interview.options import Options, Style
from quizapp.interview.questions import Question, Role, Slot
from quizapp.recall.calculations import Verdict


class Phase(StrEnum):
    """Whose turn it is, and for what."""

    ANSWERING = "answering"
    """The candidate's: an answer."""
    TICKING = "ticking"
    """The candidate's: to correct the ticks of :attr:`State.to_tick`."""
    PROVING = "proving"
    """The candidate's: to run the demo, show its record, or pass."""
    THINKING = "thinking"
    """The interviewer's: :func:`quizapp.interview.interviewer.move` says what comes."""
    PAUSED = "paused"
    OVER = "over"


class Fate(StrEnum):
    """What became of a question."""

    OPEN = "open"
    ANSWERED = "answered"
    SKIPPED = "skipped"
    DROPPED = "dropped"
    """The interview ended before there was an answer; it counts for nothing."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and what became of it."""

    question: Question
    fate: Fate = Fate.OPEN
    draft: str = ""
    """What is typed and not given yet."""
    seconds: float = 0.0
    """Spent answering; pauses and what lies between two runs of the program do not count."""
    first_word: float | None = None
    """Seconds to the first typed word; ``None`` if nothing was typed."""
    bell: str | None = None
    """The answer as it stood at the bell; ``None`` if there was no bell."""
    spoke: bool = False
    """The candidate has finished speaking and writes it down."""
    hints: tuple[Hinted, ...] = ()
    given: tuple[str, ...] = ()
    """The answer, and what was added when asked again."""
    manner: Manner | None = None
    sure: bool = False
    interrupted: bool = False
    """The interview was ended while this was being answered; the draft was taken."""
    reprompts: tuple[Why, ...] = ()
    heard: Heard | None = None
    ticks: tuple[str, ...] | None = None
    """Ids of the parts that were said; ``None`` until the candidate has looked at them."""
    false: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The whole answer."""
        return "\n".join(self.given)

    @property
    def hinted(self) -> frozenset[str]:
        """Ids of the parts that a hint was shown of."""
        return frozenset(part for hint in self.hints for part in hint.parts)

    @property
    def said(self) -> tuple[str, ...]:
        """Ids of the parts that count as said: the candidate's ticks, else the program's."""
        if self.ticks is not None:
            return self.ticks
        return self.heard.ticked if self.heard else ()

    @property
    def wants_ticks(self) -> bool:
        """Whether the candidate has still to look at the ticks."""
        return (
            self.fate is Fate.ANSWERED
            and self.heard is not None
            and self.ticks is None
            and self.manner is not Manner.GAVE_UP
            and self.question.role is not Role.CALCULATION
        )


@dataclass(frozen=True, slots=True)
class Challenge:
    """ "Prove it", and what came of it."""

    asked: Challenged
    proved: Proved | None = None
    skipped: bool = False

    @property
    def open(self) -> bool:
        """Whether it waits for the candidate."""
        return self.proved is None and not self.skipped


@dataclass(frozen=True, slots=True)
class State:
    """An interview so far."""

    id: str
    options: Options
    plan: tuple[Slot, ...]
    turns: tuple[Turn, ...] = ()
    challenges: tuple[Challenge, ...] = ()
    paused: bool = False
    ended_early: bool = False
    done: bool = False
    """There are no more questions."""
    summary: Summary | None = None
    """There when the interview is over."""
    at: datetime | None = None
    """Of the newest event."""
    running_since: datetime | None = None
    """From when the open question's clock is still to be read; ``None`` while it stands."""

    @property
    def turn(self) -> Turn | None:
        """The newest question."""
        return self.turns[-1] if self.turns else None

    @property
    def challenge(self) -> Challenge | None:
        """The proof that waits for the candidate."""
        newest = self.challenges[-1] if self.challenges else None
        return newest if newest is not None and newest.open else None

    @property
    def asked(self) -> frozenset[str]:
        """Keys of the prompts that were asked."""
        return frozenset(turn.question.prompt for turn in self.turns)

    @property
    def unticked(self) -> tuple[Turn, ...]:
        """The answers whose ticks the candidate has still to look at."""
        return tuple(turn for turn in self.turns if turn.wants_ticks)

    @property
    def to_tick(self) -> Turn | None:
        """The answer whose ticks are to be looked at now."""
        return self.unticked[0] if self.phase is Phase.TICKING else None

    @property
    def phase(self) -> Phase:
        """Whose turn it is."""
        if self.summary is not None:
            return Phase.OVER
        if self.paused:
            return Phase.PAUSED
        turn = self.turn
        if turn is not None and turn.fate is Fate.OPEN:
            return Phase.ANSWERING
        if self.challenge is not None:
            return Phase.PROVING
        return Phase.TICKING if self._ticking else Phase.THINKING

    @property
    def _ticking(self) -> bool:
        if not self.unticked or self.ungraded is not None or self.vague is not None:
            return False
        return self.options.style is Style.PRACTICE or self.done

    @property
    def ungraded(self) -> Turn | None:
        """The newest answer, if the program has not looked for its points yet."""
        turn = self.turn
        waits = turn is not None and turn.fate is Fate.ANSWERED and turn.heard is None
        return turn if waits else None

    @property
    def vague(self) -> Why | None:
        """Why the newest answer deserves to be asked for once more; ``None`` if it does not."""
        turn = self.turn
        if turn is None or turn.fate is not Fate.ANSWERED or turn.heard is None:
            return None
        if self.done or turn.reprompts or turn.ticks is not None:
            return None
        return _vague(turn, turn.heard)


def _vague(turn: Turn, heard: Heard) -> Why | None:
    if turn.manner in (Manner.GAVE_UP, Manner.SPOKEN):
        return None
    if turn.question.role is Role.CALCULATION:
        judged = heard.judgement
        return Why.UNREAD if judged is not None and judged.verdict is Verdict.UNREAD else None
    nothing = not heard.ticked and not heard.suggested
    return Why.VAGUE if nothing and turn.text.strip() else None

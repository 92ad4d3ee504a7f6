"""A deck of two cards, and a candidate who does whatever a list of acts says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from quizapp.cards.library import Library, SourceFile, build
from quizapp.cards.model import Card, Lang
from quizapp.interview import events, interviewer, machine, planning
from quizapp.interview.events import Event, Manner
from quizapp.interview.machine import MoveError, apply, begin
from quizapp.interview.options import Options
from quizapp.interview.planning import Material
from quizapp.interview.state import Phase, State

CARDS = Path(__file__).resolve().parent.parent / "data" / "cards"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)

SECOND = """---
id: streams
lang: en
deck: other
points:
  S1: {core: true, parts: {S1a: {say: ["copies and kernels overlap"]}}}
  S2: {parts: {S2a: {say: ["the engine has its own queue"]}}}
false:
  SX: {text: Streams are threads., against: [S1], match: [["threads"]]}
---

# What is a stream for?

## 30-second answer

Copies and kernels overlap; each engine has its own queue.

## Must-hit points

- Copies and kernels overlap. {#S1}
- Each engine has its own queue. {#S2}

## Follow-ups

### And the default stream? {#default}

It waits for all the others.
"""


@cache
def library() -> Library:
    files = [SourceFile(str(p), p.read_text(encoding="utf-8")) for p in sorted(CARDS.glob("*.md"))]
    return build([[*files, SourceFile("streams.en.md", SECOND)]])


def cards(lang: Lang = Lang.EN) -> dict[str, Card]:
    found = ((id_, library().card(id_, lang)) for id_ in library().ids)
    return {id_: card for id_, card in found if card is not None}


def material(options: Options | None = None, **known: object) -> Material:
    languages = (options or Options()).languages
    return Material(cards(languages.asks), cards(languages.answers), **known)  # type: ignore[arg-type]


def started(options: Options, known: Material) -> State:
    return begin("i1", options, planning.plan(options, known))


@dataclass
class Interview:
    """Drives the machine as a service does, and keeps the log."""

    options: Options
    known: Material
    at: datetime = NOON

    def __post_init__(self) -> None:
        self.first = self.state = started(self.options, self.known)
        self.log: list[Event] = []
        self.think()

    def think(self) -> None:
        for event, state in interviewer.moves(self.state, self.known, self.at):
            self.log.append(event)
            self.state = state

    def happen(self, what: events.Happening, seconds: float = 0.0) -> None:
        self.at += timedelta(seconds=seconds)
        event = Event(self.at, what)
        self.state = apply(self.state, event)
        self.log.append(event)
        self.think()

    def answer(self, text: str, seconds: float = 10.0, sure: bool = False) -> None:
        self.happen(events.Answered(text, Manner.TYPED, sure), seconds)

    def accept(self, false: Sequence[str] = ()) -> None:
        turn = self.state.to_tick
        assert turn is not None
        self.happen(events.Ticked(turn.question.number, turn.said, tuple(false)))


Act = tuple[str, float]
"""What the candidate does, and after how many seconds (negative: the clock was set back)."""

TEXTS = (
    "",
    "no idea, sorry about that",
    "the intermediates stay in registers and the flops do not change",
    "copies and kernels overlap, profile first",
    "it saves time with fewer flops",
    "12 ms",
    "0.004 s",
)


def what(act: str, interview: Interview) -> events.Happening | None:
    """Turn an act into an event that may or may not be possible now."""
    name, _, rest = act.partition(":")
    turn = interview.state.to_tick
    made: dict[str, Callable[[], events.Happening | None]] = {
        "draft": lambda: events.Drafted(TEXTS[int(rest)]),
        "bell": lambda: events.Bell(interview.state.turn.draft if interview.state.turn else ""),
        "answer": lambda: events.Answered(TEXTS[int(rest)], Manner.TYPED),
        "speak": lambda: events.Spoke(),
        "spoken": lambda: events.Answered("", Manner.SPOKEN),
        "pass": lambda: events.Answered("", Manner.GAVE_UP),
        "hint": lambda: interviewer.hint(interview.state, interview.known),
        "skip": lambda: events.Skipped(),
        "prove": lambda: events.Proved("proved", "record"),
        "pause": lambda: events.Paused(),
        "resume": lambda: events.Resumed(),
        "tick": lambda: turn and events.Ticked(turn.question.number, turn.said),
        "end": lambda: events.EndedEarly(),
    }
    return made[name]()


def act(interview: Interview, acts: Iterable[Act]) -> None:
    """Do what can be done of these acts; the rest is refused and changes nothing."""
    for name, seconds in acts:
        before, at = interview.state, interview.at
        made = what(name, interview)
        if made is None:
            continue
        try:
            interview.happen(made, seconds)
        except MoveError:
            assert interview.state == before
            interview.at = at


def to_the_end(interview: Interview, most: int = 400) -> int:
    """Answer nothing more, until it is over; returns how many acts that took."""
    for number in range(most):
        match interview.state.phase:
            case Phase.OVER:
                return number
            case Phase.PAUSED:
                interview.happen(events.Resumed())
            case Phase.TICKING:
                interview.accept()
            case Phase.ANSWERING | Phase.PROVING:
                interview.happen(events.Skipped(), 1.0)
    raise AssertionError("the interview does not end")


def replayed(interview: Interview) -> State:
    return machine.fold(interview.first, interview.log)

"""What a candidate chooses before an interview."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from quizapp.cards.kinds import Lang

LONGEST = 50
"""Main questions."""
MOST_SEED = 2**53 - 1
"""The largest whole number that JSON carries everywhere."""


class Languages(StrEnum):
    """The language of the questions and that of the answers."""

    EN = "en"
    ZH = "zh"
    EN_ZH = "en-zh"
    """Asked in English, answered in Chinese."""
    ZH_EN = "zh-en"

    @property
    def asks(self) -> Lang:
        """Of the questions."""
        return Lang(self.value[:2])

    @property
    def answers(self) -> Lang:
        """Of the answers, the points and the model answers."""
        return Lang(self.value[-2:])


class Level(StrEnum):
    """How hard the interviewer presses."""

    JUNIOR = "junior"
    MID = "mid"
    SENIOR = "senior"


class Style(StrEnum):
    """When the ticks show."""

    PRACTICE = "practice"
    """After each answer."""
    LIVE = "live"
    """After the last one, as in a real interview."""


@dataclass(frozen=True, slots=True)
class Demands:
    """What a level asks for."""

    follow_ups: int
    """At most so many after a main question."""
    time: float
    """Times the seconds of a question."""
    proofs: int | None
    """How often "prove it" may come; ``None``: on every topic with a claim that a demo measures."""


DEMANDS: Mapping[Level, Demands] = {
    Level.JUNIOR: Demands(follow_ups=1, time=1.5, proofs=0),
    Level.MID: Demands(follow_ups=2, time=1.0, proofs=1),
    Level.SENIOR: Demands(follow_ups=2, time=1.0, proofs=None),
}
CALCULATION_TIME = 3.0
"""Times the seconds of a main question."""


@dataclass(frozen=True, slots=True)
class Options:
    """One interview's choices; ``ValueError`` when out of range."""

    decks: tuple[str, ...] = ()
    """Empty: all."""
    length: int = 4
    """Main questions, at most."""
    languages: Languages = Languages.EN
    level: Level = Level.MID
    style: Style = Style.PRACTICE
    seed: int = 0
    seconds: float = 30.0
    """To the bell of a main question, before the level's factor."""
    count: bool = True
    """Whether the questions count as reviews."""

    def __post_init__(self) -> None:
        if not 1 <= self.length <= LONGEST:
            raise ValueError(f"an interview has 1 to {LONGEST} main questions, not {self.length}")
        if not 1 <= self.seconds <= 3600:
            raise ValueError(f"a question has 1 to 3600 seconds, not {self.seconds:g}")
        if not 0 <= self.seed <= MOST_SEED:
            raise ValueError(f"the seed is {self.seed}; it must lie from 0 to 2^53 - 1")

    @property
    def demands(self) -> Demands:
        """What the level asks for."""
        return DEMANDS[self.level]

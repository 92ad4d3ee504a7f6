"""A small library and a driver of study days, without a store and without a clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

import pytest

from quizapp.memory.days import StudyCalendar
from quizapp.memory.model import Rating, Review, Schedule
from quizapp.memory.queue import Candidate, DoneToday, Limits, Plan, done_today, plan
from quizapp.memory.schedule import ScheduleSettings, advance
from quizapp.memory.session import Session, start


def deck(cards: int, prompts: int) -> list[Candidate]:
    """Cards a, b, … with prompts main, 1, 2, …"""
    return [
        Candidate(f"{card}/{position or 'main'}", card, position, order)
        for order, card in enumerate(chr(ord("a") + n) for n in range(cards))
        for position in range(prompts)
    ]


@dataclass
class Study:
    """A user: a library, a log, and the day."""

    prompts: list[Candidate]
    limits: Limits = field(default_factory=Limits)
    settings: ScheduleSettings = field(
        default_factory=lambda: ScheduleSettings(calendar=StudyCalendar(UTC, 4))
    )
    now: datetime = datetime(2026, 12, 1, 12, tzinfo=UTC)
    log: list[Review] = field(default_factory=list)
    schedules: dict[str, Schedule] = field(default_factory=dict)

    @property
    def day(self) -> date:
        return self.settings.calendar.day(self.now)

    def answer(self, key: str, rating: Rating = Rating.GOOD) -> Schedule:
        review = Review(key, self.now, rating, seconds=30.0)
        self.now += timedelta(seconds=30)
        self.log.append(review)
        self.schedules[key] = advance(self.schedules.get(key), review, self.settings)
        return self.schedules[key]

    def done(self) -> DoneToday:
        return done_today(self.log, self.schedules, self.day, self.settings.calendar)

    def plan(self) -> Plan:
        return plan(self.prompts, self.schedules, self.day, self.limits, self.done())

    def sit(self, rating: Rating = Rating.GOOD, most: int = 10_000) -> list[str]:
        """Answer until the session is over; returns what was asked."""
        session, asked = start(self.plan()), []
        while (key := session.next()) is not None and len(asked) < most:
            self.answer(key, rating)
            session = session.answered(key, rating)
            asked.append(key)
        return asked

    def sleep(self, nights: int = 1) -> None:
        self.now += timedelta(days=nights)


@pytest.fixture
def study() -> type[Study]:
    """Builds a user."""
    return Study


@pytest.fixture
def make_deck():
    """Builds a library."""
    return deck


@pytest.fixture
def session_of():
    """Builds a session that asks these keys."""

    def build(*keys: str) -> Session:
        return Session(pending=keys)

    return build

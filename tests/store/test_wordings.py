"""Confirmed sentences: each person's own, kept once, newest first."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from quizapp.memory.model import Memory, Rating, Schedule
from quizapp.store import history, wordings
from quizapp.store.database import Database
from quizapp.store.values import Entry, Kind
from tests.store.conftest import NOW, utc_day

Opened = Callable[..., Database]


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, opened: Opened) -> Database:
    url = "" if request.param == "sqlite" else request.getfixturevalue("postgresql")
    return opened(url=url)


def test_each_has_their_own_newest_first_and_once(database: Database) -> None:
    keep = wordings.keep
    assert database.run(keep, "ann", "fusion/main", {"P1a": "it stays put"}, NOW) == 1
    assert database.run(keep, "ann", "fusion/main", {"P1a": "it stays put"}, NOW) == 0
    assert database.run(keep, "ann", "fusion/main", {"P1a": "going nowhere"}, NOW) == 1
    assert database.run(keep, "bob", "fusion/main", {"P1a": "bob's words"}, NOW) == 1
    assert database.run(wordings.load, "ann", "fusion/main") == [
        ("P1a", "going nowhere"),
        ("P1a", "it stays put"),
    ]
    assert database.run(wordings.load, "ann", "fusion/other") == []
    assert database.run(wordings.load, "carol", "fusion/main") == []


def test_the_owner_s_are_those_of_the_reviews_too(database: Database) -> None:
    day = utc_day(NOW)
    entry = Entry(
        "u1", Kind.REVIEW, "fusion/main", NOW, day, Rating.GOOD, evidence={"P1a": "reviewed"}
    )
    schedule = Schedule("fusion/main", Memory(1, 5), day, day, 1, 0)
    database.run(history.append_review, entry, schedule)
    database.run(wordings.keep, wordings.OWNER, "fusion/main", {"P2a": "graded"}, NOW)
    assert database.run(wordings.load, wordings.OWNER, "fusion/main") == [
        ("P2a", "graded"),
        ("P1a", "reviewed"),
    ]
    assert database.run(wordings.load, "ann", "fusion/main") == []

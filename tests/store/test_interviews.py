"""Mock interviews: a log each, that only grows, and the draft after it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import text

from quizapp.store import interviews
from quizapp.store.database import Database
from quizapp.store.values import (
    ConflictError,
    InterviewDraft,
    InterviewEvent,
    InterviewRecord,
    StoreError,
)
from tests.store.conftest import NOW

Opened = Callable[..., Database]


@pytest.fixture(params=["sqlite", "postgresql"])
def opened(request: pytest.FixtureRequest, opened: Opened) -> Opened:
    if request.param == "sqlite":
        return opened
    url = request.getfixturevalue("postgresql")
    return lambda: opened(url=url)


def record(id_: str = "ab12", hours: float = 0) -> InterviewRecord:
    at = NOW + timedelta(hours=hours)
    return InterviewRecord(id_, at, {"options": {"seed": 2**53 - 1}, "plan": []}, "here")


def event(number: int, kind: str = "drafted", said: str = "融合 \x00 [b]") -> InterviewEvent:
    at = NOW + timedelta(microseconds=number + 1)
    return InterviewEvent(number, at, kind, {"text": said, "seconds": 0.1})


def test_an_interview_comes_back_as_it_was(opened: Opened) -> None:
    first = opened()
    happened = [event(0), event(1), event(2)]
    first.run(interviews.begin, record(), happened[:1])
    first.run(interviews.append, "ab12", happened[1:])
    first.close()
    assert opened().run(interviews.load, "ab12") == (record(), happened, None)


def test_the_draft_is_the_newest_and_goes_when_the_log_goes_on(opened: Opened) -> None:
    database = opened()
    database.run(interviews.begin, record(), [event(0)])
    for said in ("half", "half a", "half a sentence"):
        draft = InterviewDraft(NOW, 1, said)
        database.run(interviews.save_draft, "ab12", draft)
    assert database.run(interviews.load, "ab12")[2] == draft
    database.run(interviews.append, "ab12", [event(1)])
    assert database.run(interviews.load, "ab12")[2] is None
    database.run(interviews.save_draft, "ab12", draft)
    assert database.run(interviews.load, "ab12")[2] is None, "it came too late"


@pytest.mark.parametrize("numbers", [[0], [2], [1, 1], [1, 3]])
def test_events_that_do_not_follow_the_log_are_refused(opened: Opened, numbers: list[int]) -> None:
    database = opened()
    database.run(interviews.begin, record(), [event(0)])
    with pytest.raises(ConflictError, match="another program"):
        database.run(interviews.append, "ab12", [event(number) for number in numbers])
    assert database.run(interviews.load, "ab12")[1] == [event(0)]


def test_the_log_of_an_interview_cannot_be_changed(opened: Opened) -> None:
    database = opened()
    database.run(interviews.begin, record(), [event(0)])
    for statement in (
        "UPDATE interview SET client = 'x'",
        "UPDATE interview_event SET kind = 'x'",
        "DELETE FROM interview_event",
    ):
        with pytest.raises(StoreError, match="append-only"):
            database.run(lambda session, s=statement: session.execute(text(s)))
    assert database.run(interviews.load, "ab12")[1] == [event(0)]


def test_the_beginning_of_an_id_finds_one_and_never_guesses(opened: Opened) -> None:
    database = opened()
    for id_ in ("ab12", "ab34", "a%"):
        database.run(interviews.begin, record(id_), [])
    assert database.run(interviews.load, "ab1")[0].id == "ab12"
    assert database.run(interviews.load, "a%")[0].id == "a%"
    assert database.run(interviews.load, "x") is None
    assert database.run(interviews.load, "") is None
    with pytest.raises(StoreError, match="several interviews begin with ab"):
        database.run(interviews.load, "ab")


def test_the_list_is_newest_first_with_the_newest_summary(opened: Opened) -> None:
    database = opened()
    over = [event(0, "asked"), event(1, "asked"), event(2, "finished"), event(3, "regraded")]
    database.run(interviews.begin, record("old"), over)
    database.run(interviews.begin, record("new", 1), [event(0, "asked")])
    found = database.run(interviews.listed)
    assert [(r.id, e and e.kind, n) for r, e, n in found] == [
        ("new", None, 1),
        ("old", "regraded", 2),
    ]
    assert [r.id for r, _, _ in database.run(interviews.listed, 1)] == ["new"]

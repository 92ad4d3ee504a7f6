"""The log: what is written stays, counts once, and can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from quizapp.memory.days import StudyCalendar
from quizapp.memory.model import Rating, Review, Schedule
from quizapp.memory.schedule import ScheduleSettings, advance, replay
from quizapp.store import drafts, history
from quizapp.store.database import Database
from quizapp.store.values import ConflictError, Draft, Entry, Kind, Mode, StoreError

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SETTINGS = ScheduleSettings(calendar=StudyCalendar())
Opened = Callable[..., Database]


@pytest.fixture(params=["sqlite", "postgresql"])
def opened(request: pytest.FixtureRequest, opened: Opened) -> Opened:
    """Every test of the log, on both databases."""
    if request.param == "sqlite":
        return opened
    url = request.getfixturevalue("postgresql")
    return lambda: opened(url=url)


def entry(prompt: str = "fusion/main", hours: float = 0, **values: object) -> Entry:
    at = NOW + timedelta(hours=hours)
    made = Entry(str(uuid4()), Kind.REVIEW, prompt, at, at.date(), rating=Rating.GOOD)
    return replace(made, **values)  # type: ignore[arg-type]


def add(database: Database, made: Entry) -> Schedule:
    before = database.run(history.schedule, made.prompt)
    after = advance(before, made.review, SETTINGS)
    database.run(history.append_review, made, after, before.reviews if before else 0)
    return after


def reschedule(reviews: Sequence[Review]) -> Schedule | None:
    return next(iter(replay(reviews, SETTINGS).values()), None)


def test_everything_an_answer_was_comes_back(opened: Opened) -> None:
    made = entry(
        proposed=Rating.HARD,
        score=0.75,
        seconds=31.5,
        mode=Mode.SPOKEN,
        sure=True,
        lang="zh",
        answer="融合后中间结果不写回 HBM\n[/b] \x1b[31m",
        ticks=("P1a", "P2b"),
        suggested=("P1a",),
        missed=("P3",),
        false_claims=("X1",),
        evidence={"P1a": "中间结果不写回 HBM"},
        seed=2**40,
        inputs={"bytes": 1e9},
        client="desk",
    )
    first = opened()
    add(first, made)
    first.close()
    (found,) = opened().run(history.entries)
    assert replace(found, id=0) == made
    assert found.card == "fusion"


def test_case_14_writing_an_entry_twice_writes_it_once(opened: Opened) -> None:
    database = opened()
    made = entry()
    after = add(database, made)
    assert database.run(history.append_review, made, after, 0) is False
    assert len(database.run(history.reviews)) == 1


def test_the_log_cannot_be_changed(opened: Opened) -> None:
    from sqlalchemy import text

    database = opened()
    add(database, entry())
    for statement in ("UPDATE review SET rating = 4", "DELETE FROM review"):
        with pytest.raises(StoreError, match="append-only"):
            database.run(lambda session, s=statement: session.execute(text(s)))
    assert [review.rating for review in database.run(history.reviews)] == [Rating.GOOD]


def test_undo_takes_back_the_newest_and_survives_a_restart(opened: Opened) -> None:
    first = opened()
    kept = add(first, entry())
    add(first, entry(hours=24))
    add(first, entry("fusion/traffic", hours=48))
    first.close()
    second = opened()
    undone = [second.run(history.undo, str(uuid4()), NOW, NOW.date(), reschedule) for _ in range(2)]
    assert [item.prompt for item in undone if item] == ["fusion/traffic", "fusion/main"]
    second.close()
    third = opened()
    assert third.run(history.schedules) == {"fusion/main": kept}
    assert len(third.run(history.log)) == 5, "undo appends"
    third.run(history.undo, str(uuid4()), NOW, NOW.date(), reschedule)
    assert third.run(history.undo, str(uuid4()), NOW, NOW.date(), reschedule) is None
    assert third.run(history.schedules) == {}


def test_case_9_undoing_a_review_made_after_an_undo_leaves_the_older_ones(opened: Opened) -> None:
    database = opened()
    add(database, entry())
    add(database, entry(hours=24))
    database.run(history.undo, str(uuid4()), NOW, NOW.date(), reschedule)
    add(database, entry(hours=25, rating=Rating.AGAIN))
    database.run(history.undo, str(uuid4()), NOW, NOW.date(), reschedule)
    assert [review.at for review in database.run(history.reviews)] == [NOW]


def test_a_review_by_another_program_is_noticed(opened: Opened) -> None:
    here, there = opened(), opened()
    made = entry()
    add(there, entry())
    with pytest.raises(ConflictError, match="another program"):
        here.run(history.append_review, made, advance(None, made.review, SETTINGS), 0)
    assert len(here.run(history.reviews)) == 1


def test_a_review_that_replaced_one_taken_back_is_noticed(opened: Opened) -> None:
    here, there = opened(), opened()
    asked = add(there, entry())
    made = entry(hours=24)
    there.run(history.undo, str(uuid4()), NOW, NOW.date(), reschedule)
    add(there, entry(rating=Rating.AGAIN))
    with pytest.raises(ConflictError, match="another program"):
        here.run(history.append_review, made, advance(asked, made.review, SETTINGS), asked)
    now = here.run(history.schedule, made.prompt)
    assert now is not None
    assert now.reviews == asked.reviews, "their number alone would not tell"
    assert here.run(history.append_review, made, advance(now, made.review, SETTINGS), now)
    assert here.run(history.schedules) == replay(here.run(history.reviews), SETTINGS)


def test_an_undo_that_is_said_twice_takes_back_one_review(opened: Opened) -> None:
    database = opened()
    add(database, entry("a/main"))
    last = entry("b/main")
    add(database, last)
    uuid = str(uuid4())
    undone = [database.run(history.undo, uuid, NOW, NOW.date(), reschedule) for _ in range(2)]
    assert [item and item.uuid for item in undone] == [last.uuid, last.uuid]
    assert [review.prompt for review in database.run(history.reviews)] == ["a/main"]


def test_no_character_loses_an_answer(opened: Opened) -> None:
    database = opened()
    text = "nul \x00, half a pair \ud83d, whole \U0001f600, [b], \x1b[31m, tab\t, 融合"
    made = entry(answer=text, evidence={"P1a": text})
    database.run(drafts.save, Draft(made.uuid, made.prompt, NOW, text, Mode.TYPED, 1.0))
    kept = text.replace("\x00", "\ufffd").replace("\ud83d", "\ufffd")
    assert [draft.text for draft in database.run(drafts.load)] == [kept]
    add(database, made)
    (found,) = database.run(history.entries)
    assert found.answer == kept
    assert found.evidence == {"P1a": text}


def test_a_leech_is_let_go_in_the_log(opened: Opened) -> None:
    database = opened()
    for hours in (0, 24):
        mark = entry("a/main", hours, kind=Kind.RELEASE, rating=None)
        assert database.run(history.append_mark, mark) is True
    assert database.run(history.append_mark, mark) is False, "twice writes once"
    assert database.run(history.released) == {"a/main": NOW + timedelta(hours=24)}


def test_a_study_day_has_the_reviews_that_count(opened: Opened) -> None:
    database = opened()
    for hours in (0, 1, 24, 25):
        add(database, entry(f"fusion/p{hours}", hours))
    database.run(history.undo, str(uuid4()), NOW, NOW.date(), reschedule)
    tomorrow = NOW.date() + timedelta(days=1)
    found = database.run(history.reviews_of_day, tomorrow)
    assert [review.prompt for review in found] == ["fusion/p24"]


def test_a_draft_outlives_the_program_and_goes_with_its_review(opened: Opened) -> None:
    draft = Draft(str(uuid4()), "fusion/main", NOW, "Fewer passes", Mode.TYPED, 12.0, seed=7)
    first = opened()
    first.run(drafts.save, draft)
    first.close()
    second = opened()
    assert second.run(drafts.load) == [draft]
    add(second, entry(uuid=draft.uuid))
    assert second.run(drafts.load) == []


def test_the_cache_can_be_rebuilt_from_the_log(opened: Opened) -> None:
    database = opened()
    for hours in range(0, 2400, 37):
        add(database, entry(f"fusion/p{hours % 3}", hours=hours, rating=Rating(1 + hours % 4)))
    cached = database.run(history.schedules)
    rebuilt = replay(database.run(history.reviews), SETTINGS)
    assert cached == rebuilt
    database.run(history.replace_schedules, {})
    database.run(history.replace_schedules, rebuilt)
    assert database.run(history.schedules) == cached


def test_suspending_is_a_mark_in_the_log(opened: Opened) -> None:
    database = opened()
    for kind in (Kind.SUSPEND, Kind.RESUME, Kind.SUSPEND):
        database.run(history.append_mark, entry("a/main", kind=kind, rating=None))
    database.run(history.append_mark, entry("b/main", kind=Kind.SUSPEND, rating=None))
    database.run(history.append_mark, entry("b/main", kind=Kind.RESUME, rating=None))
    assert database.run(history.suspended) == {"a/main"}
    assert database.run(history.reviews) == []


def test_days_add_up_without_what_was_undone(opened: Opened) -> None:
    database = opened()
    add(database, entry(seconds=10))
    add(database, entry("a/main", seconds=20))
    add(database, entry(hours=24, seconds=5))
    add(database, entry(hours=25, seconds=99))
    database.run(history.undo, str(uuid4()), NOW, NOW.date(), reschedule)
    assert [(d.reviews, d.seconds) for d in database.run(history.days)] == [(2, 30.0), (1, 5.0)]


def test_own_sentences_are_kept_newest_first(opened: Opened) -> None:
    database = opened()
    add(database, entry(evidence={"P1a": "old"}))
    add(database, entry(hours=24, evidence={"P1a": "new", "P2a": "flops stay"}))
    found = database.run(history.confirmed, "fusion/main")
    assert found == [("P1a", "new"), ("P2a", "flops stay"), ("P1a", "old")]


def test_a_card_whose_id_begins_another_is_kept_apart(opened: Opened) -> None:
    database = opened()
    add(database, entry("a_b/main"))
    add(database, entry("axb/main"))
    assert [e.prompt for e in database.run(history.entries, "a_b")] == ["a_b/main"]

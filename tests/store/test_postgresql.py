"""The same history on PostgreSQL, on a server of the test's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from quizapp.memory.model import Rating
from quizapp.memory.schedule import ScheduleSettings, advance, replay
from quizapp.store import drafts, history
from quizapp.store.database import Database
from quizapp.store.values import Draft, Entry, Kind, Mode, StoreError
from tests.store.conftest import NOW, utc_day

pytest.importorskip("psycopg")
SETTINGS = ScheduleSettings()


@pytest.fixture
def url(postgresql: str) -> str:
    return postgresql


@pytest.fixture
def database(opened: Callable[..., Database], url: str) -> Database:
    return opened(url=url)


def entry(prompt: str = "fusion/main") -> Entry:
    return Entry(
        str(uuid4()),
        Kind.REVIEW,
        prompt,
        NOW,
        NOW.date(),
        Rating.GOOD,
        mode=Mode.TYPED,
        answer="中间结果\t[/b]",
        ticks=("P1a",),
        evidence={"P1a": "中间结果"},
        seed=2**47,
    )


def test_an_answer_comes_back_and_can_be_taken_back(database: Database) -> None:
    made = entry()
    draft = Draft(made.uuid, made.prompt, NOW, made.answer, Mode.TYPED, 3.0, seed=2**47)
    database.run(drafts.save, draft)
    assert database.run(drafts.load) == [draft]
    database.run(history.append_review, made, advance(None, made.review, SETTINGS), 0)
    assert database.run(drafts.load) == []
    (found,) = database.run(history.entries)
    assert (found.answer, found.ticks, found.evidence, found.at) == (
        made.answer,
        made.ticks,
        made.evidence,
        made.at,
    )
    assert database.run(history.schedules) == replay(database.run(history.reviews), SETTINGS)
    database.run(history.undo, str(uuid4()), NOW, NOW.date(), lambda reviews: None)
    assert database.run(history.schedules) == {}


def test_the_log_cannot_be_changed(database: Database) -> None:
    made = entry()
    database.run(history.append_review, made, advance(None, made.review, SETTINGS), 0)
    for statement in ("UPDATE review SET rating = 4", "DELETE FROM review", "TRUNCATE review"):
        with pytest.raises(StoreError, match="append-only"):
            database.run(lambda session, s=statement: session.execute(text(s)))
    assert len(database.run(history.reviews)) == 1


def test_the_tables_are_what_the_migrations_make(database: Database, url: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from quizapp.store.tables import Base

    database.run(history.reviews)
    with create_engine(url, poolclass=NullPool).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_a_server_that_is_gone_is_told_in_one_line(tmp_path: Path) -> None:
    gone = Database(
        f"postgresql+psycopg://quiz@/postgres?host={tmp_path}", None, lambda: NOW, utc_day
    )
    with pytest.raises(StoreError) as told:
        gone.run(history.reviews)
    gone.close()
    assert "\n" not in str(told.value)

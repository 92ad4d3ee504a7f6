"""An upgrade keeps everything."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.pool import NullPool

from quizapp.memory.model import Memory, Rating, Schedule
from quizapp.store import backup, history
from quizapp.store.database import Database
from quizapp.store.schema import upgrade
from quizapp.store.values import StoreError
from tests.store.conftest import NOW

Opened = Callable[..., Database]

OLD_REVIEW = """INSERT INTO review (uuid, kind, prompt, at, day, rating, score, seconds, sure, lang,
    answer, ticks, suggested, missed, false_claims, evidence, seed, undoes)
    VALUES ('u1', 'review', 'fusion/main', '2026-02-01 12:00:00', '2026-02-01', 3, 0.75, 31.5,
    false, 'zh', '中间结果', '["P1a"]', '[]', '["P3"]', '[]', '{"P1a": "中间结果"}', 7, '')"""
OLD_SCHEDULE = """INSERT INTO schedule VALUES
    ('fusion/main', 2.25, 5.5, '2026-02-01', '2026-02-03', 1, 0)"""


@pytest.fixture(params=["sqlite", "postgresql"])
def old(request: pytest.FixtureRequest, file: Path) -> str:
    """The address of a history as the first version wrote it."""
    file.parent.mkdir()
    url = f"sqlite:///{file}"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgresql")
    engine = create_engine(url, poolclass=NullPool)
    upgrade(engine, "0001")
    with engine.begin() as connection:
        connection.execute(text(OLD_REVIEW.replace(":00", "\\:00")))
        connection.execute(text(OLD_SCHEDULE))
    return url


def test_case_15_an_upgrade_keeps_the_log_and_the_schedules(opened: Opened, old: str) -> None:
    database = opened(url=old)
    (found,) = database.run(history.entries)
    assert (found.uuid, found.rating, found.score, found.answer) == (
        "u1",
        Rating.GOOD,
        0.75,
        "中间结果",
    )
    assert (found.ticks, found.missed, found.seed) == (("P1a",), ("P3",), 7)
    assert (found.inputs, found.client) == ({}, "")
    kept = Schedule(
        "fusion/main", Memory(2.25, 5.5), date(2026, 2, 1), date(2026, 2, 3), reviews=1, lapses=0
    )
    assert database.run(history.schedules) == {"fusion/main": kept}
    with pytest.raises(StoreError, match="append-only"):
        database.run(lambda session: session.execute(text("DELETE FROM review")))


def test_a_copy_is_made_before_an_upgrade(opened: Opened, old: str, tmp_path: Path) -> None:
    opened(url=old).run(history.reviews)
    names = [path.name for path in backup.listed(tmp_path / "backups")]
    made = [name for name in names if name.endswith("-migration.db")]
    if not old.startswith("sqlite"):
        assert names == [], "the server's copies are its owner's"
        return
    assert len(made) == 1
    copied = create_engine(f"sqlite:///{tmp_path / 'backups' / made[0]}", poolclass=NullPool)
    with copied.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).all() == [
            ("0001",)
        ]
    assert str(NOW.year) in made[0]


def test_an_upgrade_that_fails_changes_nothing(opened: Opened, old: str) -> None:
    engine = create_engine(old, poolclass=NullPool)
    with engine.begin() as connection:
        connection.execute(text("DROP INDEX ix_review_undoes"))
    before = _columns(old)
    with pytest.raises(StoreError, match="ix_review_undoes"):
        opened(url=old).run(history.reviews)
    assert _columns(old) == before
    with engine.begin() as connection:
        connection.execute(text("CREATE INDEX ix_review_undoes ON review (undoes)"))
    assert len(opened(url=old).run(history.reviews)) == 1


def _columns(url: str) -> list[str]:
    found = inspect(create_engine(url, poolclass=NullPool)).get_columns("review")
    return [column["name"] for column in found]

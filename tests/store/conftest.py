"""A history in a temporary folder, and entries to put into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from quizapp.store.database import Database

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def utc_day(instant: datetime) -> date:
    return instant.date()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "quizapp.db"


@pytest.fixture
def opened(file: Path, tmp_path: Path) -> Iterator[Callable[..., Database]]:
    """Open a history; every one that was opened is closed after the test."""
    made: list[Database] = []

    def open_(now: datetime = NOW, url: str = "") -> Database:
        database = Database(url or f"sqlite:///{file}", tmp_path / "backups", lambda: now, utc_day)
        made.append(database)
        return database

    yield open_
    for database in made:
        database.close()


def later(hours: float) -> datetime:
    return NOW + timedelta(hours=hours)

"""Copies of the database: before each migration and once a day, fewer the older they are."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

_NAME = re.compile(r"quizapp-(\d{8}T\d{6})Z-[a-z]+\.db")
ALL_FOR = timedelta(days=2)
DAILY_FOR = timedelta(days=14)
WEEKLY_FOR = timedelta(days=90)


def copy(database: Path, folder: Path, at: datetime, why: str) -> Path:
    """Copy a database that may be in use, whole, and return the copy's path."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"quizapp-{at.astimezone(UTC):%Y%m%dT%H%M%S}Z-{why}.db"
    unfinished = target.with_suffix(".part")
    with (
        closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(unfinished)) as copied,
    ):
        source.backup(copied)
    unfinished.replace(target)
    return target


def listed(folder: Path) -> dict[Path, datetime]:
    """Return the copies in a folder with the instants they were made, oldest first."""
    if not folder.is_dir():
        return {}
    found = ((path, _NAME.fullmatch(path.name)) for path in sorted(folder.iterdir()))
    return {
        path: datetime.strptime(name[1], "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
        for path, name in found
        if name
    }


def thin(folder: Path, now: datetime) -> list[Path]:
    """Delete the copies that are not worth keeping and return their paths."""
    copies = listed(folder)
    kept = worth_keeping(copies.values(), now)
    gone = [path for path, made in copies.items() if made not in kept]
    for path in gone:
        path.unlink(missing_ok=True)
    return gone


def worth_keeping(made: Iterable[datetime], now: datetime) -> set[datetime]:
    """Return which copies to keep: all of two days, then one a day, a week, a month.

    Of each period the newest is kept; the newest of all always is.
    """
    kept: dict[tuple[object, ...], datetime] = {}
    for instant in sorted(made):
        kept[_period(instant, now)] = instant
    return set(kept.values())


def _period(instant: datetime, now: datetime) -> tuple[object, ...]:
    age = now - instant
    if age <= ALL_FOR:
        return ("all", instant)
    if age <= DAILY_FOR:
        return ("day", instant.date())
    if age <= WEEKLY_FOR:
        return ("week", *instant.isocalendar()[:2])
    return ("month", instant.year, instant.month)

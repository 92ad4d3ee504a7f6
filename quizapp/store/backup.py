"""Copies of the database: before each migration and once a day, fewer the older they are."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import mkstemp

_NAME = re.compile(r"quizapp-(\d{8}T\d{6})Z-[a-z]+\.db")
ALL_FOR = timedelta(days=2)
DAILY_FOR = timedelta(days=14)
WEEKLY_FOR = timedelta(days=90)
UNFINISHED_FOR = timedelta(hours=1)
"""Another program may be at work on a younger one."""


def copy(database: Path, folder: Path, at: datetime, why: str) -> Path:
    """Copy a database that may be in use, whole, and return the copy's path.

    ``sqlite3.DatabaseError`` if the copy is damaged; it does not take an older one's place.
    """
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"quizapp-{at.astimezone(UTC):%Y%m%dT%H%M%S}Z-{why}.db"
    # A name of its own: two programs may copy in the same second.
    handle, unfinished = mkstemp(".part", f"{target.stem}.", folder)
    os.close(handle)
    with (
        closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(unfinished)) as copied,
    ):
        source.backup(copied)
        found = copied.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise sqlite3.DatabaseError(f"malformed copy: {found}")
    Path(unfinished).replace(target)
    return target


def listed(folder: Path) -> dict[Path, datetime]:
    """Return the copies in a folder with the instants they were made, oldest first."""
    if not folder.is_dir():
        return {}
    found = {path: _instant(path.name) for path in sorted(folder.iterdir())}
    return {path: made for path, made in found.items() if made is not None}


def thin(folder: Path, now: datetime) -> list[Path]:
    """Delete the copies that are not worth keeping and return their paths.

    With them go the unfinished ones that a program left when it was killed.
    """
    copies = listed(folder)
    kept = worth_keeping(copies.values(), now)
    gone = [path for path, made in copies.items() if made not in kept]
    gone += [path for path in folder.glob("quizapp-*.part*") if _is_old(path, now)]
    for path in gone:
        path.unlink(missing_ok=True)
    return gone


def _instant(name: str) -> datetime | None:
    """Return when a copy was made, ``None`` for a file that is none of ours."""
    match = _NAME.fullmatch(name)
    try:
        return datetime.strptime(match[1], "%Y%m%dT%H%M%S").replace(tzinfo=UTC) if match else None
    except ValueError:
        return None


def _is_old(unfinished: Path, now: datetime) -> bool:
    made = _instant(f"{unfinished.name.partition('.')[0]}.db")
    return made is not None and now - made > UNFINISHED_FOR


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

"""Opening a history: integrity, schema, backups.  Runs on the history's thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.orm import Session

from quizapp.store import backup
from quizapp.store.connecting import connect, unforced
from quizapp.store.failures import damaged, explained
from quizapp.store.values import StoreError

T = TypeVar("T")

HEAD = "0004"
"""The schema that this version of the program works with."""


class Store:
    """An open history."""

    def __init__(
        self,
        engine: Engine,
        file: Path | None,
        backups: Path | None,
        clock: Callable[[], datetime],
        local_day: Callable[[datetime], date],
    ) -> None:
        self._engine = engine
        self._file = file
        self._backups = backups
        self._clock = clock
        self._local_day = local_day
        self._backed_up: date | None = None

    def transaction(self, work: Callable[[Session], T], forced: bool = True) -> T:
        """Run ``work`` in a transaction that is on disk when this returns.

        One that is not ``forced`` is with the system instead: the program's end does not lose
        it, a power cut may.
        """
        try:
            with Session(self._engine) as session, session.begin():
                if not forced:
                    unforced(session)
                return work(session)
        except DBAPIError as error:
            raise explained(error, _name(self._engine, self._file), self._backups) from error

    def daily_backup(self) -> None:
        """Copy the database if today has no copy yet; what fails is tried again tomorrow."""
        now = self._clock()
        today = self._local_day(now)
        if self._file is None or self._backups is None or self._backed_up == today:
            return
        self._backed_up = today
        made = backup.listed(self._backups).values()
        if today not in {self._local_day(instant) for instant in made}:
            try:
                backup.copy(self._file, self._backups, now, "daily")
                backup.thin(self._backups, now)
            except (OSError, sqlite3.Error):
                return

    def dispose(self) -> None:
        """Close the connections."""
        self._engine.dispose()


def open_store(
    url: str,
    backups: Path | None,
    clock: Callable[[], datetime],
    local_day: Callable[[datetime], date],
) -> Store:
    """Open a history, made or migrated if need be; :class:`StoreError` if it cannot be used."""
    engine, file = connect(url)
    try:
        _prepare(engine, file, backups, clock)
    except BaseException:
        engine.dispose()
        raise
    return Store(engine, file, backups, clock, local_day)


def _prepare(
    engine: Engine, file: Path | None, backups: Path | None, clock: Callable[[], datetime]
) -> None:
    name = _name(engine, file)
    try:
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
        with engine.connect() as connection:
            _check(connection, name, backups)
            version = _version(connection)
        if version != HEAD:
            _migrate(engine, version, file, backups, clock())
    except OSError as error:
        raise StoreError(f"{name} cannot be made: {error}", "see the setting `database`") from error
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise explained(error, name, backups) from error


def _name(engine: Engine, file: Path | None) -> str:
    """Return what to call the database in a message; a password shows as stars."""
    return str(file or engine.url.render_as_string(hide_password=True))


def _check(connection: Connection, name: str, backups: Path | None) -> None:
    if connection.dialect.name != "sqlite":
        return
    found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
    if found != "ok":
        raise damaged(name, str(found), backups)


def _version(connection: Connection) -> str:
    """Return the schema's version, empty for a database without tables of ours."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return str(found or "")


def _migrate(
    engine: Engine, version: str, file: Path | None, backups: Path | None, now: datetime
) -> None:
    if version > HEAD:
        raise StoreError(
            f"{_name(engine, file)} was written by a newer quizapp (schema {version})",
            "update quizapp: pip install --upgrade quizapp",
        )
    if version and file is not None and backups is not None:
        backup.copy(file, backups, now, "migration")
    from quizapp.store.schema import upgrade

    upgrade(engine)

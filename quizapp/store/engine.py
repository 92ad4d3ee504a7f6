"""Opening a history: connection, integrity, schema, backups.  Runs on the history's thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.orm import Session

from quizapp.store import backup
from quizapp.store.values import StoreError

T = TypeVar("T")

HEAD = "0001"
"""The schema that this version of the program works with."""
BUSY_SECONDS = 10
"""How long a transaction waits for another program's."""


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

    def transaction(self, work: Callable[[Session], T]) -> T:
        """Run ``work`` in a transaction that is on disk when this returns."""
        try:
            with Session(self._engine) as session, session.begin():
                return work(session)
        except DBAPIError as error:
            raise explained(error, str(self._engine.url)) from error

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
    try:
        file = _file(url)
        engine = _engine(url)
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise StoreError(
            f"the setting database = {url!r} is no usable address: {error}",
            "see https://docs.sqlalchemy.org/en/21/core/engines.html, or leave it empty for SQLite",
        ) from error
    try:
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
        with engine.connect() as connection:
            _check(connection, file, backups)
            version = _version(connection)
        if version != HEAD:
            _migrate(engine, version, file, backups, clock())
    except OSError as error:
        raise StoreError(f"{file or url} cannot be made: {error}") from error
    except SQLAlchemyError as error:
        raise explained(error, str(engine.url), file, backups) from error
    return Store(engine, file, backups, clock, local_day)


def explained(
    error: Exception, url: str, file: Path | None = None, backups: Path | None = None
) -> StoreError:
    """Return what a database's error means for the user."""
    text_ = str(getattr(error, "orig", None) or error)
    where = str(file or url)
    if "not a database" in text_ or "malformed" in text_:
        return _damaged(where, text_, backups)
    for sign, remedy in _REMEDIES.items():
        if sign in text_:
            return StoreError(f"{where}: {text_.strip()}", remedy)
    return StoreError(f"{where}: {' '.join(text_.split())}")


_REMEDIES = {
    "locked": "another program holds it for longer than it should; close that one and try again",
    "disk is full": "free some space; nothing that was acknowledged is lost",
    "readonly": "make the file and its folder writable",
    "unable to open": "make the folder readable and writable",
    "onnection refused": "start the database server, or mend the setting `database`",
}


def _damaged(where: str, reason: str, backups: Path | None) -> StoreError:
    copies = list(backup.listed(backups)) if backups else []
    newest = f"; the newest copy is {copies[-1]}" if copies else ""
    return StoreError(
        f"{where} is damaged: {' '.join(reason.split())[:200]}",
        f"keep the file, and put a copy from {backups} in its place{newest}",
    )


def _file(url: str) -> Path | None:
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:"):
        return None
    return Path(str(parsed.database))


def _engine(url: str) -> Engine:
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        return create_engine(parsed, pool_size=1, max_overflow=0, pool_pre_ping=True)
    engine = create_engine(
        parsed, connect_args={"timeout": BUSY_SECONDS}, pool_size=1, max_overflow=0
    )
    event.listen(engine, "connect", _sqlite_connect)
    event.listen(engine, "begin", _sqlite_begin)
    return engine


def _sqlite_connect(connection: Any, record: object) -> None:
    del record
    # The driver would begin transactions late; _sqlite_begin does it.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    # WAL's default, NORMAL, may lose the last answers when the power fails.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _sqlite_begin(connection: Connection) -> None:
    # IMMEDIATE: a transaction that reads first and writes then would fail at once, without
    # waiting, if another program wrote in between.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _check(connection: Connection, file: Path | None, backups: Path | None) -> None:
    if connection.dialect.name != "sqlite":
        return
    found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
    if found != "ok":
        raise _damaged(str(file), str(found), backups)


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
            f"{file or engine.url} was written by a newer quizapp (schema {version})",
            "update quizapp: pip install --upgrade quizapp",
        )
    if version and file is not None and backups is not None:
        backup.copy(file, backups, now, "migration")
    from quizapp.store.schema import upgrade

    upgrade(engine)

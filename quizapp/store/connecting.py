"""From an address to an engine, with what each kind of database needs."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.orm import Session

from quizapp.store.failures import bad_address
from quizapp.store.turns import BUSY_SECONDS
from quizapp.store.values import StoreError

FORCED = "quizapp_forced"
"""Execution option: whether the end of the transaction waits for the disk."""


def connect(address: str) -> tuple[Engine, Path | None]:
    """Return an engine and the file behind it, if any; no connection is made yet."""
    try:
        url = make_url(address)
        backend = url.get_backend_name()
        if backend not in ("sqlite", "postgresql"):
            url.get_dialect()
            raise StoreError(
                f"the setting database names {backend}; quizapp keeps its history in SQLite "
                "or PostgreSQL",
                "mend the setting `database`, or leave it empty for SQLite",
            )
        engine = _sqlite(url) if backend == "sqlite" else _postgresql(url)
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise bad_address(address, error) from error
    return engine, _file(url)


def unforced(session: Session) -> None:
    """Let a transaction end without waiting for the disk; call it first."""
    connection = session.connection(execution_options={FORCED: False})
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL synchronous_commit = off")


def _file(url: URL) -> Path | None:
    name = url.database or ""
    is_file = url.get_backend_name() == "sqlite" and name not in ("", ":memory:")
    return Path(name) if is_file and not name.startswith("file:") else None


def _postgresql(url: URL) -> Engine:
    return create_engine(
        url, pool_size=1, max_overflow=0, pool_pre_ping=True, json_deserializer=_parsed
    )


def _sqlite(url: URL) -> Engine:
    engine = create_engine(
        url,
        connect_args={"timeout": BUSY_SECONDS},
        pool_size=1,
        max_overflow=0,
        json_deserializer=_parsed,
    )
    event.listen(engine, "connect", _sqlite_connect)
    event.listen(engine, "begin", _sqlite_begin)
    return engine


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Any:
    # The log repeats itself, and half the time of reading it went here.
    return json.loads(text)


def _sqlite_connect(connection: Any, record: object) -> None:
    del record
    # The driver would begin transactions late; _sqlite_begin does it.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _sqlite_begin(connection: Connection) -> None:
    # WAL's default, NORMAL, may lose the last answers when the power fails.
    forced = connection.get_execution_options().get(FORCED, True)
    connection.exec_driver_sql(f"PRAGMA synchronous = {'FULL' if forced else 'NORMAL'}")
    # IMMEDIATE: a transaction that reads first and writes then would fail at once, without
    # waiting, if another program wrote in between.
    connection.exec_driver_sql("BEGIN IMMEDIATE")

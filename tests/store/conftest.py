"""A history in a temporary folder, and entries to put into it."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

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


def server_program(name: str) -> str | None:
    places = [*Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), shutil.which(name)]
    return next((str(place) for place in places if place), None)


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """A server on a Unix socket in a folder of its own; it refuses to run as root."""
    pytest.importorskip("psycopg")
    initdb, postgres = server_program("initdb"), server_program("postgres")
    if initdb is None or postgres is None:
        pytest.skip("no PostgreSQL server is installed")
    user = "nobody" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    account = pwd.getpwnam(user)
    folder = Path(tempfile.mkdtemp(prefix="quizpg"))
    os.chown(folder, account.pw_uid, account.pw_gid)

    def command(*argv: str) -> list[str]:
        return (
            ["setpriv", f"--reuid={user}", "--clear-groups", *argv]
            if os.geteuid() == 0
            else [*argv]
        )

    data = folder / "data"
    made = subprocess.run(
        command(initdb, "-D", str(data), "-U", "quiz", "--auth=trust", "--no-sync"),
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        pytest.skip(f"initdb failed: {made.stderr.strip()[-200:]}")
    server = subprocess.Popen(
        command(postgres, "-D", str(data), "-k", str(folder), "-c", "listen_addresses=", "-F"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"postgresql+psycopg://quiz@/postgres?host={folder}"
    try:
        wait_for(address)
        yield address
    finally:
        server.send_signal(signal.SIGINT)  # SIGTERM would wait for clients
        server.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(address: str) -> None:
    for _ in range(200):
        try:
            with create_engine(address, poolclass=NullPool).connect():
                return
        except OperationalError:
            time.sleep(0.05)
    pytest.skip("the PostgreSQL server did not start")


@pytest.fixture
def postgresql(postgresql_server: str) -> str:
    """The address of an empty database."""
    engine = create_engine(postgresql_server, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    return postgresql_server

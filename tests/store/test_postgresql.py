"""The same history on PostgreSQL, on a server of the test's own."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
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


def server_program(name: str) -> str | None:
    places = [*Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), shutil.which(name)]
    return next((str(place) for place in places if place), None)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server on a Unix socket in a folder of its own; it refuses to run as root."""
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
        server.terminate()
        server.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(address: str) -> None:
    import time

    from sqlalchemy.exc import OperationalError

    for _ in range(200):
        try:
            with create_engine(address, poolclass=NullPool).connect():
                return
        except OperationalError:
            time.sleep(0.05)
    pytest.skip("the PostgreSQL server did not start")


@pytest.fixture
def database(url: str, tmp_path: Path) -> Iterator[Database]:
    with create_engine(
        url, poolclass=NullPool, isolation_level="AUTOCOMMIT"
    ).connect() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    opened = Database(url, tmp_path / "backups", lambda: NOW, utc_day)
    yield opened
    opened.close()


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

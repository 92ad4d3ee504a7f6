"""Opening a history: sound, damaged, newer, shared, or nowhere to be made."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.pool import NullPool

from quizapp.store import backup, history
from quizapp.store.database import Database
from quizapp.store.engine import HEAD
from quizapp.store.values import StoreError
from tests.store.conftest import NOW, utc_day

Opened = Callable[..., Database]
ROOT = Path(__file__).resolve().parent.parent.parent


def test_a_fresh_history_is_made_with_its_folder(opened: Opened, file: Path) -> None:
    assert opened().run(history.reviews) == []
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == (HEAD,)


def test_the_tables_are_what_the_migrations_make(opened: Opened, file: Path) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from quizapp.store.tables import Base

    opened().run(history.reviews)
    with create_engine(f"sqlite:///{file}", poolclass=NullPool).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_the_migrations_end_at_the_head() -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    from quizapp.store.schema import MIGRATIONS

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


def test_alembic_is_not_imported_when_there_is_nothing_to_migrate(
    opened: Opened, file: Path
) -> None:
    opened().run(history.reviews)
    code = (
        "import sys\n"
        "from datetime import UTC, datetime\n"
        "from quizapp.store import history\n"
        "from quizapp.store.database import Database\n"
        f"db = Database('sqlite:///{file}', None, lambda: datetime.now(UTC), lambda t: t.date())\n"
        "db.run(history.reviews)\n"
        "db.close()\n"
        "print('alembic' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.stdout.strip() == "False"


def test_case_21_a_damaged_file_is_told_with_the_newest_copy(
    opened: Opened, file: Path, tmp_path: Path
) -> None:
    first = opened()
    first.run(history.reviews)
    first.close()
    copy = backup.copy(file, tmp_path / "backups", NOW, "daily")
    data = bytearray(file.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    file.write_bytes(data)
    with pytest.raises(StoreError, match="is damaged") as told:
        opened().run(history.reviews)
    assert str(copy) in told.value.remedy


def test_a_file_that_is_no_database_is_told(opened: Opened, file: Path) -> None:
    file.parent.mkdir()
    file.write_bytes(b"not a database, certainly not" * 100)
    with pytest.raises(StoreError, match="is damaged"):
        opened().run(history.reviews)
    assert file.read_bytes().startswith(b"not a database"), "and left as it is"


def test_a_history_of_a_newer_program_is_left_alone(opened: Opened, file: Path) -> None:
    first = opened()
    first.run(history.reviews)
    first.close()
    with closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    with pytest.raises(StoreError, match="newer quizapp"):
        opened().run(history.reviews)


def test_a_folder_that_cannot_be_made_is_told(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    with pytest.raises(StoreError, match="cannot be made"):
        opened().run(history.reviews)


@pytest.mark.parametrize("url", ["nonsense", "mysql+nosuch://x/y"])
def test_an_address_that_is_none_is_told(opened: Opened, url: str) -> None:
    with pytest.raises(StoreError, match="no usable address"):
        opened(url=url).run(history.reviews)


def test_an_error_in_a_call_undoes_it_and_leaves_the_rest(opened: Opened) -> None:
    database = opened()

    def fail(session: object) -> None:
        session.execute(  # type: ignore[attr-defined]
            text("INSERT INTO schedule VALUES ('a/main', 1, 1, '2026-01-01', '2026-01-02', 1, 0)")
        )
        raise RuntimeError("made up")

    with pytest.raises(RuntimeError, match="made up"):
        database.run(fail)
    assert database.run(history.schedules) == {}


async def test_calls_do_not_block_the_event_loop(opened: Opened) -> None:
    database = opened()
    gate = threading.Event()
    call = asyncio.create_task(database.call(lambda session: gate.wait(10)))
    await asyncio.sleep(0.05)
    assert not call.done(), "the loop went on while the call waits"
    gate.set()
    assert await call is True


async def test_a_call_that_is_cancelled_is_carried_out(opened: Opened) -> None:
    database = opened()
    done: list[int] = []
    call = asyncio.create_task(database.call(lambda session: done.append(1)))
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    database.run(history.reviews)
    assert done == [1]


def test_a_call_after_the_end_is_refused_and_opens_nothing(opened: Opened, file: Path) -> None:
    database = opened()
    database.run(history.reviews)
    database.close()
    with pytest.raises(StoreError, match="closed"):
        database.run(history.reviews)
    assert [path.name for path in file.parent.iterdir()] == [file.name], "no -wal is left"
    unopened = opened(url=f"sqlite:///{file.parent / 'other.db'}")
    unopened.close()
    unopened.start()
    with pytest.raises(StoreError, match="closed"):
        unopened.run(history.reviews)


def test_calls_that_wait_at_the_end_are_carried_out(opened: Opened) -> None:
    database = opened()
    gate, done = threading.Event(), []
    first = threading.Thread(target=database.run, args=(lambda session: gate.wait(10),))
    first.start()
    later = [
        threading.Thread(target=database.run, args=(lambda session, n=n: done.append(n),))
        for n in range(3)
    ]
    for thread in later:
        thread.start()
    gate.set()
    for thread in [first, *later]:
        thread.join(10)
    database.close()
    assert sorted(done) == [0, 1, 2]


LEAVING = """
import asyncio, sys, threading, time
from datetime import UTC, datetime
from quizapp.store import database as module
from quizapp.store.database import Database

module.CLOSE_SECONDS = 0.2
db = Database(sys.argv[1], None, lambda: datetime.now(UTC), lambda t: t.date())
under_way = threading.Event()

def slow(session):
    under_way.set()
    time.sleep(float(sys.argv[2]))
    raise RuntimeError("nobody hears this")

async def leave():
    call = asyncio.create_task(db.call(slow))
    await asyncio.to_thread(under_way.wait)

asyncio.run(leave())
if sys.argv[3] == "wait":
    time.sleep(float(sys.argv[2]) + 0.5)
db.close()
"""


@pytest.mark.parametrize(("seconds", "then"), [("60", "leave"), ("0.3", "wait")])
def test_leaving_during_a_call_is_quiet(file: Path, seconds: str, then: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LEAVING, f"sqlite:///{file}", seconds, then],
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_history_that_could_not_be_opened_is_tried_again(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    database = opened()
    with pytest.raises(StoreError, match="cannot be made"):
        database.run(history.reviews)
    (tmp_path / "data").unlink()
    assert database.run(history.reviews) == []


def test_a_copy_is_made_once_a_day(opened: Opened, tmp_path: Path) -> None:
    for hours in (0, 3, 25):
        database = opened(now=NOW + timedelta(hours=hours))
        database.run(history.reviews)
        database.close()
    made = backup.listed(tmp_path / "backups")
    assert [utc_day(at).isoformat() for at in made.values()] == ["2026-03-01", "2026-03-02"]
    with closing(sqlite3.connect(next(iter(made)))) as copied:
        assert copied.execute("PRAGMA quick_check").fetchone() == ("ok",)


def test_old_copies_are_thinned_and_the_newest_always_kept() -> None:
    now = datetime(2026, 6, 30, 12, tzinfo=UTC)
    made = [now - timedelta(hours=6 * n) for n in range(4 * 400)]
    kept = sorted(backup.worth_keeping(made, now))
    ages = [(now - instant).days for instant in kept]
    assert kept[-1] == now
    assert sum(age < 2 for age in ages) == 8
    assert sum(2 <= age < 14 for age in ages) in (12, 13, 14)
    assert sum(14 <= age < 90 for age in ages) in (11, 12)
    assert sum(age >= 90 for age in ages) in (10, 11, 12)
    assert backup.worth_keeping(kept, now) == set(kept), "thinning twice thins once"


WRITER = """
import sys
from datetime import UTC, datetime
from uuid import uuid4
from quizapp.memory.days import StudyCalendar
from quizapp.memory.model import Rating
from quizapp.memory.schedule import ScheduleSettings, advance
from quizapp.store import history
from quizapp.store.database import Database
from quizapp.store.values import Entry, Kind

now = datetime(2026, 3, 1, 12, tzinfo=UTC)
db = Database(f"sqlite:///{sys.argv[1]}", None, lambda: now, lambda t: t.date())
for n in range(40):
    entry = Entry(str(uuid4()), Kind.REVIEW, f"{sys.argv[2]}/p{n}", now, now.date(), Rating.GOOD)
    db.run(history.append_review, entry, advance(None, entry.review, ScheduleSettings()), 0)
db.close()
"""


def test_two_programs_on_one_history_work(opened: Opened, file: Path) -> None:
    opened().run(history.reviews)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(file), name],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        for name in ("one", "two")
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    database = opened()
    assert len(database.run(history.reviews)) == 80
    assert len(database.run(history.schedules)) == 80


def test_the_columns_of_the_log_are_indexed_for_what_is_asked(opened: Opened, file: Path) -> None:
    opened().run(history.reviews)
    found = inspect(create_engine(f"sqlite:///{file}", poolclass=NullPool)).get_indexes("review")
    assert {tuple(index["column_names"]) for index in found} >= {("prompt",), ("day",)}

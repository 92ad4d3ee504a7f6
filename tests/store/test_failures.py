"""Whatever is wrong with a database is told in one line that says what to do."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest

from quizapp.memory.model import Rating
from quizapp.memory.schedule import ScheduleSettings, advance
from quizapp.store import backup, connecting, history
from quizapp.store.database import Database
from quizapp.store.values import Entry, Kind, StoreError
from tests.store.conftest import NOW

Opened = Callable[..., Database]


def answer(database: Database, prompt: str = "fusion/main", text: str = "") -> None:
    made = Entry(str(uuid4()), Kind.REVIEW, prompt, NOW, NOW.date(), Rating.GOOD, answer=text)
    database.run(history.append_review, made, advance(None, made.review, ScheduleSettings()), 0)


def one_line(error: StoreError) -> bool:
    return "\n" not in str(error) and bool(error.remedy)


def test_a_full_disk_is_told_and_loses_nothing(opened: Opened) -> None:
    database = opened()
    answer(database)
    database.run(lambda s: s.connection().exec_driver_sql("PRAGMA max_page_count = 1"))
    with pytest.raises(StoreError, match="disk is full") as told:
        answer(database, "fusion/traffic", "long " * 10_000)
    assert one_line(told.value)
    assert [review.prompt for review in database.run(history.reviews)] == ["fusion/main"]
    database.run(lambda s: s.connection().exec_driver_sql("PRAGMA max_page_count = 1000000"))
    answer(database, "fusion/traffic", "long " * 10_000)
    assert len(database.run(history.reviews)) == 2


def test_a_history_that_may_not_be_written_is_told(opened: Opened, file: Path) -> None:
    first = opened()
    answer(first)
    first.close()
    database = opened(url=f"sqlite:///file:{file}?mode=ro&uri=true")
    assert len(database.run(history.reviews)) == 1, "but may be read"
    with pytest.raises(StoreError, match="readonly") as told:
        answer(database, "fusion/traffic")
    assert "writable" in told.value.remedy
    assert not Path("file:").exists(), "the address is no folder"


def test_a_history_that_another_program_holds_is_told_and_opens_when_it_is_free(
    opened: Opened, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = opened()
    answer(first)
    first.close()
    monkeypatch.setattr(connecting, "BUSY_SECONDS", 0.2)
    database = opened()
    with closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="locked") as told:
            database.run(history.reviews)
        assert one_line(told.value)
    assert len(database.run(history.reviews)) == 1


@pytest.mark.parametrize("url", ["postgresql+nosuch://me:secret@host/x", "no ://me:secret@host/x"])
def test_a_password_is_not_shown(opened: Opened, url: str) -> None:
    with pytest.raises(StoreError, match="no usable address") as told:
        opened(url=url).run(history.reviews)
    assert "secret" not in str(told.value)
    assert one_line(told.value)


def test_a_database_of_another_kind_is_told(opened: Opened) -> None:
    with pytest.raises(StoreError, match="mysql; quizapp keeps its history in SQLite or"):
        opened(url="mysql://me@host/x").run(history.reviews)


def test_case_21_doing_as_the_message_says_brings_the_history_back(
    opened: Opened, file: Path, tmp_path: Path
) -> None:
    first = opened()
    answer(first)
    copy = backup.copy(file, tmp_path / "backups", NOW, "daily")
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    answer(first, "fusion/traffic")
    shutil.copytree(file.parent, tmp_path / "killed")  # with its -wal, as after a kill
    first.close()
    shutil.rmtree(file.parent)
    shutil.copytree(tmp_path / "killed", file.parent)
    file.write_bytes(file.read_bytes()[:4096] + bytes(4096) * 30)
    assert Path(f"{file}-wal").stat().st_size > 0
    with pytest.raises(StoreError, match="is damaged") as told:
        opened().run(history.reviews)
    beside = [file, *(Path(f"{file}{end}") for end in ("-wal", "-shm"))]
    assert all(str(path) in told.value.remedy for path in beside)
    assert f"copy {copy} to {file}" in told.value.remedy
    aside = tmp_path / "aside"
    aside.mkdir()
    for path in beside:
        if path.exists():
            path.rename(aside / path.name)
    shutil.copy(copy, file)
    assert [review.prompt for review in opened().run(history.reviews)] == ["fusion/main"]


def test_damage_without_a_copy_says_so(opened: Opened, file: Path) -> None:
    file.parent.mkdir()
    file.write_bytes(b"not a database at all " * 100)
    with pytest.raises(StoreError, match="there is no backup copy"):
        opened().run(history.reviews)

"""Copies are whole, named by when they were made, and fewer the older they are."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from quizapp.store import backup, history
from quizapp.store.database import Database
from tests.store.conftest import NOW

Opened = Callable[..., Database]


def make(path: Path, rows: int = 3) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE t (x)")
        database.executemany("INSERT INTO t VALUES (?)", [("x" * 500,)] * rows)
        database.commit()


@pytest.mark.parametrize("folder", ["plain", "a b", "a#b", "50%20", "what?", "融合"])
def test_a_folder_may_have_any_name(tmp_path: Path, folder: str) -> None:
    file = tmp_path / folder / "quizapp.db"
    make(file)
    made = backup.copy(file, tmp_path / folder / "backups", NOW, "daily")
    with closing(sqlite3.connect(made)) as copied:
        assert copied.execute("SELECT count(*) FROM t").fetchone() == (3,)
    assert sorted(path.name for path in tmp_path.iterdir()) == [folder]


def test_two_programs_may_copy_in_the_same_second(tmp_path: Path) -> None:
    file = tmp_path / "quizapp.db"
    make(file, rows=2000)
    with ThreadPoolExecutor(4) as programs:
        copies = [
            programs.submit(backup.copy, file, tmp_path / "backups", NOW, "daily") for _ in range(8)
        ]
        (made,) = {copy.result() for copy in copies}
    with closing(sqlite3.connect(made)) as copied:
        assert copied.execute("SELECT count(*) FROM t").fetchone() == (2000,)
    assert list(made.parent.iterdir()) == [made]


def test_a_damaged_database_is_not_copied(tmp_path: Path) -> None:
    file = tmp_path / "quizapp.db"
    make(file, rows=500)
    data = bytearray(file.read_bytes())
    data[8192 : 8192 + 2000] = bytes(2000)
    file.write_bytes(data)
    with pytest.raises(sqlite3.DatabaseError):
        backup.copy(file, tmp_path / "backups", NOW, "daily")
    assert backup.listed(tmp_path / "backups") == {}


def test_files_that_are_no_copies_are_left_alone(tmp_path: Path) -> None:
    strangers = ["notes.txt", "quizapp-99999999T999999Z-daily.db", "quizapp.db"]
    for name in strangers:
        (tmp_path / name).write_text("mine")
    assert backup.listed(tmp_path) == {}
    assert backup.thin(tmp_path, NOW) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(strangers)


def test_unfinished_copies_go_when_nobody_is_at_work_on_them(tmp_path: Path) -> None:
    stem = "quizapp-20260228T120000Z-daily.a1b2"
    old = [f"{stem}.part", f"{stem}.part-journal"]
    young = "quizapp-20260301T115930Z-daily.c3d4.part"
    for name in [*old, young]:
        (tmp_path / name).write_text("")
    backup.thin(tmp_path, NOW)
    assert [path.name for path in tmp_path.iterdir()] == [young]


def test_a_day_is_copied_once_whatever_else_is_in_the_folder(
    opened: Opened, tmp_path: Path
) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "quizapp-99999999T999999Z-daily.db").write_text("none of ours")
    database = opened()
    for _ in range(3):
        assert database.run(history.reviews) == []
    database.close()
    assert list(backup.listed(folder).values()) == [NOW]


def test_a_folder_of_copies_that_cannot_be_made_stops_nobody(
    opened: Opened, tmp_path: Path
) -> None:
    (tmp_path / "backups").write_text("a file where the folder should be")
    database = opened()
    for _ in range(3):
        assert database.run(history.reviews) == []


def test_a_year_of_daily_copies_keeps_one_of_every_month(tmp_path: Path) -> None:
    now = NOW
    kept: set[object] = set()
    for _ in range(400):
        now += timedelta(days=1)
        kept = set(backup.worth_keeping([*kept, now], now))  # type: ignore[list-item]
    months = {(made.year, made.month) for made in kept}  # type: ignore[attr-defined]
    assert len(months) >= 12, "thinning day after day must not starve the months"
    assert len(kept) < 45

"""Writes to a history in a child process and kills it at random moments, again and again.

Run as a program: ``killing.py FOLDER KILLS SEED``.  Everything is imported once and each victim
is forked, so that a kill costs a few answers and not a start of Python.  Prints a JSON object.

The session's own kills are in ``tests/services``; here the moment may also fall into the making
of the tables, a migration or a copy, and the schedules are compared with the log each time.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import alembic.command  # noqa: F401 - imported before the forks, not in each
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from quizapp.memory.days import StudyCalendar
from quizapp.memory.model import Rating, Review, Schedule
from quizapp.memory.schedule import ScheduleSettings, advance, replay
from quizapp.store import backup, drafts, history, runs  # noqa: F401
from quizapp.store.engine import Store, open_store
from quizapp.store.schema import upgrade
from quizapp.store.values import Draft, Entry, Kind, Mode

SETTINGS = ScheduleSettings(calendar=StudyCalendar())
START = datetime(2026, 3, 2, 12, tzinfo=UTC)


@dataclass
class Told:
    """What the victims acknowledged, over all kills."""

    drafts: set[str] = field(default_factory=set)
    reviews: set[str] = field(default_factory=set)
    undone: set[str] = field(default_factory=set)

    def hear(self, line: str) -> None:
        kind, uuid = line.split()
        {"D": self.drafts, "R": self.reviews, "U": self.undone}[kind].add(uuid)


def opened(folder: Path, now: datetime) -> Store:
    # On this thread: a fork takes no others along.
    url = f"sqlite:///{folder / 'quizapp.db'}"
    return open_store(url, folder / "backups", lambda: now, lambda instant: instant.date())


def answer_for_ever(folder: Path, now: datetime, say: Callable[[str], object], seed: int) -> None:
    """Draft, rate and sometimes undo, saying each thing only once it is on disk."""
    chance = random.Random(seed)
    store = opened(folder, now)
    while True:
        now += timedelta(hours=7)
        draft = Draft(str(uuid4()), f"card/p{chance.randrange(9)}", now, "it", Mode.TYPED, 1.0)
        store.transaction(lambda s, d=draft: drafts.save(s, d), forced=False)
        say(f"D {draft.uuid}")
        before = store.transaction(lambda s, d=draft: history.schedule(s, d.prompt))
        rating = Rating(chance.randint(1, 4))
        made = Entry(draft.uuid, Kind.REVIEW, draft.prompt, now, now.date(), rating, answer="it")
        after = advance(before, made.review, SETTINGS)
        store.transaction(
            lambda s, m=made, a=after, b=before: history.append_review(s, m, a, b or 0)
        )
        say(f"R {made.uuid}")
        if chance.random() < 0.2:
            undone = store.transaction(
                lambda s, at=now: history.undo(s, str(uuid4()), at, at.date(), reschedule)
            )
            if undone is not None:
                say(f"U {undone.uuid}")
        store.daily_backup()


def reschedule(reviews: list[Review]) -> Schedule | None:
    return next(iter(replay(reviews, SETTINGS).values()), None)


def kill_one(folder: Path, now: datetime, chance: random.Random, told: Told) -> None:
    """Fork a victim and kill it at a random moment."""
    hear, say = os.pipe()
    # A quarter of the kills fall into the opening, the others into the answers.
    opening = chance.random() < 1 / 4
    lines = 0 if opening else chance.randint(1, 8)
    moment = chance.uniform(0.0, 0.08 if opening else 0.03)
    seed = chance.getrandbits(32)
    child = os.fork()
    if child == 0:
        os.close(hear)
        try:
            answer_for_ever(folder, now, lambda line: os.write(say, f"{line}\n".encode()), seed)
        except BaseException as error:
            os.write(2, f"{error!r}\n".encode())
        finally:
            os._exit(70)
    os.close(say)
    # Counted in lines and not in seconds, so that a loaded machine is killed as far along.
    said = b""
    while said.count(b"\n") < lines and (data := os.read(hear, 4096)):
        said += data
    time.sleep(moment)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        raise RuntimeError("the victim ended by itself")
    with os.fdopen(hear, "rb") as pipe:
        said += pipe.read()
    for line in said.decode().split("\n")[:-1]:
        told.hear(line)


def faults(folder: Path, told: Told, now: datetime) -> list[str]:
    """Return what is wrong with the history after a kill."""
    file = folder / "quizapp.db"
    found = []
    if file.exists():
        with closing(sqlite3.connect(file)) as database:
            if database.execute("PRAGMA quick_check").fetchone() != ("ok",):
                found.append("quick_check")
    if not told.drafts:
        return found
    store = opened(folder, now)
    logged = store.transaction(history.log)
    reviews = {entry.uuid for entry in logged if entry.kind is Kind.REVIEW}
    waiting = {draft.uuid for draft in store.transaction(drafts.load)}
    undone = {entry.undoes for entry in logged if entry.kind is Kind.UNDO}
    cached = store.transaction(history.schedules)
    store.dispose()
    found += [f"answer {uuid} is lost" for uuid in told.drafts - waiting - reviews]
    found += [f"review {uuid} is lost" for uuid in told.reviews - reviews]
    found += [f"undo of {uuid} is lost" for uuid in told.undone - undone]
    found += [f"{uuid} waits although it is rated" for uuid in waiting & reviews]
    counted = [entry.review for entry in logged if entry.uuid in reviews - undone]
    if cached != replay(counted, SETTINGS):
        found.append("the schedules are not what the log comes to")
    return found


def main(root: Path, kills: int, seed: int) -> dict[str, object]:
    chance = random.Random(seed)
    found: list[str] = []
    number = generation = reviews = migrated = copies = 0
    while number < kills and not found:
        # A history anew every 25 kills: half of them made by the victims, half migrated by them.
        folder = root / str(generation)
        folder.mkdir()
        told = Told()
        now = START
        if generation % 2:
            upgrade(create_engine(f"sqlite:///{folder / 'quizapp.db'}", poolclass=NullPool), "0001")
        for _ in range(min(25, kills - number)):
            number += 1
            now += timedelta(days=40)
            kill_one(folder, now, chance, told)
            found += faults(folder, told, now)
        names = [path.name for path in backup.listed(folder / "backups")]
        migrated += any("migration" in name for name in names)
        copies += sum("daily" in name for name in names)
        reviews += len(told.reviews)
        generation += 1
    return {
        "kills": number,
        "faults": found[:5],
        "reviews": reviews,
        "migrated": migrated,
        "copies": copies,
    }


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))

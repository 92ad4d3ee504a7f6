"""Reviews in a child process and kills it at random moments, again and again.

Run as a program: ``killing.py FOLDER KILLS SEED``.  Everything is imported once and each victim
is forked, so that a kill costs a session and not a start of Python.  Prints a JSON object.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import select
import signal
import sqlite3
import sys
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import alembic.command  # noqa: F401 - imported before the forks, not in each
import sqlalchemy.orm  # noqa: F401

from quizapp.memory.model import Rating
from quizapp.memory.schedule import replay
from quizapp.services import deck
from quizapp.services.paths import Paths
from quizapp.services.review import Answer, Asked, Reviewing, undo
from quizapp.services.workspace import Workspace
from quizapp.store import calls, engine, history  # noqa: F401
from quizapp.store.values import Mode


class RunningClock:
    """A day later at every answer, so that there is always something to ask."""

    def __init__(self, start: datetime) -> None:
        self.at = start

    def now(self) -> datetime:
        self.at += timedelta(seconds=1)
        return self.at


def workspace(folder: Path, start: datetime) -> Workspace:
    paths = Paths(folder / "config.toml", folder / "data", folder / "state")
    return Workspace(paths, RunningClock(start))


async def session(folder: Path, start: datetime, say: int, seed: int) -> None:
    """Answer and rate for ever, saying each thing only once it is on disk."""
    chance = random.Random(seed)
    space = workspace(folder, start)
    await space.open()
    while True:
        reviewing = Reviewing(space)
        await reviewing.start()
        for _ in range(4):
            step = await reviewing.next()
            if step is None:
                break
            if isinstance(step, Asked):
                step = await reviewing.answer(step, Answer(f"it {start}", Mode.TYPED, 1.0))
                os.write(say, f"A {step.asked.uuid}\n".encode())
            outcome = reviewing.outcome(step, step.ticked)
            rating = chance.choice(outcome.allowed)
            await reviewing.rate(step, rating, step.ticked)
            os.write(say, f"R {step.asked.uuid} {int(rating)}\n".encode())
        if chance.random() < 0.2:
            undone = await undo(space)
            if undone is not None:
                os.write(say, f"U {undone.uuid}\n".encode())
        space.clock.at += timedelta(days=1)  # type: ignore[attr-defined]


def victim(folder: Path, start: datetime, say: int, seed: int) -> None:
    """Never returns."""
    try:
        asyncio.run(session(folder, start, say, seed))
    finally:
        os._exit(70)


def kill_one(folder: Path, start: datetime, lines: int, moment: float, seed: int) -> list[str]:
    """Fork a victim and kill it ``moment`` seconds after its n-th line; returns what it said.

    Counted in lines, the kill falls into a session that is under way on any machine; the
    moment after the line is what makes it fall anywhere in a transaction.
    """
    hear, say = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(hear)
        victim(folder, start, say, seed)
    os.close(say)
    heard = b""
    deadline = time.monotonic() + 60
    while heard.count(b"\n") < lines:
        ready, _, _ = select.select([hear], [], [], max(0.0, deadline - time.monotonic()))
        data = os.read(hear, 65536) if ready else b""
        heard += data
        if not data:
            break
    time.sleep(moment)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while data := os.read(hear, 65536):
        heard += data
    os.close(hear)
    return [line for line in heard.decode().split("\n")[:-1] if line]


def examine(file: Path, acknowledged: dict[str, str]) -> list[str]:
    """Return what is wrong with the database after a kill."""
    faults = []
    with closing(sqlite3.connect(file)) as database:
        if database.execute("PRAGMA quick_check").fetchone()[0] != "ok":
            faults.append("quick_check")
        logged = {row[0] for row in database.execute("SELECT uuid FROM review")}
        undone = {row[0] for row in database.execute("SELECT undoes FROM review")}
        drafts = {row[0] for row in database.execute("SELECT uuid FROM draft")}
    for uuid, kind in acknowledged.items():
        kept = {"A": uuid in logged | drafts, "R": uuid in logged, "U": uuid in undone}[kind]
        if not kept:
            faults.append(f"{kind} {uuid} is lost")
    return faults


def cache_matches(folder: Path, start: datetime) -> bool:
    """Tell whether the cached schedules are what the log comes to."""
    space = workspace(folder, start)
    try:
        made = replay(space.database.run(calls.reviews), space.schedule_settings)
        return space.database.run(calls.schedules) == made
    finally:
        space.close()


def main(folder: Path, kills: int, seed: int) -> dict[str, object]:
    deck.bundled = lambda: None  # type: ignore[assignment]
    chance = random.Random(seed)
    start = datetime(2026, 3, 2, 12, tzinfo=UTC)
    acknowledged: dict[str, str] = {}
    faults: list[str] = []
    answers = 0
    for number in range(kills):
        lines, moment = chance.randint(1, 6), chance.uniform(0.0, 0.03)
        heard = kill_one(folder, start, lines, moment, seed + number)
        for line in heard:
            kind, uuid, *_ = line.split()
            acknowledged[uuid] = "U" if kind == "U" else kind
            answers += kind == "R"
        faults += examine(folder / "data" / "quizapp.db", acknowledged)
        start += timedelta(days=40)
        if faults:
            break
    # Not in a fork: the history's thread would be started in this process, and forks follow.
    matches = cache_matches(folder, start)
    return {
        "kills": number + 1,
        "acknowledged": len(acknowledged),
        "rated": answers,
        "faults": faults[:5],
        "cache_matches": matches,
        "ratings": [rating.name for rating in Rating],
    }


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))

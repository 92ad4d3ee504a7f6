"""Two programs answer the same prompts of one history at the same time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from quizapp.memory.schedule import ScheduleSettings, replay
from quizapp.store import calls, history, turns
from quizapp.store.database import Database
from quizapp.store.values import StoreError

Opened = Callable[..., Database]
ROOT = Path(__file__).resolve().parent.parent.parent
ANSWERS = 60

PROGRAM = """
import sys
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import uuid4
from quizapp.memory.model import Rating
from quizapp.memory.schedule import ScheduleSettings, advance, replay
from quizapp.store import history
from quizapp.store.database import Database
from quizapp.store.values import ConflictError, Entry, Kind

url, seed = sys.argv[1:]
chance = Random(int(seed))
settings = ScheduleSettings()
now = datetime(2026, 3, 1, 12, tzinfo=UTC)
db = Database(url, None, lambda: now, lambda t: t.date())
left = ANSWERS
conflicts = 0
while left:
    prompt = f"card/p{chance.randrange(3)}"
    before = db.run(history.schedule, prompt)
    at = now + timedelta(days=ANSWERS - left)
    entry = Entry(str(uuid4()), Kind.REVIEW, prompt, at, at.date(), Rating(chance.randint(1, 4)))
    try:
        db.run(history.append_review, entry, advance(before, entry.review, settings), before or 0)
        left -= 1
    except ConflictError:
        conflicts += 1
    if chance.random() < 0.1:
        again = lambda reviews: next(iter(replay(reviews, settings).values()), None)
        db.run(history.undo, str(uuid4()), at, at.date(), again)
db.close()
print(conflicts)
""".replace("ANSWERS", str(ANSWERS))


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, file: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{file}"
    return str(request.getfixturevalue("postgresql"))


def test_nothing_is_lost_or_scheduled_on_what_is_no_longer_so(opened: Opened, address: str) -> None:
    # Neither program is the first: both may have to make the tables.
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, address, seed],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2")
    ]
    said = [program.communicate(timeout=120) for program in programs]
    assert [program.returncode for program in programs] == [0, 0], said
    database = opened(url=address)
    logged = database.run(history.log)
    assert sum(entry.kind == "review" for entry in logged) == 2 * ANSWERS
    reviews = database.run(history.reviews)
    assert database.run(history.schedules) == replay(reviews, ScheduleSettings())


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "BUSY_SECONDS", 1)
    return


@pytest.mark.usefixtures("hurried")
def test_waiting_for_a_turn_ends_and_is_told(opened: Opened, postgresql: str) -> None:
    database = opened(url=postgresql)
    database.run(history.reviews)
    with create_engine(postgresql, poolclass=NullPool).begin() as other:
        turns.take_turn(other)
        with pytest.raises(StoreError, match="another program holds it") as told:
            database.run(history.replace_schedules, {})
        assert database.run(history.schedules) == {}, "reading needs no turn"
    assert "\n" not in str(told.value)
    database.run(history.replace_schedules, {})


def test_a_days_plan_is_of_one_moment(opened: Opened, postgresql: str) -> None:
    database = opened(url=postgresql)

    def level(session: object) -> str:
        calls.state(session, date(2026, 3, 1))  # type: ignore[arg-type]
        found = session.connection().get_isolation_level()  # type: ignore[attr-defined]
        return str(found)

    assert database.run(level) == "REPEATABLE READ"
    assert database.run(lambda s: s.connection().get_isolation_level()) == "READ COMMITTED"

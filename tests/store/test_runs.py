"""Runs of demos and their verdicts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from quizapp.store import runs
from quizapp.store.database import Database
from quizapp.store.values import RunRecord, VerdictRecord
from tests.store.conftest import NOW

Opened = Callable[..., Database]


@pytest.fixture(params=["sqlite", "postgresql"])
def opened(request: pytest.FixtureRequest, opened: Opened) -> Opened:
    if request.param == "sqlite":
        return opened
    url = request.getfixturevalue("postgresql")
    return lambda: opened(url=url)


def run(id_: str = "r1", hours: float = 0, demo: str = "elementwise") -> RunRecord:
    return RunRecord(
        id_,
        demo,
        NOW + timedelta(hours=hours),
        "cuda",
        "NVIDIA H200",
        "local",
        "d1",
        "done",
        '{"v": 1, "type": "done"}\n{"v": 1, "type": "融合"}',
        {"torch": "2.9"},
    )


def verdict(made: RunRecord, claim: str = "fusion/C1", says: str = "proved") -> VerdictRecord:
    return VerdictRecord(
        claim,
        made.id,
        says,
        "speedup in [2.7, 3.1]",
        made.digest,
        made.device_kind,
        made.device_name,
        made.source,
        made.at,
        {"speedup": [2.98, 2.97, 2.99]},
    )


def test_a_run_and_its_verdicts_come_back(opened: Opened) -> None:
    first = opened()
    made = run()
    first.run(runs.save, made, [verdict(made)])
    first.close()
    second = opened()
    assert second.run(runs.runs) == [made]
    assert second.run(runs.verdicts) == [verdict(made)]


def test_saving_a_run_again_keeps_one_of_it_with_its_new_verdicts(opened: Opened) -> None:
    database = opened()
    made = run()
    for says in ("proved", "refuted"):
        database.run(runs.save, made, [verdict(made, says=says)])
    assert database.run(runs.runs) == [made]
    assert [found.verdict for found in database.run(runs.verdicts)] == ["refuted"]


def test_the_newest_verdict_of_each_device_counts(opened: Opened) -> None:
    database = opened()
    old, new = run("r1"), run("r2", hours=1)
    database.run(runs.save, new, [verdict(new, says="refuted")])
    database.run(runs.save, old, [verdict(old), verdict(old, "fusion_2/C1")])
    found = database.run(runs.verdicts, "fusion")
    assert [(item.run, item.verdict) for item in found] == [("r2", "refuted")]


def test_runs_are_told_newest_first_and_by_demo(opened: Opened) -> None:
    database = opened()
    made = [run("r1"), run("r2", 1, "softmax"), run("r3", 2)]
    for item in made:
        database.run(runs.save, item, [])
    assert [item.id for item in database.run(runs.runs)] == ["r3", "r2", "r1"]
    assert [item.id for item in database.run(runs.runs, "elementwise", 1)] == ["r3"]

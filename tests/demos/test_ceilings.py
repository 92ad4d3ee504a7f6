"""Ceilings: measured once a run, the best remembered, refused where there are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from demos import ceilings
from demos.ceilings import Ceilings, Found
from demos.clocks import CpuClock
from demos.failures import Unsupported


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    measured: list[str] = []

    def measure(machine: Any, clock: Any) -> float:
        measured.append(machine.name)
        return 42.0

    monkeypatch.setitem(ceilings.KNOWN, "copy bandwidth", ("B/s", ("cpu",), measure))
    return measured


def test_a_ceiling_is_measured_once(machine: Any, counted: list[str]) -> None:
    limits = Ceilings(machine)
    assert limits.get("copy bandwidth").value == 42.0
    assert limits.get("copy bandwidth").unit == "B/s"
    assert len(counted) == 1


def seen(machine: Any, file: Path, value: float, at: str = "2026-01-01T00:00:00+00:00") -> None:
    found = {"value": value, "unit": "B/s", "at": at}
    key = ceilings._key(machine)
    file.write_text(json.dumps({key: {"copy bandwidth": found}, "another": {}}), "utf-8")


@pytest.mark.parametrize(("before", "best"), [(41.0, 42.0), (43.0, 43.0)])
def test_the_best_ever_seen_is_kept_with_its_date(
    machine: Any, counted: list[str], tmp_path: Path, before: float, best: float
) -> None:
    file = tmp_path / "ceilings.json"
    seen(machine, file, before)
    limits = Ceilings(machine, file)
    assert limits.get("copy bandwidth").value == 42.0
    assert limits.best("copy bandwidth").value == best
    assert Ceilings(machine, file).best("copy bandwidth") == limits.best("copy bandwidth")
    assert set(json.loads(file.read_text("utf-8"))) == {ceilings._key(machine), "another"}


def test_the_best_time_is_the_shortest() -> None:
    assert Found(1e-6, "s", "").beats(Found(2e-6, "s", ""))
    assert not Found(1e9, "B/s", "").beats(Found(2e9, "B/s", ""))


@pytest.mark.parametrize("text", ["[", "[]", '{"a": {"b": {"c": 1}}}', '{"a": 1}'])
def test_a_file_that_holds_something_else_is_written_anew(
    machine: Any, counted: list[str], tmp_path: Path, text: str
) -> None:
    file = tmp_path / "ceilings.json"
    file.write_text(text, "utf-8")
    assert Ceilings(machine, file).best("copy bandwidth").value == 42.0
    assert set(json.loads(file.read_text("utf-8"))) == {ceilings._key(machine)}
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_that_cannot_be_written_costs_no_run(
    machine: Any, counted: list[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    limits = Ceilings(machine, tmp_path / "file" / "ceilings.json")
    assert limits.best("copy bandwidth").value == 42.0


@pytest.mark.parametrize("name", ["bf16 gemm", "speed of light"])
def test_what_this_device_has_no_ceiling_for(machine: Any, name: str) -> None:
    with pytest.raises(Unsupported, match=name):
        Ceilings(machine).get(name)


def test_copy_bandwidth_counts_both_directions(
    machine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ceilings, "copied_bytes", lambda _: 1 << 20)
    monkeypatch.setattr(ceilings, "_seconds", lambda *_, **__: 0.5)
    assert ceilings.copy_bandwidth(machine, CpuClock()) == 2 * (1 << 20) / 0.5

"""Ceilings: measured once, kept where the user asked, refused where there are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from demos import ceilings
from demos.ceilings import Ceilings
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


def test_a_file_keeps_it_by_device_and_version(
    machine: Any, counted: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "deep" / "ceilings.json"
    first = Ceilings(machine, file).get("copy bandwidth")
    assert Ceilings(machine, file).get("copy bandwidth") == first
    assert len(counted) == 1


def test_a_file_that_holds_something_else_is_refused(machine: Any, tmp_path: Path) -> None:
    file = tmp_path / "ceilings.json"
    file.write_text("[", "utf-8")
    with pytest.raises(Unsupported, match="holds no ceilings"):
        Ceilings(machine, file)


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

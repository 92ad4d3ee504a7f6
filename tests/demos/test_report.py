"""Text for people, and records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from demos import record, report
from demos.quantities import between, figures, quantity
from demos.wire import event


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.00051021, "s", "510.2 µs"),
        (1.527e-3, "s", "1.527 ms"),
        (4.25e12, "B/s", "4.250 TB/s"),
        (2.9951, "×", "2.995 ×"),
        (268435456, "elements", "268,435,456 elements"),
        (3, "", "3"),
        (1, "kernels", "1 kernel"),
        (1, "s", "1.000 s"),
        (0, "s", "0 s"),
        (0.99996e-3, "s", "1.000 ms"),
        (2.4e-8, "", "2.40e-08"),
    ],
)
def test_quantities(value: float, unit: str, text: str) -> None:
    assert quantity(value, unit) == text


def test_intervals_are_in_the_unit_of_their_upper_end() -> None:
    assert between(0.9e-3, 1.1e-3, "s") == "[0.900, 1.100]"
    assert between(3, 3) == ""
    assert figures(1234.5) == "1,234"


def events() -> list[dict[str, Any]]:
    run = {"run": "r"}
    line = {"point": {}, "final": True, "rounds": 9, "flops": 0, "clock": "device", **run}
    return [
        event("device", kind="cuda", name="GPU [x]", versions={"torch": "2", "driver": ""},
              details={}),
        event(
            "started",
            demo="d",
            title="Title",
            params={"n": 8},
            seed=3,
            digest="abc",
            variants=[],
            **run,
        ),
        event("progress", stage="a", fraction=0.1, **run),
        event("ceiling", name="copy bandwidth", value=4.2e12, unit="B/s", best=4.3e12,
              best_at="2026-01-02T03:04:05+00:00", **run),
        event("ceiling", name="launch", value=6e-6, unit="s", best=4e-6,
              best_at="2026-01-02T03:04:05+00:00", **run),
        event("prediction", metric="time:one", value=1e-3, unit="s", formula="2N", **run),
        event("prediction", metric="speedup", value=3, unit="×", formula="6/2", **run),
        event("measurement", variant="one", seconds=9.0, low=9, high=9, bytes=1,
              **{**line, "final": False}),
        event("measurement", variant="one", seconds=1.02e-3, low=1e-3, high=1.1e-3,
              bytes=2**32, **line),
        event("measurement", variant="one", seconds=1.5e-3, low=1.5e-3, high=1.5e-3, bytes=0,
              **{**line, "clock": "call"}),
        event("measurement", variant="one", seconds=2e-6, low=1e-6, high=3e-6, bytes=0,
              **{**line, "point": {"elements": 4096}}),
        event("check", variant="one", name="correct", passed=True, detail="fine",
              control=False, differing=0, of=0, **run),
        event("check", variant="c", name="bit-identical", passed=False, detail="5 of 10",
              control=True, differing=5, of=10, **run),
        event("check", variant="c", name="bit-identical", passed=True, detail="0 of 10",
              control=True, differing=0, of=10, **run),
        event("kernel", variant="one", name="k" * 90, launches=1, registers=40, spills=8,
              occupancy=0.75, **run),
        event("chain", name="1", operators=["mul", "add"], kernels=[], place="net.py:3", repeats=2,
              seconds=3e-3, bytes_in=8e6, bytes_out=4e6, fused_seconds=1e-3, gain=4e-3, share=0.1,
              module_seconds=0.04, measured=1.9e-3, low=1.8e-3, high=2e-3, speedup=2.7, note="",
              **run),
        event("metric", name="speedup", value=2.99, low=2.98, high=3.0, unit="×", control=1.0,
              note="", **run),
        event("done", seconds=12.34, **run),
    ]  # fmt: skip


def test_prediction_stands_beside_measurement() -> None:
    text = "\n".join(report.lines(events()))
    (head,) = [line for line in text.splitlines() if "device clock" in line]
    assert head.split()[2:] == ["measured", "predicted", "bandwidth"]
    (time,) = [line for line in text.splitlines() if "1.020 ms" in line]
    assert "1.000 ms" in time
    assert "[1.000, 1.100]" in time
    assert "4.211 TB/s" in time
    (result,) = [line for line in text.splitlines() if "2.990 ×" in line]
    assert "predicted 3" in result
    assert "control 1" in result
    assert "elements 4096" in text
    assert "9.000 s" not in text
    assert "done in 12.3 s" in text
    assert "driver" not in text


def test_what_is_predicted_is_the_time_by_the_first_clock() -> None:
    (called,) = [line for line in report.lines(events()) if "1.500 ms" in line]
    assert "1.000 ms" not in called


def test_a_ceiling_far_from_the_best_seen_is_worth_a_word() -> None:
    lines = list(report.lines(events()))
    (copy,) = [line for line in lines if "copy bandwidth" in line]
    (launch,) = [line for line in lines if "launch" in line]
    assert "?" not in copy
    assert "4.000 µs on 2026-01-02: is something else using this device?" in launch


def test_a_chain_is_a_row() -> None:
    (row,) = [line for line in report.lines(events()) if "mul, add" in line]
    assert "saves 4.000 ms" in row
    assert "measured 1.900 ms" in row
    assert "10.0%" in row
    assert "2 ×" in row


def test_checks_that_say_the_same_are_one_row() -> None:
    told = [*events(), *[one for one in events() if one["type"] == "check"]]
    (row,) = [line for line in report.lines(told) if "fine" in line]
    assert row.endswith("fine (2 times)")


def test_a_control_that_passes_is_wrong_and_one_that_fails_is_right() -> None:
    lines = [line.split() for line in report.lines(events()) if "bit-identical" in line]
    assert [line[0] for line in lines] == ["ok", "WRONG"]


def test_columns_are_aligned() -> None:
    assert list(report.table([["a", "", "1"], ["long", "", "22"]])) == ["a     1", "long  22"]


def test_a_run_that_failed_early_has_a_short_report() -> None:
    assert len(list(report.lines(events()[:2]))) == 2


def test_the_threads_of_a_cpu_are_told() -> None:
    device = event("device", kind="cpu", name="C", versions={"torch": "2"}, details={"threads": 2})
    assert list(report.lines([device])) == ["C (cpu, threads: 2) · torch 2"]


def test_a_record_has_its_origin_and_no_progress(tmp_path: Path, machine: Any) -> None:
    assert record.hindrance(tmp_path / "new") == ""
    path = record.write(tmp_path / "new", machine, "python -m demos run d", events())
    assert path.name == f"d.{machine.slug}.jsonl"
    head, *kept = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert head["type"] == "record"
    assert (head["device"], head["digest"]) == (machine.name, "abc")
    assert head["versions"] == machine.versions
    assert len(head["date"]) == 10
    assert [one["type"] for one in kept].count("measurement") == 3
    assert "progress" not in [one["type"] for one in kept]
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    assert record.hindrance(tmp_path / "file" / "records") == "Not a directory"

"""Recorded runs, those that ship with the program among them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from quizapp.proof.codec import ProtocolError
from quizapp.proof.protocol import Device, Done, Metric, Started
from quizapp.proof.record import Record, parse, write

RECORDS = Path(__file__).resolve().parents[2] / "demos" / "records"
EVENTS = (
    Device("cuda", "NVIDIA H200", {"torch": "2.11.0"}, {"l2": 1}),
    Started("run", "chain", "一条链", (), {"n": 2}, 0, "2026-03-02T12:00:00Z", "d1"),
    Metric("run", "speedup", 3.0, 2.9, 3.1, "×", control=1.0),
    Done("run", 3.0),
)
RECORD = Record(
    "python -m demos run chain --record .",
    datetime(2026, 3, 2, 12, tzinfo=UTC),
    "NVIDIA H200",
    {"torch": "2.11.0", "triton": "3.6.0"},
    "d1",
    EVENTS,
)


def test_a_record_comes_back_as_it_was() -> None:
    assert parse(write(RECORD)) == RECORD


def test_a_record_is_played_to_its_result() -> None:
    result = RECORD.result
    assert result.done is not None
    assert result.metrics["speedup"].control == 1.0
    assert result.digest == RECORD.digest


def test_a_record_describes_itself() -> None:
    assert RECORD.describe() == "NVIDIA H200, 2026-03-02, torch 2.11.0, triton 3.6.0"


def test_line_ends_marks_and_blank_lines_do_not_matter() -> None:
    text = "\ufeff" + write(RECORD).replace("\n", "\r\n") + "\r\n\n"
    assert parse(text) == RECORD


HEAD = '{"v":1,"type":"record","command":"c","date":"2026-03-02","device":"d","digest":"x"'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1: no JSON"),
        ('{"v":1,"type":"done","run":"r","seconds":1}', "line 1: a record begins with its header"),
        (HEAD + "}", "line 1: a record's header has 'versions'"),
        (HEAD + ',"versions":3}', "line 1: versions is no object"),
        (HEAD.replace("2026-03-02", "March") + ',"versions":{}}', "line 1: .*'March'"),
        (HEAD + ',"versions":{}}\n{"v":1,"type":"done"}', "line 2: done without run"),
        (HEAD + ',"versions":{}}\n\n{', "line 3: no JSON"),
    ],
)
def test_a_broken_record_names_its_line(text: str, reason: str) -> None:
    with pytest.raises(ProtocolError, match=reason):
        parse(text)


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.jsonl")), ids=lambda path: path.name)
def test_the_records_that_ship_are_whole(path: Path) -> None:
    record = parse(path.read_text(encoding="utf-8"))
    result = record.result
    assert result.started is not None
    assert path.name.startswith(f"{result.started.demo}.")
    assert result.done is not None
    assert result.metrics
    assert result.device is not None
    assert result.device.name == record.device
    assert all(control.passed is not control.control for control in result.checks)
    assert record.date.tzinfo is not None, "it is compared with the instants of runs"

"""A run as lines: plots of its sweeps, checks counted, kernels with what the compiler said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from quizapp.cards.kinds import Lang
from quizapp.proof.protocol import Check, DemoInfo, Hello, Kernel, Measurement, Started, Variant
from quizapp.proof.record import parse
from quizapp.proof.run import RunResult, folded
from quizapp.text.cells import cell_width
from quizapp.text.spans import plain
from quizapp.tui.proof_lines import params_note, record_label, run_lines
from quizapp.tui.sweep_lines import sweep_plots
from quizapp.tui.words import words
from tests.tui import events

RECORDS = Path(__file__).resolve().parent.parent.parent / "demos" / "records"
ENGLISH = words(Lang.EN)


def at(variant: str, size: int, seconds: float, flops: int = 0) -> Measurement:
    return Measurement("r1", variant, seconds, seconds, seconds, 9, 8 * size, flops,
                       {"elements": size}, "device", True)  # fmt: skip


def swept(*measurements: Measurement) -> RunResult:
    return folded([events.HELLO, events.DEVICE, events.STARTED, *measurements])


def text(result: RunResult, width: int = 76) -> str:
    return "\n".join(plain(line).rstrip() for line in run_lines(result, ENGLISH, width))


def test_a_sweep_of_two_variants_is_a_plot_of_how_many_times_as_fast() -> None:
    result = swept(
        *(at("three", size, 3e-6 * size) for size in (64, 128, 256)),
        *(at("one", size, 1e-6 * size) for size in (64, 128, 256)),
    )
    lines = [plain(line).rstrip() for line in sweep_plots(result, "device", ENGLISH, 60)]
    assert lines[0] == "times as fast as three"
    assert "● one" in lines
    assert "elements" in lines[-3]
    assert any(line.lstrip().startswith("3┤") for line in lines), "three times at each size"


def test_of_one_variant_it_is_what_it_gets_done() -> None:
    result = swept(*(at("one", size, 1e-6, flops=1000 * size) for size in (1, 10, 100)))
    lines = [plain(line) for line in sweep_plots(result, "device", ENGLISH, 60)]
    assert lines[0].rstrip() == "rate, FLOP/s"
    assert any("G┤" in line for line in lines), "up to 100 000 FLOPs in a microsecond"


def test_what_is_right_by_the_dozen_is_counted_and_what_is_wrong_is_shown() -> None:
    checks = [Check("r1", name, "correct", True, "fine") for name in ("three", "one", "one")]
    wrong = Check("r1", "one", "correct", False, "relative error 1")
    control = Check("r1", "other", "bit-identical", False, "9 of 9 differ", control=True)
    shown = text(RunResult(checks=(*checks, wrong, control)))
    assert "✓ correct · checked 3 times: three, one" in shown
    assert "✗ one: correct · relative error 1" in shown
    assert "✓ other: bit-identical (control) · 9 of 9 differ" in shown


def test_kernels_stand_under_their_variant_and_spills_are_said() -> None:
    kernel = Kernel("r1", "one", "chain", 255, 64, 1024, 128, 0.25, 1, 2e-6)
    shown = text(RunResult(kernels=(kernel, replace(kernel, name="other", registers=0))), 120)
    assert "  one\n    1 × chain · 2 µs · 255 registers, 64 B spilled, 1024 B shared" in shown
    assert "1 × other · 2 µs\n" in shown + "\n"


@pytest.mark.parametrize("width", [40, 76, 120])
@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_record_fits(path: Path, width: int) -> None:
    record = parse(path.read_text(encoding="utf-8"))
    for lang in Lang:
        for line in run_lines(record.result, words(lang), width):
            assert cell_width(plain(line)) <= width


def test_parameters_that_are_not_the_usual_ones_are_said() -> None:
    usual_params = {"cuda": {"elements": 64, "sweep": True}}
    info = DemoInfo("elementwise", "t", ("cuda",), (), "d", usual_params)
    started = Started("r1", "elementwise", "t", (Variant("one", "One"),),
                      {"elements": 8, "sweep": True}, 0, "2026-03-02T12:00:00Z")  # fmt: skip
    result = folded([Hello((info,), 1, "3.12"), events.DEVICE, started])
    assert params_note(result, ENGLISH) == " · not the usual parameters: elements=8"
    usual = replace(started, params={"elements": 64, "sweep": True})
    assert params_note(folded([Hello((info,), 1, "3.12"), events.DEVICE, usual]), ENGLISH) == ""


def test_a_record_says_where_and_when() -> None:
    record = parse((RECORDS / "elementwise.nvidia-h200.jsonl").read_text(encoding="utf-8"))
    assert "NVIDIA H200" in record_label(record, ENGLISH)
    assert f"{record.date:%Y-%m-%d}" in record_label(record, ENGLISH)

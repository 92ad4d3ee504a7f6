"""Every hand calculation of the deck, worked out a second time in bytes, seconds and FLOPs.

A template's formula takes its variables as they are written (GB/s, µs), so a power of ten is
easily lost between them and the unit of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from quizapp.cards.kinds import Lang
from quizapp.cards.library import Library
from quizapp.recall.calculations import draw
from quizapp.recall.units import convert, unit
from tests.questions.conftest import CARDS, card_of

Values = Mapping[str, float]

AGAIN: dict[str, tuple[str, Callable[[Values], float]]] = {
    "kernel-fusion/hand-bytes": ("B", lambda v: v["n"] * (v["size"] + v["size"])),
    "kernel-fusion/hand-time": ("s", lambda v: v["n"] * 2 * v["size"] / v["bandwidth"]),
    "kernel-fusion/hand-share": ("x", lambda v: v["drop"] * v["s"] / (v["s"] - 1)),
    "kernel-fusion/hand-launch": ("", lambda v: v["t"] * v["bandwidth"] / 8),
    "profiling/hand-idle": ("x", lambda v: (v["h"] - v["k"]) / v["h"]),
    "profiling/hand-peak": ("x", lambda v: v["size"] / v["t"] / v["bandwidth"]),
    "kernel-correctness/hand-rounding": ("x", lambda v: 0.5 / 2 ** v["m"]),
    "kernel-correctness/hand-tail": ("elements", lambda v: -v["n"] % v["b"]),
    "compiler-boundary/hand-bytes": ("B", lambda v: 2 * v["size"] * (v["k"] + v["k"] + 1)),
    "matmul-roofline/hand-ridge": ("FLOP/B", lambda v: v["peak"] / v["bandwidth"]),
    "matmul-roofline/hand-intensity": ("FLOP/B", lambda v: v["n"] / 3),
    "matmul-roofline/hand-batch": ("rows", lambda v: v["peak"] / v["bandwidth"] * v["bits"] / 2),
    "local-and-end-to-end/hand-total": (
        "x",
        lambda v: v["s"] / (v["s"] - v["f"] * (v["s"] - 1)),
    ),
    "local-and-end-to-end/hand-needed": ("x", lambda v: 1 / (1 - v["drop"] / v["f"])),
    "launch-cost-and-graphs/hand-gain": (
        "x",
        lambda v: v["h"] / (v["k"] + v["g"] / v["n"]),
    ),
    "launch-cost-and-graphs/hand-length": ("B", lambda v: v["h"] * v["bandwidth"] / 2),
    "online-softmax/hand-time": ("s", lambda v: 4 * v["size"] / v["bandwidth"]),
    "online-softmax/hand-merge": ("", lambda v: v["e"] + v["d"] / 2 ** (v["n"] - v["m"])),
    "flash-attention/hand-scores": ("B", lambda v: 2 * v["b"] * v["h"] * v["n"] * v["n"]),
    "flash-attention/hand-rereads": ("B", lambda v: 4 * v["d"] * v["n"] * v["n"] / v["q"]),
    "add-rms-norm/hand-time": ("s", lambda v: 4 * v["size"] / v["bandwidth"]),
    "add-rms-norm/hand-saved": ("B", lambda v: 4 * v["layers"] * v["tokens"] * v["width"]),
    "coalescing/hand-sectors": (
        "sectors",
        lambda v: len({4 * v["s"] * t // 32 for t in range(32)}),
    ),
    "coalescing/hand-useful": ("B/s", lambda v: v["bandwidth"] / 8),
    "bank-conflicts/hand-degree": (
        "ways",
        lambda v: 32 / len({(32 + v["p"]) * row % 32 for row in range(32)}),
    ),
    "bank-conflicts/hand-cycles": ("cycles", lambda v: v["k"] * v["n"] ** 2 / 32),
    "occupancy-and-ilp/hand-occupancy": (
        "x",
        lambda v: sum(v["r"] * 256 * blocks <= 65536 for blocks in range(1, 9)) / 8,
    ),
    "occupancy-and-ilp/hand-flight": ("B", lambda v: v["bandwidth"] * v["t"] / v["sms"]),
    "tensor-cores-and-alignment/hand-waste": (
        "x",
        lambda v: 1 - v["m"] / (v["m"] + -v["m"] % 128) * v["n"] / (v["n"] + -v["n"] % 256),
    ),
    "tensor-cores-and-alignment/hand-time": ("s", lambda v: 2 * v["n"] ** 3 / v["rate"]),
    "tf32/hand-gain": ("x", lambda v: v["n"] / 6 * v["bandwidth"] / 19.5e12),
    "decode-memory-bound/hand-token": (
        "s",
        lambda v: v["p"] * 1e9 * v["bits"] / v["bandwidth"],
    ),
    "decode-memory-bound/hand-speculative": (
        "x",
        lambda v: (v["a"] + 1) / (1 + v["k"] * v["d"] / v["t"]),
    ),
    "kv-cache-gqa/hand-size": ("B", lambda v: 512 * v["layers"] * v["kv"]),
    "kv-cache-gqa/hand-batch": ("sequences", lambda v: v["free"] // (v["s"] * v["n"])),
    "atomics-and-determinism/hand-time": (
        "s",
        lambda v: v["n"] * 1e6 / v["b"] * v["t"],
    ),
    "atomics-and-determinism/hand-stuck": ("", lambda v: 2 * 2 ** v["m"]),
    "wave-quantisation/hand-share": (
        "x",
        lambda v: v["m"] * v["n"] / (v["m"] * v["n"] + -v["m"] * v["n"] % v["sms"]),
    ),
    "wave-quantisation/hand-time": ("s", lambda v: -(-v["t"] // v["sms"]) * v["d"]),
}
"""By calculation: the unit, and the result from variables in base units."""


def test_every_calculation_is_worked_out_again(library: Library) -> None:
    cards = [card_of(library, id_, Lang.EN) for id_ in CARDS]
    assert {f"{card.id}/{c.id}" for card in cards for c in card.calculations} == AGAIN.keys()


@pytest.mark.parametrize("name", AGAIN)
def test_the_result_has_the_unit_it_is_shown_in(library: Library, name: str) -> None:
    id_, _, calculation_id = name.partition("/")
    calculation = next(
        c for c in card_of(library, id_, Lang.EN).calculations if c.id == calculation_id
    )
    wanted, again = AGAIN[name]
    for seed in range(20):
        exercise = draw(calculation, seed)
        base = {
            v.name: exercise.values[v.name] * unit(v.unit).factor for v in calculation.variables
        }
        result = convert(exercise.result, unit(exercise.unit), unit(wanted))
        assert result == pytest.approx(again(base)), exercise.question

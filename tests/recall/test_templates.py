"""The thirteen calculations of the field: each can be drawn, answered and slipped on."""

from __future__ import annotations

import pytest

from quizapp.cards.model import Calculation, Slip, Variable
from quizapp.recall.calculations import Verdict, draw, judge, problems


def template(
    id_: str,
    formula: str,
    unit: str,
    tolerance: float,
    variables: dict[str, tuple[str, tuple[float, ...]]],
    slips: dict[str, str],
) -> Calculation:
    return Calculation(
        id_,
        f"Work out {id_}.",
        formula,
        unit,
        tolerance,
        tuple(Variable(name, symbol, choices) for name, (symbol, choices) in variables.items()),
        "It is {result}.",
        tuple(Slip(slip, means) for slip, means in slips.items()),
    )


GB_S = ("GB/s", (2039.0, 3350.0, 4800.0))
TEMPLATES = [
    template(
        "hbm-traffic",
        "2 * n * size",
        "MiB",
        0.01,
        {"n": ("", (3, 4, 6)), "size": ("MiB", (64, 128, 256))},
        {"n * size": "writes only", "(n + 1) * size": "fused reads", "0 * n": "compulsory traffic"},
    ),
    template(
        "lower-bound",
        "size / bandwidth * 1e6",
        "us",
        0.05,
        {"size": ("GB", (0.5, 1, 2)), "bandwidth": GB_S},
        {"size / bandwidth * 1e9": "ms", "2 * size / bandwidth * 1e6": "counted twice"},
    ),
    template(
        "gemm-intensity",
        "2 * m * n * k / (b * (m * k + k * n + m * n))",
        "FLOP/B",
        0.05,
        dict.fromkeys("mnk", ("", (1024, 4096))) | {"b": ("", (2, 4))},
        {
            "m * n * k / (b * (m * k + k * n + m * n))": "FMA is one",
            "2 * m * n * k / (m * k + k * n + m * n)": "elements",
            "2 * k / b": "only the output",
        },
    ),
    template(
        "ridge",
        "peak / bandwidth",
        "FLOP/B",
        0.05,
        {"peak": ("TFLOP/s", (312, 989)), "bandwidth": ("TB/s", (2.04, 3.35, 4.8))},
        {"2 * peak / bandwidth": "sparse peak", "bandwidth / peak": "upside down"},
    ),
    template(
        "kv-cache",
        "2 * l * h * d * s * batch * b / 2 ** 30",
        "GiB",
        0.05,
        {
            "l": ("", (32, 80)),
            "h": ("", (8,)),
            "d": ("", (128,)),
            "s": ("", (4096, 8192)),
            "batch": ("", (8, 16)),
            "b": ("", (2,)),
        },
        {
            "l * h * d * s * batch * b / 2 ** 30": "forgot V",
            "2 * h * d * s * batch * b / 2 ** 30": "one layer",
        },
    ),
    template(
        "occupancy",
        "100 * min(floor(65536 / (ceil(r * 32 / 256) * 256) / (t / 32)) * (t / 32), 64) / 64",
        "%",
        0.02,
        {"r": ("", (72, 96, 168)), "t": ("", (256, 512))},
        {"100 + 0 * r": "registers ignored"},
    ),
    template(
        "amdahl",
        "1 / (1 - f + f / s)",
        "x",
        0.03,
        {"f": ("", (0.3, 0.46, 0.6)), "s": ("x", (2, 3.6, 5))},
        {"s": "kernel is service", "1 / (1 - f)": "the limit"},
    ),
    template(
        "inverse-amdahl",
        "drop / (1 - 1 / s)",
        "%",
        0.03,
        {"drop": ("%", (20, 33.4)), "s": ("x", (2, 3.6))},
        {"drop": "forgets what is left", "drop * s": "times", "drop / s": "over"},
    ),
    template(
        "ring",
        "2 * (n - 1) / n * size / bandwidth",
        "ms",
        0.05,
        {"n": ("", (2, 4, 8)), "size": ("MB", (256, 1024)), "bandwidth": ("GB/s", (100, 400))},
        {
            "(n - 1) / n * size / bandwidth": "one phase",
            "2 * (n - 1) * size / bandwidth": "whole buffer each step",
            "16 * (n - 1) / n * size / bandwidth": "bits",
        },
    ),
    template(
        "softmax-bytes",
        "2 * rows * cols * b / 1e6",
        "MB",
        0.05,
        {"rows": ("", (1024, 4096)), "cols": ("", (2048, 8192)), "b": ("", (2, 4))},
        {
            "rows * cols * b / 1e6": "forgot the write",
            "4 * rows * cols * b / 1e6": "three passes",
        },
    ),
    template(
        "waves",
        "ceil(blocks / (sms * k))",
        "waves",
        0.02,
        {"blocks": ("", (500, 1000, 2000)), "sms": ("", (108, 132)), "k": ("", (2, 4))},
        {"floor(blocks / (sms * k))": "drops the tail", "ceil(blocks / sms)": "one block per SM"},
    ),
    template(
        "break-even",
        "t * bandwidth / (2 * b)",
        "M elements",
        0.07,
        {"t": ("us", (3, 5, 8)), "bandwidth": ("TB/s", (2.04, 3.35)), "b": ("", (2, 4))},
        {"t * bandwidth / b": "one way", "t * bandwidth": "bytes"},
    ),
    template(
        "decode",
        "bandwidth * 1000 / (params * b + kv)",
        "tok/s",
        0.05,
        {
            "bandwidth": ("TB/s", (3.35, 4.8)),
            "params": ("", (7, 13, 70)),
            "b": ("", (2,)),
            "kv": ("GB", (4, 8)),
        },
        {"bandwidth * 1000 / (params + kv)": "a byte each"},
    ),
]


@pytest.mark.parametrize("calculation", TEMPLATES, ids=lambda each: each.id)
def test_every_draw_tells_the_right_answer_from_the_slips(calculation: Calculation) -> None:
    assert problems(calculation, draws=40) == ()
    for seed in range(40):
        exercise = draw(calculation, seed)
        exact = f"{exercise.result:.6g} {exercise.unit}"
        assert judge(exercise, exact).verdict is Verdict.RIGHT, exact
        for wrong in exercise.wrong:
            found = judge(exercise, f"{wrong.value:.6g} {exercise.unit}")
            assert found.verdict is Verdict.SLIP
            same = [w.means for w in exercise.wrong if w.value == pytest.approx(wrong.value)]
            assert found.means in same

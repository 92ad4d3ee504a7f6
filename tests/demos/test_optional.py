"""Without Triton, a demo loads and its CPU half works."""

from __future__ import annotations

from typing import Any

WITHOUT = """
import sys
sys.modules["triton"] = None
import torch
from demos import elementwise as e, kernels
from demos.failures import Missing
from demos.problem import Buffers
b = Buffers(e.problem(100), torch.device("cpu"))
b.draw(1)
e.OPERATIONS.bind(b)()
assert torch.equal(b.y, torch.relu(b.x * e.A + e.B))
for variant in (e.THREE, e.ONE):
    try:
        variant.bind(b)()
    except Missing as error:
        print(error, "|", error.remedy)
"""


def test_a_cpu_needs_no_triton(python: Any) -> None:
    done = python("-c", WITHOUT)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("triton is not installed | pip install triton") for line in lines)

"""FlashAttention: its counts, its kernel as machine code and in the interpreter, a run."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch

from demos import flash_attention as fa
from demos import inspection

INTERPRETED = """
import json, torch
from demos import gate, flash_attention as fa
from demos.problem import Buffers
for dtype in (torch.float32, torch.float16):  # bfloat16 products are wrong in the interpreter
    for heads, length, width in ((1, 1, 16), (2, 100, 32), (1, 128, 16), (1, 200, 16)):
        b = Buffers(fa.problem(heads, length, width, dtype), torch.device("cpu"))
        b.draw(length)
        errors = []
        for variant in (fa.THREE, fa.ONE):
            findings = gate.Findings()
            outputs = gate.once(b, variant.bind(b), float("nan"), findings)
            assert not findings.faults, findings.faults
            errors.append(gate.error_of(b, outputs).relative)
        print(json.dumps([str(dtype), length, errors]))
"""


def compiled(capability: int, even: bool = True) -> inspection.Machinery:
    return inspection.triton_kernel(
        fa.attend,
        {**dict.fromkeys(("q", "k", "v", "y"), "*bf16"), "length": "i32:16", "scale": "fp32"},
        {"EVEN": even, "WIDTH": fa.WIDTH["cuda"], "ROWS": fa.ROWS, "COLUMNS": fa.COLUMNS},
        capability,
        num_warps=fa.WARPS,
        num_stages=fa.STAGES,
        enable_fp_fusion=True,
    )


@pytest.mark.parametrize(("capability", "opcode"), [(80, "HMMA"), (90, "HGMMA")])
def test_the_products_are_on_tensor_cores_and_nothing_spills(capability: int, opcode: str) -> None:
    found = compiled(capability)
    assert found.count(opcode) > 0
    assert found.spills == 0
    assert found.occupancy > 0


def test_no_score_is_stored() -> None:
    """The one kernel stores as many elements as its tile of the result has, and no more."""
    ptx = compiled(90).ptx
    sizes = {".b32": 4, ".b16": 2, ".b64": 8}
    stored = 0
    for line in ptx.splitlines():
        if "st.global" in line:
            size = next(n for kind, n in sizes.items() if kind in line)
            stored += size * next((n for v, n in ((".v4", 4), (".v2", 2)) if v in line), 1)
    assert stored * 32 * fa.WARPS == fa.ROWS * fa.WIDTH["cuda"] * 2


def test_values_in_the_interpreter_at_odd_lengths(python: Any) -> None:
    done = python("-c", INTERPRETED, TRITON_INTERPRET="1")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 8
    for dtype, length, (unfused, fused) in rows:
        assert fused <= max(2 * unfused, 1e-6 if "32" in dtype else 1e-3), (dtype, length)


@pytest.mark.parametrize("length", [1, 1000, 8192])
def test_counts_follow_the_tensors(length: int) -> None:
    task = fa.problem(4, length, 128, torch.bfloat16)
    assert fa.tensors_bytes(**task.size) == task.compulsory_bytes
    scores = sum(spec.bytes for spec in task.scratch.values())
    assert fa.unfused_bytes(**task.size) == task.compulsory_bytes + 2 * scores
    assert fa.flops(**task.size) == 2 * (2 * 4 * length * length * 128)


@pytest.mark.parametrize(("shared", "stages"), [(232448, 3), (166912, 3), (101376, 2), (65536, 1)])
def test_steps_ahead_fit_into_shared_memory(shared: int, stages: int) -> None:
    assert fa.stages_for(shared, 128) == stages
    assert compiled(90).shared <= 232448


def test_lengths_end_with_the_longest() -> None:
    assert fa._lengths("cuda", 8192) == [1024, 4096, 8192]
    assert fa._lengths("cuda", 4096) == [1024, 4096]
    assert fa._lengths("cpu", 256) == [256]


def test_a_whole_run_on_the_cpu(worker: Any) -> None:
    worker.run("flash_attention", params={"heads": 1, "length": 512}, device="cpu")
    events = worker.until("done", "error")
    assert events[-1]["type"] == "done", events[-1]
    metrics = {event["name"]: event for event in events if event["type"] == "metric"}
    assert {"speedup", "speedup_short", "over_compiled", "rate"} <= set(metrics)
    assert metrics["flops_unfused_over_fused"]["value"] == 1
    assert metrics["differing_share"]["value"] > 0 == metrics["differing_share"]["control"]

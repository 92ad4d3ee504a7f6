"""The element-wise demo: its counts, its kernels as machine code and in the interpreter, a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import triton

from demos import elementwise, inspection, nvrtc
from demos.catalogue import find

TRITON = tuple(map(int, triton.__version__.split(".")[:2]))

EACH = {
    "multiply": {"x": "*fp32", "y": "*fp32", "count": "i32", "a": "fp32"},
    "add": {"x": "*fp32", "y": "*fp32", "count": "i32", "b": "fp32"},
    "relu": {"x": "*fp32", "y": "*fp32", "count": "i32"},
    "chain": {"x": "*fp32", "y": "*fp32", "count": "i32", "a": "fp32", "b": "fp32"},
}

INTERPRETED = """
import json, torch
from demos import elementwise as e, kernels
from demos.problem import Buffers
for count in (1, 1023, 1024, 1025, 4099):
    b = Buffers(e.problem(count), torch.device("cpu"))
    b.draw(count)
    want = torch.relu(b.x.double() * e.A + e.B)
    b.poison(float("nan"))
    e.three_kernels(b)()
    three = b.y.clone()
    b.poison(float("nan"))
    e.one_kernel(b)()
    clean = all(bool(guard.isnan().all()) for guard in b.guards())
    copy = torch.empty_like(b.x)
    kernels.copied(b.x, copy)
    print(json.dumps([
        count,
        torch.equal(three, b.y),
        float((b.y.double() - want).abs().max()),
        clean,
        torch.equal(copy, b.x),
    ]))
"""


def compiled(name: str, capability: int, **options: Any) -> inspection.Machinery:
    function = getattr(elementwise, name)
    return inspection.triton_kernel(
        function, EACH[name], {"BLOCK": elementwise.BLOCK}, capability, **options
    )


@pytest.mark.parametrize("capability", [80, 90, 100])
def test_exact_kernels_have_no_fused_multiply_add_and_spill_nothing(capability: int) -> None:
    if capability >= 100 and TRITON < (3, 9):
        pytest.skip("the ptxas of this Triton contracts packed operations whatever it is told")
    for name in EACH:
        found = compiled(name, capability, enable_fp_fusion=False)
        assert found.contractions == 0
        assert found.spills == 0
        assert 0 < found.registers <= 64
        assert found.occupancy >= 0.5


@pytest.mark.parametrize("capability", [80, 90, 100])
def test_the_control_is_contracted(capability: int) -> None:
    assert compiled("chain", capability, enable_fp_fusion=True).contractions > 0


@pytest.mark.parametrize("capability", [80, 90, 100])
def test_cuda_source_rounds_each_operation_and_moves_16_bytes(capability: int) -> None:
    def found(options: tuple[str, ...]) -> inspection.Machinery:
        cubin = nvrtc.compile_cubin(elementwise.CUDA_CHAIN, "chain", capability, options)
        return inspection.machinery(cubin, "chain", capability, threads=256)

    exact = found(nvrtc.EXACT)
    assert exact.contractions == 0
    assert ".128" in exact.sass
    assert exact.spills == 0
    assert found(("--fmad=true",)).contractions > 0


def test_kernels_in_the_interpreter_at_odd_sizes(python: Any) -> None:
    done = python("-c", INTERPRETED, TRITON_INTERPRET="1")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row[0] for row in rows] == [1, 1023, 1024, 1025, 4099]
    for _, same, error, guards_clean, copied in rows:
        assert same
        assert error < 1e-6
        assert guards_clean
        assert copied


@pytest.mark.parametrize("elements", [1, 1000, 2**28])
def test_counts_follow_the_code(elements: int) -> None:
    """Three kernels of one load and one store of a float each, against one of the same."""
    assert elementwise.one_bytes(elements) == 8 * elements
    assert elementwise.three_bytes(elements) == 3 * elementwise.one_bytes(elements)
    task = elementwise.problem(elements)
    assert task.compulsory_bytes == elementwise.one_bytes(elements)
    assert elementwise.ONE.counted_flops(task) == elementwise.THREE.counted_flops(task)


def test_each_kernel_loads_and_stores_every_element_once() -> None:
    for name in EACH:
        ptx = compiled(name, 90, enable_fp_fusion=False).ptx
        lanes = {"v4": 4, "v2": 2}
        for kind in ("ld.global", "st.global"):
            lines = [line for line in ptx.splitlines() if kind in line]
            moved = sum(
                next((n for v, n in lanes.items() if f".{v}." in line), 1) for line in lines
            )
            assert moved * 32 * 4 == elementwise.BLOCK


def test_a_whole_run_on_the_cpu_is_recorded(python: Any, tmp_path: Path) -> None:
    given = ("--params", "elements=2^20,sweep=no", "--device", "cpu", "--seed", "3")
    done = python("-m", "demos", "run", "elementwise", *given, "--record", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "speedup" in done.stdout
    (path,) = tmp_path.iterdir()
    assert path.name.startswith("elementwise.")
    head, *events = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    entry = find("elementwise")
    assert entry is not None
    assert (head["type"], head["v"], head["digest"]) == ("record", 1, entry.digest)
    assert head["command"].startswith("python -m demos run elementwise")
    kinds = [event["type"] for event in events]
    assert kinds[0] == "device"
    assert kinds[1] == "started"
    assert kinds[-1] == "done"
    assert "progress" not in kinds
    assert max(i for i, kind in enumerate(kinds) if kind == "prediction") < kinds.index(
        "measurement"
    )
    assert all(event["final"] for event in events if event["type"] == "measurement")
    assert all(event["passed"] != event["control"] for event in events if event["type"] == "check")
    metrics = {event["name"]: event for event in events if event["type"] == "metric"}
    assert set(metrics) == set(entry.metrics)
    assert metrics["differing"]["value"] == 0
    assert metrics["kernels_unfused"]["value"] == 3
    assert metrics["kernels_fused"]["value"] == 1
    assert metrics["bytes_unfused_over_fused"]["value"] == 3
    assert metrics["flops_unfused_over_fused"]["value"] == 1
    assert metrics["speedup"]["low"] <= metrics["speedup"]["value"] <= metrics["speedup"]["high"]

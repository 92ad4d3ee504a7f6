"""The demos there are.  Nothing here imports torch: a list must be quick.

To add a demo, write ``demos/NAME.py`` with a function ``demo(run)`` and add its entry here.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent

HARNESS = (
    "bootstrap.py",
    "ceilings.py",
    "clocks.py",
    "compiling.py",
    "device.py",
    "execution.py",
    "gate.py",
    "inspection.py",
    "kernels.py",
    "nvrtc.py",
    "problem.py",
    "profiling.py",
    "rounds.py",
    "run.py",
)
"""The files that every result depends on.  The command line and the wire are not among them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A demo as it is listed."""

    name: str
    """Also the name of its module in this package."""
    title: str
    metrics: tuple[str, ...]
    """Every metric it may give; giving another one is an error."""
    devices: tuple[str, ...] = ("cuda",)
    params: Mapping[str, Any] = field(default_factory=dict)
    """Its parameters and their defaults; a given value is converted to the default's type."""
    cpu_params: Mapping[str, Any] = field(default_factory=dict)
    """Defaults that differ on a CPU."""
    sources: tuple[str, ...] = ()
    """Other files its result depends on, e.g. ``backfire.cu``."""
    module: str = ""
    """The module whose function NAME it is, where it is not ``demo`` of ``demos.NAME``."""

    @property
    def digest(self) -> str:
        """Hash of the sources that the demo's result depends on."""
        digest = hashlib.sha256()
        own = (self.module.removeprefix("demos.") or self.name) + ".py"
        for name in (*HARNESS, own, *self.sources):
            digest.update(name.encode() + b"\0" + (FOLDER / name).read_bytes() + b"\0")
        return digest.hexdigest()[:16]

    def describe(self) -> dict[str, Any]:
        """The entry as ``hello`` tells it."""
        return {
            "name": self.name,
            "title": self.title,
            "devices": list(self.devices),
            "metrics": list(self.metrics),
            "digest": self.digest,
            "params": {"cuda": dict(self.params), "cpu": {**self.params, **self.cpu_params}},
        }


_CASES = ("clean", "visible", "opaque", "triton", "break", "item")
_BAG_CASES = ("compiled", "gathered", "triton")
"""Ways to write what is in the middle of a compiled chain."""

_LOST_OCCUPANCY = (
    "speedup",
    "speedup_few",
    "speedup_over_prediction",
    "speedup_few_over_prediction",
    "model_error",
    "losing_from",
    "crowded_over_hungry",
    "occupancy_alone",
    "occupancy",
    "occupancy_few",
    "registers",
    "differing",
    "kernels_unfused",
    "kernels_fused",
    "bytes_unfused_over_fused",
)
"""Of a fusion that leaves room for few warps."""

_ADVISING = ("advising.py", "chains.py", "fusing.py", "recording.py")
"""What finds and checks the chains of a module."""

DEMOS = (
    Entry(
        "elementwise",
        "An element-wise chain: three kernels or one",
        devices=("cuda", "cpu"),
        params={"elements": 2**28, "sweep": True},
        cpu_params={"elements": 2**26},
        metrics=(
            "speedup",
            "speedup_over_prediction",
            "passes_unfused",
            "passes_fused",
            "copy_share",
            "differing",
            "kernels_unfused",
            "kernels_fused",
            "bytes_unfused_over_fused",
            "flops_unfused_over_fused",
            "small_speedup",
        ),
    ),
    Entry(
        "reductions",
        "Softmax, RMSNorm, residual + LayerNorm: in pieces or in one kernel",
        devices=("cuda", "cpu"),
        params={"rows": 2**15, "width": 4096},
        cpu_params={"rows": 2**12},
        metrics=(
            *(
                f"{chain}_{metric}"
                for chain in ("softmax", "rms_norm", "add_layer_norm")
                for metric in (
                    "speedup",
                    "speedup_over_prediction",
                    "copy_share",
                    "over_library",
                    "over_compiled",
                    "kernels_unfused",
                    "kernels_fused",
                )
            ),
            "error_over_unfused",
        ),
    ),
    Entry(
        "target_attention",
        "Target attention: six kernels or one, with the same bits",
        params={"batch": 2**13},
        metrics=(
            *(
                prefix + metric + suffix
                for prefix in ("", "same_")
                for suffix in ("", "_odd", "_wide")
                for metric in (
                    "speedup",
                    "speedup_over_bytes",
                    "bytes_unfused_over_fused",
                    "copy_share",
                    "over_eager",
                    "over_compiled",
                    "over_bmm",
                    "over_sdpa",
                )
            ),
            "differing",
            "same_differing",
            "kernels_unfused",
            "kernels_fused",
        ),
    ),
    Entry(
        "flash_attention",
        "Attention: scores in memory, or an online softmax in one kernel",
        devices=("cuda", "cpu"),
        params={"heads": 16, "length": 2**13},
        cpu_params={"heads": 4, "length": 2**11},
        metrics=(
            *(
                metric + suffix
                for suffix in ("", "_short")
                for metric in ("speedup", "over_compiled", "kernel_speedup", "kernel_over_library")
            ),
            "memory_growth_unfused",
            "memory_growth_fused",
            "memory_unfused_over_fused",
            "differing_share",
            "flops_unfused_over_fused",
            "rate",
            "kernels_unfused",
            "kernels_fused",
        ),
    ),
    Entry(
        "epilogue",
        "Bias and GELU after a matrix product: kernels of their own, or its epilogue",
        params={"rows": 2**13, "columns": 2**13, "depth": 512},
        metrics=(
            *(
                metric + suffix
                for suffix in ("", "_deep")
                for metric in (
                    "speedup",
                    "speedup_over_prediction",
                    "over_two",
                    "over_compiled",
                    "triton_speedup",
                    "epilogue_cost",
                )
            ),
            "curve_error",
            "little_gain_depth",
            "kernels_unfused",
            "kernels_two",
            "kernels_fused",
            "kernels_compiled",
            "kernels_triton",
        ),
    ),
    Entry(
        "cuda_graph",
        "Twenty operations: in a CUDA graph, in one kernel, or both",
        params={"elements": 2**28, "sweep": True},
        metrics=(
            "small_graph_speedup",
            "small_graph_speedup_over_prediction",
            "small_fused_speedup",
            "small_fused_graph_speedup",
            "small_graph_of_fused_speedup",
            "small_fused_graph_over_graph",
            "graph_pays_until",
            "graph_speedup",
            "graph_called_speedup",
            "fused_speedup",
            "fused_speedup_over_prediction",
            "fused_graph_speedup",
            "over_compiled",
            "copy_share",
            "bytes_eager_over_fused",
            "differing",
            "kernels_eager",
            "kernels_graph",
            "kernels_fused",
            "launches_eager",
            "launches_graph",
        ),
    ),
    Entry(
        "compiler_boundary",
        "What a compiler cannot see into: opaque operators and graph breaks",
        devices=("cuda", "cpu"),
        params={"elements": 2**27, "bags": 2**19},
        cpu_params={"elements": 2**22, "bags": 2**14},
        metrics=(
            *(f"{count}_{key}" for count in ("kernels", "graphs") for key in _CASES),
            *(f"{cost}_{key}" for cost in ("slowdown", "small_slowdown") for key in _CASES[1:]),
            "kernels_eager",
            "copies_item",
            "eager_over_clean",
            "item_over_break",
            "differing",
            *(f"bag_{count}_{key}" for count in ("kernels", "graphs") for key in _BAG_CASES),
            "bag_kernels_eager",
            *(f"bag_speedup_{key}" for key in _BAG_CASES[1:]),
            "bag_eager_over_compiled",
        ),
    ),
    Entry(
        "registers",
        "Registers: a fusion that loses by the warps it has no room for",
        params={"accumulators": 128, "turns": 8, "steps": 64, "sweep": True},
        sources=("walking.py", "reductions.py"),
        metrics=(
            *_LOST_OCCUPANCY,
            "registers_few",
            "capped_speedup",
            "capped_spills",
            "softmax_speedup",
            "softmax_speedup_few_warps",
            "softmax_spills",
            "softmax_spills_few_warps",
        ),
    ),
    Entry(
        "shared_memory",
        "Shared memory: a fusion that loses by the blocks it has no room for",
        params={"bins": 128, "turns": 8, "steps": 64, "sweep": True},
        sources=("walking.py",),
        metrics=(
            *_LOST_OCCUPANCY,
            "shared",
            "shared_few",
            "narrow_speedup",
            "narrow_over_two",
        ),
    ),
    Entry(
        "roofline",
        "The roofline: FLOPs a byte, the knee, and what F is",
        params={"elements": 2**27},
        metrics=(
            "knee",
            "knee_uncontracted",
            "growth_below",
            "growth_above",
            "excess_at_knee",
            "rate",
            "rate_over_ceiling",
            "copy_share",
            "curve_error",
            "zeros_speedup",
        ),
    ),
    Entry(
        "big_gemm",
        "A big matrix product pulled out of the library: from which depth it loses",
        params={"rows": 2**13, "columns": 2**13},
        sources=("epilogue.py",),
        metrics=(
            *(
                metric + suffix
                for suffix in ("", "_large", "_medium", "_small")
                for metric in (
                    "gain_shallow",
                    "gain_deep",
                    "efficiency",
                    "crossover",
                    "crossover_over_formula",
                )
            ),
            "signs_foretold",
            "over_vendor_shallow",
            "over_vendor_deep",
            "kernels_library",
            "kernels_vendor",
            "kernels_own",
        ),
    ),
    Entry(
        "same_output",
        "Is the output the same?  Order of a sum, contraction, rounding in between",
        devices=("cuda", "cpu"),
        params={"rows": 2**19},
        cpu_params={"rows": 2**13},
        metrics=(
            "differing",
            "error",
            *(
                f"{metric}_{change}"
                for metric in ("differing_share", "error")
                for change in (
                    "order",
                    "in_turn",
                    "contraction",
                    "rounding",
                    "library",
                    "compiled",
                )
            ),
            "differing_doubled",
            "differing_rounded_alike",
            "differing_share_in_16",
            "differing_share_casts",
            "error_in_16_eager",
            "error_in_16_compiled",
            "speedup",
            "speedup_over_bytes",
            "cost_of_exactness",
            "over_compiled",
        ),
    ),
    Entry(
        "end_to_end",
        "A faster kernel in a whole model: what Amdahl's law leaves of it",
        params={"batch": 2**13, "history": 128},
        sources=("target_attention.py",),
        metrics=(
            "share",
            "share_by_profiler",
            "kernel_speedup",
            "speedup",
            "remaining",
            "remaining_over_prediction",
            "saved",
            "saved_called",
            "curve_error",
            "over_compiled",
            "small_speedup_called",
            "differing",
            "kernels_six",
            "kernels_one",
            "kernels_removed",
        ),
    ),
    Entry(
        "fuse_advice",
        "Which chain to fuse: a module's kernels, ranked by what it should gain",
        devices=("cuda", "cpu"),
        params={"tokens": 2**15, "width": 1024, "batch": 2**13, "chains": 8},
        cpu_params={"tokens": 2**12, "width": 512, "batch": 2**11},
        sources=_ADVISING,
        metrics=(
            "spearman",
            "spearman_by_time",
            "spearman_with_product",
            "top_rank",
            "behind_all",
            "gain_over_prediction",
            "gain_share",
            "chains",
            "kernels_unfused",
            "kernels_fused",
        ),
    ),
)

_BOTH = ("cuda", "cpu")

TOOLS = (
    Entry(
        "own_module",
        "Which chain to fuse in a module of your own",
        devices=_BOTH,
        params={"path": "", "function": "make_module", "folder": "", "check": False, "chains": 7},
        sources=_ADVISING,
        metrics=("module_seconds", "chains", "gain_share", "spearman"),
        module="demos.own_module",
    ),
)
"""What runs like a demo, but proves no claim: it is not in the list."""

_SELF = "demos.selftest"

SELF_TESTS = (
    Entry("_crash", "Dies of a signal", (), _BOTH, module=_SELF),
    Entry("_hang", "Never ends, and hears no cancel", (), _BOTH, module=_SELF),
    Entry("_memory", "Asks for more memory than there is", (), _BOTH, module=_SELF),
    Entry("_noise", "Prints where the events go", ("answer",), _BOTH, module=_SELF),
    Entry("_slow", "Goes on until it is cancelled", (), _BOTH, module=_SELF),
)
"""Demos that go wrong on purpose, for tests of whoever runs demos."""


def entries() -> tuple[Entry, ...]:
    """The demos on offer; those that go wrong on purpose only if ``DEMOS_SELFTEST=1``."""
    return DEMOS + (SELF_TESTS if os.environ.get("DEMOS_SELFTEST") == "1" else ())


def find(name: str) -> Entry | None:
    """The entry of that name, if there is one."""
    return next((entry for entry in (*entries(), *TOOLS) if entry.name == name), None)

"""CUDA C++ kernels on a CPU: the very source, compiled as C++, a warp's lanes taking turns.

Warps run one after the other, and the lanes of one in lockstep only where they meet, at a
shuffle or a barrier of the warp: each is a context of its own that gives way there.  So values
and bounds are tested without a GPU, races between warps are not.
"""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from demos import inspection, nvrtc

PRELUDE = r"""
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <tuple>
#include <ucontext.h>
#include <utility>

struct Place { unsigned x; };
static Place threadIdx, blockIdx, blockDim;
static ucontext_t scheduler, contexts[32];
static char stacks[32][1 << 16];
static bool done[32];
static int current, shown[2][32], met[32];
static void (*body)();

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__
using std::max;
using std::min;

static void give_way() { swapcontext(&contexts[current], &scheduler); }
static int __shfl_sync(unsigned, int value, int from) {
    int* all = shown[met[current]++ & 1];  // two, for a lane may be one shuffle ahead
    all[current] = value;
    give_way();
    return all[from];
}
static void __syncwarp() { give_way(); }
static float __int_as_float(int word) { float value; memcpy(&value, &word, 4); return value; }
static float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
static float __fmul_rn(float a, float b) { return a * b; }
static float __fadd_rn(float a, float b) { return a + b; }
"""

LAUNCHER = r"""
int room[1 << 16];
static void** given;

template <class... A, size_t... I>
static void call(void (*f)(A...), std::index_sequence<I...>) { f(*(A*)given[I]...); }
template <class... A>
static void call(void (*f)(A...)) { call(f, std::index_sequence_for<A...>()); }

static void one_lane() { call(KERNEL); done[current] = true; give_way(); }

extern "C" void launch(unsigned grid, unsigned block, void** args) {
    given = args;
    blockDim.x = block;
    for (blockIdx.x = 0; blockIdx.x < grid; ++blockIdx.x)
        for (unsigned first = 0; first < block; first += 32) {
            for (int l = 0; l < 32; ++l) {
                getcontext(&contexts[l]);
                contexts[l].uc_stack.ss_sp = stacks[l];
                contexts[l].uc_stack.ss_size = sizeof stacks[l];
                contexts[l].uc_link = nullptr;
                makecontext(&contexts[l], one_lane, 0);
                done[l] = false;
                met[l] = 0;
            }
            for (bool some = true; some;) {
                some = false;
                for (current = 0; current < 32; ++current) {
                    if (done[current]) continue;
                    threadIdx.x = first + current;
                    swapcontext(&scheduler, &contexts[current]);
                    some |= !done[current];
                }
            }
        }
}
"""


class Emulated:
    """Takes the place of :class:`demos.nvrtc.Kernel` where there is no GPU."""

    spills = 0

    def __init__(self, source: str, name: str, options: Sequence[str] = nvrtc.EXACT) -> None:
        self.name = name
        macros = dict(o[2:].partition("=")[::2] for o in options if o.startswith("-D"))
        self.registers = 12 + int(macros.get("R", 0))
        self._most = 48 * 1024
        self._launch = _compiled(source, name, tuple(sorted(macros.items())))

    def prefer_shared(self, most: int) -> None:
        self._most = max(self._most, most)

    def blocks(self, threads: int, shared: int = 0) -> int:
        return inspection.blocks(0, self.registers, shared, threads)

    def __call__(
        self, grid: Sequence[int], block: Sequence[int], *args: Any, shared: int = 0
    ) -> None:
        assert shared <= self._most, "more shared memory than was allowed"
        values = [nvrtc._argument(value) for value in args]
        addresses = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
        self._launch(grid[0], block[0], addresses)


@cache
def _compiled(source: str, name: str, macros: tuple[tuple[str, str], ...]) -> Any:
    """The function that launches a kernel; its library is deleted, but stays loaded."""
    defined = "".join(f"#define {key} {value}\n" for key, value in macros)
    text = PRELUDE + defined + source + LAUNCHER.replace("KERNEL", name)
    with tempfile.TemporaryDirectory() as folder:
        path, library = Path(folder) / "kernel.cpp", Path(folder) / "kernel.so"
        path.write_text(text, encoding="utf-8")
        command = [os.environ.get("CXX", "g++"), "-std=c++17", "-O1", "-w", "-shared", "-fPIC"]
        # Signed overflow and contraction as on a GPU that is told --fmad=false.
        command += ["-ffp-contract=off", "-fwrapv", "-o", str(library), str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return ctypes.CDLL(str(library)).launch


def loop_of(sass: str, with_: str = "LDG") -> int:
    """How many instructions the loop has that contains one with this opcode."""
    found = re.findall(r"/\*([0-9a-f]{4,5})\*/\s+(.*?);", sass)
    places = [(int(at, 16), text) for at, text in found]
    for end, text in places:
        back = re.search(r"BRA 0x([0-9a-f]+)", text)
        if back and (start := int(back.group(1), 16)) < end:
            inside = [text for at, text in places if start <= at <= end]
            if any(with_ in text for text in inside):
                return len(inside)
    raise AssertionError("no such loop")

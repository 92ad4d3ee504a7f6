"""CUDA C++ at run time, as far as it goes without a GPU."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
import torch

from demos import nvrtc
from demos.failures import DemoError
from demos.inspection import machinery

HUNGRY = """
extern "C" __global__ void hungry(float* x) {
    float kept[64];
    for (int i = 0; i < 64; ++i) kept[i] = x[i * 32 + threadIdx.x];
    for (int i = 0; i < 64; ++i) x[i] = kept[(int)x[i] & 63];
}
"""


def test_spills_are_read_from_the_machine_code() -> None:
    found = machinery(nvrtc.compile_cubin(HUNGRY, "hungry", 90), "hungry", 90, threads=128)
    assert found.spills >= 256  # the array is indexed by data, so it cannot stay in registers


def test_a_source_that_does_not_compile_names_line_and_error() -> None:
    with pytest.raises(DemoError, match=r"broken\.cu does not compile: broken\.cu\(2\).*error"):
        nvrtc.compile_cubin('extern "C" __global__ void broken() {\n nothing; }', "broken", 90)


def test_arguments_become_what_c_expects() -> None:
    tensor = torch.zeros(4)
    assert nvrtc._argument(tensor).value == tensor.data_ptr()
    assert isinstance(nvrtc._argument(3), ctypes.c_int)
    assert isinstance(nvrtc._argument(1.5), ctypes.c_float)
    wide = ctypes.c_longlong(2**40)
    assert nvrtc._argument(wide) is wide
    assert [side.value for side in nvrtc._three((5,))] == [5, 1, 1]


class Driver:
    """Keeps what it is asked, and answers that 3 blocks fit."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, ...]] = []

    def cuFuncSetAttribute(self, function: Any, attribute: Any, value: Any) -> int:
        self.asked.append((attribute.value, value.value))
        return 0

    def cuOccupancyMaxActiveBlocksPerMultiprocessor(
        self, answer: Any, function: Any, threads: Any, shared: Any
    ) -> int:
        self.asked.append((threads.value, shared.value))
        answer._obj.value = 3
        return 0


def test_the_driver_is_asked_for_shared_memory_and_how_many_blocks_fit() -> None:
    kernel = object.__new__(nvrtc.Kernel)
    kernel.name, kernel._function, kernel._driver = "k", ctypes.c_void_p(), Driver()
    kernel.prefer_shared(100_000)
    assert kernel._driver.asked == [(8, 100_000), (9, 100)]
    kernel._driver.asked.clear()
    kernel.prefer_shared(0)  # what is allowed without a word stays allowed
    assert kernel._driver.asked == [(9, 100)]
    kernel._driver.asked.clear()
    assert kernel.blocks(256, 2**17) == 3
    assert kernel._driver.asked == [(256, 2**17)]

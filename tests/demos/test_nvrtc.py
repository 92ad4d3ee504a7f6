"""CUDA C++ at run time, as far as it goes without a GPU."""

from __future__ import annotations

import ctypes

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

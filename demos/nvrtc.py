"""CUDA C++ compiled while the demo runs: NVRTC to machine code, loaded and launched by the driver.

Through ctypes and the NVRTC that torch itself brings, so neither a CUDA toolkit nor a binding
is needed.  Compiling needs no GPU; loading and launching do.
"""

from __future__ import annotations

import ctypes
import glob
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from demos.failures import DemoError, Missing

EXACT = ("--fmad=false",)
"""No contraction of a multiply and an add: one rounding for each operation written."""

_SHARED, _LOCAL, _REGISTERS, _MOST_SHARED, _CARVE_OUT = 1, 3, 4, 8, 9
"""Numbers of ``CUfunction_attribute``."""


class Kernel:
    """One ``extern "C" __global__`` function, compiled for the current GPU.

    Arguments: a tensor is its pointer, ``int`` a C ``int``, ``float`` a C ``float``; for any
    other type give a ctypes object, e.g. ``ctypes.c_longlong(n)``.
    """

    def __init__(self, source: str, name: str, options: Sequence[str] = EXACT) -> None:
        import torch

        major, minor = torch.cuda.get_device_capability()
        torch.empty(1, device="cuda")  # makes the context, without which nothing can be loaded
        self.name = name
        self.cubin = compile_cubin(source, name, 10 * major + minor, options)
        self._stream = torch.cuda.current_stream
        self._driver = _driver()
        self._function = _load(self._driver, self.cubin, name)

    @property
    def registers(self) -> int:
        """A thread."""
        return self._attribute(_REGISTERS)

    @property
    def spills(self) -> int:
        """Bytes of local memory a thread."""
        return self._attribute(_LOCAL)

    @property
    def shared(self) -> int:
        """Bytes of static shared memory a block."""
        return self._attribute(_SHARED)

    def blocks(self, threads: int, shared: int = 0) -> int:
        """Blocks of so many threads that a multiprocessor holds at once, as the driver says.

        ``shared`` is dynamic shared memory in bytes a block.
        """
        value = ctypes.c_int()
        code = self._driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
            ctypes.byref(value), self._function, ctypes.c_int(threads), ctypes.c_size_t(shared)
        )
        _check(self._driver, code, f"asking how many blocks of {self.name} fit")
        return value.value

    def prefer_shared(self, most: int) -> None:
        """Make as much of the first cache shared memory as can be; ``most`` bytes a block at most.

        Without a word the driver chooses the split by what a launch asks for: then launches that
        differ in their shared memory differ in their cache too.
        """
        asked = ((_MOST_SHARED, most), (_CARVE_OUT, 100))
        for attribute, value in asked if most else asked[1:]:
            code = self._driver.cuFuncSetAttribute(
                self._function, ctypes.c_int(attribute), ctypes.c_int(value)
            )
            _check(self._driver, code, f"giving {self.name} {most} bytes of shared memory")

    def __call__(
        self, grid: Sequence[int], block: Sequence[int], *args: Any, shared: int = 0
    ) -> None:
        """Launch on torch's current stream; ``shared`` is dynamic shared memory in bytes."""
        values = [_argument(value) for value in args]
        addresses = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
        code = self._driver.cuLaunchKernel(
            self._function,
            *_three(grid),
            *_three(block),
            ctypes.c_uint(shared),
            ctypes.c_void_p(self._stream().cuda_stream),
            addresses,
            None,
        )
        _check(self._driver, code, f"launching {self.name}")

    def _attribute(self, number: int) -> int:
        value = ctypes.c_int()
        code = self._driver.cuFuncGetAttribute(ctypes.byref(value), number, self._function)
        _check(self._driver, code, f"asking about {self.name}")
        return value.value


def compile_cubin(source: str, name: str, capability: int, options: Sequence[str] = EXACT) -> bytes:
    """Machine code for a GPU that need not be there; raises the compiler's first error."""
    library = _nvrtc()
    program = ctypes.c_void_p()
    label = f"{name}.cu".encode()
    library.nvrtcCreateProgram(ctypes.byref(program), source.encode(), label, 0, None, None)
    try:
        flags = [f"--gpu-architecture=sm_{capability}", "--std=c++17", *options]
        array = (ctypes.c_char_p * len(flags))(*(flag.encode() for flag in flags))
        if library.nvrtcCompileProgram(program, len(flags), array):
            log = _fetch(library.nvrtcGetProgramLogSize, library.nvrtcGetProgramLog, program)
            raise DemoError(f"{name}.cu does not compile: {_first_error(log)}")
        return _fetch(library.nvrtcGetCUBINSize, library.nvrtcGetCUBIN, program)
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))


def _fetch(size_of: Any, read: Any, program: ctypes.c_void_p) -> bytes:
    size = ctypes.c_size_t()
    size_of(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    read(program, text)
    return text.raw


def _first_error(log: bytes) -> str:
    lines = log.rstrip(b"\0").decode(errors="replace").splitlines()
    return next((line for line in lines if "error" in line), "no reason given")


@cache
def _nvrtc() -> Any:
    """NVRTC as torch or a wheel beside it brings it, else as the system does."""
    for candidate in (*_wheels("libnvrtc.so.*[0-9]"), "libnvrtc.so.13", "libnvrtc.so.12"):
        try:
            return ctypes.CDLL(candidate)
        except OSError:
            continue
    raise Missing("no NVRTC, the run-time compiler of CUDA C++", "pip install nvidia-cuda-nvrtc")


def _wheels(pattern: str) -> list[str]:
    """Libraries in NVIDIA's wheels, e.g. in ``nvidia/cu13/lib``, newest first."""
    roots = (Path(folder or ".") / "nvidia" for folder in sys.path)
    found = (glob.glob(str(root / "*" / "lib" / pattern)) for root in roots if root.is_dir())
    return sorted((path for paths in found for path in paths), reverse=True)


@cache
def _driver() -> Any:
    try:
        return ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise Missing("no NVIDIA driver: libcuda.so.1", "install the driver") from error


def _load(driver: Any, cubin: bytes, name: str) -> ctypes.c_void_p:
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    _check(driver, driver.cuModuleLoadData(ctypes.byref(module), cubin), f"loading {name}")
    code = driver.cuModuleGetFunction(ctypes.byref(function), module, name.encode())
    _check(driver, code, f"finding {name}")
    return function


def _argument(value: Any) -> Any:
    if isinstance(value, int):
        return ctypes.c_int(value)
    if isinstance(value, float):
        return ctypes.c_float(value)
    if hasattr(value, "data_ptr"):
        return ctypes.c_void_p(value.data_ptr())
    return value


def _three(sides: Sequence[int]) -> tuple[ctypes.c_uint, ...]:
    return tuple(ctypes.c_uint(side) for side in (*sides, 1, 1)[:3])


def _check(driver: Any, code: int, doing: str) -> None:
    if code:
        text = ctypes.c_char_p()
        driver.cuGetErrorString(code, ctypes.byref(text))
        raise DemoError(f"{doing}: {(text.value or b'CUDA error').decode()} ({code})")

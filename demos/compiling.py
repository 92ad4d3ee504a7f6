"""torch.compile as the demos use it, and where compiled code is kept between runs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

from demos.failures import Missing


def use_user_caches() -> None:
    """Keep compiled kernels in the user's cache folder; call before torch is imported.

    One compile thread: a pool of compiler processes costs more than it gains here, and
    outlives a worker that is killed.
    """
    folder = cache_folder()
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(folder / "inductor"))
    os.environ.setdefault("TRITON_CACHE_DIR", str(folder / "triton"))
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")


def cache_folder() -> Path:
    """``$DEMOS_CACHE``, or ``quizapp-demos`` in the user's cache folder."""
    if given := os.environ.get("DEMOS_CACHE"):
        return Path(given)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "quizapp-demos"


class Compiled:
    """A function under torch.compile, compiled anew for each set of shapes.

    Each compilation is of a copy of the function: torch gives up on a function after eight
    shapes and runs it uncompiled, without a word.
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        self.name = getattr(function, "__name__", "function")
        self.generated = 0
        """Kernels generated for the shapes seen last."""
        self._function = function
        self._options = {"dynamic": False, "fullgraph": True, **options}
        self._for_shapes: dict[tuple[Any, ...], tuple[Callable[..., Any], int]] = {}

    def bind(self, *args: Any) -> Callable[[], Any]:
        """The call on these arguments, compiled now: calling it does nothing else."""
        shapes = tuple((a.shape, a.stride(), a.dtype) if hasattr(a, "stride") else a for a in args)
        if shapes not in self._for_shapes:
            self._for_shapes[shapes] = self._compile(args)
        call, self.generated = self._for_shapes[shapes]
        return lambda: call(*args)

    def __call__(self, *args: Any) -> Any:
        """Call it; the first call with new shapes compiles."""
        return self.bind(*args)()

    def _compile(self, args: tuple[Any, ...]) -> tuple[Callable[..., Any], int]:
        import torch
        from torch._inductor import metrics

        before = metrics.generated_kernel_count
        call = torch.compile(_copy(self._function), **self._options)
        call(*args)
        return call, metrics.generated_kernel_count - before


def compiled(function: Callable[..., Any], cpu: bool = False, **options: Any) -> Compiled:
    """``function`` under torch.compile for fixed shapes; says so if the compiler is missing."""
    if cpu:
        need_cpp_compiler()
    else:
        import triton  # noqa: F401 - torch says less clearly that it is missing
    return Compiled(function, **options)


def need_cpp_compiler() -> None:
    """Raise :class:`Missing` where torch.compile would find no C++ compiler."""
    wanted = os.environ.get("CXX") or "g++"
    if shutil.which(wanted.split()[0]) is None:
        raise Missing(f"no C++ compiler: {wanted}", "install g++ (apt install g++), or set CXX")


def _copy(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function with a code object of its own."""
    if not isinstance(function, FunctionType):
        return function
    code = function.__code__.replace()
    return FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )

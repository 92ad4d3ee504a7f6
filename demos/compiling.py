"""torch.compile as the demos use it, and where compiled code is kept between runs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
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
    """``$DEMOS_CACHE``, or ``demos`` in the user's cache folder."""
    if given := os.environ.get("DEMOS_CACHE"):
        return Path(given)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "quizapp-demos"


class Compiled:
    """A function under torch.compile that knows how many kernels were generated for it."""

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        import torch

        self.name = getattr(function, "__name__", "function")
        self.generated = 0
        """Kernels generated for the shapes seen last."""
        self._compiled = torch.compile(function, **{"dynamic": False, **options})

    def __call__(self, *args: Any) -> Any:
        """Call it; the first call with new shapes compiles."""
        from torch._inductor import metrics

        before = metrics.generated_kernel_count
        result = self._compiled(*args)
        self.generated = metrics.generated_kernel_count - before or self.generated
        return result


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

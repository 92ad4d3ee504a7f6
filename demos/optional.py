"""Triton where it is installed; elsewhere a stand-in, so that what a CPU can do still runs.

``from demos.optional import tl, triton`` instead of importing them: there is no Triton for
macOS, and a demo with a CPU half should load there.  Whatever is asked of the stand-in, other
than to decorate a kernel, says that Triton is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from demos.failures import REMEDIES, Missing

__all__ = ["tl", "triton"]


class Absent:
    """Stands for Triton, or for one kernel written in it."""

    def jit(self, function: Callable[..., Any]) -> Absent:  # noqa: ARG002 - it cannot be compiled
        """Decorate a kernel that will never run."""
        return Absent()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise _missing()

    def __getitem__(self, grid: Any) -> Any:
        raise _missing()


def _missing() -> Missing:
    return Missing("triton is not installed", REMEDIES["triton"])


try:
    import triton
    import triton.language as tl
except ImportError:
    triton = tl = Absent()

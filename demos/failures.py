"""How a run can end badly, and what to tell the user.

Every failure becomes one line, a kind that a program can act on, and where there is one a
remedy.  Nothing here imports torch: its errors are known by name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


class DemoError(Exception):
    """A failure that the demo itself can name; ``kind`` is the wire protocol's."""

    kind = "failed"

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.remedy = remedy


class Missing(DemoError):  # noqa: N818 - a verdict
    """Something that has to be installed is not."""

    kind = "missing"


class Unsupported(DemoError):  # noqa: N818 - a verdict
    """This device, or this version of torch, cannot run the demo."""

    kind = "unsupported"


class NoRoom(DemoError):  # noqa: N818 - a verdict
    """The sizes asked for need more memory than there is."""

    kind = "memory"


class Incorrect(DemoError):  # noqa: N818 - a verdict
    """An output is wrong, so its time means nothing."""

    kind = "incorrect"


class Cancelled(DemoError):  # noqa: N818 - a verdict
    """The user stopped the run."""

    kind = "cancelled"


@dataclass(frozen=True, slots=True)
class Explanation:
    """A failure in words."""

    kind: str
    message: str
    remedy: str = ""


REMEDIES = {
    "torch": "pip install torch (see pytorch.org for the build that fits your driver)",
    "triton": "pip install triton (Linux only; it comes with torch's CUDA builds)",
}


def explain(error: BaseException) -> Explanation:
    """Say what ``error`` means to somebody who has not written the demo."""
    if isinstance(error, DemoError):
        return Explanation(error.kind, first_line(error), error.remedy)
    for cause in _causes(error):
        known = _known(cause)
        if known is not None:
            return known
    return Explanation("failed", f"{type(error).__name__}: {first_line(error)}")


def first_line(error: BaseException) -> str:
    """The first line of an error's text that says something, at most 300 characters."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:300]


def _known(error: BaseException) -> Explanation | None:
    names = {kind.__name__ for kind in type(error).__mro__}
    text = str(error)
    if isinstance(error, ModuleNotFoundError):
        name = (error.name or "").partition(".")[0]
        if name in REMEDIES:
            return Explanation("missing", f"{name} is not installed", REMEDIES[name])
    if "OutOfMemoryError" in names or "OutOfResources" in names or isinstance(error, MemoryError):
        return _out_of_memory(error)
    if "can't allocate memory" in text or "CUDA out of memory" in text:
        return _out_of_memory(error)
    if "InvalidCxxCompiler" in names or "No working C++ compiler" in text:
        return Explanation("missing", "no working C++ compiler", "install g++ (apt install g++)")
    if "Failed to find C compiler" in text:  # Triton builds its launcher with one
        return Explanation("missing", "no C compiler", "install gcc (apt install gcc), or set CC")
    if "no kernel image is available" in text or "CUDA driver version is insufficient" in text:
        return Explanation("unsupported", first_line(error), "install the torch for this driver")
    return None


def _out_of_memory(error: BaseException) -> Explanation:
    asked = re.search(r"tried to allocate ([\d.,]+ ?\w+)", str(error), re.IGNORECASE)
    what = f"tried to allocate {asked.group(1)}" if asked else first_line(error)
    return Explanation(
        "memory",
        f"not enough memory: {what}",
        "close other programs that use the device, or choose a smaller size",
    )


def _causes(error: BaseException) -> list[BaseException]:
    """The error and those that led to it, outermost first."""
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in chain:
        chain.append(current)
        current = current.__cause__ or current.__context__
    return chain

"""How a worker can fail its run, in one line each, and what to do about it."""

from __future__ import annotations

import signal
from collections.abc import Sequence

from quizapp.proof.protocol import Failed

INSTALL = "pip install 'quizapp[demos]'"
"""What to do where torch is missing."""


def hung(run: str, seconds: float) -> Failed:
    """Nothing came for too long."""
    return Failed(
        run,
        "hung",
        f"nothing came from the demo process for {seconds:g} s; it was ended",
        "run it again; if it hangs again, a smaller size may tell more",
    )


def crashed(run: str, code: int, said: Sequence[str], where: str = "the demo process") -> Failed:
    """The process ended by itself; ``code`` is negative for a signal."""
    name = signal_name(-code) if code < 0 else ""
    message = f"{where} ended " + (f"by {name}" if name else f"with code {code}")
    if last := last_line(said):
        message += f": {last}"
    remedy = "the system may be short of memory" if name == "SIGKILL" else "run it again"
    return Failed(run, "crashed", message, remedy)


def nonsense(run: str, reason: str) -> Failed:
    """The process wrote what the protocol does not allow."""
    return Failed(
        run,
        "protocol",
        f"the demo process wrote what this program cannot read: {reason}",
        "both sides must be of one version of quizapp",
    )


def cancelled(run: str) -> Failed:
    """The run was stopped with the worker."""
    return Failed(run, "cancelled", "stopped")


def last_line(said: Sequence[str]) -> str:
    """Return the last line that says something."""
    return next((line.strip() for line in reversed(said) if line.strip()), "")


def lacks_torch(failed: Failed) -> bool:
    """Tell whether torch or triton is what is missing."""
    return failed.kind == "missing" and failed.message.startswith(("torch ", "triton "))


def signal_name(number: int) -> str:
    """Return a signal's name, or its number where it has none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

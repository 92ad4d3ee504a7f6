"""What the end of an ssh process means, told by its exit code and its last words."""

from __future__ import annotations

from collections.abc import Sequence

from quizapp.proof.protocol import Failed
from quizapp.runner.failures import crashed, last_line

SSH_FAILED = 255
"""ssh's own failure, and a lost connection; any other code is the remote command's."""
NOT_FOUND, NOT_RUNNABLE = 127, 126
SIGNALLED = 128
"""To this the number is added of the signal that the remote process died of."""

UNREACHABLE = (
    "Could not resolve",
    "Connection refused",
    "Connection timed out",
    "No route to host",
    "Network is unreachable",
    "Operation timed out",
)
REFUSED = ("Permission denied", "Too many authentication failures", "No supported authentication")
UNKNOWN_KEY = ("Host key verification failed", "REMOTE HOST IDENTIFICATION HAS CHANGED")


def ended(
    run: str, host: str, python: str, code: int, said: Sequence[str], arrived: bool
) -> Failed:
    """Say why the connection's process ended; ``arrived``: a worker had been started there."""
    if code == SSH_FAILED:
        return _lost(run, host, said) if arrived else _not_connected(run, host, said)
    if not arrived and code in (NOT_FOUND, NOT_RUNNABLE):
        message = f"{host} has no {python}: {last_line(said)}"
        return Failed(run, "missing", message, f"name the Python with torch and triton of {host}")
    if code > SIGNALLED:
        code = SIGNALLED - code
    return crashed(run, code, said, f"the demo process on {host}")


def _lost(run: str, host: str, said: Sequence[str]) -> Failed:
    why = last_line(said)
    message = f"the connection to {host} was lost" + (f": {why}" if why else "")
    return Failed(run, "lost", message, "run it again; the remote process ends by itself")


def _not_connected(run: str, host: str, said: Sequence[str]) -> Failed:
    text = "\n".join(said)
    why = last_line(said)
    if any(sign in text for sign in UNKNOWN_KEY):
        message = f"the key of {host} is not known here, or has changed"
        return Failed(run, "lost", message, f"run `ssh {host}` once and compare its key")
    if any(sign in text for sign in REFUSED):
        remedy = f"`ssh {host}` must work without a password: ssh-copy-id {host}, or an agent"
        return Failed(run, "lost", f"{host} refuses the login: {why}", remedy)
    if any(sign in text for sign in UNREACHABLE):
        remedy = "check its name, the network, and that its sshd runs"
        return Failed(run, "lost", f"{host} cannot be reached: {why}", remedy)
    return Failed(run, "lost", f"ssh {host} failed: {why}", f"try `ssh {host}` by hand")

"""A guard for the terminal: whatever ends the program, the shell gets its terminal back.

A full-screen program that is killed leaves its alternate screen, mouse reports, bracketed
paste and hidden cursor behind (Textual issue 6292).  Nothing inside a process that aborts can
mend that, so the process that the shell started stays behind as the guard and the program
runs in its child: the guard waits, passes signals on, stops and continues with it, and
restores the terminal if the child did not end by itself.  POSIX only; elsewhere the program
simply runs.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from types import FrameType

RESTORE = (
    "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1015l\x1b[?1006l"  # mouse reports
    "\x1b[?1004l"  # focus reports
    "\x1b[?2004l"  # bracketed paste
    "\x1b[?2026l"  # synchronised output
    "\x1b[?2048l"  # resize reports
    "\x1b[<u"  # kitty keyboard
    "\x1b[?7h"  # automatic wrap
    "\x1b[0m"  # colours
    "\x1b[?1049l"  # alternate screen
    "\x1b[?25h"  # cursor
)
FORWARDED = ("SIGTERM", "SIGHUP", "SIGQUIT")


def guarded(program: Callable[[], int]) -> int:
    """Run ``program`` under the guard and return its exit code, as a shell counts it."""
    if not hasattr(os, "fork") or not sys.stdin.isatty() or not sys.stdout.isatty():
        return program()
    import termios

    before = termios.tcgetattr(sys.stdin.fileno())
    alive, ours = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        os.environ[ALIVE_VARIABLE] = str(alive)
        return program()
    os.close(alive)
    status = _wait(child)
    if os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == STUCK:
        os.write(sys.stdout.fileno(), RESTORE.encode())
    # Also after a clean end: what the program changed and did not change back.
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, before)
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        sys.stderr.write(f"quizapp was ended by {name}; every answer you gave is kept\n")
        return 128 + os.WTERMSIG(status)
    return os.WEXITSTATUS(status)


ALIVE_VARIABLE = "_QUIZAPP_GUARD"
"""Names the file descriptor that ends when the guard is gone, so that the program ends too."""
STUCK = 75
"""Exit code of a program that gave up leaving in good order (EX_TEMPFAIL)."""


def _wait(child: int) -> int:
    """Wait for the child's end, passing signals on and stopping whenever it is stopped."""

    def forward(number: int, frame: FrameType | None) -> None:
        del frame
        os.kill(child, number)

    for name in FORWARDED:
        signal.signal(signal.Signals[name], forward)
    # The terminal's Ctrl+C goes to both; the program decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        _, status = os.waitpid(child, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            return status
        os.kill(os.getpid(), signal.SIGSTOP)

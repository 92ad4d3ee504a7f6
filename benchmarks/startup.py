"""Time from exec to the first visible text, against a bare Textual program, in turns.

The application is warm: its database exists, byte code is compiled.  The bound to keep is
1.35 times the bare program.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.terminal import Terminal

HELLO = Path(__file__).with_name("hello.py")
BOUND = 1.35
HEAVY = ("torch", "triton", "alembic", "numpy")


def first_text(argv: list[str], needle: bytes, home: str) -> tuple[float, float]:
    """Milliseconds from exec to ``needle`` on the terminal, and from q to the process gone."""
    with Terminal(argv, env={"QUIZAPP_HOME": home}) as terminal:
        shown = terminal.wait_bytes(needle) - terminal.started
        terminal.settle(0.2)
        asked = terminal.send("q")
        terminal.wait_exit()
        gone = (terminal.chunks[-1][0] if terminal.chunks else asked) - asked
    return shown * 1e3, gone * 1e3


def imported(home: str) -> list[str]:
    """Heavy modules that are loaded when the first screen shows."""
    code = (
        "import sys, asyncio\n"
        "import quizapp.tui.app as a\n"
        "print(' '.join(m for m in sys.modules if '.' not in m))"
    )
    out = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"QUIZAPP_HOME": home},
    ).stdout.split()
    return [name for name in HEAVY if name in out]


def main(rounds: int = 15) -> float:
    """Print the medians and their ratio; returns the ratio."""
    python = sys.executable
    hello, app = [], []
    with tempfile.TemporaryDirectory() as home:
        ours = [python, "-m", "quizapp"]
        first_text(ours, b"quizapp", home)
        first_text([python, str(HELLO)], b"HELLO-READY", home)
        for _ in range(rounds):
            hello.append(first_text([python, str(HELLO)], b"HELLO-READY", home)[0])
            app.append(first_text(ours, b"quizapp", home)[0])
        heavy = imported(home)
    ratio = statistics.median(app) / statistics.median(hello)
    print(f"bare Textual   {statistics.median(hello):7.1f} ms  (median of {rounds})")
    print(f"quizapp        {statistics.median(app):7.1f} ms")
    print(f"ratio          {ratio:7.2f}     bound {BOUND}")
    print(f"heavy imports  {', '.join(heavy) or 'none'}")
    return ratio


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)

"""The command line: the composition root, and every function of the program without the TUI."""

from __future__ import annotations

import os
from collections.abc import Sequence


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; without arguments, the daily review."""
    if not arguments and "_QUIZAPP_COMPLETE" not in os.environ:
        # The common case goes past click, whose import is a tenth of the start-up time.
        from quizapp.cli.start import start

        return start()
    from quizapp.cli.main import run_command

    return run_command(arguments)

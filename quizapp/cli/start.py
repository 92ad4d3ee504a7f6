"""Starting the full-screen program."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quizapp.interview.options import Options
    from quizapp.tui.app import Opening


def start(opening: Opening = "today", interview: Options | str = "") -> int:
    """Run the full-screen program on a terminal and return its exit code."""
    if not sys.stdin.isatty() or not sys.stderr.isatty():
        sys.stderr.write(
            "quizapp: the full-screen program needs a terminal; "
            "`quizapp review --plain` and `quizapp mock --plain` work without one, "
            "`quizapp --help` lists the commands\n"
        )
        return 2
    from quizapp.guard import guarded

    return guarded(lambda: _program(opening, interview))


def _program(opening: Opening, interview: Options | str) -> int:
    from quizapp.tui.app import QuizApp

    app = QuizApp(opening=opening, interview=interview)
    app.run()
    if app.failure:
        sys.stderr.write(
            f"quizapp: {app.failure}; nothing you gave is lost, "
            f"details are in {app.workspace.paths.log}\n"
        )
    return app.return_code or 0

"""The program's entry; kept free of imports so that it starts at once."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the program and leave with its exit code."""
    # Before Textual is imported: with the kitty protocol on, an input method's commit of
    # several Han characters arrives as escape codes (Textual issue 1469).
    os.environ.setdefault("TEXTUAL_DISABLE_KITTY_KEY", "1")
    from quizapp.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()

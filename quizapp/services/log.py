"""The log file: what went wrong, with tracebacks, for whoever mends it."""

from __future__ import annotations

import contextlib
import traceback
from datetime import UTC, datetime
from pathlib import Path

MOST_BYTES = 1 << 20
"""Beyond which the log begins anew, the old one kept beside it."""


def log_error(path: Path, error: BaseException) -> None:
    """Append an error with its traceback; a log that cannot be written is no second error."""
    lines = traceback.format_exception(error)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > MOST_BYTES:
            path.replace(path.with_suffix(".old"))
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{datetime.now(UTC).isoformat(timespec='seconds')}\n{''.join(lines)}\n")

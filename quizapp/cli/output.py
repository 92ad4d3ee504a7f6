"""How commands write: JSON for programs, plain lines for people."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import sys
from collections.abc import Mapping
from datetime import date, datetime
from enum import Enum
from pathlib import Path
from typing import Any

import click


def echo_json(value: object) -> None:
    """Write a value as JSON: dataclasses as objects, dates as ISO 8601."""
    click.echo(json.dumps(plain(value), ensure_ascii=False, indent=2, allow_nan=False))


def plain(value: object) -> Any:
    """Return a value made of what JSON knows."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.name.lower() if isinstance(value.value, int) else value.value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return value


def colour() -> bool:
    """Tell whether standard output takes colours: a terminal, and ``NO_COLOR`` is not set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def width() -> int:
    """Return the columns to write to: the terminal's, at most 100, or 80 where there is none."""
    return min(shutil.get_terminal_size((80, 24)).columns, 100)


def styled(text: str, **style: Any) -> str:
    """Return the text in a style where colours are taken, and as it is elsewhere."""
    return click.style(text, **style) if colour() else text


def read_line(prompt: str) -> str | None:
    """Read a line from standard input; ``None`` at its end."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None

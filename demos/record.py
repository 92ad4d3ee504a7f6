"""Records: a run on a named device, kept for people without that device.

The first line says where the record comes from; the events of the run follow, without its
progress and without measurements that were not yet final.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from demos.wire import Event, encode, event


def hindrance(folder: Path) -> str:
    """Make the folder; why nothing can be written there, before a run has taken its time."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return error.strerror or str(error)
    return "" if os.access(folder, os.W_OK) else "Permission denied"


def write(folder: Path, machine: Any, command: str, events: Sequence[Event]) -> Path:
    """Write ``DEMO.DEVICE.jsonl``, whole or not at all; returns its path."""
    started = next(one for one in events if one["type"] == "started")
    head = event(
        "record",
        command=command,
        date=datetime.now(UTC).date().isoformat(),
        device=machine.name,
        versions=machine.versions,
        digest=started["digest"],
    )
    path = folder / f"{started['demo']}.{machine.slug}.jsonl"
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(b"".join(map(encode, [head, *filter(kept, events)])))
    os.replace(partial, path)
    return path


def kept(one: Event) -> bool:
    """Whether an event belongs into a record."""
    return one["type"] != "progress" and bool(one.get("final", True))

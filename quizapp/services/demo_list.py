"""Which demos are installed, and where: found without importing them."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

from quizapp.proof.protocol import DemoInfo


def demos_folder() -> Path | None:
    """Return the folder of the ``demos`` package."""
    spec = importlib.util.find_spec("demos")
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None


def records_folder() -> Path | None:
    """Return the folder of the recorded runs that ship with the program."""
    folder = demos_folder()
    return folder / "records" if folder and (folder / "records").is_dir() else None


@cache
def installed_demos() -> tuple[DemoInfo, ...]:
    """Return the demos that are installed with the program, as they describe themselves.

    Their package is asked in a process of its own: nothing of it is imported here.
    """
    folder = demos_folder()
    if folder is None:
        return ()
    asked = subprocess.run(
        [sys.executable, "-m", "demos", "list", "--json"],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        cwd=folder.parent,
        timeout=30,
    )
    if asked.returncode != 0:
        return ()
    return tuple(
        DemoInfo(
            item["name"],
            item["title"],
            tuple(item["devices"]),
            tuple(item["metrics"]),
            item["digest"],
        )
        for item in json.loads(asked.stdout)
    )

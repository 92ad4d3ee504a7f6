"""Which demos are installed, and where: found without importing them."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from quizapp.proof.protocol import DemoInfo
from quizapp.runner.base import UnavailableError
from quizapp.runner.sources import demos_folder
from quizapp.services.errors import UserError


def records_folder() -> Path:
    """Return the folder of the recorded runs that ship with the program."""
    return demos_folder() / "records"


@cache
def installed_demos() -> tuple[DemoInfo, ...]:
    """Return the demos that are installed with the program, as they describe themselves.

    Their package is asked in a process of its own: nothing of it is imported here.  Raises
    :class:`UserError` if they do not answer.
    """
    try:
        asked = subprocess.run(
            [sys.executable, "-m", "demos", "list", "--json"],
            capture_output=True,
            text=True,
            check=True,
            stdin=subprocess.DEVNULL,
            cwd=demos_folder().parent,
            timeout=30,
        )
        return tuple(_info(item) for item in json.loads(asked.stdout))
    except (UnavailableError, OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
        said = getattr(error, "stderr", "") or str(error)
        raise UserError(
            f"the demos cannot be listed: {said.strip().splitlines()[-1] if said else error}",
            "pip install --force-reinstall quizapp",
        ) from error


def _info(item: dict[str, Any]) -> DemoInfo:
    return DemoInfo(
        item["name"],
        item["title"],
        tuple(item["devices"]),
        tuple(item["metrics"]),
        item["digest"],
        item["params"],
    )


def demo_digests() -> dict[str, str]:
    """Return the digests of the demos as they are installed, by name; none if they are broken."""
    with contextlib.suppress(UserError):
        return {demo.name: demo.digest for demo in installed_demos()}
    return {}

"""Where a demo is to run, as people write it: ``local``, ``ssh:HOST`` or ``record``."""

from __future__ import annotations

from quizapp.proof.record import Record
from quizapp.runner.base import Runner

WORDS = "local, ssh:HOST or record"


def runner_at(place: str, python: str = "", record: Record | None = None) -> Runner:
    """Return the runner for a place; ``ValueError`` says what is wrong with it.

    ``python`` is the one with torch over there, if it is not the usual one.
    """
    kind, _, host = place.partition(":")
    if place == "local":
        from quizapp.runner.local import LocalRunner

        return LocalRunner(python)
    if kind == "ssh" and host.strip():
        from quizapp.runner.ssh import SshRunner

        return SshRunner(host.strip(), python or "python3")
    if place == "record":
        from quizapp.runner.replay import ReplayRunner

        if record is None:
            raise ValueError("there is no record of this demo; run it with local or ssh:HOST")
        return ReplayRunner(record)
    raise ValueError(f"{place!r} is no place; a demo runs on {WORDS}")

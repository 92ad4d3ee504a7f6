"""Demos on another machine, over the system's OpenSSH.

Nothing has to be installed there but a Python with torch and triton.  One connection does it
all: it carries a small program (``remote.py``), then the demos if that version of them is not
there yet, then requests and events.  The end of its input ends the remote process.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from quizapp.proof.codec import ProtocolError, decode, decode_object
from quizapp.proof.protocol import Failed
from quizapp.runner import failures
from quizapp.runner.base import UnavailableError
from quizapp.runner.process import Child, LineTooLongError
from quizapp.runner.sources import demos_folder, parcel, version
from quizapp.runner.ssh_failures import ended
from quizapp.runner.worker import SILENCE, WorkerRunner

PROGRAM = Path(__file__).with_name("remote.py")
LOADER = "import sys;exec(sys.stdin.buffer.read(int(sys.stdin.buffer.readline())))"
"""Short enough to pass any login shell unharmed; the program itself comes over the pipe."""
OPTIONS = (
    "BatchMode=yes",  # a prompt would take the keys that are typed for us
    "ConnectTimeout=10",
    "ServerAliveInterval=5",
    "ServerAliveCountMax=3",
    "ClearAllForwardings=yes",
    "ForwardAgent=no",
    "ForwardX11=no",
    "RequestTTY=no",
    "EscapeChar=none",
)
ARRIVAL = 60.0
"""Seconds in which the demos must have arrived."""


class SshRunner(WorkerRunner):
    """A worker on a host that ``ssh HOST`` reaches without a question."""

    def __init__(
        self,
        host: str,
        python: str = "python3",
        silence: float = SILENCE,
        options: Sequence[str] = (),
        folder: Path | None = None,
    ) -> None:
        """Take the host as ssh knows it, and the command for the Python with torch there.

        ``options`` are ssh's own, before ours; ``folder`` is that of the demos, if not the
        installed ones.
        """
        super().__init__(silence)
        self.name = f"ssh:{host}"
        self._host = host
        self._python = python
        self._options = tuple(options)
        self._folder = folder
        self._parcel = b""
        self._arrived = False

    def _sources(self) -> str:
        self._parcel = parcel(self._folder or demos_folder())
        return version(self._parcel)

    async def _start(self) -> Child:
        self._arrived = False
        try:
            child = await Child.start(self._command(), os.environ, tempfile.gettempdir())
        except OSError as error:
            message = f"ssh cannot be started: {error.strerror or error}"
            raise UnavailableError(
                Failed("", "missing", message, "install the OpenSSH client")
            ) from None
        try:
            async with asyncio.timeout(ARRIVAL):
                await self._arrive(child)
        except TimeoutError:
            await child.end()
            raise UnavailableError(failures.hung("", ARRIVAL)) from None
        except BaseException:
            await child.end()
            raise
        return child

    def _command(self) -> list[str]:
        options = [part for option in OPTIONS for part in ("-o", option)]
        remote = f"{self._python} -c {shlex.quote(LOADER)}"
        return ["ssh", *self._options, *options, "--", self._host, remote]

    async def _arrive(self, child: Child) -> None:
        """Send the program, and the demos if they are not there."""
        program = PROGRAM.read_bytes()
        packed = zlib.compress(self._parcel)
        head = json.dumps({"version": version(self._parcel), "bytes": len(packed)}).encode()
        await child.write(b"%d\n%b%b\n" % (len(program), program, head))
        answer = await self._answer(child)
        if answer == "need":
            await child.write(packed)
            answer = await self._answer(child)
        if answer != "have":
            raise UnavailableError(failures.nonsense("", f"{answer} before the demos"))
        self._arrived = True

    async def _answer(self, child: Child) -> str:
        """Return the type of the program's next line, past what the login shell prints."""
        try:
            while line := await child.read():
                if line.lstrip().startswith(b"{"):
                    event = decode(line)
                    if isinstance(event, Failed):
                        raise UnavailableError(self._advise(event))
                    return str(decode_object(line)["type"])
                child.note(line)
        except (ProtocolError, LineTooLongError) as error:
            raise UnavailableError(failures.nonsense("", str(error))) from None
        raise UnavailableError(self._explain("", await child.status(), child.said))

    def _explain(self, run: str, code: int, said: Sequence[str]) -> Failed:
        return ended(run, self._host, self._python, code, said, self._arrived)

    def _advise(self, failed: Failed) -> Failed:
        if failures.lacks_torch(failed):
            remedy = f"on {self._host}: {self._python} -m pip install torch triton"
        elif not self._arrived and failed.kind == "missing":
            remedy = f"name a newer Python of {self._host}"
        else:
            remedy = failed.remedy
        return replace(failed, message=f"{self._host}: {failed.message}", remedy=remedy)

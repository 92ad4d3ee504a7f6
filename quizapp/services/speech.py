"""Speech to text by a command of the user's own, which prints what it understood.

It is started when the user begins to speak and interrupted (SIGINT, as Ctrl+C would) when they
have finished; what it has printed on standard output by its end is the transcript.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
import subprocess

from quizapp.services.errors import UserError

LAST_SECONDS = 60.0
"""How long the command may take to understand what it heard."""
REMEDY = "see speech_command in the settings"


class Recording:
    """One recording that is under way."""

    def __init__(self, name: str, process: asyncio.subprocess.Process) -> None:
        self._name = name
        self._process = process
        # Read as it comes: a command that fills its pipe would wait for ever.
        self._heard = asyncio.ensure_future(process.communicate())

    @classmethod
    async def begin(cls, command: str) -> Recording:
        """Start the command; :class:`UserError` if it cannot be."""
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise UserError(f"speech_command cannot be read: {error}", REMEDY) from None
        if not words:
            raise UserError(
                "there is no speech_command", "name a program that prints what it hears"
            )
        try:
            process = await asyncio.create_subprocess_exec(
                *words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # So that it does not hear the terminal's own Ctrl+C, and dies with its children.
                start_new_session=True,
            )
        except OSError as error:
            reason = error.strerror or error
            raise UserError(f"{words[0]} cannot be started: {reason}", REMEDY) from None
        return cls(words[0], process)

    async def finish(self) -> str:
        """Tell the command that all is said, and return its transcript.

        Raises :class:`UserError` if it fails, takes too long, or heard nothing.
        """
        self._signal(signal.SIGINT)
        try:
            async with asyncio.timeout(LAST_SECONDS):
                output, errors = await asyncio.shield(self._heard)
        except TimeoutError:
            await self.drop()
            raise UserError(f"{self._name} did not end within {LAST_SECONDS:g} s", REMEDY) from None
        text = output.decode("utf-8", "replace").strip()
        # Many a recorder ends with the signal's own status though all went well.
        if text:
            return text
        last = errors.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise UserError(f"{self._name} understood nothing" + (f": {last}" if last else ""), REMEDY)

    async def drop(self) -> None:
        """End the command and forget what it heard."""
        self._signal(signal.SIGKILL)
        await self._heard

    def _signal(self, number: signal.Signals) -> None:
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)

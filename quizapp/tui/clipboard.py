"""Copying to the clipboard, and knowing whether it worked.

A terminal that is asked to copy (OSC 52) answers nothing, and tmux passes the question on only
where it is set to.  So the system's own clipboard is asked as well, by pyperclip, and tmux for a
buffer of its own: both say whether they have the text.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from enum import Enum, auto

SECONDS = 2.0
"""How long tmux may take."""


class Kept(Enum):
    """Where a copied text certainly is."""

    CLIPBOARD = auto()
    """In the clipboard of this machine."""
    TMUX = auto()
    """In tmux's newest buffer: its paste key has it."""
    UNKNOWN = auto()
    """The terminal was asked, which does not say whether it took it."""


def keep(
    text: str,
    environ: Mapping[str, str],
    system: Callable[[str], None] | None = None,
) -> Kept:
    """Give a text to the clipboard and to tmux, as far as there are any; may take a second.

    *system* copies to the system's clipboard and raises where it cannot; pyperclip unless given.
    Over SSH the system's clipboard is not before the user, unless X11 comes along.
    """
    in_tmux = bool(environ.get("TMUX")) and _to_tmux(text, environ)
    far = bool(environ.get("SSH_CONNECTION")) and not environ.get("DISPLAY")
    if not far and _to_system(text, system or _pyperclip):
        return Kept.CLIPBOARD
    return Kept.TMUX if in_tmux else Kept.UNKNOWN


def _to_system(text: str, copy: Callable[[str], None]) -> bool:
    try:
        copy(text)
    except (RuntimeError, OSError, ValueError, subprocess.SubprocessError):
        # No mechanism here, or none that works.
        return False
    return True


def _pyperclip(text: str) -> None:
    import pyperclip

    pyperclip.copy(text)


def _to_tmux(text: str, environ: Mapping[str, str]) -> bool:
    # -w: tmux hands it to the terminal outside as well.
    command = ("tmux", "load-buffer", "-w", "-")
    quiet = subprocess.DEVNULL
    try:
        done = subprocess.run(
            command,
            input=text.encode("utf-8", "replace"),
            stdout=quiet,
            stderr=quiet,
            env=dict(environ),
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0

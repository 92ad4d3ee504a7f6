"""What a database's error means for the user: one line, and what to do about it."""

from __future__ import annotations

import re
from pathlib import Path

from quizapp.store import backup
from quizapp.store.values import StoreError

_REMEDIES = {
    "locked": "another program holds it for longer than it should; close that one and try again",
    "lock timeout": "another program holds it for longer than it should; try again",
    "disk is full": "free some space; nothing that was acknowledged is lost",
    "disk I/O error": "see whether the disk is full or failing; what was acknowledged is on it",
    "readonly": "make the file and its folder writable",
    "unable to open": "make the folder readable and writable",
    "onnection refused": "start the database server, or mend the setting `database`",
    "No such file or directory": "start the database server, or mend the setting `database`",
    "authentication failed": "mend the user or the password in the setting `database`",
    "does not exist": "create it on the server, or mend the setting `database`",
}
_DAMAGE = ("not a database", "malformed")


def explained(error: Exception, where: str, backups: Path | None = None) -> StoreError:
    """Return an error of the database as one for people."""
    reason = " ".join(str(getattr(error, "orig", None) or error).split())
    if any(sign in reason for sign in _DAMAGE):
        return damaged(where, reason, backups)
    for sign, remedy in _REMEDIES.items():
        if sign in reason:
            return StoreError(f"{where}: {reason}", remedy)
    return StoreError(f"{where}: {reason}")


def damaged(file: str, reason: str, backups: Path | None) -> StoreError:
    """Return what to say of a damaged file: how to put the newest copy in its place."""
    copies = list(backup.listed(backups)) if backups else []
    # SQLite would play the damaged file's -wal and -shm into the copy.
    aside = f"move {file}, {file}-wal and {file}-shm to another folder and keep them"
    then = f"copy {copies[-1]} to {file}" if copies else "begin anew; there is no backup copy"
    return StoreError(
        f"{file} is damaged: {' '.join(reason.split())[:200]}",
        f"{aside}, then {then}, and run quizapp doctor",
    )


def bad_address(url: str, error: Exception) -> StoreError:
    """Return what to say of a database address that is none, without its password."""
    shown = re.sub(r"(?<=:)[^:@/]*(?=@)", "***", url)
    return StoreError(
        f"the setting database = {shown!r} is no usable address: {' '.join(str(error).split())}",
        "see https://docs.sqlalchemy.org/en/21/core/engines.html, or leave it empty for SQLite",
    )

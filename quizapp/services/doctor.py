"""Looking after the history: is it sound, does the cache say what the log says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from quizapp.memory.schedule import replay
from quizapp.services.workspace import Workspace
from quizapp.store import calls
from quizapp.store.backup import listed


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was found, and done."""

    database: str
    reviews: int
    """That count: undone ones are left out."""
    prompts: int
    """With a schedule."""
    differing: tuple[str, ...]
    """Prompts whose cached schedule is not what the log comes to."""
    unknown: tuple[str, ...]
    """Reviewed prompts that the library no longer has; their history is kept."""
    card_problems: int
    backups: tuple[Path, ...]
    rebuilt: bool


async def examine(workspace: Workspace, rebuild: bool = False) -> Diagnosis:
    """Compare the cached schedules with the log, and put the log's in their place if asked.

    Raises :class:`~quizapp.store.values.StoreError` if the database is damaged.
    """
    settings = workspace.schedule_settings
    reviews, cached, made = await workspace.database.call(
        calls.audit, lambda logged: replay(logged, settings), rebuild
    )
    differing = sorted(
        key for key in cached.keys() | made.keys() if cached.get(key) != made.get(key)
    )
    known = workspace.library.prompts(workspace.language)
    return Diagnosis(
        database=workspace.settings.database or str(workspace.paths.database),
        reviews=len(reviews),
        prompts=len(made),
        differing=tuple(differing),
        unknown=tuple(sorted(key for key in made if key not in known)),
        card_problems=len(workspace.library.problems),
        backups=tuple(listed(workspace.paths.backups)),
        rebuilt=rebuild and bool(differing),
    )

"""Where the user's files are."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

HOME_VARIABLE = "QUIZAPP_HOME"
"""Names one folder that holds everything, in place of the system's usual ones."""


@dataclass(frozen=True, slots=True)
class Paths:
    """The folders and files the program reads and writes."""

    config: Path
    """The settings, a TOML file the user owns."""
    data: Path
    """The database, its backups and the user's own cards."""
    state: Path
    """Logs."""

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.data / "quizapp.db"

    @property
    def cards(self) -> Path:
        """The user's own library."""
        return self.data / "cards"

    @property
    def backups(self) -> Path:
        """Copies of the database."""
        return self.data / "backups"

    @property
    def log(self) -> Path:
        """What went wrong, with tracebacks."""
        return self.state / "quizapp.log"


def locate() -> Paths:
    """Find the folders: under ``QUIZAPP_HOME`` if set, else where the system keeps such files."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        root = Path(home).expanduser().absolute()
        return Paths(config=root / "config.toml", data=root / "data", state=root / "state")
    import platformdirs

    dirs = platformdirs.PlatformDirs("quizapp", appauthor=False)
    return Paths(
        config=dirs.user_config_path / "config.toml",
        data=dirs.user_data_path,
        state=dirs.user_state_path,
    )

"""Bringing the schema up to date with Alembic; imported only when there is something to do."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine

from quizapp.store.turns import take_turn

MIGRATIONS = Path(__file__).parent / "migrations"


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Run the migrations that the database lacks, all of them in one transaction."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with engine.begin() as connection:
        take_turn(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, revision)

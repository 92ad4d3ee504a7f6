"""`quizapp doctor`: is the history sound."""

from __future__ import annotations

import asyncio

import click

from quizapp.cli.output import echo_json
from quizapp.services.workspace import Workspace


@click.command()
@click.option("--rebuild", is_flag=True, help="Put the schedules that the log comes to in place.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def doctor(rebuild: bool, as_json: bool) -> int:
    """Check the database, and the schedules against the log of reviews.

    Ends with 1 if schedules differ from the log and were not rebuilt.
    """
    from quizapp.services.doctor import examine

    workspace = Workspace()
    try:
        found = asyncio.run(examine(workspace, rebuild))
    finally:
        workspace.close()
    if as_json:
        echo_json(found)
    else:
        click.echo(f"database   {found.database}: sound")
        click.echo(f"log        {found.reviews} reviews of {found.prompts} prompts")
        state = "as the log comes to"
        if found.differing:
            state = f"{len(found.differing)} differ from the log"
            state += ", rebuilt" if found.rebuilt else ": quizapp doctor --rebuild"
        click.echo(f"schedules  {state}")
        if found.unknown:
            click.echo(f"unknown    {len(found.unknown)} reviewed prompts are in no card; kept")
        click.echo(f"cards      {found.card_problems} problems" + _hint(found.card_problems))
        newest = found.backups[-1] if found.backups else "none yet"
        click.echo(f"backups    {len(found.backups)}, the newest {newest}")
    return int(bool(found.differing) and not found.rebuilt)


def _hint(problems: int) -> str:
    return ": quizapp check" if problems else ""

"""`quizapp undo`: take the last rating back."""

from __future__ import annotations

import asyncio

import click

from quizapp.services.workspace import Workspace


@click.command()
def undo() -> int:
    """Take the last rating back; its prompt is scheduled as if it had not been given."""
    from quizapp.services.review import undo as take_back

    workspace = Workspace()
    try:
        undone = asyncio.run(take_back(workspace))
    finally:
        workspace.close()
    if undone is None or undone.rating is None:
        click.echo("there is no rating to take back")
        return 1
    click.echo(f"taken back: {undone.rating.name.lower()} on {undone.prompt}")
    return 0

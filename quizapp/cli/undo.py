"""`quizapp undo`: take the last rating back."""

from __future__ import annotations

import asyncio

import click

from quizapp.services.workspace import Workspace


@click.command()
def undo() -> int:
    """Take the last rating back; its prompt is scheduled as if it had not been given."""
    from quizapp.services.review import undo as take_back
    from quizapp.tui.words import words

    workspace = Workspace()
    texts = words(workspace.language)
    try:
        undone = asyncio.run(take_back(workspace))
    finally:
        workspace.close()
    if undone is None or undone.rating is None:
        click.echo(texts.nothing_to_undo)
        return 1
    rating = texts.ratings[undone.rating]
    click.echo(texts.undone.format(rating=rating, prompt=undone.prompt))
    return 0

"""`quizapp review`: the review, full-screen or as plain lines."""

from __future__ import annotations

import asyncio
import time

import click

from quizapp.cards.model import Lang
from quizapp.cli.output import read_line, width


@click.command()
@click.option("--plain", is_flag=True, help="Plain lines: for screen readers and dumb terminals.")
@click.option("--lang", type=click.Choice([lang.value for lang in Lang]), help="Default: yours.")
@click.option("--limit", type=click.IntRange(1), help="Stop after so many prompts.")
def review(plain: bool, lang: str | None, limit: int | None) -> int:
    """Review what is due."""
    if not plain:
        from quizapp.cli.start import start

        return start("review")
    from quizapp.cli.drill import drill
    from quizapp.services.workspace import Workspace

    workspace = Workspace()
    if lang:
        workspace.use(language=Lang(lang))
    try:
        asyncio.run(drill(workspace, read_line, click.echo, time.monotonic, width(), limit))
    finally:
        workspace.close()
    return 0

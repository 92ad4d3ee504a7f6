"""`quizapp grade`: answers in, grades out, a JSON object a line."""

from __future__ import annotations

import asyncio
import json
from typing import IO

import click

from quizapp.cli.output import plain


@click.command()
@click.argument("file", default="-", type=click.File("rb"))
@click.option("--learn", is_flag=True, help="Keep each user's confirmed sentences.")
def grade(file: IO[bytes], learn: bool) -> int:
    """Grade the answers in FILE, or on standard input: one JSON object a line.

    In: card, prompt, text; by choice user, id, lang, seconds, sure, earlier_reviews, and said (the
    claims that the user confirms; with --learn, and without said, those that the grade ticks).
    Out: points and claims that were said, perhaps said or not, the user's own words for each,
    recall score, false statements to ask about, proposed rating. A line that cannot be graded is
    told on standard error, and the rest goes on; the command then ends with 1.
    """
    from quizapp.recall.labelled import LineError
    from quizapp.services.grading import graded, request
    from quizapp.services.workspace import Workspace

    workspace = Workspace()
    name = "" if file.name in ("-", "<stdin>") else f"{file.name}, "

    async def every() -> int:
        failed = 0
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                found = await graded(workspace, request(workspace, line), learn)
            except LineError as error:
                click.echo(f"quizapp: {name}line {number}: {error}", err=True)
                failed += 1
            else:
                row = {"line": number, **plain(found)}
                click.echo(json.dumps(row, ensure_ascii=False, allow_nan=False))
        return failed

    try:
        failed = asyncio.run(every())
    finally:
        workspace.close()
    return 1 if failed else 0

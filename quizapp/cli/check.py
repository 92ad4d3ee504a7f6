"""`quizapp check`: the compiler of card authors."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from quizapp.cli.output import echo_json, styled

COLOURS = {"error": "red", "warning": "yellow", "hint": "cyan"}


@click.command()
@click.argument("path", required=False, type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option("--strict", is_flag=True, help="Warnings and hints fail, too.")
def check(path: Path | None, as_json: bool, strict: bool) -> int:
    """Check card files: a file, a folder, or without PATH the shipped deck and your own cards.

    Ends with 1 if there are errors.
    """
    from quizapp.services.checking import check_cards

    result = check_cards(path)
    counts = Counter(problem.severity.value for problem in result.problems)
    if as_json:
        echo_json(result)
    else:
        for problem in result.problems:
            kind = problem.severity.value
            click.echo(f"{styled(kind, fg=COLOURS[kind])}: {problem}")
        click.echo(
            f"{result.cards} cards, {result.prompts} prompts in {result.files} files: "
            f"{counts['error']} errors, {counts['warning']} warnings, {counts['hint']} hints"
        )
    return 1 if counts["error"] or (strict and result.problems) else 0

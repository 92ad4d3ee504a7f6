"""`quizapp info`: where everything is."""

from __future__ import annotations

from importlib.metadata import version

import click

from quizapp.cli.output import echo_json
from quizapp.services import deck
from quizapp.services.paths import locate
from quizapp.services.settings import load


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def info(as_json: bool) -> None:
    """Show where the settings, the history and the cards are."""
    paths = locate()
    loaded = load(paths.config)
    places = {
        "version": version("quizapp"),
        "settings": str(paths.config),
        "database": loaded.settings.database or str(paths.database),
        "backups": str(paths.backups),
        "own cards": str(paths.cards),
        "shipped cards": str(deck.bundled() or ""),
        "log": str(paths.log),
    }
    if as_json:
        echo_json(places | {"problems": [str(problem) for problem in loaded.problems]})
        return
    for name, place in places.items():
        click.echo(f"{name:14} {place}")

"""`quizapp new`: the skeleton of a card."""

from __future__ import annotations

from pathlib import Path

import click

from quizapp.cli.output import echo_json


@click.command()
@click.argument("card")
@click.option("--deck", default="own", show_default=True, help="The deck it belongs to.")
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write into; by default your own cards.",
)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def new(card: str, deck: str, into: Path | None, as_json: bool) -> None:
    """Write the skeleton of a card, in English and Chinese, to fill in.

    CARD is its id, such as warp-divergence.
    """
    from quizapp.services.authoring import new_card
    from quizapp.services.paths import locate

    done = new_card(locate(), card, deck, into)
    if as_json:
        echo_json(done)
        return
    for path in done.paths:
        click.echo(path)
    click.echo("Fill in what says TODO, remove what the card does not need, and run: quizapp check")

"""`quizapp import`: from a study page to a card of one's own."""

from __future__ import annotations

from pathlib import Path

import click

from quizapp.cli.output import echo_json


@click.command("import")
@click.argument("page", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--id", "id_", default="", help="The card's id; by default from the file's name.")
@click.option("--replace", is_flag=True, help="Write over a card of that id in your own cards.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def import_(page: Path, id_: str, replace: bool, as_json: bool) -> None:
    """Turn a study page into a card file in your own cards, keeping its wording.

    Lines that were not understood are listed; they are kept in the card.
    """
    from quizapp.services.importing import import_file

    done = import_file(page, id_=id_, replace=replace)
    if as_json:
        echo_json(done)
        return
    click.echo(f"{done.card}: {done.prompts} prompts written to {done.path}")
    for note in done.notes:
        click.echo(f"{page}:{note.line}: {note.text}")

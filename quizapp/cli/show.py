"""`quizapp show`: one card, on paper so to speak."""

from __future__ import annotations

import click

from quizapp.cards.model import Lang
from quizapp.cli.output import colour, echo_json, width


@click.command()
@click.argument("card", required=False)
@click.option("--lang", type=click.Choice([lang.value for lang in Lang]), help="Default: yours.")
@click.option("--markdown", is_flag=True, help="The Markdown as it is.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def show(card: str | None, lang: str | None, markdown: bool, as_json: bool) -> None:
    """Print a card; without CARD, list them."""
    from quizapp.services.showing import list_cards, page_of, rendered

    language = Lang(lang) if lang else None
    if card is None:
        cards = list_cards(language)
        if as_json:
            echo_json(cards)
            return
        for line in cards:
            click.echo(f"{line.id:24} {line.prompts:3}  {line.title}")
        return
    found = page_of(card, language)
    if as_json:
        echo_json(found.card)
    elif markdown:
        click.echo(found.markdown)
    else:
        click.echo(rendered(found.markdown, width(), colour()))

"""`quizapp prove` and `quizapp proofs`: the claims of the cards against measurements."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import click

from quizapp.cli.output import echo_json, styled, width
from quizapp.services.errors import UserError
from quizapp.services.ledger import LedgerRow
from quizapp.services.workspace import Workspace

COLOURS = {"proved": "green", "refuted": "red", "broken": "red"}


@click.command()
@click.argument("card", default="all")
@click.option("--on", "place", default="local", show_default=True, help="local or ssh:HOST.")
@click.option("--python", default="", help="The Python with torch over there.")
@click.option("--seed", default=0, show_default=True, help="Of the random inputs.")
@click.pass_context
def prove(context: click.Context, card: str, place: str, python: str, seed: int) -> int:
    """Run every demo that a card's claims need, or all cards' demos, and keep the verdicts.

    Ends with 1 if a claim was refuted, a run failed or a proof was worthless.
    """
    from quizapp.cli.demo import run_and_keep

    workspace = Workspace()
    try:
        demos = _demos(workspace, card)
    finally:
        workspace.close()
    if not demos:
        raise UserError(f"{card} has no claim that a demo measures")
    worst = 0
    for name in demos:
        click.echo(f"== {name}")
        worst = max(worst, asyncio.run(run_and_keep(name, {}, seed, False, place, python)))
    click.echo()
    context.invoke(proofs, card="" if card == "all" else card, as_json=False, markdown=False)
    return worst


def _demos(workspace: Workspace, card: str) -> tuple[str, ...]:
    from quizapp.services.proving import demos_of

    if card != "all" and card not in workspace.library.ids:
        raise UserError(f"there is no card {card}", "`quizapp show` lists the cards")
    wanted = workspace.library.ids if card == "all" else (card,)
    found = (workspace.library.card(id_, workspace.language) for id_ in wanted)
    return tuple(dict.fromkeys(demo for one in found if one for demo in demos_of(one)))


@click.command()
@click.argument("card", default="")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option("--markdown", is_flag=True, help="As a table for a page.")
def proofs(card: str, as_json: bool, markdown: bool) -> None:
    """Show which claims are proved, on what device, when, and whether that still counts."""
    from quizapp.services.ledger import ledger

    workspace = Workspace()
    try:
        rows = asyncio.run(ledger(workspace, card))
    finally:
        workspace.close()
    if as_json:
        echo_json(rows)
    elif markdown:
        click.echo("\n".join(_markdown(rows)))
    else:
        for row in rows:
            _echo(row)


def _echo(row: LedgerRow) -> None:
    from quizapp.text.cells import clip, pad, safe

    verdict = row.standing
    coloured = styled(pad(verdict, 20), fg=COLOURS.get(verdict, "yellow"))
    click.echo(f"{coloured} {clip(safe(f'{row.claim}: {row.says}'), max(30, width() - 21))}")
    if row.proof is not None:
        click.echo(f"{'':20} {_where(row)} · {safe(row.proof.text)}")
    elif row.unmeasurable:
        click.echo(f"{'':20} {safe(row.unmeasurable)}")


def _where(row: LedgerRow) -> str:
    assert row.proof is not None
    proof = row.proof
    stale = "" if row.currency is None or row.currency == "current" else f" · {row.currency}"
    return f"{proof.device} · {proof.source} · {proof.at:%Y-%m-%d}{stale}"


def _markdown(rows: Sequence[LedgerRow]) -> list[str]:
    lines = ["| claim | says | verdict | device, source, date | numbers |", "|---|---|---|---|---|"]
    for row in rows:
        where = _where(row) if row.proof else ""
        text = row.proof.text if row.proof else row.unmeasurable
        cells = (row.claim, row.says, row.standing, where, text)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return lines

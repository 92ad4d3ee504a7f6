"""`quizapp demo`: run a demo without the full-screen program."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing

import click

from quizapp.cards.model import Card
from quizapp.cli.output import colour, echo_json, width
from quizapp.proof.codec import encode
from quizapp.proof.protocol import Event, Progress
from quizapp.proof.run import RunResult
from quizapp.runner.base import Runner
from quizapp.services.errors import UserError
from quizapp.services.workspace import Workspace


@click.command()
@click.argument("name", required=False)
@click.option("--params", default="", help="Parameters, e.g. elements=1048576,sweep=false.")
@click.option("--seed", default=0, show_default=True, help="Of the random inputs.")
@click.option("--on", "place", default="local", show_default=True, help="local, ssh:HOST, record.")
@click.option("--python", default="", help="The Python with torch over there.")
@click.option("--json", "as_json", is_flag=True, help="Events, one JSON object a line.")
def demo(name: str | None, params: str, seed: int, place: str, python: str, as_json: bool) -> int:
    """Run a demo and judge the claims it measures; without NAME, list them.

    Ends with 1 if the run failed or a claim was refuted.
    """
    from quizapp.services.demo_list import installed_demos

    demos = {info.name: info for info in installed_demos()}
    if name is None:
        if as_json:
            echo_json(list(demos.values()))
        else:
            for info in demos.values():
                click.echo(f"{info.name:20} {'/'.join(info.devices):10} {info.title}")
        return 0
    if name not in demos:
        raise UserError(f"there is no demo {name}", f"there are {', '.join(demos)}")
    return asyncio.run(run_and_keep(name, _params(params), seed, as_json, place, python))


def _params(text: str) -> dict[str, object]:
    made: dict[str, object] = {}
    for pair in filter(None, text.split(",")):
        key, sign, value = pair.partition("=")
        if not sign:
            raise UserError(f"--params {text!r}: {pair!r} is not NAME=VALUE")
        made[key.strip()] = value.strip()
    return made


def _runner(place: str, python: str, name: str, workspace: Workspace) -> Runner:
    from quizapp.runner.places import runner_at
    from quizapp.services.proving import records

    record = next(iter(records(name)), None) if place == "record" else None
    own = workspace.settings.demo_python if place == "local" else ""
    try:
        return runner_at(place, python or own, record)
    except ValueError as error:
        raise UserError(f"--on: {error}") from None


def runner_here(name: str, workspace: Workspace) -> Runner:
    """Return a runner of a demo on this machine."""
    return _runner("local", "", name, workspace)


async def run_and_keep(
    name: str, params: dict[str, object], seed: int, as_json: bool, place: str, python: str
) -> int:
    """Run a demo somewhere, tell how it goes, keep what it measured; returns an exit code."""
    from quizapp.services.proving import keep_run, run_demo

    workspace = Workspace()
    runner = _runner(place, python, name, workspace)
    events: list[Event] = []
    result = RunResult()
    try:
        async with aclosing(run_demo(runner, name, params, seed)) as steps:
            async for step in steps:
                events.append(step.event)
                result = step.result
                _tell(step.event, as_json)
        cards = list(_cards(workspace, name))
        if result.done is not None and place != "record":
            await keep_run(workspace, cards, runner, result, events)
    finally:
        await runner.close()
        workspace.close()
    if not as_json:
        click.echo("\r\x1b[K" if colour() else "", nl=False)
        _report(workspace, result, cards, name, place)
    return _status(result, cards, name)


def _tell(event: Event, as_json: bool) -> None:
    if as_json:
        click.echo(encode(event))
    elif isinstance(event, Progress) and colour():
        click.echo(f"\r\x1b[K{event.fraction:4.0%} {event.stage}", nl=False)


def _cards(workspace: Workspace, demo_name: str) -> Iterator[Card]:
    for id_ in workspace.library.ids:
        card = workspace.library.card(id_, workspace.language)
        if card is not None and any(claim.demo == demo_name for claim in card.claims):
            yield card


def _report(
    workspace: Workspace, result: RunResult, cards: list[Card], name: str, place: str
) -> None:
    from quizapp.cli.fuse_advice import table
    from quizapp.services.proving import judge_all, records
    from quizapp.services.showing import styled_line
    from quizapp.tui.proof_lines import claim_lines, record_label, run_lines
    from quizapp.tui.words import words

    texts, columns = words(workspace.language), width()
    if result.failed is not None:
        failed = result.failed
        kind = texts.failures.get(failed.kind, failed.kind)
        remedy = f"; {failed.remedy}" if failed.remedy else ""
        click.echo(f"{kind}{texts.colon}{failed.message}{remedy}", err=True)
        return
    lines = list(run_lines(result, texts, columns))
    record = next(iter(records(name)), None)
    for card in cards:
        claims = [claim for claim in card.claims if claim.demo == name]
        recorded = judge_all(claims, record.result) if record else None
        here = None if place == "record" else judge_all(claims, result)
        where = "" if place == "local" else place
        lines += [(), *claim_lines(claims, here, recorded, texts, columns, where)]
    for line in lines:
        click.echo(styled_line(line, colour()))
    if result.chains:
        click.echo("\n" + "\n".join(table(list(result.chains.values()))))
    if record is not None:
        click.echo(record_label(record, texts))


def _status(result: RunResult, cards: list[Card], name: str) -> int:
    from quizapp.proof.verdict import Verdict
    from quizapp.services.proving import judge_all

    if result.done is None:
        return 1
    claims = [claim for card in cards for claim in card.claims if claim.demo == name]
    bad = (Verdict.REFUTED, Verdict.BROKEN)
    return int(any(judgement.verdict in bad for judgement in judge_all(claims, result)))

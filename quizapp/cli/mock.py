"""`quizapp mock`: a mock interview, its report, and the interviews there were."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from datetime import tzinfo
from pathlib import Path
from typing import TypeVar

import click

from quizapp.cli.output import colour, echo_json, read_line, width
from quizapp.interview.options import LONGEST, Languages, Level, Options, Style
from quizapp.interview.report import Report
from quizapp.services.errors import UserError
from quizapp.services.interview import (
    Interviewing,
    interviews,
    load_report,
    regrade,
    replay,
)
from quizapp.services.paths import locate
from quizapp.services.settings import load
from quizapp.services.workspace import Workspace

T = TypeVar("T")
SEEDS = 10**6
"""A seed drawn for the user is a number that can be typed again."""


@click.group(invoke_without_command=True)
@click.option("--deck", "decks", multiple=True, help="Only of this deck; may be repeated.")
@click.option("--length", default=4, show_default=True, type=click.IntRange(1, LONGEST))
@click.option(
    "--lang",
    "languages",
    type=click.Choice([each.value for each in Languages]),
    help="Of the questions, and of the answers if another. Default: yours.",
)
@click.option(
    "--level",
    default=Level.MID.value,
    show_default=True,
    type=click.Choice([each.value for each in Level]),
)
@click.option("--live", is_flag=True, help="The ticks come at the end, as in a real interview.")
@click.option("--seconds", default=30.0, show_default=True, type=click.FloatRange(1, 3600))
@click.option("--seed", type=click.IntRange(0), help="The same seed asks the same questions.")
@click.option("--plain", is_flag=True, help="Plain lines: for screen readers and dumb terminals.")
@click.option("--no-count", is_flag=True, help="The questions do not count as reviews.")
@click.pass_context
def mock(
    context: click.Context,
    decks: tuple[str, ...],
    length: int,
    languages: str | None,
    level: str,
    live: bool,
    seconds: float,
    seed: int | None,
    plain: bool,
    no_count: bool,
) -> None:
    """Sit a mock interview: questions, follow-ups, a calculation, "prove it", and a report."""
    if context.invoked_subcommand is not None:
        return
    try:
        options = Options(
            decks=decks,
            length=length,
            languages=Languages(languages or load(locate().config).settings.language.value),
            level=Level(level),
            style=Style.LIVE if live else Style.PRACTICE,
            seed=random.SystemRandom().randrange(SEEDS) if seed is None else seed,
            seconds=seconds,
            count=not no_count,
        )
    except ValueError as error:
        raise UserError(str(error)) from None
    if plain:
        _with(lambda workspace: _sit(workspace, lambda own: Interviewing.begin(own, options)))
    else:
        _full_screen(context, options)


@mock.command("resume")
@click.argument("interview", default="")
@click.option("--plain", is_flag=True, help="Plain lines: for screen readers and dumb terminals.")
@click.pass_context
def resume(context: click.Context, interview: str, plain: bool) -> None:
    """Go on with an interview that was left, or with the newest one."""
    if plain:
        _with(lambda workspace: _sit(workspace, lambda own: Interviewing.resume(own, interview)))
    else:
        _full_screen(context, interview)


def _full_screen(context: click.Context, which: Options | str) -> None:
    from quizapp.cli.start import start

    context.exit(start("interview", which))


@mock.command("list")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def list_(as_json: bool) -> None:
    """List the interviews, newest first."""
    workspace = Workspace()
    try:
        found = asyncio.run(interviews(workspace))
        zone = workspace.calendar.zone
    finally:
        workspace.close()
    if as_json:
        echo_json(found)
        return
    if not found:
        click.echo("no interview yet; `quizapp mock` begins one")
    for one in found:
        total = one.summary.total if one.summary else None
        result = "not over" if one.summary is None else "–" if total is None else f"{total:.0%}"
        kind = f"{one.options.level} {one.options.languages}" if one.options else "unreadable"
        when = one.at.astimezone(zone)
        click.echo(f"{one.id[:8]}  {when:%Y-%m-%d %H:%M}  {result:>8}  {one.questions:2} {kind}")


@mock.command("report")
@click.argument("interview", default="")
@click.option("--markdown", "to_markdown", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--html", "to_html", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def report(interview: str, to_markdown: Path | None, to_html: Path | None, as_json: bool) -> None:
    """Show an interview's report, or write it as Markdown or as one HTML file."""
    from quizapp.interview.markdown import markdown
    from quizapp.interview.page import page

    async def loaded(workspace: Workspace) -> tuple[Report, tzinfo]:
        return await load_report(workspace, interview), workspace.calendar.zone

    made, zone = _with(loaded)
    if as_json:
        echo_json(made)
    for path, text in ((to_markdown, markdown), (to_html, page)):
        if path is not None:
            _write(path, text(made, zone))
            click.echo(f"{path} is written")
    if not (as_json or to_markdown or to_html):
        _show(made, zone)


@mock.command("regrade")
@click.argument("interview")
def regrade_(interview: str) -> None:
    """Grade an interview's answers again, by the cards as they are now."""
    before, after = _with(lambda workspace: regrade(workspace, interview))
    for number, (old, new) in enumerate(zip(before.questions, after.questions, strict=True), 1):
        if old.mark.value != new.mark.value:
            prompt = new.turn.question.prompt
            click.echo(f"{number} {prompt}: {old.mark.value:.0%} → {new.mark.value:.0%}")
    totals = (each.summary.total for each in (before, after))
    old_total, new_total = ("–" if value is None else f"{value:.0%}" for value in totals)
    click.echo(f"in all: {old_total} → {new_total}")


@mock.command("replay")
@click.argument("interview")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def replay_(interview: str, as_json: bool) -> None:
    """Tell what happened in an interview, event by event."""
    from quizapp.interview.codec import encode

    steps = _with(lambda workspace: replay(workspace, interview))
    if as_json:
        rows = [(event.at, *encode(event.what)) for event, _ in steps]
        echo_json([{"at": at, "kind": kind, "data": data} for at, kind, data in rows])
        return
    for event, state in steps:
        kind, data = encode(event.what)
        turn = state.turn
        prompt = turn.question.prompt if turn is not None else ""
        text = " ".join(str(data.get("text") or "").split())
        clock = f"{turn.seconds:6.1f} s" if turn is not None else ""
        click.echo(f"{event.at:%H:%M:%S} {clock} {kind:12} {prompt} {text}".rstrip())


async def _sit(workspace: Workspace, begun: Callable[[Workspace], Awaitable[Interviewing]]) -> None:
    from quizapp.cli.demo import runner_here
    from quizapp.cli.sitting import Room, sit
    from quizapp.interview.wording import wording

    interviewing = await begun(workspace)
    room = Room(read_line, click.echo, width(), lambda demo: runner_here(demo, workspace))
    if await sit(workspace, interviewing, room):
        click.echo()
        _show(await interviewing.report(), workspace.calendar.zone)
        texts = wording(interviewing.state.options.languages.answers)
        click.echo(texts.plain_over.format(id=interviewing.id[:8]))


def _show(made: Report, zone: tzinfo) -> None:
    from quizapp.interview.markdown import markdown
    from quizapp.services.showing import rendered

    click.echo(rendered(markdown(made, zone), width(), colour()))


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}") from None


def _with(work: Callable[[Workspace], Awaitable[T]]) -> T:
    workspace = Workspace()

    async def done() -> T:
        return await work(workspace)

    try:
        return asyncio.run(done())
    finally:
        workspace.close()

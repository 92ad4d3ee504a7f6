"""`quizapp stats`: what the log shows."""

from __future__ import annotations

import asyncio

import click

from quizapp.cli.output import echo_json
from quizapp.memory.drift import Drift
from quizapp.memory.statistics import Share
from quizapp.services.workspace import Workspace


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def stats(as_json: bool) -> None:
    """Show retention, streak, time and what is due."""
    from quizapp.services.statistics import Statistics, statistics
    from quizapp.services.today import Overview, overview

    workspace = Workspace()

    async def gather() -> tuple[Overview, Statistics]:
        return await overview(workspace), await statistics(workspace)

    try:
        today, found = asyncio.run(gather())
    finally:
        workspace.close()
    if as_json:
        echo_json({"today": today, "statistics": found})
        return
    counts = today.counts
    click.echo(f"{today.day}: {counts.due} due, {counts.new} new, {counts.learning} again today")
    click.echo(f"done today       {today.done}")
    click.echo(f"streak           {found.streak.current} days (longest {found.streak.longest})")
    click.echo(f"reviews          {found.reviews} on {found.prompts} prompts")
    click.echo(f"true retention   {_share(found.retention.all)} in all, ", nl=False)
    click.echo(f"{_share(found.recent.all)} in the last 30 days")
    if found.drift.read:
        click.echo(f"grader, you      {_drift(found.recent_drift)}")
    click.echo(f"time             {found.seconds / 3600:.1f} h in all")
    due = ", ".join(f"{day:%m-%d} {number}" for day, number in today.forecast)
    click.echo(f"due              {due}")


def _drift(drift: Drift) -> str:
    if drift.automatic_points is None or drift.corrected_points is None:
        return f"nothing typed in the last {drift.answers} answers"
    step = "" if drift.own.mean is None else f"; your rating {drift.own.mean:+.1f} of the ticks'"
    return (
        f"{drift.automatic_points:.1f} points ticked, {drift.corrected_points:.1f} corrected "
        f"in the last {drift.read} typed answers{step}"
    )


def _share(share: Share) -> str:
    return f"{share.rate:.0%} of {share.total}" if share.rate is not None else "nothing tested yet"

"""What the whole log shows."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import date, timedelta

from quizapp.memory.drift import Drift, drift
from quizapp.memory.forecast import DayLoad, forecast, retrievability_histogram
from quizapp.memory.history import walk
from quizapp.memory.model import Review, Schedule
from quizapp.memory.pace import Pace, pace
from quizapp.memory.statistics import (
    DayTotal,
    Retention,
    ScoreBand,
    Streak,
    day_totals,
    retention,
    score_bands,
    streak,
)
from quizapp.services.opinions import opinions
from quizapp.services.workspace import Workspace
from quizapp.store import calls
from quizapp.store.values import Entry

FORECAST_DAYS = 14
RECENT_DAYS = 30
DRIFT_ANSWERS = 500
"""Newest answers that opinions are compared of."""
RECENT_ANSWERS = 20
"""Of them, those that tell how it is now."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Every figure of the statistics."""

    day: date
    reviews: int
    prompts: int
    """Reviewed at least once."""
    streak: Streak
    retention: Retention
    """Of the whole log."""
    recent: Retention
    """Of the last 30 days."""
    days: dict[date, DayTotal]
    bands: tuple[ScoreBand, ...]
    forecast: tuple[DayLoad, ...]
    recall: tuple[int, ...]
    """Prompts by their probability of recall today, in tenths."""
    pace: Pace
    seconds: float
    recent_seconds: float
    drift: Drift
    """Between grader, corrected ticks and own rating, over the newest 500 answers."""
    recent_drift: Drift
    """The same over the newest 20."""


async def statistics(workspace: Workspace) -> Statistics:
    """Work out the figures, off the event loop."""
    reviews = await workspace.database.call(calls.reviews)
    schedules = await workspace.database.call(calls.schedules)
    entries = await workspace.database.call(calls.entries, None, DRIFT_ANSWERS)
    return await asyncio.to_thread(_figures, workspace, reviews, schedules, entries)


def _figures(
    workspace: Workspace,
    reviews: list[Review],
    schedules: dict[str, Schedule],
    entries: list[Entry],
) -> Statistics:
    settings, day = workspace.schedule_settings, workspace.today()
    events = walk(reviews, settings)
    recent = [event for event in events if day - event.day < timedelta(days=RECENT_DAYS)]
    days = day_totals(events)
    own_pace = pace(events)
    known = schedules.values()
    judged = list(opinions(workspace, entries, reviews))
    return Statistics(
        day=day,
        reviews=len(reviews),
        prompts=len(schedules),
        streak=streak(days.keys(), day),
        retention=retention(events),
        recent=retention(recent),
        days=days,
        bands=score_bands(events, workspace.thresholds),
        forecast=forecast(known, day, FORECAST_DAYS, settings, own_pace),
        recall=retrievability_histogram(known, day, settings),
        pace=own_pace,
        seconds=sum(total.seconds for total in days.values()),
        recent_seconds=sum(event.review.seconds for event in recent),
        drift=drift(judged),
        recent_drift=drift(judged[:RECENT_ANSWERS]),
    )

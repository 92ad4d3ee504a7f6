"""What the day brings, at a glance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from quizapp.cards.model import Lang
from quizapp.memory import queue
from quizapp.memory.model import Schedule
from quizapp.memory.queue import Candidate, Counts, Hold, Limits
from quizapp.memory.schedule import is_due, is_learning
from quizapp.memory.statistics import Streak, streak
from quizapp.services.review import candidates
from quizapp.services.workspace import Workspace
from quizapp.store import calls

DAYS = 7
"""How far the forecast looks."""


@dataclass(frozen=True, slots=True)
class CardRow:
    """A card in the list."""

    id: str
    title: str
    deck: str
    due: int
    """Prompts due today, within the limits or not."""
    learned: int
    """Prompts reviewed at least once."""
    prompts: int
    languages: tuple[Lang, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """The figures of the first screen."""

    day: date
    counts: Counts
    held_back: int
    """Prompts that could be asked and wait behind the day's limits."""
    done: int
    """Prompts reviewed today."""
    streak: Streak
    forecast: tuple[tuple[date, int], ...]
    """Prompts due on each of the coming days, as things stand; today holds the overdue ones."""
    next_due: date | None
    cards: tuple[CardRow, ...]
    problems: int
    """Of card files."""
    kept: int
    """Answers that wait for their rating."""


async def overview(workspace: Workspace) -> Overview:
    """Gather the figures of the first screen."""
    day = workspace.today()
    schedules, suspended, today, drafts = await workspace.database.call(calls.state, day)
    counts = await workspace.database.call(calls.days)
    found = candidates(workspace, schedules, suspended)
    done = queue.done_today(today, schedules, day, workspace.calendar)
    limits = Limits(workspace.settings.new_per_day, workspace.settings.reviews_per_day)
    plan = queue.plan(found, schedules, day, limits, done)
    active = [schedules[c.key] for c in found if c.key in schedules and not c.suspended]
    later = [schedule.due for schedule in active if schedule.due > day]
    return Overview(
        day=day,
        counts=plan.counts,
        held_back=sum(len(plan.held_back[h]) for h in (Hold.NEW_LIMIT, Hold.REVIEW_LIMIT)),
        done=done.new + done.reviews,
        streak=streak([count.day for count in counts], day),
        forecast=_forecast(active, day),
        next_due=min(later, default=None),
        cards=_rows(workspace, found, schedules, day),
        problems=len(workspace.library.problems),
        kept=len(drafts),
    )


def _forecast(schedules: Sequence[Schedule], day: date) -> tuple[tuple[date, int], ...]:
    due = Counter(max(s.due, day) for s in schedules if not _again_today(s, day))
    days = (day + timedelta(days=ahead) for ahead in range(DAYS))
    return tuple((each, due[each]) for each in days)


def _again_today(schedule: Schedule, day: date) -> bool:
    """Tell the prompts rated Again today, which are counted apart."""
    return schedule.last == day and is_learning(schedule)


def _rows(
    workspace: Workspace,
    found: Sequence[Candidate],
    schedules: Mapping[str, Schedule],
    day: date,
) -> tuple[CardRow, ...]:
    prompts: dict[str, list[Candidate]] = {}
    for candidate in found:
        prompts.setdefault(candidate.card, []).append(candidate)
    rows = []
    for id_, own in prompts.items():
        card = workspace.library.card(id_, workspace.language)
        if card is None:
            continue
        known = [schedules[c.key] for c in own if c.key in schedules]
        due = sum(is_due(s, day) and not _again_today(s, day) for s in known)
        languages = workspace.library.languages(id_)
        rows.append(CardRow(id_, card.title, card.deck, due, len(known), len(own), languages))
    return tuple(rows)

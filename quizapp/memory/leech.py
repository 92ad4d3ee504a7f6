"""Leeches: prompts that cost much and do not stick, found by rule, with two ways out.

A prompt is a leech when it lapsed too often, or when the same point was missed at each of its
last reviews.  It is no leech any more

* by itself: lapses are forgiven once it was recalled when mature, and a point once it was said;
* when the user releases it, having rewritten it or split it: what came before is forgotten.

Only logged reviews count, and failing again on the same day is one lapse, so that cramming
makes no leech.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from quizapp.memory.history import Event


@dataclass(frozen=True, slots=True)
class LeechRule:
    """When a prompt is a leech."""

    lapses: int = 5
    """So many since it last held for long."""
    misses: int = 3
    """The same point missed on so many days of review in a row."""


@dataclass(frozen=True, slots=True)
class Leech:
    """Why a prompt is one."""

    lapses: int
    """0 if their number is not the reason."""
    points: tuple[str, ...] = ()
    """Ids of the points that are missed every time."""


def find_leech(
    events: Sequence[Event], rule: LeechRule, released: datetime | None = None
) -> Leech | None:
    """Tell from one prompt's events, oldest first, whether it is a leech, and why.

    ``released`` is when the user last let it go; events up to then do not count.
    """
    counted = [event for event in events if released is None or event.review.at > released]
    lapses = sum(event.lapse for event in _since_held(counted))
    points = _always_missed(counted, rule.misses)
    if lapses < rule.lapses and not points:
        return None
    return Leech(lapses if lapses >= rule.lapses else 0, points)


def _since_held(events: Sequence[Event]) -> Sequence[Event]:
    held = [number for number, event in enumerate(events) if event.mature and event.passed]
    return events[held[-1] + 1 :] if held else events


def _always_missed(events: Sequence[Event], times: int) -> tuple[str, ...]:
    """Return the points missed at each of the last tests; repetitions of a day do not count."""
    tests = [event for event in events if event.elapsed is None or event.tests_memory][-times:]
    if len(tests) < times:
        return ()
    always = set.intersection(*(set(event.review.missed) for event in tests))
    return tuple(sorted(always))

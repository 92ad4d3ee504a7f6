"""Study days: calendar days that begin at a local hour of the user's choice.

Reviews at 23:50 and 00:20 belong to one study day when it begins at 04:00, and the days
between two reviews are nights slept and not multiples of 24 hours.  A study day begins at
the first instant at which the local clock shows the rollover hour or more on its date:

* where that hour does not exist (clocks go forward over it), when the clock jumps;
* where it comes twice (clocks go back), the first time, and the repeated hours stay in it.

So the study day never goes back while time goes on, in any zone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class StudyCalendar:
    """Where the user is and when their day begins."""

    zone: tzinfo = UTC
    rollover_hour: int = 4
    """0 to 23, local time."""

    def __post_init__(self) -> None:
        check_rollover(self.rollover_hour)

    def day(self, instant: datetime) -> date:
        """Return the study day of an instant, as :func:`study_day`."""
        return study_day(instant, self.zone, self.rollover_hour)

    def start(self, day: date) -> datetime:
        """Return when a study day begins, as :func:`day_start`."""
        return day_start(day, self.zone, self.rollover_hour)


def check_rollover(hour: int) -> int:
    """Return the rollover hour; raise ``ValueError`` unless it is a whole hour of the day."""
    if not 0 <= hour <= 23:
        raise ValueError(f"rollover hour is {hour!r}; it must be a whole number from 0 to 23")
    return hour


def study_day(instant: datetime, zone: tzinfo, rollover_hour: int) -> date:
    """Return the study day of an instant; ``ValueError`` if it has no time zone of its own."""
    if instant.tzinfo is None:
        raise ValueError("an instant needs a time zone; a bare local time is ambiguous")
    day = instant.astimezone(zone).date()
    while day_start(day + _DAY, zone, rollover_hour) <= instant:
        day += _DAY
    while day_start(day, zone, rollover_hour) > instant:
        day -= _DAY
    return day


@lru_cache(maxsize=4096)
def day_start(day: date, zone: tzinfo, rollover_hour: int) -> datetime:
    """Return the instant, UTC, at which a study day begins."""
    local = datetime.combine(day, time(rollover_hour))
    start = local.replace(tzinfo=zone).astimezone(UTC)
    if start.astimezone(zone).replace(tzinfo=None) == local:
        return start
    return _jump(local.replace(tzinfo=zone, fold=1).astimezone(UTC), start, zone)


def elapsed_days(last: date, day: date) -> int:
    """Return the study days between two reviews; 0 where a clock or a zone went back."""
    return max(0, (day - last).days)


def _jump(before: datetime, after: datetime, zone: tzinfo) -> datetime:
    """Find the instant, to the second, at which the zone's clock jumps forward.

    A local time inside the jump, read with the offset of either side, gives an instant on
    the other side (PEP 495): the jump lies after ``before`` and not after ``after``.
    """
    offset = after.astimezone(zone).utcoffset()
    low, high = 0, int((after - before).total_seconds())
    while high - low > 1:
        middle = (low + high) // 2
        changed = (before + timedelta(seconds=middle)).astimezone(zone).utcoffset() == offset
        low, high = (low, middle) if changed else (middle, high)
    return before + timedelta(seconds=high)

"""The one place where the time of day comes from."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo


class Clock(Protocol):
    """Tells the time; tests hand in one that stands still."""

    def now(self) -> datetime:
        """Return the present instant, UTC, time-zone aware."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """Return the present instant, UTC."""
        return datetime.now(UTC)


def local_zone(name: str) -> ZoneInfo:
    """Return the zone of that IANA name, or the system's where the name is empty."""
    if name:
        from zoneinfo import ZoneInfo

        return ZoneInfo(name)
    import tzlocal

    return tzlocal.get_localzone()

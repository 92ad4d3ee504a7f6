"""Everything a use case needs, put together once: settings, clock, cards, history."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quizapp.cards.kinds import Lang
from quizapp.services import deck, settings
from quizapp.services.clock import Clock, SystemClock, local_zone
from quizapp.services.paths import Paths, locate

if TYPE_CHECKING:
    from quizapp.cards.library import Library
    from quizapp.memory.days import StudyCalendar
    from quizapp.memory.rating import Thresholds
    from quizapp.memory.schedule import ScheduleSettings
    from quizapp.store.database import Database


class Workspace:
    """One user's settings, cards and history, open for as long as the program runs."""

    def __init__(self, paths: Paths | None = None, clock: Clock | None = None) -> None:
        self.paths = paths or locate()
        self.clock: Clock = clock or SystemClock()
        loaded = settings.load(self.paths.config)
        self.settings = loaded.settings
        self.problems = loaded.problems
        """Lines of the settings file that were not taken."""
        self._library: Library | None = None
        self._database: Database | None = None

    @property
    def language(self) -> Lang:
        """Of the interface and the cards."""
        return self.settings.language

    @cached_property
    def calendar(self) -> StudyCalendar:
        """The user's study days."""
        from quizapp.memory.days import StudyCalendar

        return StudyCalendar(local_zone(self.settings.time_zone), self.settings.rollover_hour)

    @cached_property
    def schedule_settings(self) -> ScheduleSettings:
        """What due dates depend on."""
        from quizapp.memory.schedule import ScheduleSettings

        return ScheduleSettings(
            desired_retention=self.settings.desired_retention,
            maximum_interval=self.settings.maximum_interval,
            calendar=self.calendar,
        )

    @cached_property
    def thresholds(self) -> Thresholds:
        """Where the proposed rating changes."""
        from quizapp.memory.rating import Thresholds

        return Thresholds(
            self.settings.again_below, self.settings.hard_below, self.settings.good_below
        )

    @cached_property
    def client(self) -> str:
        """The name of this machine, for histories that several share."""
        import platform

        return platform.node()[:64]

    def now(self) -> datetime:
        """The present instant, UTC."""
        return self.clock.now()

    def today(self) -> date:
        """The present study day."""
        return self.calendar.day(self.now())

    @property
    def library(self) -> Library:
        """The cards; read at the first use, which takes a while: see :meth:`open`."""
        if self._library is None:
            self._library = deck.read_library(deck.roots(self.paths))
        return self._library

    @property
    def is_open(self) -> bool:
        """Whether the cards have been read."""
        return self._library is not None

    def reload(self) -> None:
        """Read the cards again; those that were read are in use until then."""
        self._library = deck.read_library(deck.roots(self.paths))

    @property
    def database(self) -> Database:
        """The history; opened at the first use, on a thread of its own."""
        if self._database is None:
            from quizapp.store.database import Database

            self._database = Database(
                self.settings.database or sqlite_url(self.paths.database),
                backups=self.paths.backups,
                clock=self.now,
                local_day=self.calendar.day,
            )
            self._database.start()
        return self._database

    async def open(self) -> None:
        """Open the history and read the cards, side by side and off the event loop."""
        database = self.database
        await asyncio.to_thread(lambda: self.library)
        await database.call(_touch)

    def use(self, **values: Any) -> None:
        """Use other settings for as long as the program runs; they must be valid."""
        self._take(replace(self.settings, **values))

    def change(self, **values: object) -> None:
        """Change settings in the user's file; ``ValueError`` if a value is not allowed."""
        settings.change(self.paths.config, **values)
        self._take(settings.load(self.paths.config).settings)

    def _take(self, changed: settings.Settings) -> None:
        self.settings = changed
        for name in ("calendar", "schedule_settings", "thresholds"):
            self.__dict__.pop(name, None)

    def close(self) -> None:
        """Close the history."""
        if self._database is not None:
            self._database.close()
            self._database = None


def _touch(session: object) -> None:
    """Do nothing in the database, which opens it."""
    del session


def sqlite_url(file: Path) -> str:
    """Return a file's address, whatever signs its path has.

    A question mark would begin the address's options, so such a path goes by SQLite's own kind
    of address, which may quote.
    """
    if "?" not in str(file):
        return f"sqlite:///{file}"
    from urllib.parse import quote

    return f"sqlite:///file:{quote(str(file))}?uri=true"

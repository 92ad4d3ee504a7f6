"""The program on two short cards, at a fixed time, with demos that are played and not run."""

from __future__ import annotations

import shutil
from collections.abc import AsyncGenerator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from quizapp.proof.protocol import Event
from quizapp.services import deck, proving
from quizapp.services.paths import locate
from quizapp.services.workspace import Workspace
from quizapp.tui.app import QuizApp

CARDS = Path(__file__).resolve().parent.parent / "data" / "cards"
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


class FixedClock:
    """Stands still until it is told to move."""

    def __init__(self, now: datetime = NOW) -> None:
        self.at = now

    def now(self) -> datetime:
        return self.at


class PlayedRunner:
    """Plays events; ``steps`` may hold awaitable waits between them."""

    name = "local"

    def __init__(self, events: list[Event]) -> None:
        self.events = events
        self.cancelled = False

    async def run(
        self, demo: str, params: Mapping[str, Any] | None = None, seed: int = 0
    ) -> AsyncGenerator[Event, None]:
        try:
            for event in self.events:
                yield event
        except GeneratorExit:
            self.cancelled = True
            raise

    async def close(self) -> None:
        pass


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def workspace(monkeypatch: pytest.MonkeyPatch, clock: FixedClock) -> Workspace:
    monkeypatch.setattr(deck, "bundled", lambda: None)
    monkeypatch.setattr(proving, "records_folder", lambda: locate().data / "records")
    paths = locate()
    shutil.copytree(CARDS, paths.cards)
    paths.config.write_text('time_zone = "UTC"\n', encoding="utf-8")
    return Workspace(paths, clock)


@pytest.fixture
def app(workspace: Workspace) -> QuizApp:
    return QuizApp(workspace, PlayedRunner([]))

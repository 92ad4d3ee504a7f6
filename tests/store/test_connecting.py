"""What every connection to SQLite is set to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy.orm import Session

from quizapp.store import calls, connecting
from quizapp.store.database import Database

Opened = Callable[..., Database]
FULL, NORMAL = 2, 1


def pragma(session: Session, name: str) -> object:
    return session.connection().exec_driver_sql(f"PRAGMA {name}").scalar_one()


def test_references_are_checked_and_others_waited_for(opened: Opened) -> None:
    database = opened()
    assert database.run(pragma, "foreign_keys") == 1
    assert database.run(pragma, "busy_timeout") == connecting.BUSY_SECONDS * 1000


def test_only_drafts_do_not_wait_for_the_disk(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = opened()
    assert database.run(pragma, "synchronous") == FULL
    monkeypatch.setattr(calls, "UNFORCED", frozenset((pragma,)))
    assert database.run(pragma, "synchronous") == NORMAL
    monkeypatch.undo()
    drafts = {calls.save_draft, calls.keep_answer, calls.save_interview_draft}
    assert drafts == calls.UNFORCED
    assert database.run(pragma, "synchronous") == FULL, "and the next call does again"


def test_only_drafts_do_not_wait_for_the_servers_disk(
    opened: Opened, postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = opened(url=postgresql)

    def commit(session: Session) -> object:
        return session.connection().exec_driver_sql("SHOW synchronous_commit").scalar_one()

    monkeypatch.setattr(calls, "UNFORCED", frozenset((commit,)))
    assert database.run(commit) == "off"
    monkeypatch.undo()
    assert database.run(commit) == "on"

"""Runs of demos and what they said about claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from quizapp.store.tables import RunRow, VerdictRow
from quizapp.store.values import RunRecord, VerdictRecord


def save(session: Session, run: RunRecord, verdicts: Sequence[VerdictRecord]) -> None:
    """Keep a run and its verdicts; saving the same run again changes its verdicts only."""
    known = select(RunRow.id).where(RunRow.id == run.id)
    if session.execute(known).first() is None:
        session.execute(insert(RunRow), [asdict(run) | {"versions": dict(run.versions)}])
    session.execute(delete(VerdictRow).where(VerdictRow.run == run.id))
    if verdicts:
        session.execute(
            insert(VerdictRow), [asdict(item) | {"detail": dict(item.detail)} for item in verdicts]
        )


def runs(session: Session, demo: str | None = None, limit: int = 50) -> list[RunRecord]:
    """Return the runs, newest first: of one demo, or of all."""
    query = select(*RunRow.__table__.columns).order_by(RunRow.at.desc()).limit(limit)
    if demo is not None:
        query = query.where(RunRow.demo == demo)
    return [RunRecord(**row._mapping) for row in session.execute(query)]


def verdicts(session: Session, card: str | None = None) -> list[VerdictRecord]:
    """Return the newest verdict of each claim on each device: of a card, or of all."""
    columns = [column for column in VerdictRow.__table__.columns if column.name != "id"]
    query = select(*columns).order_by(VerdictRow.at.desc(), VerdictRow.id.desc())
    if card is not None:
        query = query.where(VerdictRow.claim.startswith(f"{card}/", autoescape=True))
    newest: dict[tuple[str, str, str], VerdictRecord] = {}
    for row in session.execute(query):
        record = VerdictRecord(**row._mapping)
        newest.setdefault((record.claim, record.device_kind, record.device_name), record)
    return list(newest.values())

"""Answers that were given and not rated yet."""

from __future__ import annotations

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from quizapp.store.tables import DraftRow
from quizapp.store.values import Draft, Mode


def save(session: Session, draft: Draft) -> None:
    """Keep an answer; a later one of the same uuid takes its place."""
    session.execute(delete(DraftRow).where(DraftRow.uuid == draft.uuid))
    session.execute(
        insert(DraftRow),
        [
            {
                "uuid": draft.uuid,
                "prompt": draft.prompt,
                "at": draft.at,
                "text": draft.text,
                "mode": draft.mode.value,
                "seconds": draft.seconds,
                "sure": draft.sure,
                "lang": draft.lang,
                "seed": draft.seed,
            }
        ],
    )


def load(session: Session) -> list[Draft]:
    """Return the answers that wait for their rating, oldest first."""
    rows = session.execute(select(*DraftRow.__table__.columns).order_by(DraftRow.at))
    return [
        Draft(
            row.uuid,
            row.prompt,
            row.at,
            row.text,
            Mode(row.mode),
            row.seconds,
            row.sure,
            row.lang,
            row.seed,
        )
        for row in rows
    ]


def drop(session: Session, uuid: str) -> None:
    """Forget an answer that is not to be rated."""
    session.execute(delete(DraftRow).where(DraftRow.uuid == uuid))

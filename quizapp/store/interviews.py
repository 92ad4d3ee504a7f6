"""Mock interviews: an append-only log of events each, and the draft that comes after it."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from quizapp.store.tables import InterviewDraftRow, InterviewEventRow, InterviewRow
from quizapp.store.turns import see_one_moment, take_turn
from quizapp.store.values import (
    ConflictError,
    InterviewDraft,
    InterviewEvent,
    InterviewRecord,
    StoreError,
)

SUMMARIES = ("finished", "regraded")
"""Kinds of events that say what an interview came to."""


def begin(session: Session, record: InterviewRecord, happened: Sequence[InterviewEvent]) -> None:
    """Keep an interview that begins, with its first events."""
    take_turn(session.connection())
    session.execute(
        insert(InterviewRow),
        [
            {
                "id": record.id,
                "at": record.at,
                "setup": dict(record.setup),
                "client": record.client,
            }
        ],
    )
    append(session, record.id, happened)


def append(session: Session, interview: str, happened: Sequence[InterviewEvent]) -> None:
    """Log events and drop the draft they came after, all or nothing.

    Raises :class:`ConflictError` unless they follow the log as it is: then another program has
    gone on with the interview.
    """
    take_turn(session.connection())
    known = _count(session, interview)
    if [event.number for event in happened] != list(range(known, known + len(happened))):
        raise ConflictError(
            "another program has gone on with this interview", "leave it there or here"
        )
    if happened:
        session.execute(insert(InterviewEventRow), [_columns(interview, e) for e in happened])
    session.execute(delete(InterviewDraftRow).where(InterviewDraftRow.interview == interview))


def save_draft(session: Session, interview: str, draft: InterviewDraft) -> None:
    """Keep what is typed; nothing is kept if the log has gone on since."""
    take_turn(session.connection())
    if _count(session, interview) != draft.after:
        return
    session.execute(delete(InterviewDraftRow).where(InterviewDraftRow.interview == interview))
    session.execute(
        insert(InterviewDraftRow),
        [{"interview": interview, "at": draft.at, "after": draft.after, "text": draft.text}],
    )


def load(
    session: Session, id_: str
) -> tuple[InterviewRecord, list[InterviewEvent], InterviewDraft | None] | None:
    """Return an interview, its log and the draft that came after; ``None`` if there is none.

    The beginning of an id is enough; :class:`StoreError` if several interviews have it.
    """
    see_one_moment(session)
    query = select(*InterviewRow.__table__.columns).where(
        InterviewRow.id.startswith(id_, autoescape=True)
    )
    rows = session.execute(query.limit(2)).all()
    if not id_ or not rows:
        return None
    if len(rows) > 1:
        raise StoreError(f"several interviews begin with {id_}", "give more of the id")
    record = InterviewRecord(**rows[0]._mapping)
    return record, _log(session, record.id), _draft(session, record.id)


def listed(
    session: Session, limit: int | None = None
) -> list[tuple[InterviewRecord, InterviewEvent | None, int]]:
    """Return the interviews, newest first.

    Each comes with the newest event that has its summary, ``None`` if it is not over, and the
    number of questions asked.
    """
    see_one_moment(session)
    order = (InterviewRow.at.desc(), InterviewRow.id)
    rows = session.execute(select(*InterviewRow.__table__.columns).order_by(*order).limit(limit))
    records = [InterviewRecord(**row._mapping) for row in rows]
    summaries = {
        row.interview: _event(row)
        for row in session.execute(
            select(*InterviewEventRow.__table__.columns)
            .where(InterviewEventRow.kind.in_(SUMMARIES))
            .order_by(InterviewEventRow.id)
        )
    }
    asked = session.execute(
        select(InterviewEventRow.interview, func.count().label("questions"))
        .where(InterviewEventRow.kind == "asked")
        .group_by(InterviewEventRow.interview)
    )
    questions = {row.interview: int(row.questions) for row in asked}
    return [(r, summaries.get(r.id), questions.get(r.id, 0)) for r in records]


def _count(session: Session, interview: str) -> int:
    query = select(func.count()).where(InterviewEventRow.interview == interview)
    return session.execute(query).scalar_one()


def _log(session: Session, interview: str) -> list[InterviewEvent]:
    query = (
        select(*InterviewEventRow.__table__.columns)
        .where(InterviewEventRow.interview == interview)
        .order_by(InterviewEventRow.number)
    )
    return [_event(row) for row in session.execute(query)]


def _draft(session: Session, interview: str) -> InterviewDraft | None:
    query = select(InterviewDraftRow.at, InterviewDraftRow.after, InterviewDraftRow.text).where(
        InterviewDraftRow.interview == interview
    )
    row = session.execute(query).first()
    return InterviewDraft(row.at, row.after, row.text) if row else None


def _columns(interview: str, event: InterviewEvent) -> dict[str, object]:
    return {
        "interview": interview,
        "number": event.number,
        "at": event.at,
        "kind": event.kind,
        "data": dict(event.data),
    }


def _event(row: object) -> InterviewEvent:
    found: InterviewEvent = InterviewEvent(row.number, row.at, row.kind, row.data)  # type: ignore[attr-defined]
    return found

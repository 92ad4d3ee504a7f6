"""The log and the schedules: functions over a session, each within the caller's transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from itertools import islice
from typing import Any, cast

from sqlalchemy import Row, Select, Table, delete, func, insert, select
from sqlalchemy.orm import Session

from quizapp.memory.model import Memory, Rating, Review, Schedule
from quizapp.store.tables import MARKS, DraftRow, ReviewRow, ScheduleRow
from quizapp.store.turns import take_turn
from quizapp.store.values import ConflictError, DayCount, Entry, Kind, Mode, misled

Reschedule = Callable[[Sequence[Review]], Schedule | None]
"""From a prompt's remaining reviews to its schedule; ``None`` if it has none."""

BATCH = 1000
LOG = cast("Table", ReviewRow.__table__)
RATINGS = {int(rating): rating for rating in Rating}
"""A look-up: calling the enum costs as much as all the rest of reading a review."""


def append_review(
    session: Session, entry: Entry, after: Schedule, before: Schedule | int | None = None
) -> bool:
    """Log a review, cache the schedule after it and drop its draft, all or nothing.

    Tells whether it was written: an entry whose uuid is in the log already changes nothing.
    ``before`` is the schedule that the new one was made from, or at least its number of
    reviews, 0 for none (which does not notice a review that replaced one taken back); raises
    :class:`ConflictError` if it is another now.
    """
    take_turn(session.connection())
    if _logged(session, entry.uuid):
        return False
    if before is not None:
        _check_unchanged(schedule(session, entry.prompt), before, entry.prompt)
    session.execute(insert(LOG), [_columns(entry)])
    _cache(session, after)
    session.execute(delete(DraftRow).where(DraftRow.uuid == entry.uuid))
    return True


def append_mark(session: Session, entry: Entry) -> bool:
    """Log that a prompt is suspended, resumed or released; tells whether it was written."""
    take_turn(session.connection())
    if _logged(session, entry.uuid):
        return False
    session.execute(insert(LOG), [_columns(entry)])
    return True


def undo(
    session: Session, uuid: str, at: datetime, day: date, reschedule: Reschedule
) -> Entry | None:
    """Take back the newest review that counts and return it; ``None`` if there is none.

    The undo is an entry of its own: the log keeps what happened.  The same uuid takes back
    one review, however often it is said.
    """
    take_turn(session.connection())
    if _logged(session, uuid):
        return _undone_by(session, uuid)
    row = session.execute(_effective().order_by(LOG.c.id.desc()).limit(1)).first()
    if row is None:
        return None
    undone = _entry(row)
    mark = Entry(uuid, Kind.UNDO, undone.prompt, at, day, undoes=undone.uuid)
    session.execute(insert(LOG), [_columns(mark)])
    schedule = reschedule(reviews(session, undone.prompt))
    session.execute(delete(ScheduleRow).where(ScheduleRow.prompt == undone.prompt))
    if schedule is not None:
        _cache(session, schedule)
    return undone


def reviews(session: Session, prompt: str | None = None) -> list[Review]:
    """Return the reviews that count, oldest first: of one prompt, or of all."""
    query = _effective(_REVIEW_COLUMNS).order_by(LOG.c.id)
    if prompt is not None:
        query = query.where(LOG.c.prompt == prompt)
    return [_review(*row) for row in session.execute(query)]


def reviews_of_day(session: Session, day: date) -> list[Review]:
    """Return the reviews that count of one study day, oldest first."""
    query = _effective(_REVIEW_COLUMNS).where(LOG.c.day == day).order_by(LOG.c.id)
    return [_review(*row) for row in session.execute(query)]


def entries(session: Session, card: str | None = None, limit: int | None = None) -> list[Entry]:
    """Return the reviews that count with all they hold, newest first: of a card, or of all."""
    query = _effective().order_by(LOG.c.id.desc())
    if card is not None:
        query = query.where(LOG.c.prompt.startswith(f"{card}/", autoescape=True))
    return [_entry(row) for row in session.execute(query.limit(limit))]


def log(session: Session) -> list[Entry]:
    """Return the whole log, undone reviews and marks among it, oldest first."""
    rows = session.execute(select(*LOG.c).order_by(LOG.c.id))
    return [_entry(row) for row in rows]


def days(session: Session) -> list[DayCount]:
    """Return what each study day brought, oldest first; days without a review are left out."""
    query = _effective(
        (LOG.c.day, func.count().label("reviews"), func.sum(LOG.c.seconds).label("seconds"))
    )
    rows = session.execute(query.group_by(LOG.c.day).order_by(LOG.c.day))
    return [DayCount(row.day, row.reviews, float(row.seconds or 0.0)) for row in rows]


def schedules(session: Session) -> dict[str, Schedule]:
    """Return the cached schedule of every reviewed prompt, by its key."""
    rows = session.execute(select(*ScheduleRow.__table__.columns))
    return {row.prompt: _schedule(row) for row in rows}


def schedule(session: Session, prompt: str) -> Schedule | None:
    """Return the cached schedule of one prompt."""
    query = select(*ScheduleRow.__table__.columns).where(ScheduleRow.prompt == prompt)
    row = session.execute(query).first()
    return _schedule(row) if row else None


def replace_schedules(session: Session, made: Mapping[str, Schedule]) -> None:
    """Put these schedules in the place of all that are cached."""
    take_turn(session.connection())
    session.execute(delete(ScheduleRow))
    remaining = iter(made.values())
    while batch := [_schedule_columns(item) for item in islice(remaining, BATCH)]:
        session.execute(insert(ScheduleRow), batch)


def suspended(session: Session) -> frozenset[str]:
    """Return the keys of the prompts that are suspended."""
    kinds = (Kind.SUSPEND.value, Kind.RESUME.value)
    query = select(LOG.c.prompt, LOG.c.kind).where(LOG.c.kind.in_(kinds), MARKS)
    latest = {row.prompt: row.kind for row in session.execute(query.order_by(LOG.c.id))}
    return frozenset(prompt for prompt, kind in latest.items() if kind == Kind.SUSPEND)


def released(session: Session) -> dict[str, datetime]:
    """Return when each leech was last let go."""
    query = (
        select(LOG.c.prompt, func.max(LOG.c.at).label("at"))
        .where(LOG.c.kind == Kind.RELEASE.value, MARKS)
        .group_by(LOG.c.prompt)
    )
    return {row.prompt: row.at for row in session.execute(query)}


def confirmed(session: Session, prompt: str, limit: int = 200) -> list[tuple[str, str]]:
    """Return the user's own sentences for a prompt's parts, ``(part, sentence)``, newest first."""
    query = _effective((LOG.c.id, LOG.c.evidence)).where(LOG.c.prompt == prompt)
    found: dict[tuple[str, str], None] = {}
    for row in session.execute(query.order_by(LOG.c.id.desc()).limit(limit)):
        for part, sentence in row.evidence.items():
            found[part, sentence] = None
    return list(found)[:limit]


def confirmed_on(
    session: Session, cards: Sequence[str], limit: int = 200
) -> dict[str, list[tuple[str, str]]]:
    """Return the same for every prompt of these cards that has any, by prompt."""
    query = _effective((LOG.c.id, LOG.c.prompt, LOG.c.evidence)).order_by(LOG.c.id.desc())
    found: dict[str, dict[tuple[str, str], None]] = {}
    for row in session.execute(query):
        if row.evidence and row.prompt.partition("/")[0] in cards:
            found.setdefault(row.prompt, {}).update(dict.fromkeys(row.evidence.items()))
    return {prompt: list(sentences)[:limit] for prompt, sentences in found.items()}


_REVIEW_COLUMNS = (
    LOG.c.prompt,
    LOG.c.at,
    LOG.c.rating,
    LOG.c.seconds,
    LOG.c.score,
    LOG.c.missed,
    LOG.c.sure,
    LOG.c.proposed,
    LOG.c.false_claims,
)


def _effective(columns: Iterable[Any] | None = None) -> Select[Any]:
    """Select the reviews that no undo takes back."""
    query: Select[Any] = select(*(LOG.c if columns is None else columns))
    marks = LOG.alias("mark")
    undone = select(marks.c.undoes).where(marks.c.kind == Kind.UNDO.value, MARKS)
    return query.where(LOG.c.kind == Kind.REVIEW.value, LOG.c.uuid.not_in(undone))


def _review(
    prompt: str,
    at: datetime,
    rating: int,
    seconds: float,
    score: float | None,
    missed: list[str],
    sure: bool,
    proposed: int | None,
    false_claims: list[str],
) -> Review:
    wrong = sure and misled(sure, RATINGS.get(proposed or 0), false_claims)
    return Review(prompt, at, RATINGS[rating], seconds, score, tuple(missed), wrong)


def _check_unchanged(found: Schedule | None, before: Schedule | int, prompt: str) -> None:
    same = found == before if isinstance(before, Schedule) else _count(found) == before
    if not same:
        raise ConflictError(
            f"{prompt} was reviewed by another program meanwhile",
            "the answer is kept; rate it again on the new schedule",
        )


def _count(found: Schedule | None) -> int:
    return found.reviews if found else 0


def _undone_by(session: Session, uuid: str) -> Entry | None:
    mark = select(LOG.c.undoes).where(LOG.c.uuid == uuid).scalar_subquery()
    row = session.execute(select(*LOG.c).where(LOG.c.uuid == mark)).first()
    return _entry(row) if row else None


def _logged(session: Session, uuid: str) -> bool:
    query = select(LOG.c.id).where(LOG.c.uuid == uuid)
    return session.execute(query).first() is not None


def _cache(session: Session, made: Schedule) -> None:
    session.execute(delete(ScheduleRow).where(ScheduleRow.prompt == made.prompt))
    session.execute(insert(ScheduleRow), [_schedule_columns(made)])


def _schedule_columns(made: Schedule) -> dict[str, object]:
    return {
        "prompt": made.prompt,
        "stability": made.memory.stability,
        "difficulty": made.memory.difficulty,
        "last": made.last,
        "due": made.due,
        "reviews": made.reviews,
        "lapses": made.lapses,
    }


def _schedule(row: Row[Any]) -> Schedule:
    memory = Memory(row.stability, row.difficulty)
    return Schedule(row.prompt, memory, row.last, row.due, row.reviews, row.lapses)


def _columns(entry: Entry) -> dict[str, object]:
    return {
        "uuid": entry.uuid,
        "kind": entry.kind.value,
        "prompt": entry.prompt,
        "at": entry.at,
        "day": entry.day,
        "rating": entry.rating and int(entry.rating),
        "proposed": entry.proposed and int(entry.proposed),
        "score": entry.score,
        "seconds": entry.seconds,
        "mode": entry.mode and entry.mode.value,
        "sure": entry.sure,
        "lang": entry.lang,
        "answer": entry.answer,
        "ticks": list(entry.ticks),
        "suggested": list(entry.suggested),
        "missed": list(entry.missed),
        "false_claims": list(entry.false_claims),
        "evidence": dict(entry.evidence),
        "seed": entry.seed,
        "undoes": entry.undoes,
        "inputs": dict(entry.inputs),
        "client": entry.client,
    }


def _entry(row: Row[Any]) -> Entry:
    return Entry(
        uuid=row.uuid,
        kind=Kind(row.kind),
        prompt=row.prompt,
        at=row.at,
        day=row.day,
        rating=Rating(row.rating) if row.rating else None,
        proposed=Rating(row.proposed) if row.proposed else None,
        score=row.score,
        seconds=row.seconds,
        mode=Mode(row.mode) if row.mode else None,
        sure=row.sure,
        lang=row.lang,
        answer=row.answer,
        ticks=tuple(row.ticks),
        suggested=tuple(row.suggested),
        missed=tuple(row.missed),
        false_claims=tuple(row.false_claims),
        evidence=row.evidence,
        seed=row.seed,
        undoes=row.undoes,
        inputs=row.inputs,
        client=row.client,
        id=row.id,
    )

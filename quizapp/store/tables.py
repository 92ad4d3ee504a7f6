"""The tables.

``review`` is the log and the only truth: nothing in it is ever changed or deleted (triggers
see to it), an undo is an entry of its own.  ``schedule`` is a cache of what the log comes to.
``interview`` and ``interview_event`` are a log of the same kind.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    DateTime,
    Dialect,
    Double,
    ForeignKey,
    Index,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class UtcDateTime(TypeDecorator[datetime]):
    """An instant: time-zone aware in Python, UTC without a zone in the database."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Store UTC; ``ValueError`` for a time without a zone, whose instant nobody knows."""
        del dialect
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("an instant needs a time zone")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give back an aware instant."""
        del dialect
        return value.replace(tzinfo=UTC) if value is not None else None


class PlainText(TypeDecorator[str]):
    """Text of any kind; what no database keeps (NUL, half a surrogate pair) becomes U+FFFD."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Replace what would be refused, so that an answer is never lost to one character."""
        del dialect
        return value and _UNKEPT.sub("\N{REPLACEMENT CHARACTER}", value)


_UNKEPT = re.compile("[\x00\ud800-\udfff]")
MARKS = text("kind <> 'review'")
"""Of the log, all but reviews: few, and asked for at every query."""


class Base(DeclarativeBase):
    """The ground of all tables."""

    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy's own way
        datetime: UtcDateTime,
        float: Double,
        dict[str, Any]: JSON,
        list[str]: JSON,
    }


class ReviewRow(Base):
    """One entry of the log; see :class:`quizapp.store.values.Entry`."""

    __tablename__ = "review"
    __table_args__ = (
        Index("ix_review_prompt", "prompt"),
        Index("ix_review_day", "day"),
        Index("ix_review_marks", "kind", "undoes", sqlite_where=MARKS, postgresql_where=MARKS),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    uuid: Mapped[str] = mapped_column(String(36), unique=True)
    kind: Mapped[str] = mapped_column(String(16))
    prompt: Mapped[str] = mapped_column(String(200))
    at: Mapped[datetime]
    day: Mapped[date]
    rating: Mapped[int | None]
    proposed: Mapped[int | None]
    score: Mapped[float | None]
    seconds: Mapped[float]
    mode: Mapped[str | None] = mapped_column(String(16))
    sure: Mapped[bool]
    lang: Mapped[str] = mapped_column(String(8))
    answer: Mapped[str] = mapped_column(PlainText)
    ticks: Mapped[list[str]]
    suggested: Mapped[list[str]]
    missed: Mapped[list[str]]
    false_claims: Mapped[list[str]]
    evidence: Mapped[dict[str, Any]]
    seed: Mapped[int | None] = mapped_column(BigInteger)
    undoes: Mapped[str] = mapped_column(String(36))
    inputs: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    client: Mapped[str] = mapped_column(String(64), server_default="")


class ScheduleRow(Base):
    """The cached schedule of a prompt."""

    __tablename__ = "schedule"

    prompt: Mapped[str] = mapped_column(String(200), primary_key=True)
    stability: Mapped[float]
    difficulty: Mapped[float]
    last: Mapped[date]
    due: Mapped[date]
    reviews: Mapped[int]
    lapses: Mapped[int]


class DraftRow(Base):
    """An answer that was given and not rated yet."""

    __tablename__ = "draft"

    uuid: Mapped[str] = mapped_column(String(36), primary_key=True)
    prompt: Mapped[str] = mapped_column(String(200))
    at: Mapped[datetime]
    text: Mapped[str] = mapped_column(PlainText)
    mode: Mapped[str] = mapped_column(String(16))
    seconds: Mapped[float]
    sure: Mapped[bool]
    lang: Mapped[str] = mapped_column(String(8))
    seed: Mapped[int] = mapped_column(BigInteger)


class WordingRow(Base):
    """A sentence that somebody confirmed for a part, outside the reviews."""

    __tablename__ = "wording"
    __table_args__ = (Index("ix_wording_who", "who", "prompt"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    who: Mapped[str] = mapped_column(String(200))
    prompt: Mapped[str] = mapped_column(String(200))
    part: Mapped[str] = mapped_column(String(64))
    sentence: Mapped[str] = mapped_column(PlainText)
    at: Mapped[datetime]


class RunRow(Base):
    """A demo's run."""

    __tablename__ = "run"
    __table_args__ = (Index("ix_run_demo", "demo", "at"),)

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    demo: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime]
    device_kind: Mapped[str] = mapped_column(String(16))
    device_name: Mapped[str] = mapped_column(String(200))
    source: Mapped[str] = mapped_column(String(200))
    digest: Mapped[str] = mapped_column(String(64))
    outcome: Mapped[str] = mapped_column(String(32))
    events: Mapped[str] = mapped_column(Text)
    versions: Mapped[dict[str, Any]]


class VerdictRow(Base):
    """What a run said about a claim."""

    __tablename__ = "verdict"
    __table_args__ = (Index("ix_verdict_claim", "claim", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    claim: Mapped[str] = mapped_column(String(200))
    run: Mapped[str] = mapped_column(String(36))
    verdict: Mapped[str] = mapped_column(String(32))
    predicate: Mapped[str] = mapped_column(Text)
    digest: Mapped[str] = mapped_column(String(64))
    device_kind: Mapped[str] = mapped_column(String(16))
    device_name: Mapped[str] = mapped_column(String(200))
    source: Mapped[str] = mapped_column(String(200))
    at: Mapped[datetime]
    detail: Mapped[dict[str, Any]]


class InterviewRow(Base):
    """A mock interview as it was begun; see :mod:`quizapp.interview.options`."""

    __tablename__ = "interview"
    __table_args__ = (Index("ix_interview_at", "at"),)

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    at: Mapped[datetime]
    setup: Mapped[dict[str, Any]]
    client: Mapped[str] = mapped_column(String(64))


class InterviewEventRow(Base):
    """One event of an interview; see :mod:`quizapp.interview.events`."""

    __tablename__ = "interview_event"
    __table_args__ = (UniqueConstraint("interview", "number"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    interview: Mapped[str] = mapped_column(ForeignKey("interview.id"))
    number: Mapped[int]
    at: Mapped[datetime]
    kind: Mapped[str] = mapped_column(String(16))
    data: Mapped[dict[str, Any]]


class InterviewDraftRow(Base):
    """What is typed in an interview and not given yet; the newest alone is kept."""

    __tablename__ = "interview_draft"

    interview: Mapped[str] = mapped_column(ForeignKey("interview.id"), primary_key=True)
    at: Mapped[datetime]
    after: Mapped[int]
    text: Mapped[str] = mapped_column(PlainText)

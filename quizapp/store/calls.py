"""What is called on the history's thread: there, and not before, SQLAlchemy is imported.

The functions of :mod:`~quizapp.store.history`, :mod:`~quizapp.store.drafts`,
:mod:`~quizapp.store.wordings` and :mod:`~quizapp.store.runs`, which see, under names that cost
nothing to import.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

from quizapp.memory.model import Review, Schedule
from quizapp.store.values import (
    DayCount,
    Draft,
    Entry,
    InterviewDraft,
    InterviewEvent,
    InterviewRecord,
    RunRecord,
    VerdictRecord,
)

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


class State(NamedTuple):
    """What a day's plan is made from."""

    schedules: dict[str, Schedule]
    suspended: frozenset[str]
    today: list[Review]
    """The reviews of the study day."""
    drafts: list[Draft]


def state(session: Session, day: date) -> State:
    """Return what a day's plan is made from, all of one moment."""
    from quizapp.store import drafts, history
    from quizapp.store.turns import see_one_moment

    see_one_moment(session)
    return State(
        history.schedules(session),
        history.suspended(session),
        history.reviews_of_day(session, day),
        drafts.load(session),
    )


def append_review(
    session: Session, entry: Entry, schedule: Schedule, before: Schedule | int | None = None
) -> bool:
    """Log a review with its schedule."""
    from quizapp.store import history

    return history.append_review(session, entry, schedule, before)


def append_mark(session: Session, entry: Entry) -> bool:
    """Log a mark."""
    from quizapp.store import history

    return history.append_mark(session, entry)


def undo(
    session: Session,
    uuid: str,
    at: datetime,
    day: date,
    reschedule: Callable[[Sequence[Review]], Schedule | None],
) -> Entry | None:
    """Take the newest review back."""
    from quizapp.store import history

    return history.undo(session, uuid, at, day, reschedule)


def reviews(session: Session) -> list[Review]:
    """Return the reviews that count."""
    from quizapp.store import history

    return history.reviews(session)


def entries(session: Session, card: str | None = None, limit: int | None = None) -> list[Entry]:
    """Return the reviews that count with all they hold, newest first."""
    from quizapp.store import history

    return history.entries(session, card, limit)


def days(session: Session) -> list[DayCount]:
    """Return what each study day brought."""
    from quizapp.store import history

    return history.days(session)


def audit(
    session: Session,
    replayed: Callable[[Sequence[Review]], Mapping[str, Schedule]],
    rebuild: bool,
) -> tuple[list[Review], dict[str, Schedule], Mapping[str, Schedule]]:
    """Return the log, the cached schedules and those the log comes to, all of one moment.

    With ``rebuild`` the latter take the place of the cached ones where they differ.
    """
    from quizapp.store import history
    from quizapp.store.turns import take_turn

    take_turn(session.connection())
    logged = history.reviews(session)
    cached, made = history.schedules(session), replayed(logged)
    if rebuild and cached != made:
        history.replace_schedules(session, made)
    return logged, cached, made


def schedules(session: Session) -> dict[str, Schedule]:
    """Return the cached schedules."""
    from quizapp.store import history

    return history.schedules(session)


def suspended(session: Session) -> frozenset[str]:
    """Return the suspended prompts."""
    from quizapp.store import history

    return history.suspended(session)


def confirmed(session: Session, prompt: str) -> list[tuple[str, str]]:
    """Return the user's own sentences for a prompt's parts."""
    from quizapp.store import history

    return history.confirmed(session, prompt)


def wordings(session: Session, who: str, prompt: str) -> list[tuple[str, str]]:
    """Return somebody's confirmed sentences for a prompt's parts."""
    from quizapp.store import wordings

    return wordings.load(session, who, prompt)


def keep_wordings(
    session: Session, who: str, prompt: str, sentences: Mapping[str, str], at: datetime
) -> int:
    """Keep somebody's confirmed sentences."""
    from quizapp.store import wordings

    return wordings.keep(session, who, prompt, sentences, at)


def save_draft(session: Session, draft: Draft) -> None:
    """Keep an answer that is not rated yet; see :data:`UNFORCED`."""
    from quizapp.store import drafts

    drafts.save(session, draft)


def keep_answer(session: Session, draft: Draft) -> list[tuple[str, str]]:
    """Keep an answer, see :data:`UNFORCED`, and return the user's own sentences for its prompt."""
    from quizapp.store import drafts, history

    drafts.save(session, draft)
    return history.confirmed(session, draft.prompt)


def drop_draft(session: Session, uuid: str) -> None:
    """Forget an answer that is not to be rated."""
    from quizapp.store import drafts

    drafts.drop(session, uuid)


def save_run(session: Session, run: RunRecord, verdicts: Sequence[VerdictRecord]) -> None:
    """Keep a run and its verdicts."""
    from quizapp.store import runs

    runs.save(session, run, verdicts)


def verdicts(session: Session, card: str | None = None) -> list[VerdictRecord]:
    """Return the newest verdict of each claim on each device."""
    from quizapp.store import runs

    return runs.verdicts(session, card)


def begin_interview(
    session: Session, record: InterviewRecord, happened: Sequence[InterviewEvent]
) -> None:
    """Keep an interview that begins, with its first events."""
    from quizapp.store import interviews

    interviews.begin(session, record, happened)


def append_events(session: Session, interview: str, happened: Sequence[InterviewEvent]) -> None:
    """Log what happened in an interview."""
    from quizapp.store import interviews

    interviews.append(session, interview, happened)


def save_interview_draft(session: Session, interview: str, draft: InterviewDraft) -> None:
    """Keep what is typed in an interview; see :data:`UNFORCED`."""
    from quizapp.store import interviews

    interviews.save_draft(session, interview, draft)


def interview(
    session: Session, id_: str
) -> tuple[InterviewRecord, list[InterviewEvent], InterviewDraft | None] | None:
    """Return an interview with its log and what was typed after it."""
    from quizapp.store import interviews

    return interviews.load(session, id_)


def interviews(
    session: Session, limit: int | None = None
) -> list[tuple[InterviewRecord, InterviewEvent | None, int]]:
    """Return the interviews, newest first, each with its newest summary and number of questions."""
    from quizapp.store import interviews as stored

    return stored.listed(session, limit)


def candidate(
    session: Session, cards: Sequence[str]
) -> tuple[list[Review], frozenset[str], dict[str, list[tuple[str, str]]]]:
    """Return the reviews that count, what is suspended, and the user's sentences by prompt."""
    from quizapp.store import history

    return (
        history.reviews(session),
        history.suspended(session),
        history.confirmed_on(session, cards),
    )


UNFORCED = frozenset((save_draft, keep_answer, save_interview_draft))
"""Calls whose transaction outlives the program but perhaps not a power cut.

Forcing it to the disk costs tens of milliseconds between a key and the model answer; the
rating that follows is forced, and with it the draft.
"""

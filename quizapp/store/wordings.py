"""Sentences that people confirmed for parts of points, outside the reviews.

The owner of the history has theirs in the log, see :func:`quizapp.store.history.confirmed`;
the owner's name here is the empty one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from quizapp.store import history
from quizapp.store.tables import WordingRow
from quizapp.store.turns import take_turn

OWNER = ""
MOST = 200
"""Newest sentences of a prompt that an answer is compared with."""


def load(session: Session, who: str, prompt: str) -> list[tuple[str, str]]:
    """Return somebody's sentences, ``(part, sentence)``, newest first, each once.

    The owner's are those of the reviews as well.
    """
    found = dict.fromkeys(_kept(session, who, prompt))
    if who == OWNER:
        found |= dict.fromkeys(history.confirmed(session, prompt, MOST))
    return list(found)[:MOST]


def keep(
    session: Session, who: str, prompt: str, sentences: Mapping[str, str], at: datetime
) -> int:
    """Keep sentences by part, those that are kept already left out; returns how many were new."""
    take_turn(session.connection())
    known = set(_kept(session, who, prompt))
    rows = [
        {"who": who, "prompt": prompt, "part": part, "sentence": sentence, "at": at}
        for part, sentence in sentences.items()
        if (part, sentence) not in known
    ]
    if rows:
        session.execute(insert(WordingRow), rows)
    return len(rows)


def _kept(session: Session, who: str, prompt: str) -> list[tuple[str, str]]:
    query = (
        select(WordingRow.part, WordingRow.sentence)
        .where(WordingRow.who == who, WordingRow.prompt == prompt)
        .order_by(WordingRow.id.desc())
    )
    return [(part, sentence) for part, sentence in session.execute(query)]

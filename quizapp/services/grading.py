"""Grading answers by the line, outside the review: what a program asks, and what it is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from quizapp.cards.model import Card, FalseStatement, Lang, Point, Prompt, PromptKind
from quizapp.cards.problems import nearest
from quizapp.memory.model import Rating
from quizapp.memory.rating import Evidence, Reason, propose
from quizapp.recall.grading import Grade, grade, parts_of
from quizapp.recall.labelled import LineError, read_object, said_field, text_field
from quizapp.recall.matching import Finding, State
from quizapp.recall.normalise import MAX_CHARACTERS
from quizapp.recall.score import point_credit, score
from quizapp.services.review import target_seconds
from quizapp.services.workspace import Workspace
from quizapp.store import calls

SAID, PERHAPS, NOT = "said", "perhaps", "not"
STATES: Mapping[State, str] = {State.TICKED: SAID, State.SUGGESTED: PERHAPS, State.BLANK: NOT}
MOST_USER = 200
"""Characters of a user's name."""


@dataclass(frozen=True, slots=True)
class Request:
    """One answer to be graded."""

    card: Card
    prompt: Prompt
    text: str
    user: str
    """Empty: the owner of the history."""
    id: str | int | None = None
    """As given, to be given back."""
    said: frozenset[str] | None = None
    """The claims that the user confirms; ``None``: those that the grader ticks."""
    seconds: float | None = None
    """Time taken, if it is to count for the rating."""
    sure: bool = False
    earlier_reviews: int = 0


@dataclass(frozen=True, slots=True)
class GradedClaim:
    """What was found of one claim."""

    state: str
    """:data:`SAID`, :data:`PERHAPS` or :data:`NOT`."""
    point: str
    evidence: str = ""
    """The user's own words, white space made even."""
    words: tuple[str, ...] = ()
    """Those of them that made it so."""
    how: str = ""
    """``rule``, ``phrasing``, ``own`` or ``judge``."""
    likeness: float = 0.0


@dataclass(frozen=True, slots=True)
class GradedPoint:
    """What its claims come to for one point."""

    state: str
    """Said with full credit; perhaps if it would be with the claims that perhaps were said."""
    credit: float
    """0 to 1, of the claims said."""
    weight: float
    core: bool


@dataclass(frozen=True, slots=True)
class GradedFalse:
    """A false statement that the answer seems to make: to be asked about, not punished."""

    id: str
    text: str
    evidence: str
    against: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Graded:
    """A graded answer."""

    id: str | int | None
    card: str
    prompt: str
    user: str
    points: Mapping[str, GradedPoint]
    claims: Mapping[str, GradedClaim]
    score: float
    """Recall score of the claims said, 0 to 1."""
    credit: str
    """As people count it: ``4.5 / 6``."""
    false_claims: tuple[GradedFalse, ...]
    rating: Rating
    """Proposed."""
    reasons: tuple[Reason, ...]
    """Why it is not higher."""
    unread: int = 0
    """Characters at the end of a very long answer that were not looked at."""
    learned: tuple[str, ...] = ()
    """Claims whose sentences were kept."""
    note: str = ""
    """What became of the judge, if one was asked."""


def request(workspace: Workspace, line: bytes | str) -> Request:
    """Read one line; raises :class:`~quizapp.recall.labelled.LineError`."""
    row = read_object(line)
    lang = row.get("lang")
    card, prompt = _asked(
        workspace,
        text_field(row, "card"),
        text_field(row, "prompt"),
        Lang(lang) if lang in list(Lang) else workspace.language,
    )
    user = text_field(row, "user", "")
    if len(user) > MOST_USER or "\0" in user:
        raise LineError(f"'user' must be a name of at most {MOST_USER} characters")
    said = said_field(row)
    known = {part.id for point in prompt.points for part in parts_of(point)}
    if said is not None and (strange := sorted(said - known)):
        raise LineError(f"{prompt.key} has no claim {', '.join(strange)}")
    id_ = row.get("id")
    return Request(
        card,
        prompt,
        text_field(row, "text"),
        user,
        id_ if isinstance(id_, str | int) else None,
        said,
        _seconds(row.get("seconds")),
        row.get("sure") is True,
        _count(row.get("earlier_reviews", 0)),
    )


async def graded(workspace: Workspace, asked: Request, learn: bool = False) -> Graded:
    """Grade an answer by the card and the user's own confirmed sentences.

    With ``learn`` the sentences of this answer are kept after it is graded.
    """
    key = asked.prompt.key
    own = await workspace.database.call(calls.wordings, asked.user, key)
    found = grade(asked.prompt.points, asked.card.false_statements, asked.text, own)
    kept: Mapping[str, str] = {}
    if learn:
        kept = found.learned(asked.text, found.ticked if asked.said is None else asked.said)
        await workspace.database.call(calls.keep_wordings, asked.user, key, kept, workspace.now())
    return result(workspace, asked, found, tuple(kept))


def result(
    workspace: Workspace,
    asked: Request,
    found: Grade,
    learned: tuple[str, ...] = (),
    note: str = "",
) -> Graded:
    """Return what a grade comes to."""
    points = asked.prompt.points
    value = score(points, found.ticked)
    proposal = propose(
        Evidence(
            score=value.value,
            core_points=value.core_points,
            core_missed=value.core_missed,
            seconds=asked.seconds,
            target_seconds=target_seconds(workspace, asked.prompt),
            sure=asked.sure,
            earlier_reviews=asked.earlier_reviews,
        ),
        workspace.thresholds,
    )
    return Graded(
        id=asked.id,
        card=asked.card.id,
        prompt=asked.prompt.id,
        user=asked.user,
        points={point.id: _point(point, found) for point in points},
        claims={
            part.id: _claim(point, found.parts[part.id], asked.text)
            for point in points
            for part in parts_of(point)
        },
        score=round(value.value, 4),
        credit=value.said,
        false_claims=tuple(
            _false(statement, found, asked.text)
            for statement in asked.card.false_statements
            if statement.id in found.flagged
        ),
        rating=proposal.rating,
        reasons=proposal.reasons,
        unread=max(0, len(asked.text) - MAX_CHARACTERS),
        learned=learned,
        note=note,
    )


def _asked(workspace: Workspace, card: str, prompt: str, lang: Lang) -> tuple[Card, Prompt]:
    library = workspace.library
    found = library.card(card, lang)
    if found is None:
        raise LineError(f"there is no card {card}{_meant(card, library.ids)}")
    # A prompt may be named by its key, too.
    id_ = prompt.removeprefix(f"{card}/")
    asked = library.prompt(f"{card}/{id_}", lang)
    if asked is None:
        keys = library.prompts(lang)
        ids = [each.id for each in keys.values() if each.card == card]
        raise LineError(f"{card} has no prompt {id_}{_meant(id_, ids)}")
    if asked.kind is PromptKind.CALCULATION:
        raise LineError(f"{asked.key} is a calculation, whose numbers are drawn by the review")
    return found, asked


def _meant(word: str, known: Iterable[str]) -> str:
    like = nearest(word, known)
    return f"; did you mean {like}?" if like else ""


def _seconds(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e9:
        return float(value)
    raise LineError("'seconds' must be a number, not below 0")


def _count(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise LineError("'earlier_reviews' must be a whole number, not below 0")


def _point(point: Point, found: Grade) -> GradedPoint:
    credit = point_credit(point, found.ticked)
    at_best = point_credit(point, found.ticked | found.suggested)
    state = SAID if credit >= 1 else PERHAPS if at_best >= 1 else NOT
    return GradedPoint(state, credit, point.weight, point.core)


def _claim(point: Point, finding: Finding, text: str) -> GradedClaim:
    state = STATES[finding.state]
    if state == NOT:
        return GradedClaim(state, point.id)
    return GradedClaim(
        state,
        point.id,
        _quoted(text, finding.start, finding.end),
        tuple(_quoted(text, *place) for place in finding.words),
        finding.how.value,
        round(finding.likeness, 3),
    )


def _false(statement: FalseStatement, found: Grade, text: str) -> GradedFalse:
    finding = found.false[statement.id]
    return GradedFalse(
        statement.id, statement.text, _quoted(text, finding.start, finding.end), statement.against
    )


def _quoted(text: str, start: int, end: int) -> str:
    return " ".join(text[start:end].split())

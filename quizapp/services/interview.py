"""Mock interviews: begun, driven, left, resumed, counted as reviews, and read again.

Whatever happens is logged with what the interviewer does next, in one transaction, before the
screen shows it; so that an interview that is broken off at any moment goes on from its log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import uuid4

from quizapp.cards.kinds import Lang
from quizapp.cards.model import Card, Claim
from quizapp.interview import interviewer, planning
from quizapp.interview.codec import CodecError, decode, decode_setup, encode, encode_setup
from quizapp.interview.events import (
    Drafted,
    Event,
    Happening,
    Hinted,
    Manner,
    Paused,
    Proved,
    Regraded,
    Summary,
)
from quizapp.interview.machine import Reading, apply, begin, bell_is_due, fold, reading
from quizapp.interview.options import Options
from quizapp.interview.planning import Material
from quizapp.interview.questions import Role
from quizapp.interview.report import Earlier, Report, report
from quizapp.interview.scoring import confirmed_false
from quizapp.interview.state import Fate, Phase, State, Turn
from quizapp.memory.schedule import advance
from quizapp.proof.run import RunResult
from quizapp.proof.verdict import judge
from quizapp.recall.calculations import Verdict
from quizapp.recall.score import score
from quizapp.services.errors import UserError
from quizapp.services.review import Answer, proposed, target_seconds
from quizapp.services.workspace import Workspace
from quizapp.store import calls
from quizapp.store.values import (
    ConflictError,
    Entry,
    InterviewDraft,
    InterviewEvent,
    InterviewRecord,
    Kind,
    Mode,
)

COMPARED = 5
"""Earlier interviews that a report shows beside its own."""
_MODES = {
    Manner.TYPED: Mode.TYPED,
    Manner.SUMMARISED: Mode.TYPED,
    Manner.TRANSCRIBED: Mode.TYPED,
    Manner.SPOKEN: Mode.SPOKEN,
    Manner.GAVE_UP: Mode.GAVE_UP,
}


@dataclass(frozen=True, slots=True)
class Listed:
    """An interview in the list."""

    id: str
    at: datetime
    options: Options | None
    """``None`` if this version of the program cannot read them."""
    questions: int
    """Asked."""
    summary: Summary | None
    """``None`` if it is not over."""


class Interviewing:
    """One interview; the screens hold one, tell it what happens, and show :attr:`state`."""

    def __init__(
        self, workspace: Workspace, state: State, material: Material, at: datetime, logged: int
    ) -> None:
        self._workspace = workspace
        self._material = material
        self._at = at
        self._logged = logged
        self._turn = asyncio.Lock()
        self.state = state
        """Where the interview is; all of it is on disk."""

    @classmethod
    async def begin(cls, workspace: Workspace, options: Options) -> Interviewing:
        """Plan an interview and ask its first question; :class:`UserError` if there is none."""
        await workspace.open()
        known = set(decks(workspace))
        if unknown := [deck for deck in options.decks if deck not in known]:
            remedy = f"there are {', '.join(sorted(known))}"
            raise UserError(f"there is no deck {unknown[0]}", remedy)
        material = await _material(workspace, options)
        plan = planning.plan(options, material)
        if not plan:
            raise UserError(
                "these decks have nothing to ask", "choose others, or add a card with a main answer"
            )
        now = workspace.now()
        first = begin(str(uuid4()), options, plan)
        happened, state = await asyncio.to_thread(_moves, first, material, now)
        record = InterviewRecord(first.id, now, encode_setup(options, plan), workspace.client)
        await workspace.database.call(calls.begin_interview, record, _logged(happened, 0))
        return cls(workspace, state, material, now, len(happened))

    @classmethod
    async def resume(cls, workspace: Workspace, id_: str = "") -> Interviewing:
        """Go on with an interview, or the newest that is not over.

        One that was broken off is paused at its last sign of life: no time has passed since.
        Raises :class:`UserError` if there is no such interview.
        """
        await workspace.open()
        if not id_:
            id_ = next((one.id for one in await interviews(workspace) if one.summary is None), "")
            if not id_:
                raise UserError("there is no interview to go on with", "begin one: `quizapp mock`")
        record, happened, draft = await _loaded(workspace, id_)
        options, first = _first(record)
        material = await _material(workspace, options)
        state = fold(first, happened)
        made = cls(workspace, state, material, record.at, len(happened))
        if state.phase is Phase.THINKING:
            await made._log((), state)
        if made.state.phase is Phase.ANSWERING:
            at = made.state.at or record.at
            if draft is not None:
                at = max(at, draft.at)
                await made._happen(Drafted(draft.text, as_typed=False), at)
            await made._happen(Paused(), at)
        await made._count()
        return made

    @property
    def id(self) -> str:
        """Of the interview."""
        return self.state.id

    @property
    def over(self) -> bool:
        """Whether there is nothing left to do."""
        return self.state.phase is Phase.OVER

    @property
    def reading(self) -> Reading:
        """What the clock of the newest question shows."""
        return reading(self.state, self._workspace.now())

    @property
    def bell_is_due(self) -> bool:
        """Whether time is up and the bell has not been heard."""
        return bell_is_due(self.state, self._workspace.now())

    async def happen(self, what: Happening) -> State:
        """Log what happened and what the interviewer does then; returns where that leads.

        Raises :class:`~quizapp.interview.machine.MoveError`, with nothing logged, if it cannot
        happen now, and :class:`~quizapp.store.values.StoreError` if it cannot be kept.
        """
        await self._happen(what, self._workspace.now())
        if self.over:
            await self._count()
        return self.state

    async def keep_draft(self, text: str) -> None:
        """Keep what is typed so far, for the next start of the program."""
        if self.state.phase is not Phase.ANSWERING:
            return
        draft = InterviewDraft(self._workspace.now(), self._logged, text)
        await self._workspace.database.call(calls.save_interview_draft, self.id, draft)

    async def leave(self, draft: str | None = None) -> None:
        """Stop the clock until the interview is resumed, and keep what is typed, if anything is."""
        if self.state.phase is Phase.ANSWERING:
            turn = self.state.turn
            if turn is not None and draft is not None and turn.draft != draft:
                await self.happen(Drafted(draft, as_typed=False))
            await self.happen(Paused())

    def hint(self) -> Hinted | None:
        """Return the next hint, which caps its claim once it has happened."""
        return interviewer.hint(self.state, self._material)

    @property
    def claim(self) -> tuple[Card, Claim] | None:
        """The claim that the interviewer wants proved, and its card."""
        challenge = self.state.challenge
        if challenge is None:
            return None
        card = self._material.answers.get(challenge.asked.claim.partition("/")[0])
        claim = planning.claim_of(challenge.asked.claim, self._material)
        return (card, claim) if card is not None and claim is not None else None

    def proof(self, result: RunResult, source: str, day: date | None = None) -> Proved | None:
        """Return what a run or a record says about the claim; it is the answer once it happens.

        ``day`` is when it was measured: today, if not said.
        """
        found = self.claim
        if found is None:
            return None
        judged = judge(found[1], result)
        text = ", ".join(f"{term.metric} = {term.value:.4g} {term.unit}" for term in judged.terms)
        when = day or self._workspace.now().astimezone(self._workspace.calendar.zone).date()
        return Proved(
            judged.verdict.value, source, judged.device, text or judged.detail, when.isoformat()
        )

    async def report(self) -> Report:
        """Return what the interview has come to so far."""
        return report(self.state, self._at, await _earlier(self._workspace, self.state, self._at))

    async def _happen(self, what: Happening, at: datetime) -> None:
        async with self._turn:
            event = Event(at, what)
            await self._log((event,), apply(self.state, event))

    async def _log(self, happened: Sequence[Event], state: State) -> None:
        at = state.at or self._at
        moved, state = await asyncio.to_thread(_moves, state, self._material, at)
        written = _logged([*happened, *moved], self._logged)
        await self._workspace.database.call(calls.append_events, self.id, written)
        self._logged += len(written)
        self.state = state

    async def _count(self) -> None:
        """Log the questions of an interview that is over as reviews, once each."""
        if not self.over or not self.state.options.count:
            return
        for turn in self.state.turns:
            if turn.fate is Fate.DROPPED:
                continue
            lang = self.state.options.languages.answers
            try:
                await _as_review(self._workspace, turn, self._material, lang)
            except ConflictError:  # reviewed elsewhere in this moment: on top of that, then
                await _as_review(self._workspace, turn, self._material, lang)


def decks(workspace: Workspace) -> tuple[str, ...]:
    """Return the decks that an interview can be of; the cards must have been read."""
    cards = (workspace.library.card(id_, workspace.language) for id_ in workspace.library.ids)
    return tuple(dict.fromkeys(card.deck for card in cards if card is not None and card.deck))


async def interviews(workspace: Workspace, limit: int | None = None) -> list[Listed]:
    """Return the interviews, newest first."""
    rows = await workspace.database.call(calls.interviews, limit)
    return [_listed(record, newest, questions) for record, newest, questions in rows]


async def load_report(workspace: Workspace, id_: str = "") -> Report:
    """Return the report of an interview, or of the newest that is over."""
    if not id_:
        id_ = next((one.id for one in await interviews(workspace) if one.summary is not None), "")
        if not id_:
            raise UserError("there is no interview that is over", "begin one: `quizapp mock`")
    record, happened, _ = await _loaded(workspace, id_)
    _, first = _first(record)
    state = fold(first, happened)
    return report(state, record.at, await _earlier(workspace, state, record.at))


async def replay(workspace: Workspace, id_: str) -> list[tuple[Event, State]]:
    """Return what happened in an interview, each event with the state after it."""
    record, happened, _ = await _loaded(workspace, id_)
    _, state = _first(record)
    steps = []
    for event in happened:
        state = apply(state, event)
        steps.append((event, state))
    return steps


async def regrade(workspace: Workspace, id_: str) -> tuple[Report, Report]:
    """Grade an interview's answers by the cards as they are now; returns before and after.

    What was heard before stays in the log.  The reviews it counted as stay as they are.
    """
    await workspace.open()
    record, happened, _ = await _loaded(workspace, id_)
    options, first = _first(record)
    state = fold(first, happened)
    earlier = await _earlier(workspace, state, record.at)
    before = report(state, record.at, earlier)
    if state.phase is not Phase.OVER:
        raise UserError("this interview is not over", f"`quizapp mock resume {record.id[:8]}`")
    material = await _material(workspace, options)
    made: Regraded = await asyncio.to_thread(interviewer.regrade, state, material)
    event = Event(workspace.now(), made)
    after = apply(state, event)
    written = _logged([event], len(happened))
    await workspace.database.call(calls.append_events, record.id, written)
    return before, report(after, record.at, earlier)


async def _material(workspace: Workspace, options: Options) -> Material:
    asks, answers = (
        _cards(workspace, lang) for lang in (options.languages.asks, options.languages.answers)
    )
    both = sorted(asks.keys() & answers.keys())
    reviews, suspended, own = await workspace.database.call(calls.candidate, both)
    missed = {r.prompt: 1 - r.score for r in reviews if r.score is not None}
    return Material(
        {id_: asks[id_] for id_ in both},
        {id_: answers[id_] for id_ in both},
        missed,
        own,
        suspended,
    )


def _cards(workspace: Workspace, lang: Lang) -> dict[str, Card]:
    found = ((id_, workspace.library.card(id_, lang)) for id_ in workspace.library.ids)
    return {id_: card for id_, card in found if card is not None}


def _moves(state: State, material: Material, at: datetime) -> tuple[list[Event], State]:
    happened = []
    for event, after in interviewer.moves(state, material, at):
        happened.append(event)
        state = after
    return happened, state


def _logged(happened: Sequence[Event], first: int) -> list[InterviewEvent]:
    return [
        InterviewEvent(number, event.at, *encode(event.what))
        for number, event in enumerate(happened, first)
    ]


async def _loaded(
    workspace: Workspace, id_: str
) -> tuple[InterviewRecord, list[Event], InterviewDraft | None]:
    found = await workspace.database.call(calls.interview, id_)
    if found is None:
        raise UserError(f"there is no interview {id_}", "`quizapp mock list` shows them")
    record, rows, draft = found
    try:
        return record, [decode(row.at, row.kind, row.data) for row in rows], draft
    except CodecError as error:
        raise _unreadable(record, error) from None


def _first(record: InterviewRecord) -> tuple[Options, State]:
    try:
        options, plan = decode_setup(record.setup)
    except CodecError as error:
        raise _unreadable(record, error) from None
    return options, begin(record.id, options, plan)


def _unreadable(record: InterviewRecord, error: CodecError) -> UserError:
    return UserError(
        f"interview {record.id[:8]} cannot be read: {error}", "a newer quizapp may have written it"
    )


def _listed(record: InterviewRecord, newest: InterviewEvent | None, questions: int) -> Listed:
    try:
        options = decode_setup(record.setup)[0]
        what = decode(newest.at, newest.kind, newest.data).what if newest else None
    except CodecError:
        options, what = None, None
    summary = getattr(what, "summary", None)
    return Listed(record.id, record.at, options, questions, summary)


async def _earlier(workspace: Workspace, state: State, at: datetime) -> tuple[Earlier, ...]:
    found = [
        Earlier(one.at, one.summary)
        for one in await interviews(workspace)
        if one.summary is not None and one.id != state.id and one.at < at
    ]
    return tuple(found[:COMPARED])


async def _as_review(workspace: Workspace, turn: Turn, material: Material, lang: Lang) -> None:
    question = turn.question
    prompt = material.prompt(question.prompt, answers=True)
    if prompt is None:
        return
    now = workspace.now()
    day = workspace.calendar.day(now)
    known = await workspace.database.call(calls.state, day)
    schedule = known.schedules.get(question.prompt)
    ticks = _ticks(turn)
    scored = score(question.points, ticks, confirmed_false(turn), turn.hinted)
    skipped = turn.fate is Fate.SKIPPED
    mode = Mode.GAVE_UP if skipped else _MODES[turn.manner or Manner.TYPED]
    answer = Answer(turn.text, mode, turn.seconds, turn.sure)
    proposal = proposed(
        scored,
        len(turn.false),
        answer,
        max(target_seconds(workspace, prompt), question.seconds),
        schedule.reviews if schedule else 0,
        workspace.thresholds,
        hints=len(turn.hints),
    )
    drawn = question.exercise
    learned = await asyncio.to_thread(interviewer.learned, turn, material)
    entry = Entry(
        uuid=question.uuid,
        kind=Kind.REVIEW,
        prompt=question.prompt,
        at=now,
        day=day,
        rating=proposal.rating,
        proposed=proposal.rating,
        score=scored.value,
        seconds=answer.seconds,
        mode=mode,
        sure=answer.sure,
        lang=lang.value,
        answer=answer.text,
        ticks=tuple(sorted(ticks)),
        suggested=tuple(sorted(turn.heard.ticked if turn.heard else ())),
        missed=scored.missed,
        false_claims=tuple(sorted(statement.id for statement in confirmed_false(turn))),
        evidence=learned,
        seed=drawn.seed if drawn else None,
        inputs=drawn.values if drawn else {},
        client=workspace.client,
    )
    after = advance(schedule, entry.review, workspace.schedule_settings)
    await workspace.database.call(calls.append_review, entry, after, schedule or 0)


def _ticks(turn: Turn) -> frozenset[str]:
    """Return the parts that were said; of a calculation its point if the number is right."""
    if turn.question.role is not Role.CALCULATION:
        return frozenset(turn.said)
    judged = turn.heard.judgement if turn.heard else None
    right = judged is not None and judged.verdict is Verdict.RIGHT
    return frozenset(point.id for point in turn.question.points if right)

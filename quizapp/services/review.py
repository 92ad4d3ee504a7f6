"""The daily review: ask, keep the answer, reveal, score, rate, go on.

The order is what keeps answers safe.  An answer is on disk before the model answer shows
(:meth:`Reviewing.answer` saves a draft), and the rating, the new schedule and the end of the
draft are one transaction (:meth:`Reviewing.rate`) that is done before the next prompt is asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from hashlib import blake2b
from uuid import uuid4

from quizapp.cards.model import MAIN, Card, FalseStatement, Lang, Prompt, PromptKind
from quizapp.memory import queue, session
from quizapp.memory.model import Rating, Review, Schedule
from quizapp.memory.queue import Candidate, Counts, DoneToday, Limits, Plan
from quizapp.memory.rating import Evidence, Proposal, Thresholds, allowed, propose
from quizapp.memory.schedule import Preview, advance, preview, replay
from quizapp.recall.calculations import CalculationError, Exercise, Judgement, Verdict, draw, judge
from quizapp.recall.grading import Grade, grade
from quizapp.recall.score import Score, score
from quizapp.services.workspace import Workspace
from quizapp.store import calls
from quizapp.store.values import ConflictError, Draft, Entry, Kind, Mode, misled

PREPARING = "some words of an answer, to have the wordings ready"
MORE = 10
"""How many prompts "more" offers at a time."""


class Reason(StrEnum):
    """Why a prompt is asked now."""

    DUE = "due"
    NEW = "new"
    LEARNING = "learning"
    FOLLOW_UP = "follow-up"
    MORE = "more"
    UNDONE = "undone"
    DRAFT = "draft"


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt that waits for its answer."""

    uuid: str
    """Of the review it will become."""
    prompt: Prompt
    card: Card
    lang: Lang
    reason: Reason
    schedule: Schedule | None
    seed: int
    exercise: Exercise | None
    """The values drawn, if it is a calculation."""
    target_seconds: float
    unfinished: str = ""
    """What was typed before the program ended."""

    @property
    def question(self) -> str:
        """What to ask, Markdown."""
        return self.exercise.question if self.exercise else self.prompt.question

    @property
    def reference(self) -> str:
        """The model answer, Markdown."""
        return self.exercise.solution if self.exercise else self.prompt.reference


@dataclass(frozen=True, slots=True)
class Answer:
    """What the user gave."""

    text: str
    mode: Mode
    seconds: float
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Revealed:
    """An answer that is kept, and what the program makes of it."""

    asked: Asked
    answer: Answer
    grade: Grade
    judgement: Judgement | None
    """Of a calculation."""
    previews: Mapping[Rating, Preview]

    @property
    def ticked(self) -> frozenset[str]:
        """The parts that are ticked before the user has corrected anything."""
        if self.judgement is not None:
            right = self.judgement.verdict is Verdict.RIGHT
            return frozenset(point.id for point in self.asked.prompt.points if right)
        return self.grade.ticked


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the ticks come to."""

    score: Score
    proposal: Proposal
    allowed: tuple[Rating, ...]
    misled: bool = False
    """The user was sure and wrong."""

    def days(self, preview: Preview) -> int:
        """Return in how many days the prompt comes back with a rating."""
        return 1 if self.misled else preview.days


@dataclass(frozen=True, slots=True)
class Rated:
    """A review that is on disk."""

    prompt: Prompt
    rating: Rating
    days: int
    """Until it comes back."""
    score: float


@dataclass(frozen=True, slots=True)
class Summary:
    """What a session has come to."""

    answers: int
    mean_score: float | None
    seconds: float


class Reviewing:
    """One session; the screens hold one, ask it, and show what it says."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._session = session.Session()
        self._schedules: dict[str, Schedule] = {}
        self._plan: Plan | None = None
        self._candidates: list[Candidate] = []
        self._done = DoneToday()
        self._reasons: dict[str, Reason] = {}
        self._drafts: dict[str, Draft] = {}
        self._rated: list[Rated] = []
        self._seconds = 0.0
        self._day: date | None = None
        self.left_out: dict[str, str] = {}
        """Prompts that could not be asked, by key, and why: their card has a fault."""

    async def start(self, card: str = "", only: Sequence[str] = ()) -> None:
        """Plan the day, or take one card's prompts or those given, due or not."""
        await self._load()
        assert self._plan is not None
        self._session = session.start(self._plan)
        out = {candidate.key for candidate in self._candidates if candidate.suspended}
        kept = [key for key in self._drafts if self._known(key) and key not in out]
        if kept:
            self._take(kept, Reason.DRAFT)
        if card:
            self._session = session.Session()
            self._take([c.key for c in self._candidates if c.card == card], Reason.MORE)
        elif only:
            self._session = session.Session()
            self._take([key for key in only if self._known(key)], Reason.MORE)

    async def more(self) -> int:
        """Add what would come next to the session; returns how many prompts."""
        await self._load()
        assert self._plan is not None
        keys = queue.more(self._candidates, self._schedules, self._plan, MORE, self._done)
        self._take(keys, Reason.MORE)
        return len(keys)

    @property
    def counts(self) -> Counts:
        """What is left to ask."""
        return self._session.counts

    @property
    def summary(self) -> Summary:
        """What the session has come to so far."""
        scores = [rated.score for rated in self._rated]
        mean = sum(scores) / len(scores) if scores else None
        return Summary(len(scores), mean, self._seconds)

    async def next(self) -> Asked | Revealed | None:
        """Return what comes next; ``None`` when the session is over.

        A prompt whose answer was kept when the program ended is already revealed.
        """
        if self._day != self._workspace.today():
            await self._load()
        while (key := self._session.next()) is not None:
            asked = self._ask(key)
            if asked is None:
                self._session = self._session.skip(key)
                continue
            draft = self._drafts.pop(key, None)
            if draft is None or draft.mode is Mode.UNFINISHED:
                return replace(asked, unfinished=draft.text) if draft else asked
            answer = Answer(draft.text, draft.mode, draft.seconds, draft.sure)
            return await self._revealed(asked, answer)
        return None

    async def answer(self, asked: Asked, answer: Answer) -> Revealed:
        """Keep an answer on disk, then say what the program makes of it."""
        draft = self._draft(asked, answer)
        own = await self._workspace.database.call(calls.keep_answer, draft)
        return self._graded(asked, answer, own)

    async def prepare(self, asked: Asked) -> None:
        """Make ready, while the user thinks, what grading the answer will need.

        The wordings of a prompt are worked out once, which takes longer than a key may.
        """
        await asyncio.to_thread(grade, asked.prompt.points, _false_of(asked), PREPARING)

    async def keep(self, asked: Asked, text: str, seconds: float) -> None:
        """Keep what is typed so far, for the next start of the program."""
        draft = self._draft(asked, Answer(text, Mode.UNFINISHED, seconds))
        await self._workspace.database.call(calls.save_draft, draft)

    def outcome(
        self, revealed: Revealed, ticks: Collection[str], false: Collection[str] = ()
    ) -> Outcome:
        """Return what ticks and confirmed false statements come to; nothing is written."""
        asked = revealed.asked
        result = score(asked.prompt.points, ticks, _confirmed_false(asked, false))
        earlier = asked.schedule.reviews if asked.schedule else 0
        proposal = proposed(
            result,
            len(false),
            revealed.answer,
            asked.target_seconds,
            earlier,
            self._workspace.thresholds,
        )
        wrong = misled(revealed.answer.sure, proposal.rating, false)
        return Outcome(result, proposal, allowed(proposal.rating), wrong)

    async def rate(
        self,
        revealed: Revealed,
        rating: Rating,
        ticks: Collection[str],
        false: Collection[str] = (),
    ) -> Rated:
        """Log the review and schedule the prompt; on disk when this returns.

        Raises :class:`~quizapp.store.values.ConflictError`, with nothing written but the
        answer's draft, if another program reviewed the prompt since it was asked.
        """
        outcome = self.outcome(revealed, ticks, false)
        entry = self._entry(revealed, rating, outcome, ticks, false)
        asked = revealed.asked
        schedule = advance(asked.schedule, entry.review, self._workspace.schedule_settings)
        written = await self._workspace.database.call(
            calls.append_review, entry, schedule, asked.schedule or 0
        )
        if not written:
            raise ConflictError(f"another program rated this answer to {entry.prompt}")
        self._schedules[entry.prompt] = schedule
        self._session = self._session.answered(entry.prompt, rating, entry.review.misled)
        self._reasons[entry.prompt] = Reason.LEARNING
        self._seconds += revealed.answer.seconds
        rated = Rated(
            asked.prompt, rating, (schedule.due - schedule.last).days, outcome.score.value
        )
        self._rated.append(rated)
        return rated

    async def take_follow_ups(self, card: str) -> int:
        """Ask a card's follow-up questions next, those not seen today; returns how many."""
        found = self._workspace.library.prompts(self._workspace.language)
        today = self._workspace.today()
        keys = [
            key
            for key, prompt in found.items()
            if prompt.card == card
            and prompt.kind is PromptKind.FOLLOW_UP
            and not self._seen(key, today)
        ]
        self._take(keys, Reason.FOLLOW_UP)
        return len(keys)

    def skip(self, asked: Asked) -> None:
        """Leave a prompt for the next session."""
        self._session = self._session.skip(asked.prompt.key)

    async def undo(self) -> Entry | None:
        """Take the last rating back, of this session or an earlier one, and ask it again."""
        undone = await undo(self._workspace)
        if undone is None:
            return None
        await self._load()
        if self._rated and self._rated[-1].prompt.key == undone.prompt:
            self._seconds -= undone.seconds
            self._rated.pop()
        if self._known(undone.prompt):
            self._session = self._session.undo(undone.prompt)
            self._reasons[undone.prompt] = Reason.UNDONE
        return undone

    async def suspend(self, asked: Asked) -> bool:
        """Take a prompt out of the reviews, or back in; returns whether it is out now."""
        key = asked.prompt.key
        out = await suspend(self._workspace, key)
        if out:
            await self._workspace.database.call(calls.drop_draft, asked.uuid)
            self._session = self._session.skip(key)
        return out

    def translated(self, asked: Asked) -> Asked:
        """Return the same prompt in the present language, with the same values."""
        lang = self._workspace.language
        prompt = self._workspace.library.prompt(asked.prompt.key, lang)
        card = self._workspace.library.card(asked.card.id, lang)
        if prompt is None or card is None:
            return asked
        try:
            exercise = _exercise(card, prompt, asked.seed)
        except CalculationError:
            return asked
        return replace(asked, prompt=prompt, card=card, lang=lang, exercise=exercise)

    async def retold(self, revealed: Revealed) -> Revealed:
        """Return an answer's appraisal in the present language."""
        return await self._revealed(self.translated(revealed.asked), revealed.answer)

    async def renewed(self, revealed: Revealed) -> Revealed:
        """Return the same answer, to be rated anew on the prompt's schedule as it is now.

        It becomes a review of its own: the one it was may have been written by another program.
        """
        await self._load()
        schedule = self._schedules.get(revealed.asked.prompt.key)
        asked = replace(revealed.asked, uuid=str(uuid4()), schedule=schedule)
        await self._workspace.database.call(calls.drop_draft, revealed.asked.uuid)
        return await self.answer(asked, revealed.answer)

    async def _load(self) -> None:
        workspace = self._workspace
        self._day = workspace.today()
        state = await workspace.database.call(calls.state, self._day)
        self._schedules, suspended, today, drafts = state
        self._drafts = {draft.prompt: draft for draft in drafts}
        self._candidates = candidates(workspace, self._schedules, suspended)
        self._done = queue.done_today(today, self._schedules, self._day, workspace.calendar)
        limits = Limits(workspace.settings.new_per_day, workspace.settings.reviews_per_day)
        self._plan = queue.plan(self._candidates, self._schedules, self._day, limits, self._done)

    def _take(self, keys: Sequence[str], reason: Reason) -> None:
        new = [key for key in keys if key not in self._schedules]
        self._session = self._session.take(keys, new)
        self._reasons |= dict.fromkeys(keys, reason)

    def _known(self, key: str) -> bool:
        return self._workspace.library.prompt(key, self._workspace.language) is not None

    def _seen(self, key: str, day: date) -> bool:
        schedule = self._schedules.get(key)
        return schedule is not None and schedule.last == day

    def _ask(self, key: str) -> Asked | None:
        lang = self._workspace.language
        prompt = self._workspace.library.prompt(key, lang)
        card = self._workspace.library.card(prompt.card, lang) if prompt else None
        if prompt is None or card is None:
            return None
        draft = self._drafts.get(key)
        schedule = self._schedules.get(key)
        seed = draft.seed if draft else _seed(key, schedule)
        try:
            exercise = _exercise(card, prompt, seed)
        except CalculationError as error:
            self.left_out[key] = str(error)
            return None
        return Asked(
            uuid=draft.uuid if draft else str(uuid4()),
            prompt=prompt,
            card=card,
            lang=lang,
            reason=self._reasons.get(key) or (Reason.DUE if schedule else Reason.NEW),
            schedule=schedule,
            seed=seed,
            exercise=exercise,
            target_seconds=target_seconds(self._workspace, prompt),
        )

    async def _revealed(self, asked: Asked, answer: Answer) -> Revealed:
        own = await self._workspace.database.call(calls.confirmed, asked.prompt.key)
        return self._graded(asked, answer, own)

    def _graded(self, asked: Asked, answer: Answer, own: Sequence[tuple[str, str]]) -> Revealed:
        prompt = asked.prompt
        found = grade(prompt.points, _false_of(asked), answer.text, own)
        settings = self._workspace.schedule_settings
        return Revealed(
            asked,
            answer,
            found,
            judge(asked.exercise, answer.text) if asked.exercise else None,
            preview(prompt.key, asked.schedule, self._workspace.now(), settings),
        )

    def _draft(self, asked: Asked, answer: Answer) -> Draft:
        return Draft(
            uuid=asked.uuid,
            prompt=asked.prompt.key,
            at=self._workspace.now(),
            text=answer.text,
            mode=answer.mode,
            seconds=answer.seconds,
            sure=answer.sure,
            lang=asked.lang.value,
            seed=asked.seed,
        )

    def _entry(
        self,
        revealed: Revealed,
        rating: Rating,
        outcome: Outcome,
        ticks: Collection[str],
        false: Collection[str],
    ) -> Entry:
        asked, answer = revealed.asked, revealed.answer
        now = self._workspace.now()
        return Entry(
            uuid=asked.uuid,
            kind=Kind.REVIEW,
            prompt=asked.prompt.key,
            at=now,
            day=self._workspace.calendar.day(now),
            rating=rating,
            proposed=outcome.proposal.rating,
            score=outcome.score.value,
            seconds=answer.seconds,
            mode=answer.mode,
            sure=answer.sure,
            lang=asked.lang.value,
            answer=answer.text,
            ticks=tuple(sorted(ticks)),
            suggested=tuple(sorted(revealed.ticked)),
            missed=outcome.score.missed,
            false_claims=tuple(sorted(false)),
            evidence=revealed.grade.learned(answer.text, ticks),
            seed=asked.seed if asked.exercise else None,
            inputs=asked.exercise.values if asked.exercise else {},
            client=self._workspace.client,
        )


def target_seconds(workspace: Workspace, prompt: Prompt) -> float:
    """Return the time that a prompt's answer is meant to take."""
    seconds = float(workspace.settings.answer_seconds)
    if prompt.kind is PromptKind.CALCULATION:
        return 3 * seconds
    # The full model answer at the pace of speech is no less than the target.
    return seconds * max(1.0, len(prompt.points) / 3)


def candidates(
    workspace: Workspace, schedules: Mapping[str, Schedule], suspended: Collection[str]
) -> list[Candidate]:
    """Return every prompt of the library as the queue must know it."""
    library, lang = workspace.library, workspace.language
    cards = {id_: library.card(id_, lang) for id_ in library.ids}
    order = {id_: number for number, id_ in enumerate(library.ids)}
    learned = {key for key, schedule in schedules.items() if schedule.due > schedule.last}
    waiting = queue.waiting_cards(
        {id_: card.after for id_, card in cards.items() if card},
        {id_: f"{id_}/{MAIN}" for id_ in library.ids},
        learned,
    )
    found = []
    positions: dict[str, int] = {}
    for key, prompt in library.prompts(lang).items():
        positions[prompt.card] = positions.get(prompt.card, -1) + 1
        found.append(
            Candidate(
                key,
                prompt.card,
                positions[prompt.card],
                order[prompt.card],
                key in suspended,
                prompt.card in waiting,
            )
        )
    return found


async def undo(workspace: Workspace) -> Entry | None:
    """Take back the newest rating, whoever gave it; ``None`` if there is none."""
    settings = workspace.schedule_settings

    def reschedule(reviews: Sequence[Review]) -> Schedule | None:
        return next(iter(replay(reviews, settings).values()), None)

    now = workspace.now()
    day = workspace.calendar.day(now)
    return await workspace.database.call(calls.undo, str(uuid4()), now, day, reschedule)


async def suspend(workspace: Workspace, key: str) -> bool:
    """Take a prompt out of the reviews, or back in; returns whether it is out now."""
    out = key in await workspace.database.call(calls.suspended)
    now = workspace.now()
    kind = Kind.RESUME if out else Kind.SUSPEND
    mark = Entry(str(uuid4()), kind, key, now, workspace.calendar.day(now))
    await workspace.database.call(calls.append_mark, mark)
    return not out


def _seed(key: str, schedule: Schedule | None) -> int:
    """Return the seed of a calculation's values: new at each review, the same at a restart."""
    reviews = schedule.reviews if schedule else 0
    return int.from_bytes(blake2b(f"{key}#{reviews}".encode(), digest_size=6).digest())


def _exercise(card: Card, prompt: Prompt, seed: int) -> Exercise | None:
    if prompt.kind is not PromptKind.CALCULATION:
        return None
    return next((draw(c, seed) for c in card.calculations if c.id == prompt.id), None)


def _false_of(asked: Asked) -> Sequence[FalseStatement]:
    """Return the false statements that an answer to this prompt may contain."""
    if asked.prompt.kind is PromptKind.CALCULATION:
        return ()
    return asked.card.false_statements


def proposed(
    result: Score,
    false_claims: int,
    answer: Answer | Entry,
    target_seconds: float,
    earlier_reviews: int,
    thresholds: Thresholds,
    hints: int = 0,
) -> Proposal:
    """Return the rating that an answer with these ticks comes to, and what held it down."""
    evidence = Evidence(
        score=result.value,
        core_points=result.core_points,
        core_missed=result.core_missed,
        false_claims=false_claims,
        hints=hints,
        seconds=answer.seconds,
        target_seconds=target_seconds,
        gave_up=answer.mode is Mode.GAVE_UP,
        sure=answer.sure,
        earlier_reviews=earlier_reviews,
    )
    return propose(evidence, thresholds)


def _confirmed_false(asked: Asked, ids: Collection[str]) -> list[FalseStatement]:
    return [statement for statement in asked.card.false_statements if statement.id in ids]

"""Which questions: drawn by a seed, and follow-ups by what was left out.

Main questions come of different cards first; a deck of few cards fills an interview up with
their cases and concepts.  What was missed at its last review comes up to twice as often.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from uuid import UUID, uuid5

from quizapp.cards.model import (
    MAIN,
    Card,
    Claim,
    FalseStatement,
    Part,
    Point,
    Prompt,
    PromptKind,
    prompts,
)
from quizapp.interview.options import CALCULATION_TIME, Options
from quizapp.interview.questions import Choice, Question, Role, Slot
from quizapp.interview.state import Fate, State, Turn
from quizapp.recall.calculations import CalculationError, Exercise, draw
from quizapp.recall.grading import grade
from quizapp.recall.score import point_credit

FILL = (PromptKind.CASE, PromptKind.CONCEPT)
"""Kinds of prompts that fill up an interview of few cards."""
REVIEWS = UUID("3a1b7d7e-5f1c-4b19-9a1d-6d0f6b0d2c11")
"""Name space of the reviews that questions become."""


@dataclass(frozen=True, slots=True)
class Material:
    """The cards and what is known of the candidate."""

    asks: Mapping[str, Card]
    """By id, in the language of the questions."""
    answers: Mapping[str, Card]
    """The same cards in the language of the answers."""
    missed_last: Mapping[str, float] = field(default_factory=dict)
    """By prompt key: the share missed at its last review, 0 to 1."""
    own: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    """By prompt key: the candidate's own confirmed sentences, ``(part, sentence)``."""
    left_out: frozenset[str] = frozenset()
    """Keys of the prompts not to ask: those the user has suspended."""

    def prompt(self, key: str, answers: bool = False) -> Prompt | None:
        """Return a prompt in the language of the questions, or of the answers."""
        card = (self.answers if answers else self.asks).get(key.partition("/")[0])
        return next((p for p in prompts(card) if p.key == key), None) if card else None


def plan(options: Options, material: Material) -> tuple[Slot, ...]:
    """Return the rounds of an interview; none if the decks hold nothing to ask."""
    cards = [c for c in material.asks.values() if not options.decks or c.deck in options.decks]
    chance = random.Random(options.seed)
    found = [p for card in cards for p in prompts(card) if p.key not in material.left_out]
    mains = [prompt.key for prompt in found if prompt.id == MAIN]
    others = [prompt.key for prompt in found if prompt.kind in FILL]
    drawn = [*_shuffled(mains, material, chance), *_shuffled(others, material, chance)]
    slots = [_slot(key, options, material, chance) for key in drawn[: options.length]]
    return tuple(_few_proofs(slots, options, chance))


def _shuffled(keys: Iterable[str], material: Material, chance: random.Random) -> list[str]:
    """Order at random; a key of weight w comes before another w times as often as after it."""

    def time(key: str) -> float:
        weight = 1.0 + material.missed_last.get(key, 0.0)
        return chance.expovariate(weight)

    return [key for _, key in sorted((time(key), key) for key in keys)]


def _slot(key: str, options: Options, material: Material, chance: random.Random) -> Slot:
    slot = Slot(key)
    if not key.endswith(f"/{MAIN}"):
        return slot
    card = material.asks[slot.card]
    able = [
        f"{card.id}/{calculation.id}"
        for calculation in card.calculations
        if f"{card.id}/{calculation.id}" not in material.left_out
    ]
    drawn = _shuffled(able, material, chance)
    usable = (k for k in drawn if exercise(k, options.seed, material) is not None)
    claims = [f"{card.id}/{claim.id}" for claim in card.claims if claim.demo]
    claim = chance.choice(claims) if claims else ""
    return replace(slot, calculation=next(usable, ""), claim=claim)


def _few_proofs(slots: Sequence[Slot], options: Options, chance: random.Random) -> Iterator[Slot]:
    most = options.demands.proofs
    able = [slot.prompt for slot in slots if slot.claim]
    kept = able if most is None else chance.sample(able, min(most, len(able)))
    for slot in slots:
        yield slot if slot.prompt in kept else replace(slot, claim="")


def exercise(key: str, seed: int, material: Material, answers: bool = False) -> Exercise | None:
    """Return a calculation with the values this interview draws; ``None`` if it cannot be drawn."""
    card_id, _, id_ = key.partition("/")
    card = (material.answers if answers else material.asks).get(card_id)
    found = next((c for c in card.calculations if c.id == id_), None) if card else None
    try:
        return draw(found, _number(seed, key)) if found else None
    except CalculationError:
        return None


def claim_of(key: str, material: Material) -> Claim | None:
    """Return a claim in the language of the answers."""
    card_id, _, id_ = key.partition("/")
    card = material.answers.get(card_id)
    return next((c for c in card.claims if c.id == id_), None) if card else None


def _number(seed: int, key: str) -> int:
    return int.from_bytes(blake2b(f"{seed}#{key}".encode(), digest_size=6).digest())


def question(
    state: State,
    key: str,
    role: Role,
    round_: int,
    material: Material,
    choice: Choice | None = None,
) -> Question | None:
    """Return the question of a prompt, whole; ``None`` if its card or its values are gone."""
    asked, answer = material.prompt(key), material.prompt(key, answers=True)
    card = material.answers.get(key.partition("/")[0])
    if asked is None or answer is None or card is None:
        return None
    options = state.options
    drawn = exercise(key, options.seed, material, answers=True)
    wording = exercise(key, options.seed, material)
    if role is Role.CALCULATION and (drawn is None or wording is None):
        return None
    number = len(state.turns)
    factor = CALCULATION_TIME if role is Role.CALCULATION else 1.0
    return Question(
        number=number,
        uuid=str(uuid5(REVIEWS, f"{state.id}/{number}")),
        role=role,
        round=round_,
        prompt=key,
        kind=asked.kind,
        text=wording.question if wording else asked.question,
        reference=drawn.solution if drawn else answer.reference,
        points=rubric(answer, drawn),
        false_statements=told_statements(card, answer),
        seconds=options.seconds * options.demands.time * factor,
        exercise=drawn,
        choice=choice,
    )


def rubric(prompt: Prompt, drawn: Exercise | None = None) -> tuple[Point, ...]:
    """Return a prompt's points without the rules to find them by."""
    if drawn is not None:
        return tuple(replace(point, text=drawn.shown) for point in prompt.points)
    return tuple(
        replace(point, parts=tuple(Part(part.id) for part in point.parts))
        for point in prompt.points
    )


def false_statements(card: Card, prompt: Prompt) -> tuple[FalseStatement, ...]:
    """Return the false statements that an answer to this prompt may contain."""
    if prompt.kind is PromptKind.CALCULATION:
        return ()
    ids = {point.id for point in prompt.points}
    return tuple(s for s in card.false_statements if not s.against or ids & {*s.against})


def told_statements(card: Card, prompt: Prompt) -> tuple[FalseStatement, ...]:
    """Return the same without the rules to find them by."""
    found = false_statements(card, prompt)
    return tuple(FalseStatement(s.id, s.text, s.against) for s in found)


@dataclass(frozen=True, slots=True)
class _Said:
    """What was said so far in a round."""

    text: str
    parts: frozenset[str]
    false: frozenset[str]
    """Ids of the points that something false was said against."""


def follow_up(state: State, round_: int, material: Material) -> tuple[str, Choice] | None:
    """Return the follow-up to ask next and why; ``None`` if none is worth asking.

    One whose every point the candidate has made already is never asked, nor is one twice.
    """
    turns = [turn for turn in state.turns if turn.question.round == round_]
    if not turns or turns[0].question.kind is not PromptKind.ANSWER:
        return None
    if turns[0].fate is not Fate.ANSWERED:
        return None
    asked = sum(turn.question.role is Role.FOLLOW_UP for turn in turns)
    card = material.answers.get(turns[0].question.card)
    if card is None or asked >= state.options.demands.follow_ups:
        return None
    said = _said(turns)
    ranked = [
        (choice.rank, -place, prompt.key, choice)
        for place, prompt in enumerate(prompts(card))
        if prompt.kind is PromptKind.FOLLOW_UP
        and prompt.key not in state.asked | material.left_out
        and (choice := _choice(prompt, card, turns[0], said, material)) is not None
    ]
    if not ranked:
        return None
    _, _, key, choice = max(ranked, key=lambda item: item[:2])
    return key, choice


def _said(turns: Sequence[Turn]) -> _Said:
    false = {
        point
        for turn in turns
        for statement in turn.question.false_statements
        if statement.id in (turn.false if turn.ticks is not None else _flagged(turn))
        for point in statement.against
    }
    return _Said(
        "\n".join(turn.text for turn in turns if turn.question.role is not Role.CALCULATION),
        frozenset(part for turn in turns for part in turn.said),
        frozenset(false),
    )


def _flagged(turn: Turn) -> Collection[str]:
    return turn.heard.flagged if turn.heard else ()


def _choice(
    prompt: Prompt, card: Card, main: Turn, said: _Said, material: Material
) -> Choice | None:
    own = grade(prompt.points, (), said.text, material.own.get(prompt.key, ()))
    credits_ = [point_credit(point, own.ticked | said.parts) for point in prompt.points]
    if min(credits_) >= 1:
        return None
    mains = probed(prompt.reference, card.points)
    tested = [
        *zip(prompt.points, credits_, strict=True),
        *((p, point_credit(p, main.said)) for p in main.question.points if p.id in mains),
    ]
    weight = sum(point.weight for point, _ in tested)
    missed = sum(point.weight * (1 - credit) for point, credit in tested) / weight
    return Choice(
        weight,
        missed,
        any(point.id in said.false for point, _ in tested),
        material.missed_last.get(prompt.key, 0.0),
    )


@lru_cache(maxsize=512)
def probed(reference: str, points: tuple[Point, ...]) -> frozenset[str]:
    """Return the main points that a follow-up's model answer speaks of, and so tests."""
    spoken = grade(points, (), reference).ticked
    return frozenset(point.id for point in points if point_credit(point, spoken) > 0)

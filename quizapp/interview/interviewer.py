"""What the program does when it is its turn: asks, listens, asks again, challenges, concludes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from quizapp.cards.model import FalseStatement, Point, Prompt
from quizapp.interview import planning
from quizapp.interview.events import (
    Asked,
    Challenged,
    Concluded,
    Event,
    Finished,
    Graded,
    Happening,
    Heard,
    Hinted,
    Manner,
    Regrade,
    Regraded,
    Reprompted,
)
from quizapp.interview.machine import apply
from quizapp.interview.planning import Material
from quizapp.interview.questions import Question, Role
from quizapp.interview.scoring import summary
from quizapp.interview.state import Fate, Phase, State, Turn
from quizapp.recall.calculations import judge
from quizapp.recall.grading import Grade, grade
from quizapp.recall.score import point_credit

HINT_SHARE = 0.4
"""Share of a point's text that its hint shows."""


def move(state: State, material: Material) -> Happening | None:
    """Return what the program does now; ``None`` if it is the candidate's turn or over."""
    if state.phase is not Phase.THINKING:
        return None
    if state.ungraded is not None:
        return Graded(heard(state.ungraded, material))
    if state.vague is not None:
        return Reprompted(state.vague)
    if state.done:
        return Finished(summary(state))
    return next(_next(state, material), Concluded())


def moves(state: State, material: Material, at: datetime) -> Iterator[tuple[Event, State]]:
    """Yield the program's moves, each with the state after it, until it is another's turn."""
    while (what := move(state, material)) is not None:
        event = Event(at, what)
        state = apply(state, event)
        yield event, state


def _next(state: State, material: Material) -> Iterator[Happening]:
    """Yield what could come next, the first of which does."""
    round_ = state.turn.question.round if state.turn is not None else -1
    if round_ >= 0:
        yield from _of_round(state, round_, material)
    for number, slot in enumerate(state.plan[round_ + 1 :], round_ + 1):
        yield from _ask(state, slot.prompt, Role.MAIN, number, material)


def _of_round(state: State, round_: int, material: Material) -> Iterator[Happening]:
    slot = state.plan[round_]
    roles = {turn.question.role for turn in state.turns if turn.question.round == round_}
    challenged = any(challenge.asked.round == round_ for challenge in state.challenges)
    if Role.CALCULATION not in roles and not challenged:
        chosen = planning.follow_up(state, round_, material)
        if chosen is not None:
            key, choice = chosen
            made = planning.question(state, key, Role.FOLLOW_UP, round_, material, choice)
            if made is not None:
                yield Asked(made)
        if slot.calculation:
            yield from _ask(state, slot.calculation, Role.CALCULATION, round_, material)
    claim = planning.claim_of(slot.claim, material) if slot.claim and not challenged else None
    if claim is not None:
        yield Challenged(round_, slot.claim, claim.says, claim.demo, claim.holds, claim.on)


def _ask(
    state: State, key: str, role: Role, round_: int, material: Material
) -> Iterator[Happening]:
    made = planning.question(state, key, role, round_, material)
    if made is not None and key not in state.asked:
        yield Asked(made)


def heard(turn: Turn, material: Material) -> Heard:
    """Return what is found in an answer, with the rules of the card as it is."""
    question = turn.question
    if question.exercise is not None:
        return Heard(judgement=judge(question.exercise, turn.given[-1] if turn.given else ""))
    points, false, own = _rules(question, material)
    found = grade(points, false, turn.text, own)
    evidence = found.evidence(turn.text)
    return Heard(
        tuple(sorted(found.ticked)),
        tuple(sorted(found.suggested)),
        found.flagged,
        {**evidence, **_false_words(found, turn.text)},
        _late(turn, found, points, false, own),
    )


def learned(turn: Turn, material: Material) -> dict[str, str]:
    """Return the candidate's own words for each part said, to be known again next time."""
    question = turn.question
    if question.exercise is not None or not turn.text.strip():
        return {}
    points, false, own = _rules(question, material)
    return grade(points, false, turn.text, own).learned(turn.text, turn.said)


_Rules = tuple[tuple[Point, ...], tuple[FalseStatement, ...], tuple[tuple[str, str], ...]]


def _rules(question: Question, material: Material) -> _Rules:
    """Return the rubric with its rules, or as it was asked if the card is gone."""
    prompt = material.prompt(question.prompt, answers=True)
    card = material.answers.get(question.card)
    if prompt is None or card is None:
        return question.points, question.false_statements, ()
    own = tuple(material.own.get(question.prompt, ()))
    return prompt.points, planning.false_statements(card, prompt), own


def _false_words(found: Grade, text: str) -> dict[str, str]:
    return {
        id_: " ".join(text[found.false[id_].start : found.false[id_].end].split())
        for id_ in found.flagged
    }


def _late(
    turn: Turn,
    found: Grade,
    points: tuple[Point, ...],
    false: tuple[FalseStatement, ...],
    own: tuple[tuple[str, str], ...],
) -> tuple[str, ...]:
    """Return the parts whose words came after the bell.

    Only of what was typed is it known when; the benefit of the doubt is the candidate's.
    """
    if turn.bell is None or turn.manner is not Manner.TYPED:
        return ()
    earlier = grade(points, false, turn.bell, own)
    by_bell = earlier.ticked | earlier.suggested
    return tuple(sorted((found.ticked | found.suggested) - by_bell))


def hint(state: State, material: Material) -> Hinted | None:
    """Return the next hint to the open question; ``None`` if there is nothing left to hint at.

    It is the beginning of a point that the draft does not make yet, a core point first.
    """
    turn = state.turn
    if state.phase is not Phase.ANSWERING or turn is None:
        return None
    question = turn.question
    if question.role is Role.CALCULATION:
        return None
    text = "\n".join((*turn.given, turn.draft))
    points, _, own = _rules(question, material)
    said = grade(points, (), text, own).ticked
    shown = {each.point for each in turn.hints}
    left = [p for p in points if p.id not in shown and point_credit(p, said) < 1]
    if not left:
        return None
    chosen = max(left, key=lambda point: (point.core, point.weight))
    parts = tuple(part.id for part in chosen.parts) or (chosen.id,)
    return Hinted(chosen.id, parts, beginning(chosen.text))


def beginning(text: str) -> str:
    """Return the first words of a text, in Chinese its first characters, and an ellipsis."""
    words = text.split()
    if len(words) > 3:
        return " ".join(words[: max(1, round(HINT_SHARE * len(words)))]) + " …"
    whole = " ".join(words)
    return whole[: max(1, round(HINT_SHARE * len(whole)))] + "…"


def regrade(state: State, material: Material) -> Regraded:
    """Return what the answers come to with the cards as they are now.

    What the candidate corrected by hand stays corrected, where the card still has the part.
    """
    done = [
        _again(turn, material)
        for turn in state.turns
        if turn.fate is Fate.ANSWERED and turn.question.role is not Role.CALCULATION
    ]
    questions = tuple(item for item in done if item is not None)
    at = state.at
    assert at is not None
    after = apply(state, Event(at, Regraded(questions, summary(state))))
    return Regraded(questions, summary(after))


def _again(turn: Turn, material: Material) -> Regrade | None:
    prompt = material.prompt(turn.question.prompt, answers=True)
    card = material.answers.get(turn.question.card)
    if prompt is None or card is None:
        return None
    new = heard(turn, material)
    old = frozenset(turn.heard.ticked if turn.heard else ())
    ticks, known = frozenset(turn.said), _ids(prompt)
    kept = (frozenset(new.ticked) | (ticks - old)) - (old - ticks)
    points, statements = planning.rubric(prompt), planning.told_statements(card, prompt)
    false = {statement.id for statement in statements}
    return Regrade(
        turn.question.number,
        prompt.reference,
        points,
        statements,
        new,
        tuple(sorted(kept & known)),
        tuple(id_ for id_ in turn.false if id_ in false),
    )


def _ids(prompt: Prompt) -> frozenset[str]:
    parts = {part.id for point in prompt.points for part in point.parts}
    return frozenset(parts | {point.id for point in prompt.points if not point.parts})

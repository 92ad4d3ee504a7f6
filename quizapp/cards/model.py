"""The card model: what an author writes, as immutable values.

One :class:`Card` is one language's text of a topic, with the machine data (weights,
accepted wordings, claims, calculation templates) of both language files already merged
into it.  Identity is the id and never the text, so a typo can be mended without losing
anybody's history.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from quizapp.cards.kinds import Lang as Lang
from quizapp.cards.kinds import PromptKind as PromptKind


@dataclass(frozen=True, slots=True)
class Part:
    """One atomic statement of a point; it was said or it was not."""

    id: str
    """Unique on the card, e.g. ``P1a``."""
    accept: tuple[tuple[str, ...], ...] = ()
    """Alternatives; each is a group of wordings that must all stand within one window."""
    reject: tuple[str, ...] = ()
    """Wordings that void the part in the window where they stand."""
    say: tuple[str, ...] = ()
    """Reference phrasings, in any language."""


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that an answer must say."""

    id: str
    text: str
    """The point in this card's language."""
    weight: float = 1.0
    core: bool = False
    """An interviewer fails a candidate who misses it."""
    needs: str = ""
    """Which parts make it said: ``P1a``, ``P2a and (P2b or P1a)``, ``2 of P5a, P5b, P5c``.

    Empty means every part."""
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class FalseStatement:
    """A common false statement, so that it can be recognised and asked about."""

    id: str
    text: str
    """The misconception in this card's language."""
    against: tuple[str, ...] = ()
    """Ids of the points it contradicts."""
    match: tuple[tuple[str, ...], ...] = ()
    """As :attr:`Part.accept`."""
    reject: tuple[str, ...] = ()
    say: tuple[str, ...] = ()
    """Ways people say it."""


@dataclass(frozen=True, slots=True)
class Concept:
    """A term and what it means."""

    id: str
    name: str
    text: str
    points: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """A row of the cases table: a situation, what happens, and why."""

    id: str
    situation: str
    result: str
    reason: str


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A question that comes after the main answer."""

    id: str
    question: str
    answer: str
    points: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Variable:
    """An input of a calculation, drawn afresh at each review."""

    name: str
    unit: str = ""
    choices: tuple[float, ...] = ()
    """The values to draw from; given directly, or expanded from a range and a step."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A known wrong answer of a calculation, and the misconception that leads to it."""

    formula: str
    means: str
    """The misconception in this card's language."""


@dataclass(frozen=True, slots=True)
class Calculation:
    """A hand calculation: a template with variables, a formula and known slips."""

    id: str
    ask: str
    """The question, with ``{name}`` where a variable's value and unit go."""
    formula: str
    """In the expression language of :mod:`quizapp.recall.expression`."""
    unit: str = ""
    tolerance: float = 0.05
    """Relative."""
    variables: tuple[Variable, ...] = ()
    solution: str = ""
    """The worked solution, with ``{name}`` for variables and ``{result}``."""
    slips: tuple[Slip, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of the card that a measurement can refute."""

    id: str
    says: str
    """The sentence in this card's language."""
    demo: str = ""
    """Name of the demo that measures it; empty when it cannot be measured."""
    holds: str = ""
    """The predicate over the demo's metrics, e.g. ``speedup in [2.7, 3.1]``."""
    on: tuple[str, ...] = ()
    """Kinds of device on which the predicate may be judged (``cuda``, ``cpu``); empty: any."""
    unmeasurable: str = ""
    """Why no demo can measure it (a source's figure on its own model, say)."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a statement of the card can be looked up."""

    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the file that the model has no field for; kept word for word."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Card:
    """One topic in one language."""

    id: str
    lang: Lang
    title: str
    """The main question, as the interviewer asks it."""
    deck: str = ""
    tags: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    """Ids of the cards to study before this one."""
    concepts: tuple[Concept, ...] = ()
    diagram: str = ""
    """Markdown; box drawing stands in a fenced block."""
    answer: str = ""
    """The 30-second answer."""
    by_hand: str = ""
    """The worked calculation, in words."""
    calculations: tuple[Calculation, ...] = ()
    cases: tuple[Case, ...] = ()
    points: tuple[Point, ...] = ()
    """The must-hit points of the main answer."""
    follow_ups: tuple[FollowUp, ...] = ()
    false_statements: tuple[FalseStatement, ...] = ()
    claims: tuple[Claim, ...] = ()
    sources: tuple[Source, ...] = ()
    extra: tuple[Section, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Prompt:
    """One askable thing on a card, with a memory of its own."""

    card: str
    id: str
    """Unique on the card and the same in every language; ``main`` is the answer."""
    kind: PromptKind
    question: str
    reference: str
    """The model answer, Markdown."""
    points: tuple[Point, ...]
    """Its rubric; never empty."""

    @property
    def key(self) -> str:
        """Unique in the library: ``card/id``."""
        return f"{self.card}/{self.id}"


MAIN = "main"
"""Id of every card's main prompt."""


def prompts(card: Card) -> Iterator[Prompt]:
    """Yield the card's prompts in the order of study: answer, concepts, cases, hand, follow-ups."""
    main = card.points or (Point(MAIN, card.answer),)
    yield Prompt(card.id, MAIN, PromptKind.ANSWER, card.title, card.answer, main)
    for concept in card.concepts:
        points = concept.points or (Point(concept.id, concept.text),)
        yield Prompt(card.id, concept.id, PromptKind.CONCEPT, concept.name, concept.text, points)
    for case in card.cases:
        yield Prompt(
            card.id,
            case.id,
            PromptKind.CASE,
            case.situation,
            f"**{case.result}** {case.reason}",
            (Point(f"{case.id}.result", case.result), Point(f"{case.id}.reason", case.reason)),
        )
    for calculation in card.calculations:
        yield Prompt(
            card.id,
            calculation.id,
            PromptKind.CALCULATION,
            calculation.ask,
            calculation.solution,
            (Point(calculation.id, calculation.solution),),
        )
    for follow_up in card.follow_ups:
        points = follow_up.points or (Point(follow_up.id, follow_up.answer),)
        yield Prompt(
            card.id,
            follow_up.id,
            PromptKind.FOLLOW_UP,
            follow_up.question,
            follow_up.answer,
            points,
        )

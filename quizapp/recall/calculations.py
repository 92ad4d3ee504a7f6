"""Hand calculations: a template drawn afresh at each review, and the judgement of an answer.

Values are drawn again until every known slip gives an answer that is further from the right
one than twice the tolerance, so that a slip is always told apart from the truth.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from quizapp.cards.model import Calculation
from quizapp.recall import quantities, units
from quizapp.recall.expression import Expression, ExpressionError, parse

TRIES = 200
"""Draws before a template is given up as one whose slips cannot be told apart."""
NEAR = 3.0
"""Times the tolerance within which the digits count as nearly right."""

_FIELD = re.compile(r"\{([^{}|]+)(?:\|([^{}|]*))?\}")


class CalculationError(ValueError):
    """A template that cannot be used; names the template and what is wrong with it."""


class Verdict(StrEnum):
    """What an answer to a calculation is."""

    RIGHT = "right"
    NEAR = "near"
    """Method and order of magnitude right, digits a little off."""
    MAGNITUDE = "magnitude"
    """Only the order of magnitude is right."""
    SHIFTED = "shifted"
    """The digits are right and the power of ten is not."""
    SLIP = "slip"
    """A known wrong answer; :attr:`Judgement.means` names the misconception."""
    WRONG = "wrong"
    UNREAD = "unread"
    """Not one readable number; ask again."""


CREDIT: Mapping[Verdict, float] = {
    Verdict.RIGHT: 1.0,
    Verdict.NEAR: 0.75,
    Verdict.MAGNITUDE: 0.5,
    Verdict.SHIFTED: 0.5,
    Verdict.SLIP: 0.0,
    Verdict.WRONG: 0.0,
    Verdict.UNREAD: 0.0,
}


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """A slip, worked out for the values drawn."""

    value: float
    means: str


@dataclass(frozen=True, slots=True)
class Exercise:
    """A calculation with its values drawn."""

    calculation: str
    """The template's id."""
    seed: int
    values: Mapping[str, float]
    question: str
    result: float
    """The right answer in :attr:`unit`."""
    unit: str
    tolerance: float
    solution: str
    wrong: tuple[WrongAnswer, ...] = ()

    @property
    def shown(self) -> str:
        """The right answer as people write it, e.g. ``2.94 ms``."""
        return units.show(self.result, self.unit)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of an answer."""

    verdict: Verdict
    value: float | None = None
    """As read, in the exercise's unit."""
    means: str = ""
    """The misconception behind a slip, in the card's language."""
    problem: str = ""
    """Why nothing was read, one line for the user."""

    @property
    def credit(self) -> float:
        """Share of the point that is earned."""
        return CREDIT[self.verdict]


@dataclass(frozen=True, slots=True)
class _Template:
    """A calculation whose formulas have been read."""

    source: Calculation
    formula: Expression
    slips: tuple[Expression, ...] = field(default=())

    @classmethod
    def of(cls, source: Calculation) -> _Template:
        names = {variable.name for variable in source.variables}
        formula = _read(source, source.formula, names)
        return cls(source, formula, tuple(_read(source, s.formula, names) for s in source.slips))


def draw(calculation: Calculation, seed: int) -> Exercise:
    """Draw the variables of a template; the same seed gives the same exercise.

    Raises :class:`CalculationError` when a formula cannot be read or worked out, or when no
    draw in :data:`TRIES` tells all slips from the right answer.
    """
    template = _Template.of(calculation)
    empty = [variable.name for variable in calculation.variables if not variable.choices]
    if empty:
        raise CalculationError(
            f"calculation {calculation.id}: {', '.join(empty)} has no values to draw from"
        )
    generator = random.Random(seed)
    for _ in range(TRIES):
        values = {v.name: generator.choice(v.choices) for v in calculation.variables}
        result, wrong = _work_out(template, values)
        if all(_apart(w.value, result, calculation.tolerance) for w in wrong):
            return _exercise(calculation, seed, values, result, wrong)
    raise CalculationError(
        f"calculation {calculation.id}: in {TRIES} draws some slip always came within twice "
        f"the tolerance ({calculation.tolerance:.0%}) of the right answer; widen the choices"
    )


def problems(calculation: Calculation, draws: int = 25) -> tuple[str, ...]:
    """What is wrong with a template, one line each, found by drawing it several times."""
    found: dict[str, None] = {}
    for seed in range(draws):
        try:
            draw(calculation, seed)
        except CalculationError as error:
            found[str(error)] = None
    return tuple(found)


def judge(exercise: Exercise, answer: str) -> Judgement:
    """Judge what the user typed: order of magnitude apart from digits, slips diagnosed."""
    reading = quantities.read(answer, exercise.unit)
    if reading.value is None:
        return Judgement(Verdict.UNREAD, problem=reading.problem)
    value = reading.value if reading.unit else _without_unit(reading.value, exercise)
    if _close(value, exercise.result, exercise.tolerance):
        return Judgement(Verdict.RIGHT, value)
    if not reading.unit and (hint := _missing_unit(value, exercise)):
        return Judgement(Verdict.UNREAD, value, problem=hint)
    if slip := _slip(value, exercise):
        return Judgement(Verdict.SLIP, value, slip.means)
    return Judgement(_distance(value, exercise), value)


def _read(calculation: Calculation, formula: str, names: set[str]) -> Expression:
    try:
        expression = parse(formula)
    except ExpressionError as error:
        raise CalculationError(f"calculation {calculation.id}: {formula!r}: {error}") from None
    if unknown := sorted(expression.names - names):
        raise CalculationError(
            f"calculation {calculation.id}: {formula!r} speaks of {', '.join(unknown)}, "
            f"and the variables are {', '.join(sorted(names)) or 'none'}"
        )
    return expression


def _work_out(
    template: _Template, values: Mapping[str, float]
) -> tuple[float, tuple[WrongAnswer, ...]]:
    try:
        result = template.formula.evaluate(values)
        wrong = tuple(
            WrongAnswer(expression.evaluate(values), slip.means)
            for expression, slip in zip(template.slips, template.source.slips, strict=True)
        )
    except ExpressionError as error:
        drawn = ", ".join(f"{name} = {value:g}" for name, value in values.items())
        raise CalculationError(f"calculation {template.source.id}: with {drawn}: {error}") from None
    return result, wrong


def _exercise(
    calculation: Calculation,
    seed: int,
    values: Mapping[str, float],
    result: float,
    wrong: tuple[WrongAnswer, ...],
) -> Exercise:
    return Exercise(
        calculation.id,
        seed,
        values,
        _render(calculation, calculation.ask, values),
        result,
        calculation.unit,
        calculation.tolerance,
        _render(calculation, calculation.solution, values, result),
        wrong,
    )


def _render(
    calculation: Calculation,
    text: str,
    values: Mapping[str, float],
    result: float | None = None,
) -> str:
    """Fill ``{name}``, ``{result}`` and ``{formula|unit}`` into a text."""
    symbols = {variable.name: variable.unit for variable in calculation.variables}

    def filled(match: re.Match[str]) -> str:
        inside, symbol = match[1].strip(), match[2]
        if inside == "result" and result is not None:
            return units.show(result, calculation.unit if symbol is None else symbol.strip())
        if inside in symbols:
            shown = symbols[inside] if symbol is None else symbol.strip()
            return units.show(values[inside], shown, scale=False, digits=6)
        expression = _read(calculation, inside, set(symbols))
        try:
            return units.show(expression.evaluate(values), (symbol or "").strip())
        except ExpressionError as error:
            raise CalculationError(f"calculation {calculation.id}: {inside!r}: {error}") from None

    return _FIELD.sub(filled, text)


def _close(value: float, target: float, tolerance: float) -> bool:
    return abs(value - target) <= tolerance * abs(target) * (1 + 1e-9)


def _apart(value: float, target: float, tolerance: float) -> bool:
    return abs(value - target) > 2 * tolerance * abs(target)


def _without_unit(value: float, exercise: Exercise) -> float:
    """A bare ``0.334`` where per cent are asked for is a share."""
    share = exercise.unit == units.PERCENT and abs(value) <= 1 < abs(exercise.result)
    return value * 100 if share else value


def _missing_unit(value: float, exercise: Exercise) -> str:
    """Ask for the unit where a bare number is right in another unit of the family."""
    for symbol in units.family(exercise.unit):
        converted = units.convert(value, units.unit(symbol), units.unit(exercise.unit))
        if converted is not None and _close(converted, exercise.result, exercise.tolerance):
            return f"{units.digits_of(value)} of what? Write the unit too, e.g. {exercise.unit}."
    return ""


def _slip(value: float, exercise: Exercise) -> WrongAnswer | None:
    near = [w for w in exercise.wrong if _close(value, w.value, exercise.tolerance)]
    return min(near, key=lambda w: abs(value - w.value), default=None)


def _distance(value: float, exercise: Exercise) -> Verdict:
    if _close(value, exercise.result, NEAR * exercise.tolerance):
        return Verdict.NEAR
    ratio = value / exercise.result if exercise.result else 0.0
    if ratio <= 0:
        return Verdict.WRONG
    decades = math.log10(ratio)
    shift = round(decades)
    if shift and _close(ratio, 10.0**shift, exercise.tolerance):
        return Verdict.SHIFTED
    return Verdict.MAGNITUDE if abs(decades) < 0.5 else Verdict.WRONG

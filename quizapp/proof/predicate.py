"""What a claim says about a demo's numbers: ``speedup in [2.6, 3.1] and differing == 0``.

Grammar::

    predicate = term {"and" term}
    term      = metric op bound | metric "in" "[" number "," number "]"
    op        = "<" | "<=" | ">" | ">=" | "=="
    bound     = number | metric | number "*" metric

A measured number is an interval, so a term holds, fails, or straddles: part of the interval
satisfies it and part does not.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Truth(StrEnum):
    """What an interval makes of a term."""

    HOLDS = "holds"
    FAILS = "fails"
    STRADDLES = "straddles"


@dataclass(frozen=True, slots=True)
class Interval:
    """A number as far as it is known."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Bound:
    """The right side of a comparison: ``factor``, or ``factor * metric``."""

    factor: float
    metric: str = ""

    def at(self, metrics: Mapping[str, Interval]) -> Interval:
        """Return the bound with the metric's interval in it."""
        if not self.metric:
            return Interval(self.factor, self.factor, self.factor)
        known = metrics[self.metric]
        ends = sorted((self.factor * known.low, self.factor * known.high))
        return Interval(self.factor * known.value, *ends)


@dataclass(frozen=True, slots=True)
class Term:
    """One comparison: ``low <= metric <= high``, either end left out or exclusive."""

    metric: str
    text: str
    """The right side as it is written, e.g. ``in [2.6, 3.1]`` or ``>= 0.97``."""
    low: Bound | None = None
    high: Bound | None = None
    strict: bool = False

    @property
    def metrics(self) -> frozenset[str]:
        """Every metric it speaks of."""
        bounds = (bound for bound in (self.low, self.high) if bound is not None)
        return frozenset({self.metric, *(bound.metric for bound in bounds if bound.metric)})

    def truth(self, metrics: Mapping[str, Interval]) -> Truth:
        """Judge the term; ``KeyError`` for a metric that is not known."""
        measured = metrics[self.metric]
        parts = []
        if self.low is not None:
            parts.append(_at_least(measured, self.low.at(metrics), self.strict))
        if self.high is not None:
            parts.append(_at_least(self.high.at(metrics), measured, self.strict))
        return both(*parts)


@dataclass(frozen=True, slots=True)
class Predicate:
    """Terms that must all hold."""

    terms: tuple[Term, ...]

    @property
    def metrics(self) -> frozenset[str]:
        """Every metric it speaks of."""
        return frozenset().union(*(term.metrics for term in self.terms))


def both(*truths: Truth) -> Truth:
    """Return what several terms come to together: failing outweighs doubt."""
    for worst in (Truth.FAILS, Truth.STRADDLES):
        if worst in truths:
            return worst
    return Truth.HOLDS


def parse(text: str) -> Predicate:
    """Read a predicate; ``ValueError`` says where it cannot be read and what may stand there."""
    return _Parser(text).predicate()


def _at_least(larger: Interval, smaller: Interval, strict: bool) -> Truth:
    if larger.low > smaller.high or (not strict and larger.low == smaller.high):
        return Truth.HOLDS
    if larger.high < smaller.low or (strict and larger.high == smaller.low):
        return Truth.FAILS
    return Truth.STRADDLES


KEYWORDS = ("and", "in")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<sign><=|>=|==|<|>|\*|\[|\]|,))"
)


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(self._read())
        self._at = 0

    def predicate(self) -> Predicate:
        terms = [self._term()]
        while self._at < len(self._tokens):
            self._take("name", "`and`", "and")
            terms.append(self._term())
        return Predicate(tuple(terms))

    def _read(self) -> list[tuple[str, str, int]]:
        found, place = [], 0
        while self._text[place:].strip():
            match = _TOKEN.match(self._text, place)
            if match is None:
                stop = place + len(self._text[place:]) - len(self._text[place:].lstrip())
                raise self._error(stop, "a metric, a number, <, <=, >, >=, ==, in or and")
            kind = match.lastgroup or ""
            found.append((kind, match[kind], match.start(kind)))
            place = match.end()
        return found

    def _error(self, place: int, wanted: str) -> ValueError:
        found = self._text[place : place + 12].strip()
        where = f"at {found!r} (character {place + 1})" if found else "at its end"
        return ValueError(f"{self._text!r} cannot be read {where}; expected {wanted}")

    def _take(self, kind: str, wanted: str, *texts: str) -> str:
        place = len(self._text)
        if self._at < len(self._tokens):
            found, text, place = self._tokens[self._at]
            if found == kind and (not texts or text in texts):
                self._at += 1
                return text
        raise self._error(place, wanted)

    def _metric(self, wanted: str) -> str:
        if self._next_is("name", *KEYWORDS):
            raise self._error(self._tokens[self._at][2], wanted)
        return self._take("name", wanted)

    def _next_is(self, kind: str, *texts: str) -> bool:
        if self._at >= len(self._tokens):
            return False
        found, text, _ = self._tokens[self._at]
        return found == kind and (not texts or text in texts)

    def _term(self) -> Term:
        metric = self._metric("the name of a metric")
        start = self._tokens[self._at][2] if self._at < len(self._tokens) else len(self._text)
        low, high, strict = self._right_side()
        text = " ".join(self._text[start : self._end()].split())
        return Term(metric, text, low, high, strict)

    def _end(self) -> int:
        """Where the last token that was taken ends."""
        _, text, place = self._tokens[self._at - 1]
        return place + len(text)

    def _right_side(self) -> tuple[Bound | None, Bound | None, bool]:
        if self._next_is("name", "in"):
            return (*self._range(), False)
        sign = self._take("sign", "<, <=, >, >=, == or in", "<", "<=", ">", ">=", "==")
        bound = self._bound()
        match sign:
            case "==":
                return bound, bound, False
            case ">" | ">=":
                return bound, None, sign == ">"
            case _:
                return None, bound, sign == "<"

    def _range(self) -> tuple[Bound, Bound]:
        self._take("name", "in", "in")
        self._take("sign", "[", "[")
        low = self._number()
        self._take("sign", "a comma", ",")
        place = self._tokens[self._at][2] if self._at < len(self._tokens) else len(self._text)
        high = self._number()
        self._take("sign", "]", "]")
        if low > high:
            raise self._error(place, f"a number from {low:g} up")
        return Bound(low), Bound(high)

    def _bound(self) -> Bound:
        if self._next_is("name"):
            return Bound(1.0, self._metric("a number or the name of a metric"))
        factor = self._number()
        if not self._next_is("sign", "*"):
            return Bound(factor)
        self._take("sign", "*", "*")
        return Bound(factor, self._metric("the name of a metric"))

    def _number(self) -> float:
        number = float(self._take("number", "a number"))
        if not math.isfinite(number):
            raise self._error(self._tokens[self._at - 1][2], "a finite number")
        return number

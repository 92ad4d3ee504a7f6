"""A small expression language for formulas on cards: numbers, names, arithmetic, a few functions.

Card text is data, so a formula is parsed here and never handed to Python.  The grammar, loosest
binding first::

    sum     = product (("+" | "-") product)*
    product = unary (("*" | "/") unary)*
    unary   = ("-" | "+") unary | power
    power   = atom ("**" unary)?
    atom    = number | name | name "(" sum ("," sum)* ")" | "(" sum ")"
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

MAX_LENGTH = 500
"""Longest formula that is read, characters."""
MAX_DEPTH = 40
"""Deepest nesting of parentheses, signs and powers."""


class ExpressionError(ValueError):
    """A formula that cannot be read or worked out; says where."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(f"column {column}: {message}")
        self.column = column
        """From 1."""


class _Token(NamedTuple):
    kind: str
    text: str
    column: int


_TOKENS = re.compile(
    r"\s*(?:(?P<number>(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_]\w*)|(?P<mark>\*\*|[-+*/(),]))"
)


def _tokens(text: str) -> Iterator[_Token]:
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKENS.match(text, position)
        if match is None:
            skipped = len(text) - len(text[position:].lstrip())
            raise ExpressionError(f"{text[skipped]!r} is not understood", skipped + 1)
        kind = str(match.lastgroup)
        yield _Token(kind, match[kind], match.start(kind) + 1)
        position = match.end()
    yield _Token("end", "", end + 1)


def _round_half_up(value: float) -> float:
    return float(math.floor(value + 0.5))


_FUNCTIONS: dict[str, tuple[Callable[..., float], int, int]] = {
    "min": (lambda *values: min(values), 1, 20),
    "max": (lambda *values: max(values), 1, 20),
    "ceil": (math.ceil, 1, 1),
    "floor": (math.floor, 1, 1),
    "sqrt": (math.sqrt, 1, 1),
    "log2": (math.log2, 1, 1),
    "abs": (abs, 1, 1),
    "round": (_round_half_up, 1, 1),
}
"""Name → function, fewest and most arguments.  ``round`` rounds halves up, as people do."""

_OPERATORS: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": math.pow,
}


@dataclass(frozen=True, slots=True)
class _Number:
    value: float

    def evaluate(self, _: Mapping[str, float]) -> float:
        return self.value

    def names(self) -> Iterator[str]:
        yield from ()


@dataclass(frozen=True, slots=True)
class _Name:
    name: str
    column: int

    def evaluate(self, values: Mapping[str, float]) -> float:
        try:
            return float(values[self.name])
        except KeyError:
            raise ExpressionError(f"there is no variable {self.name}", self.column) from None

    def names(self) -> Iterator[str]:
        yield self.name


@dataclass(frozen=True, slots=True)
class _Call:
    """A function or an operator, applied."""

    name: str
    apply: Callable[..., float]
    arguments: tuple[_Node, ...]
    column: int

    def evaluate(self, values: Mapping[str, float]) -> float:
        arguments = [argument.evaluate(values) for argument in self.arguments]
        try:
            result = float(self.apply(*arguments))
        except ZeroDivisionError:
            raise ExpressionError("division by zero", self.column) from None
        except (ValueError, OverflowError):
            result = math.nan
        if not math.isfinite(result):
            shown = ", ".join(f"{argument:g}" for argument in arguments)
            raise ExpressionError(f"{self.name} has no value for {shown}", self.column)
        return result

    def names(self) -> Iterator[str]:
        for argument in self.arguments:
            yield from argument.names()


_Node = _Number | _Name | _Call


@dataclass(frozen=True, slots=True)
class Expression:
    """A formula that has been read."""

    text: str
    root: _Node
    names: frozenset[str]
    """The variables it speaks of."""

    def evaluate(self, values: Mapping[str, float]) -> float:
        """Work the formula out; raises :class:`ExpressionError` where it has no finite value."""
        return self.root.evaluate(values)


class _Parser:
    """A Pratt parser: :meth:`parse` takes what binds more tightly than ``floor``."""

    _BINDING: ClassVar = {"+": 10, "-": 10, "*": 20, "/": 20, "**": 40}
    _SIGN = 30

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._at = 0
        self._depth = 0

    def whole(self) -> _Node:
        node = self.parse(0)
        if self._peek.kind != "end":
            raise ExpressionError(f"{self._peek.text!r} is not expected here", self._peek.column)
        return node

    @property
    def _peek(self) -> _Token:
        return self._tokens[self._at]

    def _next(self) -> _Token:
        token = self._peek
        self._at += 1
        return token

    def parse(self, floor: int) -> _Node:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ExpressionError("nested too deeply", self._peek.column)
        left = self._prefix(self._next())
        while (power := self._BINDING.get(self._peek.text, 0)) > floor:
            operator = self._next()
            # Powers bind to the right (2 ** 3 ** 2), and so does a sign in one (2 ** -1).
            right = self.parse(power - 1 if operator.text == "**" else power)
            apply = _OPERATORS[operator.text]
            left = _Call(operator.text, apply, (left, right), operator.column)
        self._depth -= 1
        return left

    def _prefix(self, token: _Token) -> _Node:
        match token:
            case _Token("number"):
                return _Number(float(token.text.replace("_", "")))
            case _Token("name"):
                return self._call(token) if self._peek.text == "(" else _Name(*token[1:])
            case _Token(_, "("):
                inside = self.parse(0)
                self._expect(")")
                return inside
            case _Token(_, "-"):
                return _Call("-", lambda value: -value, (self.parse(self._SIGN),), token.column)
            case _Token(_, "+"):
                return self.parse(self._SIGN)
        found = f"not {token.text!r}" if token.text else "but the formula ends"
        raise ExpressionError(f"a number or a name is expected, {found}", token.column)

    def _call(self, name: _Token) -> _Node:
        if name.text not in _FUNCTIONS:
            known = ", ".join(sorted(_FUNCTIONS))
            raise ExpressionError(f"there is no function {name.text}; use {known}", name.column)
        apply, fewest, most = _FUNCTIONS[name.text]
        self._expect("(")
        arguments = [self.parse(0)]
        while self._peek.text == ",":
            self._next()
            arguments.append(self.parse(0))
        self._expect(")")
        if not fewest <= len(arguments) <= most:
            wanted = "one value" if most == 1 else f"at most {most} values"
            raise ExpressionError(f"{name.text} takes {wanted}", name.column)
        return _Call(name.text, apply, tuple(arguments), name.column)

    def _expect(self, mark: str) -> None:
        token = self._next()
        if token.text != mark:
            raise ExpressionError(f"{mark!r} is missing", token.column)


def parse(text: str) -> Expression:
    """Read a formula; raises :class:`ExpressionError` with the column of what is wrong."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"longer than {MAX_LENGTH} characters", MAX_LENGTH + 1)
    root = _Parser(text).whole()
    return Expression(text, root, frozenset(root.names()))

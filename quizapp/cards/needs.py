"""What of a point must be said: ``P1a``, ``P2a then (P2b or P1a)``, ``2 of P5a, P5b, P5c``.

The grammar, loosest binding first::

    any   = chain ("or" chain)*          the best of them
    chain = all ("then" all)*            one after the other; what follows a gap counts nothing
    all   = atom ("and" atom)*           each of them, equal shares
    atom  = part | "(" any ")" | count "of" part ("," part)*
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

MAX_LENGTH = 500
"""Longest expression that is read, characters."""
MAX_DEPTH = 20
"""Deepest nesting of parentheses."""

_WORDS = ("and", "or", "then", "of")
_TOKEN = re.compile(r"\s*([A-Za-z0-9._-]+|[(),])")


class NeedsError(ValueError):
    """An expression that cannot be read; says where."""


@dataclass(frozen=True, slots=True)
class _Part:
    id: str

    def credit(self, hit: Collection[str]) -> float:
        return float(self.id in hit)

    def names(self) -> Iterator[str]:
        yield self.id


@dataclass(frozen=True, slots=True)
class _Group:
    kind: str
    """One of the words that join, or ``of``."""
    members: tuple[_Node, ...]
    count: int = 0

    def credit(self, hit: Collection[str]) -> float:
        shares = [member.credit(hit) for member in self.members]
        match self.kind:
            case "or":
                return max(shares)
            case "of":
                return min(1.0, sum(shares) / self.count)
            case "then":
                return _until_gap(shares) / len(shares)
        return sum(shares) / len(shares)

    def names(self) -> Iterator[str]:
        for member in self.members:
            yield from member.names()


_Node = _Part | _Group


def _until_gap(shares: Sequence[float]) -> float:
    total = 0.0
    for share in shares:
        total += share
        if share < 1:
            break
    return total


class _Parser:
    _LOOSER = ("or", "then", "and")

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._at = 0
        self._depth = 0

    def whole(self) -> _Node:
        node = self._joined(0)
        if self._peek:
            raise NeedsError(f"{self._peek!r} is not expected here")
        return node

    @property
    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, token: str) -> bool:
        taken = self._peek == token
        self._at += taken
        return taken

    def _joined(self, level: int) -> _Node:
        if level == len(self._LOOSER):
            return self._atom()
        members = [self._joined(level + 1)]
        while self._take(self._LOOSER[level]):
            members.append(self._joined(level + 1))
        return _Group(self._LOOSER[level], tuple(members)) if len(members) > 1 else members[0]

    def _atom(self) -> _Node:
        if self._take("("):
            self._depth += 1
            if self._depth > MAX_DEPTH:
                raise NeedsError("nested too deeply")
            node = self._joined(0)
            if not self._take(")"):
                raise NeedsError("')' is missing")
            self._depth -= 1
            return node
        word = self._name()
        return self._counted(word) if self._take("of") else _Part(word)

    def _counted(self, count: str) -> _Node:
        members = [_Part(self._name())]
        while self._take(","):
            members.append(_Part(self._name()))
        if not count.isdecimal() or not 1 <= int(count) <= len(members):
            raise NeedsError(f"'of' wants a number from 1 to {len(members)} before it")
        return _Group("of", tuple(members), int(count))

    def _name(self) -> str:
        word = self._peek
        if not word or word in "()," or word in _WORDS:
            found = f"not {word!r}" if word else "but the expression ends"
            raise NeedsError(f"the id of a part is expected, {found}")
        self._at += 1
        return word


def _tokens(text: str) -> Iterator[str]:
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            raise NeedsError(f"{text[position:].strip()[0]!r} is not understood")
        yield match[1]
        position = match.end()


@lru_cache(maxsize=1024)
def _parse(needs: str) -> _Node:
    if len(needs) > MAX_LENGTH:
        raise NeedsError(f"longer than {MAX_LENGTH} characters")
    return _Parser(needs).whole()


def names(needs: str) -> frozenset[str]:
    """Return the parts an expression speaks of; raises :class:`NeedsError`."""
    return frozenset(_parse(needs).names()) if needs.strip() else frozenset()


def credit(needs: str, parts: Sequence[str], hit: Collection[str]) -> float:
    """Return the share of what is needed that was hit, 0 to 1.

    An empty expression needs every part of the point.  Raises :class:`NeedsError`.
    """
    if needs.strip():
        return _parse(needs).credit(hit)
    return sum(part in hit for part in parts) / len(parts) if parts else 0.0

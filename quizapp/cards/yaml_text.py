"""Writes the front matter as YAML the way a person would lay it out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TypeAlias

WIDTH = 96
"""A list or mapping that would make a longer line is written one entry a line."""

_PLAIN = re.compile(r"[A-Za-z一-鿿][\w一-鿿./+*()-]*(?: [\w一-鿿./+*()-]+)*")
_KEY = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
_NOT_TEXT = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null"})
"""What other YAML readers take for something else than text."""
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
_BLOCK_LINE = re.compile(r"(?:[^\s\x00-\x1f](?:[^\x00-\x1f]*[^\s\x00-\x1f])?)?")


class Literal(str):
    """A number, a yes or no: written as it stands."""

    __slots__ = ()


class Inline(dict[str, "Tree"]):
    """A mapping that reads best in one line."""


Tree: TypeAlias = "str | Sequence[Tree] | Mapping[str, Tree]"


def number(value: float) -> Literal:
    """Return a number with no more digits than it has."""
    whole = value.is_integer() and abs(value) < 1e15
    return Literal(int(value) if whole else repr(value))


def share(value: float) -> Literal:
    """Return a share as per cent."""
    return Literal(f"{(Decimal(repr(value)) * 100).normalize():f}%")


def dump(tree: Mapping[str, Tree]) -> str:
    """Return the YAML of a mapping, one key a line."""
    return "".join(f"{line}\n" for line in _entries(tree, 0))


def _entries(tree: Mapping[str, Tree], indent: int) -> Iterator[str]:
    pad = " " * indent
    for key, value in tree.items():
        yield from _under(f"{pad}{_key(key)}:", value, indent + 2)


def _under(head: str, value: Tree, indent: int) -> Iterator[str]:
    """Yield a value beside its key or below it."""
    if _is_block(value):
        yield f"{head} |-"
        yield from (f"{' ' * indent}{line}" if line else "" for line in str(value).split("\n"))
    elif _is_short(value, len(head)):
        yield f"{head} {_flow(value)}"
    elif isinstance(value, Mapping):
        yield head
        yield from _entries(value, indent)
    else:
        yield head
        for item in value:
            yield from _item(item, indent)


def _item(item: Tree, indent: int) -> Iterator[str]:
    pad = " " * indent
    if isinstance(item, Mapping) and item:
        lines = list(_entries(item, indent + 2))
        yield f"{pad}- {lines[0][indent + 2 :]}"
        yield from lines[1:]
    else:
        yield f"{pad}- {_flow(item)}"


def _is_short(value: Tree, indent: int) -> bool:
    """Tell whether a value stands beside its key."""
    if isinstance(value, str) or not value:
        return True
    if isinstance(value, Mapping):
        return isinstance(value, Inline) and indent + len(_flow(value)) < WIDTH
    records = any(isinstance(item, Mapping) for item in value)
    return not records and indent + len(_flow(value)) < WIDTH


def _flow(value: Tree) -> str:
    """Write a value in one line."""
    if isinstance(value, str):
        return _scalar(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k)}: {_flow(v)}" for k, v in value.items()) + "}"
    return f"[{', '.join(map(_flow, value))}]"


def _key(text: str) -> str:
    return text if _KEY.fullmatch(text) else _scalar(text)


def _scalar(text: str) -> str:
    if isinstance(text, Literal) or (
        _PLAIN.fullmatch(text) and text.casefold() not in _NOT_TEXT and len(text) < WIDTH
    ):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def _is_block(value: Tree) -> bool:
    """Tell whether a text reads well, and without loss, as an indented block."""
    if not isinstance(value, str) or "\n" not in value or _UNSAFE.search(value):
        return False
    lines = value.split("\n")
    return bool(lines[0] and lines[-1]) and all(map(_BLOCK_LINE.fullmatch, lines))

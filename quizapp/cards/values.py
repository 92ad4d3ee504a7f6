"""Readers of single values of the front matter: text, number, share, yes or no, lists of them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import TypeAlias, TypeVar

from quizapp.cards.model import Lang
from quizapp.cards.problems import Report
from quizapp.cards.yaml_tree import Entries, Items, Node, Scalar

T = TypeVar("T")
Convert: TypeAlias = Callable[[Node, Report], T | None]
"""Reads a node; reports what is wrong with it and returns ``None``."""

ID = re.compile(r"[A-Za-z0-9._-]+")
MAX_STEPS = 1000
"""Most values a range may expand to."""

_YES = frozenset({"true", "yes", "on"})
_NO = frozenset({"false", "no", "off"})


def shape(node: Node) -> str:
    """Return what a node is, for a message."""
    match node:
        case Items():
            return "a list"
        case Entries():
            return "a mapping"
    return f"the text {_short(node.text)}" if node.text else "nothing"


def _short(text: str, width: int = 40) -> str:
    shown = " ".join(text.split())
    return repr(shown if len(shown) <= width else shown[: width - 1] + "…")


def empty(node: Node) -> bool:
    """Tell whether a key has no value at all: it is not wrong, it says nothing."""
    return isinstance(node, Scalar) and node.plain and not node.text


def text(node: Node, report: Report) -> str | None:
    """Read a text, word for word."""
    if isinstance(node, Scalar):
        return None if empty(node) else node.text
    report.error(
        node.line, f"{shape(node)} stands where a text is expected", "put quotes around it"
    )
    return None


def id_(node: Node, report: Report) -> str | None:
    """Read an id."""
    if isinstance(node, Scalar) and ID.fullmatch(node.text):
        return node.text
    report.error(
        node.line, f"{shape(node)} is no id", "use letters a to z, digits, '.', '-' and '_'"
    )
    return None


def lang(node: Node, report: Report) -> Lang | None:
    """Read a language."""
    if isinstance(node, Scalar) and node.text in set(Lang):
        return Lang(node.text)
    report.error(node.line, f"{shape(node)} is no language of the format", "write en or zh")
    return None


def boolean(node: Node, report: Report) -> bool | None:
    """Read yes or no."""
    word = node.text.casefold() if isinstance(node, Scalar) else ""
    if word in _YES or word in _NO:
        return word in _YES
    report.error(node.line, f"{shape(node)} is neither true nor false", "write true or false")
    return None


def number(node: Node, report: Report) -> float | None:
    """Read a finite number."""
    try:
        value = float(node.text) if isinstance(node, Scalar) else math.nan
    except ValueError:
        value = math.nan
    if math.isfinite(value):
        return value
    report.error(node.line, f"{shape(node)} is no number", "write it in digits, as 12 or 0.5")
    return None


def positive(node: Node, report: Report) -> float | None:
    """Read a number above zero."""
    value = number(node, report)
    if value is None or value > 0:
        return value
    report.error(node.line, f"{shape(node)} is not above 0", "use a number such as 0.5 or 1")
    return None


def share(node: Node, report: Report) -> float | None:
    """Read a share between 0 and 1: ``5%`` or ``0.05``."""
    written = node.text.strip() if isinstance(node, Scalar) else ""
    try:
        if written.endswith(("%", "％")):
            value = float(Decimal(written[:-1].strip()) / 100)
        else:
            value = float(written)
    except (ValueError, InvalidOperation):
        value = math.nan
    if 0 < value < 1:
        return value
    report.error(node.line, f"{shape(node)} is no share between 0 and 1", "write 5% or 0.05")
    return None


def _items(node: Node, report: Report, read: Convert[T], example: str) -> tuple[T, ...] | None:
    if empty(node):
        return None
    if not isinstance(node, Items):
        report.error(node.line, f"{shape(node)} stands where a list is expected", example)
        return None
    found = (read(item, report) for item in node.items)
    return tuple(item for item in found if item is not None)


def texts(node: Node, report: Report) -> tuple[str, ...] | None:
    """Read a list of texts."""
    return _items(node, report, text, "write [first, second]")


def ids(node: Node, report: Report) -> tuple[str, ...] | None:
    """Read a list of ids."""
    return _items(node, report, id_, "write [first, second]")


def numbers(node: Node, report: Report) -> tuple[float, ...] | None:
    """Read a list of numbers."""
    return _items(node, report, number, "write [1, 2, 4]")


def _group(node: Node, report: Report) -> tuple[str, ...] | None:
    return _items(node, report, text, "write [[one, two], [three]]")


def groups(node: Node, report: Report) -> tuple[tuple[str, ...], ...] | None:
    """Read a list of groups of wordings."""
    return _items(node, report, _group, "write [[one, two], [three]]")


def steps(node: Node, report: Report) -> tuple[float, ...] | None:
    """Read ``[first, last, step]`` and return every value of it."""
    limits = numbers(node, report)
    if limits is None:
        return None
    if len(limits) != 3 or limits[2] <= 0 or limits[1] < limits[0]:
        report.error(node.line, "a range is not first, last and step", "write [0.5, 4, 0.5]")
        return None
    # Decimals: 0.1 + 0.2 is to be the 0.3 that the author means.
    first, last, step = (Decimal(repr(limit)) for limit in limits)
    count = (last - first) / step
    if count >= MAX_STEPS:
        report.error(node.line, f"a range has over {MAX_STEPS} values", "use a greater step")
        return None
    return tuple(float(first + step * i) for i in range(int(count) + 1))

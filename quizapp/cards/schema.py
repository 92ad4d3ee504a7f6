"""Turns the YAML tree of the front matter into its values, each by its field's own type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import TypeVar

from quizapp.cards import front, values
from quizapp.cards.model import Lang
from quizapp.cards.problems import Report, nearest
from quizapp.cards.values import Convert, shape
from quizapp.cards.yaml_tree import Entries, Items, Node, Scalar

T = TypeVar("T")


def _record(make: Callable[..., T], fields: Mapping[str, Convert[object]]) -> Convert[T]:
    """Return a reader of a mapping with these keys and no others."""

    def convert(node: Node, report: Report) -> T | None:
        if not isinstance(node, Entries):
            report.error(
                node.line, f"{shape(node)} stands here", f"use {', '.join(fields)} as keys"
            )
            return None
        found = {}
        for key, value in node.entries:
            if key.text not in fields:
                _unknown(key, fields, report)
            elif (read := fields[key.text](value, report)) is not None:
                found[key.text] = read
        return make(**found)

    return convert


def _unknown(key: Scalar, fields: Mapping[str, object], report: Report) -> None:
    like = nearest(key.text, fields)
    remedy = f"did you mean {like}?" if like else f"known here are {', '.join(fields)}"
    report.error(key.line, f"{key.text or 'an empty text'} is not a key of the format", remedy)


def _by_id(read: Convert[T], *, any_key: bool = False) -> Convert[dict[str, T]]:
    """Return a reader of a mapping from ids to records."""

    def convert(node: Node, report: Report) -> dict[str, T] | None:
        if values.empty(node):
            return None
        if not isinstance(node, Entries):
            report.error(node.line, f"{shape(node)} stands here", "use ids as keys")
            return None
        found = {}
        for key, value in node.entries:
            named = key.text if any_key else values.id_(key, report)
            record = None if named is None else read(value, report)
            if named is not None and record is not None:
                found[named] = record
        return found

    return convert


def _variable(node: Node, report: Report) -> front.VariableData | None:
    fields: dict[str, Convert[object]] = {
        "unit": values.text,
        "choices": values.numbers,
        "range": values.steps,
    }
    return _record(_choices_or_range, fields)(node, report)


def _choices_or_range(
    unit: str | None = None,
    choices: tuple[float, ...] | None = None,
    range: tuple[float, ...] | None = None,  # noqa: A002 - the key of the format
) -> front.VariableData:
    return front.VariableData(unit, choices or range)


def _slip(formula: str = "", means: str | None = None) -> tuple[str, front.SlipData]:
    return formula, front.SlipData(means)


_SLIP: Convert[tuple[str, front.SlipData]] = _record(
    _slip, {"formula": values.text, "means": values.text}
)


def _slips(node: Node, report: Report) -> dict[str, front.SlipData] | None:
    if values.empty(node):
        return None
    if not isinstance(node, Items):
        report.error(node.line, f"{shape(node)} stands here", "write a list of formula and means")
        return None
    found: dict[str, front.SlipData] = {}
    for item in node.items:
        formula, slip = _SLIP(item, report) or ("", front.SlipData())
        if formula and formula not in found:
            found[formula] = slip
        elif isinstance(item, Entries):
            message = f"{formula} is given twice" if formula else "a slip has no formula"
            report.error(item.line, message, "give each slip a formula of its own")
    return found


_PART: Convert[front.PartData] = _record(
    front.PartData, {"accept": values.groups, "reject": values.texts, "say": values.texts}
)
_POINT: Convert[front.PointData] = _record(
    front.PointData,
    {
        "weight": values.positive,
        "core": values.boolean,
        "needs": values.text,
        "parts": _by_id(_PART),
    },
)
_FALSE: Convert[front.FalseData] = _record(
    front.FalseData,
    {
        "text": values.text,
        "against": values.ids,
        "match": values.groups,
        "reject": values.texts,
        "say": values.texts,
    },
)
_CALCULATION: Convert[front.CalculationData] = _record(
    front.CalculationData,
    {
        "ask": values.text,
        "variables": _by_id(_variable),
        "formula": values.text,
        "unit": values.text,
        "tolerance": values.share,
        "solution": values.text,
        "slips": _slips,
    },
)
_CLAIM: Convert[front.ClaimData] = _record(
    front.ClaimData,
    {
        "says": values.text,
        "demo": values.text,
        "holds": values.text,
        "on": values.texts,
        "unmeasurable": values.text,
    },
)
_FRONT: Convert[dict[str, object]] = _record(
    dict,
    {
        "id": values.id_,
        "lang": values.lang,
        "deck": values.text,
        "tags": values.texts,
        "after": values.ids,
        "points": _by_id(_POINT),
        "false": _by_id(_FALSE),
        "calculations": _by_id(_CALCULATION),
        "claims": _by_id(_CLAIM),
    },
)


def front_matter(node: Node, report: Report) -> front.FrontMatter | None:
    """Read the front matter; ``None`` if it does not say whose it is."""
    found = _FRONT(node, report)
    if found is None:
        return None
    named = lang_of(report.path)
    found.setdefault("lang", named)
    if found["lang"] is None:
        report.error(node.line, "the language is missing", "add lang: en or lang: zh")
    elif named is not None and named != found["lang"]:
        report.error(
            node.line,
            f"lang is {found['lang']} and the file's name says {named}",
            "rename the file or change lang",
        )
    if "id" not in found:
        report.error(node.line, "the card has no id", "add id: and a name that never changes")
    if "id" not in found or found["lang"] is None:
        return None
    return front.FrontMatter(**found)  # type: ignore[arg-type]


def lang_of(path: str) -> Lang | None:
    """Return the language that a file's name tells: ``NAME.en.md``."""
    suffixes = PurePath(path.replace("\\", "/")).suffixes[-2:]
    return next((lang for lang in Lang if suffixes == [f".{lang}", ".md"]), None)


def lines(node: Node, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], int]:
    """Return the line of every key of the tree."""
    found: dict[tuple[str, ...], int] = {}
    if isinstance(node, Entries):
        for key, value in node.entries:
            found[(*path, key.text)] = key.line
            found |= lines(value, (*path, key.text))
    return found

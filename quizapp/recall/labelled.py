"""Answers as JSON lines: to be graded, and labelled with what they say.

An answer is an object with ``prompt`` and ``text``, and by choice ``id``, ``card`` and ``lang``.
A label is ``said``, the ids of the claims that the answer makes, or ``parts``, 0 or 1 by claim;
``false_claims`` are the ids of the false statements in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_HALF_A_PAIR = re.compile("[\ud800-\udfff]")


class LineError(ValueError):
    """A line that is no answer, and why, in one line."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """An answer and what it says, as a person has judged it."""

    prompt: str
    """Id of the prompt on its card."""
    text: str
    said: frozenset[str]
    """Ids of the claims."""
    false: frozenset[str]
    """Ids of the false statements."""
    id: str = ""
    card: str = ""
    lang: str = ""
    kind: str = ""
    """What sort of answer it is, by whoever wrote it."""
    split: str = ""
    """The part of the set that it belongs to."""


def read_object(line: bytes | str) -> dict[str, Any]:
    """Read one line as a JSON object; raises :class:`LineError`."""
    try:
        text = line.decode("utf-8-sig") if isinstance(line, bytes) else line
        value = json.loads(text)
    except UnicodeDecodeError as error:
        raise LineError(f"not UTF-8 text at byte {error.start + 1}") from None
    except json.JSONDecodeError as error:
        raise LineError(f"not JSON at character {error.pos + 1}: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise LineError(f"not JSON that can be read: {str(error).splitlines()[0]}") from None
    if not isinstance(value, dict):
        raise LineError(f"a JSON object is wanted, and this is {_named(value)}")
    return value


def text_field(row: Mapping[str, Any], name: str, default: str | None = None) -> str:
    """Return a text of a row; half a surrogate pair becomes U+FFFD. Raises :class:`LineError`."""
    value = row.get(name, default)
    if value is None:
        raise LineError(f"{name!r} is missing" if name not in row else f"{name!r} is null")
    if not isinstance(value, str):
        raise LineError(f"{name!r} must be text, and is {_named(value)}")
    return _HALF_A_PAIR.sub("\N{REPLACEMENT CHARACTER}", value)


def said_field(row: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the claims a row is labelled with; ``None`` without a label. Raises likewise."""
    marked = row.get("parts", row.get("hits")) if "said" not in row else row["said"]
    if marked is None:
        return None
    if isinstance(marked, Mapping):
        return frozenset(str(part) for part, hit in marked.items() if hit)
    if isinstance(marked, list) and all(isinstance(part, str) for part in marked):
        return frozenset(marked)
    raise LineError("'said' must be a list of ids, or 'parts' an object of 0 and 1 by id")


def labelled(line: bytes | str) -> Labelled:
    """Read a labelled answer; raises :class:`LineError`."""
    row = read_object(line)
    said = said_field(row)
    if said is None:
        raise LineError("no label: 'said' or 'parts' is missing")
    false = row.get("false_claims", [])
    if not isinstance(false, list) or not all(isinstance(id_, str) for id_ in false):
        raise LineError("'false_claims' must be a list of ids")
    split = text_field(row, "split", text_field(row, "half", ""))
    return Labelled(
        text_field(row, "prompt"),
        text_field(row, "text"),
        said,
        frozenset(false),
        text_field(row, "id", ""),
        text_field(row, "card", ""),
        text_field(row, "lang", ""),
        text_field(row, "voice", ""),
        split,
    )


def _named(value: object) -> str:
    names = {
        type(None): "null",
        bool: "true or false",
        str: "text",
        list: "a list",
        dict: "an object",
    }
    return names.get(type(value), "a number")

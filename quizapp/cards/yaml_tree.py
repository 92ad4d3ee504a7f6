"""YAML as a small tree in which every scalar is the text as written and knows its line.

Built from the parser's events and not by ``compose``: the composer of libyaml recurses in C
without a limit, resolves aliases and lets a repeated key replace an earlier one in silence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import yaml
from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from quizapp.cards.problems import Report

MAX_DEPTH = 12
"""Deepest nesting that is read; the format itself needs six."""

_Loader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Scalar(NamedTuple):
    """A text, a number, a yes or no: its reader decides."""

    text: str
    line: int
    plain: bool = True
    """Written without quotes."""


class Items(NamedTuple):
    """A list."""

    items: tuple[Node, ...]
    line: int


class Entries(NamedTuple):
    """Keys with their values."""

    entries: tuple[tuple[Scalar, Node], ...]
    line: int


Node = Scalar | Items | Entries


class _Broken(Exception):  # noqa: N818 - it is a signal within this module
    """Nothing can be built after this."""

    def __init__(self, line: int, message: str, remedy: str) -> None:
        super().__init__(message)
        self.line, self.message, self.remedy = line, message, remedy


def parse(text: str, first_line: int, report: Report) -> Node | None:
    """Build the tree; what is wrong goes to the report, and ``None`` means nothing was built.

    ``first_line`` is the line of the file on which the text begins.
    """
    try:
        builder = _Builder(yaml.parse(text, Loader=_Loader), first_line, report)
        return builder.document()
    except _Broken as broken:
        report.error(broken.line, broken.message, broken.remedy)
    except yaml.MarkedYAMLError as error:
        _tell(error, first_line, report)
    except (yaml.YAMLError, UnicodeError) as error:
        what = str(error).splitlines()[0] if str(error) else "unreadable"
        report.error(first_line, f"the front matter is not YAML: {what}", "remove the character")
    return None


def _tell(error: yaml.MarkedYAMLError, first_line: int, report: Report) -> None:
    what = error.problem or error.context or "unreadable"
    mark = error.problem_mark or error.context_mark
    remedy = _hint(what)
    if "end of stream" in what and error.context_mark:
        # The author wants to know where it begins and not that it goes on to the end.
        what, mark = "a quote or bracket is never closed", error.context_mark
        remedy = "close it, or put quotes around the whole text"
    line = first_line + (mark.line if mark else 0)
    report.error(line, f"the front matter is not YAML: {what}", remedy)


def _hint(what: str) -> str:
    if "tab" in what or "cannot start any token" in what:
        return "indent with spaces, and put quotes around a text that begins with a sign"
    return "put quotes around a text that holds ': ' or ' #', and check the indentation"


class _Builder:
    def __init__(self, events: Iterator[Event], first_line: int, report: Report) -> None:
        self._next = events.__next__
        self._first = first_line
        self._report = report

    def document(self) -> Node:
        root: Node = Entries((), self._first)
        documents = 0
        while not isinstance(event := self._next(), StreamEndEvent):
            if isinstance(event, DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise _Broken(
                        self._line(event), "a second YAML document begins", "remove the marker"
                    )
                root = self._node(self._next(), 0)
        return root

    def _line(self, event: Event) -> int:
        return self._first + (event.start_mark.line if event.start_mark else 0)

    def _node(self, event: Event, depth: int) -> Node:
        line = self._line(event)
        if isinstance(event, ScalarEvent):
            if event.tag or event.anchor:
                self._refuse(event.tag, event.anchor, line)
            return Scalar(event.value, line, not event.style)
        if isinstance(event, AliasEvent):
            raise _Broken(
                line, f"*{event.anchor} is a YAML alias", "write the value out, or quote the text"
            )
        if isinstance(event, CollectionStartEvent) and (event.tag or event.anchor):
            self._refuse(event.tag, event.anchor, line)
        if depth > MAX_DEPTH:
            raise _Broken(line, "the front matter is nested too deeply", "take levels away")
        if isinstance(event, SequenceStartEvent):
            return Items(self._items(depth + 1), line)
        return Entries(self._entries(depth + 1), line)

    def _refuse(self, tag: str | None, anchor: str | None, line: int) -> None:
        what = f"&{anchor} is a YAML anchor" if anchor else f"{tag} is a YAML tag"
        self._report.error(line, what, "remove it, or quote the text")

    def _items(self, depth: int) -> tuple[Node, ...]:
        found = []
        while not isinstance(event := self._next(), SequenceEndEvent):
            found.append(self._node(event, depth))
        return tuple(found)

    def _entries(self, depth: int) -> tuple[tuple[Scalar, Node], ...]:
        found: dict[str, tuple[Scalar, Node]] = {}
        while not isinstance(event := self._next(), MappingEndEvent):
            key = self._node(event, depth)
            value = self._node(self._next(), depth)
            if not isinstance(key, Scalar):
                self._report.error(
                    key.line, "a list or a mapping stands as a key", "put quotes around the key"
                )
            elif key.text in found:
                self._report.error(
                    key.line,
                    f"{key.text} is given twice, first on line {found[key.text][0].line}",
                    "remove one of them",
                )
            else:
                found[key.text] = (key, value)
        return tuple(found.values())

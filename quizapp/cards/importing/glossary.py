"""Reads a glossary, however it is set: headings, a table, ``term: meaning``, line under line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from quizapp.cards.importing.lines import PageLine, bare, cells, is_rule, item, mark, unlisted

TERM = 40
"""Characters beyond which a line is a meaning and no term."""
_PAIR = re.compile(
    r"(?P<bold>\*\*|__)?(?P<term>[^:：]{1,60}?)(?:\*\*|__)?\s*"
    r"(?:[:：](?!//)|\s[—–-]\s|——)\s*(?:\*\*|__)?\s*(?P<meaning>\S.*)"
)
_ENDS = ("。", ".", "；", ";", "，", ",", "！", "!", "？", "?", "、")
_COLUMNS = re.compile(
    r"(?:概念|术语|名词|含义|解释|意思|说明|定义|term|concept|name|meaning|definition"
    r"|explanation|what it (?:is|means))s?",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Term:
    """A term and the lines that say what it means."""

    name: str
    line: int
    meaning: list[PageLine] = field(default_factory=list)


@dataclass(slots=True)
class Glossary:
    """What was read, and the lines that were not understood."""

    terms: list[Term] = field(default_factory=list)
    left: list[PageLine] = field(default_factory=list)

    def add(self, name: str, line: PageLine, meaning: str = "") -> None:
        """Begin a term."""
        lines = [PageLine(line.number, meaning, raw=meaning)] if meaning else []
        self.terms.append(Term(name, line.number, lines))

    def go_on(self, line: PageLine) -> None:
        """Take a line as part of the last term's meaning; without one it is left."""
        if self.terms:
            self.terms[-1].meaning.append(line)
        elif line.text:
            self.left.append(line)


def glossary(lines: Sequence[PageLine]) -> Glossary:
    """Read the lines of a glossary by the way most visibly used in them."""
    if any(not line.code and mark(line.text) for line in lines):
        return _headed(lines)
    found = Glossary()
    listed = any(not line.code and item(line.text) is not None for line in lines)
    in_bold = any(_bold_pair(line) for line in lines)
    tabled = False
    for line in lines:
        if line.code or not line.text:
            found.go_on(line)
        elif (row := cells(line)) is not None:
            _row(found, line, row, is_first=not tabled)
            tabled = True
        elif _waits(found):
            found.go_on(_unmarked(line))
        elif in_bold and not _bold_pair(line):
            found.go_on(line)
        elif pair := _pair(line):
            found.add(*pair)
        elif listed and item(line.text) is None:
            found.go_on(line)
        elif _is_term(bare(line.text)):
            found.add(bare(line.text), line)
        else:
            found.go_on(_unmarked(line))
    return found


def _headed(lines: Sequence[PageLine]) -> Glossary:
    found = Glossary()
    for line in lines:
        if not line.code and mark(line.text) and _is_name(bare(line.text)):
            found.add(bare(line.text), line)
        else:
            found.go_on(line)
    return found


def _row(found: Glossary, line: PageLine, row: Sequence[str], is_first: bool) -> None:
    if is_rule(row) or (is_first and all(map(_COLUMNS.fullmatch, row))):
        return
    if len(row) == 2 and _is_name(row[0]):
        found.add(row[0].strip("*_ "), line, row[1])
    else:
        found.left.append(line)


def _waits(found: Glossary) -> bool:
    """Tell whether the last term has no meaning yet."""
    return bool(found.terms) and not any(line.text for line in found.terms[-1].meaning)


def _pair(line: PageLine) -> tuple[str, PageLine, str] | None:
    match = _PAIR.fullmatch(unlisted(line.text))
    name = match["term"].strip("*_` ") if match else ""
    if match is None or not _is_name(name) or len(name) > TERM:
        return None
    return name, line, match["meaning"]


def _bold_pair(line: PageLine) -> bool:
    match = None if line.code else _PAIR.fullmatch(unlisted(line.text))
    return match is not None and match["bold"] is not None


def _unmarked(line: PageLine) -> PageLine:
    text = bare(line.text)
    return PageLine(line.number, text, raw=text)


def _is_term(text: str) -> bool:
    return _is_name(text) and len(text) <= TERM and not text.endswith(_ENDS)


def _is_name(text: str) -> bool:
    return bool(re.search(r"\w", text))

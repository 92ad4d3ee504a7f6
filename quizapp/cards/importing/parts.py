"""What the plainer parts of a page hold; lines that a part does not understand are given back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from quizapp.cards.importing.lines import PageLine, cells, is_rule, item, mark, paragraphs, unlisted

_COLUMNS = (
    re.compile(r"情况|场景|做法|situations?|cases?|scenarios?|when|what", re.IGNORECASE),
    re.compile(r"结果|效果|快慢|results?|outcomes?|effects?|verdict", re.IGNORECASE),
    re.compile(r"原因|为什么|理由|解释|why|reasons?|because", re.IGNORECASE),
)
_WIDE_BLANKS = re.compile(r"(?: {2,}|\u3000+)")
_ART = re.compile(r"[\u2190-\u21ff\u2500-\u25ff]|-->|<--|\+-{2,}|-{3,}\+|(?<=\S) {3,}(?=\S)")
DEEPEST = 8
"""Columns of indentation beyond which lists are not followed."""

CaseRow = tuple[str, str, str]
"""Situation, result and reason."""


@dataclass(slots=True)
class Cases:
    """What was read of a table of cases."""

    rows: list[CaseRow] = field(default_factory=list)
    heads: list[PageLine] = field(default_factory=list)
    """Names of columns that are not ours."""
    left: list[PageLine] = field(default_factory=list)
    """Lines that are no rows."""


def cases(lines: Sequence[PageLine]) -> Cases:
    """Read a table of situation, result and reason, in the order its head gives."""
    found = Cases()
    order = [0, 1, 2]
    table = [(line, _row(line)) for line in lines if line.text]
    for index, (line, row) in enumerate(table):
        below = table[index + 1][1] if index + 1 < len(table) else None
        if row is None or is_rule(row):
            found.left += [line] if row is None else []
        elif columns := _columns(row):
            order = columns
        elif not found.rows and below and is_rule(below):
            found.heads.append(line)
        elif len(row) in (2, 3) and (case := _ordered(row, order))[0]:
            found.rows.append(case)
        else:
            found.left.append(line)
    return found


def _row(line: PageLine) -> list[str] | None:
    row = cells(line)
    if row is None and not line.code and item(line.text) is None:
        blank = _WIDE_BLANKS.split(line.text)
        row = blank if len(blank) == 3 else None
    return row


def _columns(row: Sequence[str]) -> list[int]:
    """Return which column is situation, result and reason, if these are their names."""
    named = [next((i for i, c in enumerate(row) if p.fullmatch(c)), -1) for p in _COLUMNS]
    return named if sorted(n for n in named if n >= 0) == list(range(len(row))) else []


def _ordered(row: Sequence[str], order: Sequence[int]) -> CaseRow:
    situation, result, reason = (row[i] if 0 <= i < len(row) else "" for i in order)
    return situation, result, reason


def points(lines: Sequence[PageLine]) -> tuple[list[str], list[PageLine]]:
    """Read the must-hit points: one a line, or one an item with the lines that continue it."""
    found: list[str] = []
    left: list[PageLine] = []
    items = [line for line in lines if not line.code and item(line.text) is not None]
    outer = min((line.indentation for line in items), default=0)
    follows = False
    for line in lines:
        inner = None if line.code else item(line.text)
        if not line.text and not line.code:
            follows = False
        elif inner is not None and line.indentation <= outer + 1:
            found.append(inner)
            follows = True
        elif found and items and (follows or line.indentation > outer):
            within = line.raw if line.code else line.text
            found[-1] += f"\n{within}" if line.code or inner is not None else f" {within}"
        elif items or line.code or mark(line.text):
            left.append(line)
        else:
            found.append(line.text)
    return found, left


def sources(lines: Iterable[PageLine]) -> list[str]:
    """Read the sources: one a line, or several parted by dots."""
    return [piece for line in lines if line.text for piece in _parted(unlisted(line.text))]


def _parted(text: str) -> Iterator[str]:
    """Split at dots with a blank beside them, since a name may have one inside."""
    piece = ""
    for part in re.split("(·)", text):
        if part == "·":
            piece += part
        elif piece.endswith("·") and (part[:1].isspace() or piece[-2:-1].isspace()):
            yield piece[:-1].strip()
            piece = part
        else:
            piece += part
    yield piece.strip()


def prose(lines: Sequence[PageLine]) -> str:
    """Return lines as Markdown: blank lines, code blocks and the depth of lists are kept."""
    return "\n\n".join("\n".join(_kept(run)) for run in paragraphs(lines))


def _kept(run: Sequence[PageLine]) -> Iterator[str]:
    listed: int | None = None
    for line in run:
        if line.code:
            yield line.raw
            continue
        if item(line.text) is None and (listed is None or line.indentation <= listed):
            listed = None
            yield line.text
            continue
        listed = line.indentation if listed is None else listed
        depth = min(line.indentation - listed, DEEPEST)
        yield " " * max(depth, 0) + line.text


def diagram(lines: Sequence[PageLine]) -> str:
    """Return a diagram; one drawn in the open gets the fence that keeps its columns."""
    drawn = [i for i, line in enumerate(lines) if not line.code and _ART.search(line.raw)]
    if not drawn or any(line.code for line in lines):
        return prose(lines)
    first, last = drawn[0], drawn[-1] + 1
    art = "\n".join(line.raw.expandtabs(4) for line in lines[first:last])
    fence = "~~~" if "```" in art else "```"
    blocks = [prose(lines[:first]), f"{fence}text\n{art}\n{fence}", prose(lines[last:])]
    return "\n\n".join(block for block in blocks if block)

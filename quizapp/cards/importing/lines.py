"""A page as numbered lines, and what a line is: heading, item, row of a table, question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Part(StrEnum):
    """The parts of a page that are understood."""

    CONCEPTS = "concepts"
    DIAGRAM = "diagram"
    ANSWER = "answer"
    BY_HAND = "by hand"
    CASES = "cases"
    POINTS = "points"
    FOLLOW_UPS = "follow-ups"
    SOURCES = "sources"


@dataclass(frozen=True, slots=True)
class PageLine:
    """One line of the page."""

    number: int
    """From 1."""
    text: str
    """Without its end and outer blanks."""
    code: bool = False
    """It stands in a fenced block, where nothing is a heading."""
    raw: str = ""
    """With its blanks, for what is shown as it stands."""


_HEADINGS = {
    Part.CONCEPTS: r"先弄清楚|概念|名词|术语|基本概念|concepts?\b|glossary|terms?\b|terminology"
    r"|definitions?\b|vocabulary|key concepts",
    Part.DIAGRAM: r"看图|图解|示意图|图示|diagram|picture|the picture",
    Part.ANSWER: r"(?:30|三十)\s*秒|简答|一句话回答|参考回答|(?:30|thirty)[\s-]*seconds?"
    r"|short answer|elevator|model answer",
    Part.BY_HAND: r"为什么快|手算|算一遍|推导|by hand|worked|calculation|hand calculation"
    r"|back of the envelope|why (?:is )?it(?:'s| is)? fast",
    Part.CASES: r"适合|什么时候|情况|场景|对比|cases?\b|when (?:to|does|is)|situations?\b"
    r"|comparison|trade-?offs?",
    Part.POINTS: r"必答点|必答|要点|得分点|must[\s-]*hit|key points|must[\s-]*say|checklist|rubric"
    r"|points\b",
    Part.FOLLOW_UPS: r"追问|延伸问题|follow[\s-]*ups?|further questions|deeper questions",
    Part.SOURCES: r"来源|出处|参考资料|参考文献|参考|sources?\b|references?\b|links\b",
}
_PATTERNS = {
    part: re.compile(rf"(?:\d+[.、)）]\s*)?(?:{pattern})", re.IGNORECASE)
    for part, pattern in _HEADINGS.items()
}
_MARK = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
_BOLD = re.compile(r"^(?:\*\*|__)(.+?)(?:\*\*|__)\s*[:：]?$")
_ITEM = re.compile(r"^(?:[-*+•·▪◦‣]|\d{1,2}[.)、．]|[（(]\d{1,2}[)）])\s+(?=\S)")
_NUMBERED_TIGHT = re.compile(r"^(?:\d{1,2}[、．]|[（(]\d{1,2}[)）])(?=\S)")
LONGEST_HEADING = 40
"""Characters beyond which an undecorated line is a sentence and no heading."""


def page_lines(text: str) -> list[PageLine]:
    """Return the lines of a page, whatever its line ends, tabs or byte-order mark."""
    plain = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines: list[PageLine] = []
    fence = ""
    for number, raw in enumerate(plain.split("\n"), 1):
        stripped = raw.strip()
        opening = stripped[:3] if stripped[:3] in ("```", "~~~") else ""
        inside = bool(fence)
        if opening and not fence:
            fence = opening
        elif opening and opening == fence:
            fence = ""
        lines.append(PageLine(number, stripped, inside or bool(opening), raw.rstrip()))
    return lines


def heading(line: PageLine) -> tuple[Part | None, str, str] | None:
    """Read a line as a heading: what it heads, its text, and text glued behind it.

    ``None`` for a line that is no heading; the part is ``None`` for one that is not understood.
    """
    if line.code or not line.text:
        return None
    mark = _MARK.match(line.text)
    bold = _BOLD.match(line.text)
    text = mark[2] if mark else bold[1] if bold else line.text
    part = _part(text)
    if mark:
        return (part, text, "") if part or len(mark[1]) <= 2 else None
    if part is None:
        return None
    if not bold and (_ITEM.match(line.text) or line.text.startswith("|")):
        return None
    if part is Part.SOURCES:
        found = _PATTERNS[part].match(text)
        assert found is not None
        return part, found[0], text[found.end() :].lstrip(" :：")
    short = len(text) <= LONGEST_HEADING and not text.endswith(("。", ".", "；", ";", "，", ","))
    return (part, text, "") if short and not text.endswith(("?", "？")) else None


def _part(text: str) -> Part | None:
    return next((part for part, pattern in _PATTERNS.items() if pattern.match(text)), None)


def is_plain(part: Part, title: str) -> bool:
    """Tell whether a heading says no more than which part it heads."""
    return _PATTERNS[part].fullmatch(title.strip(" :：")) is not None


def item(text: str) -> str | None:
    """Return the text of a list item without its mark; ``None`` if it is none."""
    match = _ITEM.match(text) or _NUMBERED_TIGHT.match(text)
    return text[match.end() :].strip() if match else None


def bare(text: str) -> str:
    """Return a line without list mark, heading mark and bold."""
    inner = item(text)
    inner = text if inner is None else inner
    mark = _MARK.match(inner)
    inner = mark[2] if mark else inner
    bold = _BOLD.match(inner)
    return bold[1] if bold else inner


def cells(line: PageLine) -> list[str] | None:
    """Return the cells of a row of a table, of bars or of tabs; ``None`` if it is none."""
    text = line.text
    if text.startswith(("|", "｜")) or text.count("|") >= 2:
        row = re.split(r"(?<!\\)[|｜]", text.strip("|｜"))
    elif "\t" in line.raw.strip():
        row = re.split(r"\t+", line.raw.strip())
    else:
        return None
    return [cell.strip().replace("\\|", "|") for cell in row]


def is_rule(row: list[str]) -> bool:
    """Tell the line of dashes under a table's head."""
    return all(re.fullmatch(r":?-{2,}:?|-?", cell) for cell in row) and any(row)


def is_question(text: str) -> bool:
    """Tell whether a line asks something."""
    return bool(re.search(r"[?？][\"”」』*)）]*$", text)) or bool(
        re.match(r"(?:Q|问)\s*[:：]", text)
    )


def paragraphs(lines: list[PageLine]) -> Iterator[list[PageLine]]:
    """Yield the runs of lines between blank ones; a fenced block is never cut."""
    run: list[PageLine] = []
    for line in lines:
        if line.text or line.code:
            run.append(line)
        elif run:
            yield run
            run = []
    if run:
        yield run

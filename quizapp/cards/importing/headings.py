"""Which lines of a page are headings, and of what: the page cut into blocks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from quizapp.cards import sections
from quizapp.cards.importing.lines import PageLine, bold, cells, is_question, item, mark
from quizapp.cards.sections import Place

LONGEST = 40
"""Characters beyond which an undecorated line is a sentence and no heading."""
_SENTENCE_ENDS = ("。", ".", "；", ";", "，", ",", "!", "！", "、")
_DECORATION = re.compile(
    r"[^\w]*(?:(?:\d{1,2}|[一二三四五六七八九十]{1,3})\s*[.、．)）:：]\s*)?[^\w]*"
)

_EXACT = {
    Place.CONCEPTS: r"(?:先弄清楚|(?:基本|核心|关键|重要)?(?:概念|名词|术语)(?:解释|表)?|glossary"
    r"|(?:key |basic |core )?(?:concepts?|terms?)|terminology|definitions?|vocabulary)",
    Place.DIAGRAM: r"看图|一图看懂|图解|示意图|图示|(?:the )?(?:diagrams?|picture|figure)",
    Place.ANSWER: r"(?:30|三十)\s*秒(?:钟)?(?:的)?(?:回答|答案|版本|口述)?|简答"
    r"|(?:一句话|参考|标准)回答|(?:30|thirty)[\s-]*seconds?(?: answer| version)?"
    r"|short answer|model answer|elevator pitch",
    Place.BY_HAND: r"手算(?:一遍)?|算一遍|算一算|推导|by hand|worked (?:example|calculation)"
    r"|(?:hand )?calculations?|back[ -]of[ -]the[ -]envelope",
    Place.CASES: r"(?:适用)?(?:情况|场景)|对比|cases?|situations?|comparison|trade-?offs?",
    Place.POINTS: r"必答点?|(?:关键|答题|回答)?要点|得分点|考点|must[\s-]*(?:hit|say)(?: points?)?"
    r"|key points|checklist|rubric|points",
    Place.FOLLOW_UPS: r"(?:常见|可能的?|面试官?的?)?追问(?:题|问题)?|延伸问题"
    r"|follow[\s-]*ups?(?: questions?)?|(?:further|deeper) questions",
    Place.SOURCES: r"来源|出处|参考(?:资料|文献|链接)?|sources?|references?|links|further reading",
}
_LOOSE = {
    Place.CONCEPTS: r"先弄清楚.*|.{0,6}(?:概念|术语|名词)[:：(（].*|(?:the )?(?:concepts|terms) .*",
    Place.DIAGRAM: r"看图.*|(?:图解|示意图)[:：].*|(?:diagram|picture)\s*[:：].*",
    Place.ANSWER: r"(?:30|三十)\s*秒.*|(?:30|thirty)[\s-]*seconds?\b.*|.{0,8}(?:简答|参考回答)",
    Place.BY_HAND: r"为什么快.*|.*(?:手算|算一遍|算一算).*|.*\bby hand\b.*"
    r"|why (?:is )?it(?: is|'s)? fast.*",
    Place.CASES: r"适合.*什么.*|什么时候.*|.*(?:什么情况|哪些情况|哪些场景).*"
    r"|when (?:to|it|not|does|is)\b.*|where it .*",
    Place.POINTS: r".{0,6}(?:必答|要点|得分点).{0,8}|must[\s-]*(?:hit|say)\b.*|key points\b.*",
    Place.FOLLOW_UPS: r".{0,8}追问.{0,8}|follow[\s-]*ups?\b.{0,20}",
    Place.SOURCES: r"(?:来源|出处|参考资料|参考文献)(?:和|与|及|[:：]).*|(?:sources|references) .*",
}
_TITLE_ONLY = {place: re.compile(f"(?:{text})", re.IGNORECASE) for place, text in _EXACT.items()}
_BEGINS = {place: re.compile(text, re.IGNORECASE) for place, text in _LOOSE.items()}
_GLUED = re.compile(
    r"(来源|出处|参考资料|参考文献|参考|sources?|references?|links)(?:(?=\s*[:：])|(?=[^:：]*·)"
    r"|(?<=[源处料献])\s*(?=[A-Za-z0-9《「『\[(（【§<]))\s*[:：]?\s*(?=\S)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Heading:
    """What a line heads."""

    place: Place | None
    """``None`` if no part is known by that name."""
    title: str
    """As the page has it, without marks."""
    level: int = 0
    """Number of its ``#``; 0 without."""
    exact: bool = False
    """It says no more than which part it heads."""
    behind: str = ""
    """Text on the same line that belongs to the part."""


@dataclass(slots=True)
class Block:
    """A heading and the lines below it."""

    heading: Heading | None
    """``None`` for what stands before the first heading."""
    number: int = 0
    """Line of the heading."""
    lines: list[PageLine] = field(default_factory=list)


def recognise(line: PageLine) -> Heading | None:
    """Read a line as a heading, whatever stands around it; ``None`` for one that is none."""
    if line.code or not line.text:
        return None
    if marked := mark(line.text):
        level, title = marked
        place, exact = place_of(title)
        spaced = line.text[level : level + 1].isspace()
        return Heading(place, title, level, exact) if place or spaced else None
    decorated = bold(line.text) or _bracketed(line.text)
    return _undecorated(line, decorated or line.text, bool(decorated))


def _undecorated(line: PageLine, title: str, decorated: bool) -> Heading | None:
    if cells(line) is not None:
        return None
    place, exact = place_of(title)
    if exact:
        return Heading(place, title, exact=True)
    if item(line.text) is None and (glued := _GLUED.match(title)):
        return Heading(Place.SOURCES, glued[1], exact=True, behind=title[glued.end() :])
    sentence = len(title) > LONGEST or title.endswith(_SENTENCE_ENDS) or is_question(title)
    if place is None or sentence or (item(line.text) is not None and not decorated):
        return None
    return Heading(place, title)


def place_of(title: str) -> tuple[Place | None, bool]:
    """Return the part a heading names, and whether it says nothing else."""
    plain = unicodedata.normalize("NFKC", title).strip(" :")
    plain = plain[_decoration(plain) :].strip(" :]】」》")
    for place, pattern in _TITLE_ONLY.items():
        if pattern.fullmatch(plain):
            return place, True
    if found := sections.recognise(plain):
        return found, True
    return next((p for p, pattern in _BEGINS.items() if pattern.fullmatch(plain)), None), False


def _decoration(text: str) -> int:
    """Length of numbers, brackets and pictures before a heading, if anything follows them."""
    match = _DECORATION.match(text)
    return match.end() if match and match.end() < len(text) else 0


def _bracketed(text: str) -> str | None:
    match = re.fullmatch(r"[【\[「《]([^】\]」》]+)[】\]」》]\s*[:：]?", text)
    return match[1] if match else None


def blocks(lines: Sequence[PageLine]) -> list[Block]:
    """Cut lines into blocks; the first has no heading, and may be empty."""
    found = [Block(None)]
    seen: set[Place] = set()
    for line in lines:
        heading = recognise(line)
        if heading is None or not _opens(heading, found[-1].heading, seen):
            found[-1].lines.append(line)
            continue
        if heading.place:
            seen.add(heading.place)
        found.append(Block(heading, line.number))
        if heading.behind:
            found[-1].lines.append(replace(line, text=heading.behind, raw=heading.behind))
    return found


def _opens(heading: Heading, current: Heading | None, seen: set[Place]) -> bool:
    """Tell whether a heading opens a block, or stands within the one before it."""
    new = heading.place is not None and heading.place not in seen
    if heading.level == 0:
        # What merely begins like a heading is taken for one once.
        return heading.exact or new
    if current is None:
        return True
    asks = current.place is Place.FOLLOW_UPS and is_question(heading.title)
    if heading.level <= (current.level or 2):
        return not (asks and heading.place is None and heading.level >= current.level)
    if not heading.exact:
        return False
    # Terms and questions are headed, too, and may be called like a part: "### Source".
    headed = current.place in (Place.CONCEPTS, Place.FOLLOW_UPS)
    return not headed or (new and (heading.level <= 2 or current.level == 0))

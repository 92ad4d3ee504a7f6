"""A page as numbered lines, and what a line is by itself: item, row of a table, question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quizapp.cards.outline import scan


@dataclass(frozen=True, slots=True)
class PageLine:
    """One line of the page."""

    number: int
    """From 1."""
    text: str
    """Without outer blanks."""
    code: bool = False
    """It stands in a fenced block, where nothing is structure."""
    raw: str = ""
    """With its indentation."""

    @property
    def indentation(self) -> int:
        """Columns before the text."""
        expanded = self.raw.expandtabs(4)
        return len(expanded) - len(expanded.lstrip())


_ITEM = re.compile(
    r"(?:[-*+•·▪◦‣●○■□◆◇✓✔☐☑–—]|\d{1,3}[.)]|[（(]\d{1,3}[)）]|[①-⑳]|\d{1,3}[、．])"
    r"(?:\s+|(?<=[、．）①-⑳])(?=\S))(?:\[[ xX]\]\s+)?(?=\S)"
)
_NUMBERED = re.compile(r"[（(]?\d|[①-⑳]")
_MARK = re.compile(r"(#{1,6})\s*(?=[^\s#])")
_BOLD = re.compile(r"(\*\*|__)(?=\S)([^*]+?)\1\s*[:：]?")
_RULE = re.compile(r":?-+:?")
_ASKED = re.compile(r"(?:Q(?:uestion)?|问(?:题)?)\s*\d{0,2}\s*[:：.、]\s*(?=\S)", re.IGNORECASE)


def page_lines(text: str) -> list[PageLine]:
    """Return the lines of a page, whatever its line ends, tabs or byte-order mark."""
    plain = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return [
        PageLine(line.number, line.text.strip(), bool(line.code), line.text.rstrip())
        for line in scan(plain, 1)
    ]


def mark(text: str) -> tuple[int, str] | None:
    """Return level and text of a line that begins with ``#``, closed by more of them or not."""
    match = _MARK.match(text)
    if match is None:
        return None
    inner = text[match.end() :]
    closed = inner.rstrip("#")
    return len(match[1]), closed.rstrip() if closed.endswith(" ") else inner


def bold(text: str) -> str | None:
    """Return what is in bold if that is the whole line, but for a colon."""
    match = _BOLD.fullmatch(text)
    return match[2].strip(" :：") if match else None


def item(text: str) -> str | None:
    """Return the text of a list item without its mark; ``None`` if it is none."""
    match = _ITEM.match(text)
    return text[match.end() :].strip() if match else None


def unlisted(text: str) -> str:
    """Return a line without the mark of a list item."""
    inner = item(text)
    return text if inner is None else inner


def numbered(text: str) -> bool:
    """Tell whether a line is an item with a number."""
    return item(text) is not None and bool(_NUMBERED.match(text))


def bare(text: str) -> str:
    """Return a line without its marks: of a list, a heading, bold."""
    inner = unlisted(text)
    marked = mark(inner)
    inner = marked[1] if marked else inner
    return bold(inner) or inner


def cells(line: PageLine) -> list[str] | None:
    """Return the cells of a row of a table, of bars or of tabs; ``None`` if it is none."""
    if line.code:
        return None
    text = line.text
    if text.startswith(("|", "｜")) or text.count("|") + text.count("｜") >= 2:
        inner = text.removeprefix("|").removeprefix("｜")
        row = re.split(r"(?<!\\)[|｜]", re.sub(r"(?<!\\)[|｜]$", "", inner))
    elif "\t" in line.text and item(text) is None:
        row = re.split(r"\t+", line.text)
    else:
        return None
    return [cell.strip().replace("\\|", "|") for cell in row]


def is_rule(row: Sequence[str]) -> bool:
    """Tell the line of dashes under a table's head."""
    return bool(row) and all(_RULE.fullmatch(cell) for cell in row)


def asked(text: str) -> int:
    """Return the length of ``Q:`` before a question, 0 without."""
    match = _ASKED.match(text)
    return match.end() if match else 0


def is_question(text: str) -> bool:
    """Tell whether a line asks one thing: it ends in a question mark, or is marked as asked."""
    if asked(text):
        return True
    plain = text.rstrip('*_"”」』)） ')
    return plain.endswith(("?", "？")) and not re.search(r"[。！；;]|\.\s", plain)


def paragraphs(lines: Sequence[PageLine]) -> Iterator[list[PageLine]]:
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

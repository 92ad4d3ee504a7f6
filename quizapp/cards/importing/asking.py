"""Reads follow-up questions, however they are set apart from their answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from quizapp.cards.importing.lines import (
    PageLine,
    asked,
    bare,
    is_question,
    item,
    mark,
    numbered,
    unlisted,
)

_ANSWERED = re.compile(r"(?:A(?:nswer)?|答(?:案)?)\s*\d{0,2}\s*[:：]\s*(?=\S)", re.IGNORECASE)
_BOLD = re.compile(r"(?:\*\*|__)(.+?)(?:\*\*|__)\s*(.*)")
_INLINE = re.compile(r"(.{4,100}?[?？])\s*(\S.*)")


@dataclass(slots=True)
class Question:
    """A question and the lines of its answer."""

    text: str
    line: int
    answer: list[PageLine] = field(default_factory=list)


Start = tuple[str, str]
"""A question, and what of its answer stands on the same line."""


def questions(lines: Sequence[PageLine]) -> tuple[list[Question], list[PageLine]]:
    """Return the questions, and the lines before the first one."""
    starts = _starts(lines)
    found: list[Question] = []
    left: list[PageLine] = []
    for line in lines:
        start = None if line.code or not line.text else starts(line)
        if start is not None:
            found.append(Question(start[0][asked(start[0]) :], line.number))
            if start[1]:
                found[-1].answer.append(_line(line, start[1]))
        elif found:
            found[-1].answer.append(_unanswered(line, found[-1]))
        elif line.text:
            left.append(line)
    return found, left


def answered(text: str) -> int:
    """Return the length of ``A:`` before an answer, 0 without."""
    match = _ANSWERED.match(text)
    return match.end() if match else 0


def _unanswered(line: PageLine, question: Question) -> PageLine:
    """Take ``A:`` off the first line of an answer."""
    length = 0 if line.code else answered(line.text)
    if not length or any(before.text for before in question.answer):
        return line
    return _line(line, line.text[length:])


def _line(line: PageLine, text: str) -> PageLine:
    return PageLine(line.number, text, raw=text)


def _starts(lines: Sequence[PageLine]) -> Callable[[PageLine], Start | None]:
    """Return what tells a question's line, by the most visible way used in these lines."""
    text = [line for line in lines if line.text and not line.code]
    # Of these three, often mixed, the one that finds most; each knows the others' questions.
    listed = max(
        (_in_bold, _counted(lines), _of_list(lines)), key=lambda way: sum(map(bool, map(way, text)))
    )
    ways = (_of_level(lines), _asked, listed, _plain, _inline)
    return next((way for way in ways if any(map(way, text))), _plain)


def _of_level(lines: Sequence[PageLine]) -> Callable[[PageLine], Start | None]:
    levels = [marked[0] for marked in _marks(lines)]

    def start(line: PageLine) -> Start | None:
        marked = mark(line.text)
        return (bare(line.text), "") if marked and marked[0] == min(levels) else None

    return start


def _marks(lines: Sequence[PageLine]) -> Iterator[tuple[int, str]]:
    for line in lines:
        if not line.code and (marked := mark(line.text)):
            yield marked


def _asked(line: PageLine) -> Start | None:
    plain = unlisted(line.text).replace("**", "").replace("__", "")
    return (plain, "") if asked(plain) else None


def _in_bold(line: PageLine) -> Start | None:
    match = _BOLD.fullmatch(unlisted(line.text))
    return (match[1].strip(), match[2]) if match and is_question(match[1]) else None


def _counted(lines: Sequence[PageLine]) -> Callable[[PageLine], Start | None]:
    """Numbered questions; a number that follows the last one's asks even without its mark."""
    asking: set[int] = set()
    last = 0
    outer = min((x.indentation for x in lines if not x.code and numbered(x.text)), default=0)
    for line in lines:
        if line.code or not numbered(line.text) or line.indentation > outer:
            continue
        number = re.search(r"\d+", line.text)
        counts = number is not None and last > 0 and int(number[0]) == last + 1
        if is_question(bare(line.text)) or counts:
            asking.add(line.number)
            last = int(number[0]) if number else 0
    return lambda line: (bare(line.text), "") if line.number in asking else None


def _of_list(lines: Sequence[PageLine]) -> Callable[[PageLine], Start | None]:
    listed = [x for x in lines if not x.code and item(x.text) is not None]
    outer = min((x.indentation for x in listed if is_question(bare(x.text))), default=0)

    def start(line: PageLine) -> Start | None:
        asks = item(line.text) is not None and is_question(bare(line.text))
        return (bare(line.text), "") if asks and line.indentation <= outer else None

    return start


def _plain(line: PageLine) -> Start | None:
    return (bare(line.text), "") if is_question(line.text) else None


def _inline(line: PageLine) -> Start | None:
    match = _INLINE.fullmatch(unlisted(line.text))
    return (match[1], match[2]) if match else None

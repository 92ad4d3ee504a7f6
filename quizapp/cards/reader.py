"""Reads a card file; every broken thing is a problem, and no text raises."""

from __future__ import annotations

from dataclasses import dataclass

from quizapp.cards import outline, schema, yaml_tree
from quizapp.cards.body import BodyReader
from quizapp.cards.card_file import CardFile
from quizapp.cards.model import MAIN
from quizapp.cards.problems import Problem, Report

_FENCE = "---"


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of reading a file."""

    draft: CardFile | None
    """``None`` when the file does not even say which card it is."""
    problems: tuple[Problem, ...]
    """In the order of the lines."""


def read(text: str, path: str) -> Reading:
    """Read the text of a card file; the path tells its language if the text does not."""
    report = Report(path)
    draft = _draft(text, report)
    return Reading(draft, report.problems)


def _draft(text: str, report: Report) -> CardFile | None:
    lines = _unified(text).split("\n")
    end = _end_of_front(lines, report)
    if not end:
        return None
    tree = yaml_tree.parse("\n".join(lines[1:end]) + "\n", 2, report)
    front = None if tree is None else schema.front_matter(tree, report)
    if tree is None or front is None:
        return None
    body = BodyReader(front.id, front.lang, report)
    card = body.read(outline.scan("\n".join(lines[end + 1 :]), end + 2, report))
    draft = CardFile(report.path, front, card, schema.lines(tree) | body.lines)
    _unique_prompts(draft, report)
    return draft


def _unified(text: str) -> str:
    """Drop a byte order mark and make every line end a line feed."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _end_of_front(lines: list[str], report: Report) -> int:
    """Return the index of the line that ends the front matter; 0 if there is none."""
    if lines[0].rstrip() != _FENCE:
        report.error(
            1,
            "the file does not begin with its front matter",
            "begin with a line ---, then id: and lang:, then a line ---",
        )
        return 0
    for i, line in enumerate(lines[1:], 1):
        if line.rstrip() == _FENCE:
            return i
    report.error(1, "the front matter is never closed", "add a line --- below its last key")
    return 0


def _unique_prompts(draft: CardFile, report: Report) -> None:
    """A prompt is known by its id, so that no other thing on the card may have it."""
    if ("id", MAIN) in draft.lines:
        report.error(
            draft.line("id", MAIN), f"{MAIN} is the id of the main answer", "choose another id"
        )
    for id_ in draft.front.calculations:
        line = draft.line("calculations", id_)
        taken = draft.lines.get(("id", id_))
        if taken is not None or id_ == MAIN:
            where = f"stands already on line {taken}" if taken else "is the main answer's"
            report.error(line, f"the id {id_} {where}", "give the calculation one of its own")

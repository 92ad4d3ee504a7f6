"""The sections of a card file and what their headings are called."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from enum import StrEnum

from quizapp.cards.model import Lang
from quizapp.cards.problems import nearest


class Place(StrEnum):
    """A section of a card, in the order of the file."""

    CONCEPTS = "concepts"
    DIAGRAM = "diagram"
    ANSWER = "answer"
    BY_HAND = "by hand"
    CASES = "cases"
    POINTS = "points"
    FOLLOW_UPS = "follow-ups"
    SOURCES = "sources"


HEADINGS: Mapping[Place, Mapping[Lang, str]] = {
    Place.CONCEPTS: {Lang.EN: "Concepts", Lang.ZH: "概念"},
    Place.DIAGRAM: {Lang.EN: "Diagram", Lang.ZH: "图解"},
    Place.ANSWER: {Lang.EN: "30-second answer", Lang.ZH: "30 秒回答"},
    Place.BY_HAND: {Lang.EN: "By hand", Lang.ZH: "手算"},
    Place.CASES: {Lang.EN: "Cases", Lang.ZH: "情况"},
    Place.POINTS: {Lang.EN: "Must-hit points", Lang.ZH: "必答点"},
    Place.FOLLOW_UPS: {Lang.EN: "Follow-ups", Lang.ZH: "追问"},
    Place.SOURCES: {Lang.EN: "Sources", Lang.ZH: "来源"},
}

CASE_COLUMNS: Mapping[Lang, tuple[str, str, str]] = {
    Lang.EN: ("Situation", "Result", "Why"),
    Lang.ZH: ("情况", "结果", "原因"),
}


def _key(heading: str) -> str:
    """Fold what does not matter: case, width, spaces, hyphens, a closing ``##`` or colon."""
    folded = unicodedata.normalize("NFKC", heading).casefold()
    return "".join(filter(str.isalnum, folded))


_PLACES = {_key(name): place for place, names in HEADINGS.items() for name in names.values()}


def recognise(heading: str) -> Place | None:
    """Return the section a heading opens, in either language, or ``None``."""
    return _PLACES.get(_key(heading))


def similar(heading: str) -> str:
    """Return the known heading that an unknown one is most like, or an empty string."""
    return nearest(heading, (name for names in HEADINGS.values() for name in names.values()))

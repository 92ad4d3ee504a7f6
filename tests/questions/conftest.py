"""The deck that ships, each of its cards in each language, and what the tests ask of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizapp.cards.kinds import Lang
from quizapp.cards.library import Library
from quizapp.cards.model import Card, Point, Prompt
from quizapp.recall.grading import grade
from quizapp.recall.score import point_credit
from quizapp.services import deck

FOLDER = Path(__file__).resolve().parent.parent.parent / "questions"
CARDS = sorted({path.name.partition(".")[0] for path in (FOLDER / "gpu").glob("*.md")})


@pytest.fixture(scope="session")
def library() -> Library:
    return deck.read_library([FOLDER])


@pytest.fixture(params=[(id_, lang) for id_ in CARDS for lang in Lang], ids="-".join)
def card(request: pytest.FixtureRequest, library: Library) -> Card:
    return card_of(library, *request.param)


def card_of(library: Library, id_: str, lang: Lang) -> Card:
    found = library.card(id_, lang)
    assert found is not None
    assert found.lang == lang
    return found


def text_of(id_: str, lang: Lang) -> str:
    return (FOLDER / "gpu" / f"{id_}.{lang}.md").read_text(encoding="utf-8")


def all_points(card: Card) -> list[Point]:
    return [*card.points, *(point for f in card.follow_ups for point in f.points)]


def missed(card: Card, prompt: Prompt, said: str, wanted: list[Point]) -> list[str]:
    """Points without full credit, and false statements suspected."""
    found = grade(prompt.points, card.false_statements, said)
    short = [point.id for point in wanted if point_credit(point, found.ticked) < 1]
    return [*short, *found.flagged]

"""The deck that ships: whole, in both languages, in our own words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quizapp.cards.kinds import Lang
from quizapp.cards.library import Library
from quizapp.cards.model import Card, PromptKind, prompts
from quizapp.cards.problems import Severity
from quizapp.recall.calculations import draw
from quizapp.services import deck
from quizapp.services.checking import check_cards
from quizapp.text.cells import cell_width

FOLDER = Path(__file__).resolve().parent.parent.parent / "questions"
FIGURES = [
    "1 GB", "6 GB", "2 GB", "2,039 GB/s", "2.9", "1.0 ms", "996.5", "279.8", "3.6", "33.4 %",
    "30.1 %", "2026-04-11", "JOBREQ-2615890", "1.3", "1.4", "2.1", "3.3", "FlashAttention",
    "FlashVector", "torch.compile", "Triton", "CUDA", "CUTLASS", "embedding bag", "CUDA Graph",
]  # fmt: skip


@pytest.fixture(scope="module")
def library() -> Library:
    return deck.read_library([FOLDER])


@pytest.fixture(params=list(Lang), ids=str)
def card(request: pytest.FixtureRequest, library: Library) -> Card:
    found = library.card("kernel-fusion", request.param)
    assert found is not None
    assert found.lang == request.param
    return found


def text_of(lang: Lang) -> str:
    return (FOLDER / "gpu" / f"kernel-fusion.{lang}.md").read_text(encoding="utf-8")


def test_the_deck_compiles_without_a_word() -> None:
    found = [p for p in check_cards(FOLDER).problems if p.severity is not Severity.HINT]
    assert [str(problem) for problem in found] == []


def test_the_first_card_is_whole(card: Card) -> None:
    kinds = [prompt.kind for prompt in prompts(card)]
    assert [kinds.count(kind) for kind in PromptKind] == [1, 4, 4, 4, 5]
    assert [point.id for point in card.points] == [f"P{n}" for n in range(1, 7)]
    assert {point.id for point in card.points if point.core} == {"P1", "P2", "P3", "P4"}
    assert all(follow_up.points for follow_up in card.follow_ups)
    assert len(card.false_statements) == 11
    assert card.sources
    assert card.extra == ()


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("lang", list(Lang))
def test_every_figure_of_the_page_is_there(lang: Lang, figure: str) -> None:
    assert figure in text_of(lang)


def test_the_interview_report_is_said_to_be_second_hand() -> None:
    assert "second-hand" in text_of(Lang.EN)
    assert "二手" in text_of(Lang.ZH)


def test_the_diagram_lines_up_in_80_columns(card: Card) -> None:
    lines = card.diagram.removeprefix("```text\n").removesuffix("\n```").split("\n")
    assert all(cell_width(line) <= 76 for line in lines)
    boxes = [line for line in lines if line.startswith((" ├", " ┌"))]
    assert boxes
    for edge in ("┐", "┤"):
        columns = {cell_width(line[: line.index(edge)]) for line in lines if edge in line[:14]}
        assert len(columns) <= 1
    left = {cell_width(line[: line.index("│", 2)]) for line in lines if line.startswith(" │")}
    assert left == {9}


def test_the_answer_takes_about_half_a_minute(library: Library) -> None:
    english = library.card("kernel-fusion", Lang.EN)
    chinese = library.card("kernel-fusion", Lang.ZH)
    assert english is not None
    assert chinese is not None
    assert 75 <= len(english.answer.split()) <= 115
    han = len(re.findall(r"[\u4e00-\u9fff]", chinese.answer))
    words = len(re.findall(r"[A-Za-z]+", chinese.answer))
    assert 110 <= han + words <= 190


def test_every_calculation_can_be_drawn_in_both_languages(card: Card) -> None:
    for calculation in card.calculations:
        for seed in range(30):
            exercise = draw(calculation, seed)
            assert "{" not in exercise.question + exercise.solution
            assert len(exercise.wrong) >= 3


def test_no_sentence_is_the_page_s(shared: Path) -> None:
    page = (shared / "material" / "kernel-fusion-page.txt").read_text(encoding="utf-8")
    for lang in Lang:
        body = text_of(lang).split("---\n", 2)[2]
        assert not shared_runs(page, body, words=12, characters=20)


def shared_runs(page: str, ours: str, words: int, characters: int) -> list[str]:
    """Runs of so many words, or Chinese characters, that stand in both."""
    theirs = " ".join(re.findall(r"[\w.%]+", page.lower()))
    tokens = re.findall(r"[\w.%]+", ours.lower())
    found = [
        run
        for start in range(len(tokens) - words + 1)
        if (run := " ".join(tokens[start : start + words])) in theirs
    ]
    theirs_han = "".join(re.findall(r"[\u4e00-\u9fff\w]", page))
    han = "".join(re.findall(r"[\u4e00-\u9fff\w]", ours))
    found += [
        run
        for start in range(len(han) - characters + 1)
        if (run := han[start : start + characters]) in theirs_han
        and len(re.findall(r"[\u4e00-\u9fff]", run)) > characters // 2
    ]
    return found

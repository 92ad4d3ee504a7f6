"""Ticks hold what they promise on labelled answers, and no text upsets them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.cards.kinds import Lang
from quizapp.cards.model import Card, Point, Prompt, prompts
from quizapp.recall.grading import grade
from quizapp.recall.matching import How, State
from quizapp.recall.score import point_credit
from quizapp.recall.speech import sentences
from quizapp.services import deck

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def card() -> Card:
    folder = deck.bundled()
    assert folder is not None
    found = deck.read_library([folder]).card("kernel-fusion", Lang.EN)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def asked(card: Card) -> dict[str, Prompt]:
    return {prompt.id: prompt for prompt in prompts(card)}


class Figures(NamedTuple):
    precision: float
    recall: float


def figures(rows: Iterable[dict[str, Any]], asked: dict[str, Prompt], card: Card) -> Figures:
    """Precision and recall of the points that are ticked without the user's help."""
    right = wrong = missed = 0
    for row in rows:
        points = asked[row["prompt"]].points
        found = grade(points, card.false_statements, row["text"])
        said = {part for part, hit in row.get("parts", {}).items() if hit} | set(
            row.get("said", ())
        )
        for point in points:
            ours, truth = (point_credit(point, parts) >= 1 for parts in (found.ticked, said))
            right += ours and truth
            wrong += ours and not truth
            missed += truth and not ours
    return Figures(right / (right + wrong), right / (right + missed))


def test_the_answers_the_wordings_grew_with(
    shared: Path, asked: dict[str, Prompt], card: Card
) -> None:
    lines = (shared / "facts" / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    found = figures(map(json.loads, lines), asked, card)
    assert found.precision >= 0.97
    assert found.recall >= 0.95


@pytest.mark.parametrize(
    ("half", "recall"), [("held", 0.85), ("second-a", 0.8), ("second-b", 0.8), ("third", 0.85)]
)
def test_answers_in_other_voices_kept_apart(
    half: str, recall: float, asked: dict[str, Prompt], card: Card
) -> None:
    lines = (HERE / "fresh.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["half"] == half]
    assert len(rows) >= 25
    found = figures(rows, asked, card)
    assert found.precision >= 0.94
    assert found.recall >= recall


def test_one_s_own_sentence_is_known_again(card: Card) -> None:
    odd = "The sandwich never goes back to the supermarket between the bites"
    assert "P1a" not in grade(card.points, (), odd).ticked
    found = grade(card.points, (), odd + ".", [("P1a", odd)])
    assert found.parts["P1a"].state is State.TICKED
    assert found.parts["P1a"].how is How.OWN


def bare(points: Iterable[Point]) -> list[Point]:
    """The same points, without any wording to know them by."""
    return [
        replace(point, parts=tuple(replace(p, accept=(), say=()) for p in point.parts))
        for point in points
    ]


def test_words_learned_once_are_known_a_week_later(shared: Path, asked: dict[str, Prompt]) -> None:
    lines = (shared / "facts" / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    rows = {row["id"]: row for row in map(json.loads, lines)}
    again = [row for row in rows.values() if row.get("repeat_of")]
    assert len(again) >= 5
    right = wrong = missed = 0
    for row in again:
        points = bare(asked[row["prompt"]].points)
        first = rows[row["repeat_of"]]
        said = {part for part, hit in first["parts"].items() if hit}
        learned = grade(points, (), first["text"]).learned(first["text"], said)
        own = list(learned.items())
        found = grade(points, (), row["text"], own).ticked
        assert not grade(points, (), row["text"]).ticked
        truth = {part for part, hit in row["parts"].items() if hit}
        right += len(found & truth)
        wrong += len(found - truth)
        missed += len(truth - found)
    assert wrong == 0
    assert 2 * right / (2 * right + missed) >= 0.95


def test_a_confirmed_part_is_learned_from_what_says_nothing_else(card: Card) -> None:
    answer = "The FLOPs stay the same. It is like a pancake on a Sunday morning."
    found = grade(card.points, (), answer)
    learned = found.learned(answer, {"P2a", "P6a"})
    assert learned["P2a"] == "The FLOPs stay the same"
    assert learned["P6a"] == "It is like a pancake on a Sunday morning"


def test_the_order_of_sentences_hardly_matters(
    shared: Path, asked: dict[str, Prompt], card: Card
) -> None:
    lines = (shared / "facts" / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    same = total = 0
    for row in map(json.loads, lines):
        points = asked[row["prompt"]].points
        text = row["text"]
        turned = " ".join(text[a:b] + "." for a, b in reversed(sentences(text)))
        found, other = (grade(points, (), each).ticked for each in (text, turned))
        same += len(found & other)
        total += len(found | other)
    assert same / total >= 0.97


def test_the_words_that_make_a_tick_stand_in_its_evidence(card: Card) -> None:
    answer = "Well, hm. The intermediate results never go out to HBM. Fine."
    found = grade(card.points, (), answer).parts["P1a"]
    assert answer[found.start : found.end] == "The intermediate results never go out to HBM"
    assert next(answer[a:b] for a, b in found.words) == "intermediate results"
    assert all(found.start <= a < b <= found.end for a, b in found.words)


def test_words_alike_a_phrasing_or_one_s_own_are_marked_too(card: Card) -> None:
    answer = "So, our cargo stays on the forklift till the very end. Fine."
    own = [("P1a", "the cargo stays on the forklift")]
    found = grade(card.points, (), answer, own).parts["P1a"]
    assert found.how is How.OWN
    marked = [answer[a:b] for a, b in found.words]
    assert {"cargo", "stays", "forklift"} <= set(marked)
    assert "end" not in marked
    false = grade(card.points, card.false_statements, "Hm. Fusion raises occupancy.").false["X2"]
    assert false.words


@pytest.mark.parametrize(
    "answer",
    [
        "",
        " \n ",
        "registers occupancy cuBLAS GEMM HBM FLOPs bandwidth launch Triton CUTLASS epilogue fusion",
        "Registers. Occupancy. cuBLAS. Triton. FLOPs. Bandwidth. HBM. Launches. Softmax. ReLU.",
        "寄存器 占用率 显存 访存 计算量 启动 归约 逐元素",
    ],
)
def test_silence_and_keywords_tick_nothing_that_counts(answer: str, card: Card) -> None:
    found = grade(card.points, card.false_statements, answer)
    full = [p.id for p in card.points if point_credit(p, found.ticked) >= 1 and p.core]
    assert full == []


def test_a_point_without_parts_is_told_by_its_text() -> None:
    point = Point("fusion", "Several kernels are merged into one launch.")
    found = grade([point], (), "Several kernels are merged into one launch.")
    assert found.parts["fusion"].state is not State.BLANK
    assert grade([point], (), "I like cats and dogs a lot.").parts["fusion"].state is State.BLANK


def test_what_is_false_is_asked_about_and_nothing_else(card: Card) -> None:
    said = grade(card.points, card.false_statements, "Fusion reduces the number of FLOPs you do.")
    assert said.flagged == ("X1",)
    true = grade(card.points, card.false_statements, "The number of FLOPs does not change at all.")
    assert true.flagged == ()


@given(st.text(max_size=400))
def test_no_text_raises_and_evidence_is_the_answer_s_own(answer: str) -> None:
    points = [Point("P", "the traffic to memory falls"), Point("Q", "计算量不变")]
    found = grade(points, (), answer)
    for finding in found.parts.values():
        assert 0 <= finding.start <= finding.end <= len(answer)
    for sentence in found.evidence(answer).values():
        assert "".join(sentence.split()) in "".join(answer.split())

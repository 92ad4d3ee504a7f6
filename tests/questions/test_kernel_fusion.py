"""The first card: every figure of its source, in our own words, and proved by the record."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from quizapp.cards.kinds import Lang
from quizapp.cards.library import Library
from quizapp.cards.model import Card, PromptKind, prompts
from quizapp.proof import record
from quizapp.proof.verdict import Verdict, judge
from tests.questions.conftest import FOLDER, all_points, card_of, missed, text_of

ID = "kernel-fusion"
RECORD = FOLDER.parent / "demos" / "records" / "elementwise.nvidia-h200.jsonl"
FIGURES = [
    "1 GB", "6 GB", "2 GB", "2,039 GB/s", "2.9 ms", "1.0 ms", "996.5", "279.8 µs", "3.6",
    "33.4 %", "30.1 %", "2026-04-11", "JOBREQ-2615890", "1.3", "1.4", "2.1", "3.3", "ml-八股",
    "FlashAttention", "FlashVector", "torch.compile", "Triton", "CUDA", "CUTLASS",
    "embedding bag", "CUDA Graph", "target attention", "Nsight", "roofline", "bit-identical",
]  # fmt: skip
CONCEPTS = ["fusion", "intermediate", "traffic", "epilogue"]
CASES = ["case-chain", "case-epilogue", "case-occupancy", "case-gemm"]
CALCULATIONS = ["hand-bytes", "hand-time", "hand-share", "hand-launch"]
FOLLOW_UPS = [f"followup-{n}" for n in range(1, 6)]


@pytest.fixture(params=list(Lang), ids=str)
def card(request: pytest.FixtureRequest, library: Library) -> Card:
    return card_of(library, ID, request.param)


def body_of(lang: Lang) -> str:
    return text_of(ID, lang).split("---\n", 2)[2]


def test_the_first_card_is_whole(card: Card) -> None:
    assert [prompt.id for prompt in prompts(card)] == [
        "main", *CONCEPTS, *CASES, *CALCULATIONS, *FOLLOW_UPS,
    ]  # fmt: skip
    assert [point.id for point in card.points] == [f"P{n}" for n in range(1, 7)]
    assert {point.id for point in card.points if point.core} == {"P1", "P2", "P3", "P4"}
    assert [f.id for f in card.false_statements] == [f"X{n}" for n in range(1, 12)]
    assert card.sources


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("lang", list(Lang))
def test_every_figure_of_the_page_is_there(lang: Lang, figure: str) -> None:
    assert figure in body_of(lang)


def test_no_number_of_the_page_is_left_out(shared: Path) -> None:
    page = (shared / "material" / "kernel-fusion-page.txt").read_text(encoding="utf-8")
    numbers = set(re.findall(r"\d[\d.,]*\d|\d", page))
    assert len(numbers) > 15
    for lang in Lang:
        assert numbers - set(re.findall(r"\d[\d.,]*\d|\d", worded(body_of(lang)))) == set()


def worded(text: str) -> str:
    """The text with the numbers that stand in words added."""
    words = {"six": 6, "two": 2, "three": 3, "六": 6, "两": 2, "三": 3}
    return " ".join([text, *(str(number) for word, number in words.items() if word in text)])


def test_the_interview_report_is_said_to_be_second_hand() -> None:
    assert "second-hand" in text_of(ID, Lang.EN)
    assert "二手" in text_of(ID, Lang.ZH)


def test_who_says_the_model_answer_has_said_it(card: Card) -> None:
    """The main answer leaves ways to do it and the project's figures to the points."""
    for prompt in prompts(card):
        if prompt.kind is PromptKind.ANSWER:
            wanted = [p for p in prompt.points if p.id not in ("P5", "P6")]
            assert missed(card, prompt, prompt.reference, wanted) == []


def test_the_recorded_run_proves_the_claims(card: Card) -> None:
    run = record.parse(RECORD.read_text(encoding="utf-8")).result
    verdicts = {c.id: judge(c, run).verdict for c in card.claims if c.demo == "elementwise"}
    sources = [claim for claim in card.claims if not claim.demo]
    assert {claim.id for claim in sources} == {"source-speedup", "source-forward"}
    assert {judge(claim, run).verdict for claim in sources} == {Verdict.NOT_MEASURABLE}
    assert len(verdicts) >= 7
    assert set(verdicts.values()) == {Verdict.PROVED}, verdicts


def test_no_sentence_is_the_page_s(shared: Path) -> None:
    page = (shared / "material" / "kernel-fusion-page.txt").read_text(encoding="utf-8")
    for lang in Lang:
        assert not shared_runs(page, body_of(lang), words=12, characters=20)


def test_no_phrasing_is_of_the_answers_that_judge_the_recall(shared: Path, card: Card) -> None:
    lines = (shared / "facts" / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    answers = [plain(json.loads(line)["text"]) for line in lines]
    phrasings = [said for point in all_points(card) for part in point.parts for said in part.say]
    phrasings += [said for statement in card.false_statements for said in statement.say]
    assert [said for said in phrasings if any(plain(said) in answer for answer in answers)] == []


def plain(text: str) -> str:
    return "".join(re.findall(r"\w", text.lower()))


def shared_runs(page: str, ours: str, words: int, characters: int) -> list[str]:
    """Runs of so many words, or Chinese characters, that stand in both."""
    theirs = " ".join(re.findall(r"[\w.%]+", page.lower()))
    tokens = re.findall(r"[\w.%]+", ours.lower())
    found = [
        run
        for start in range(len(tokens) - words + 1)
        if (run := " ".join(tokens[start : start + words])) in theirs
    ]
    theirs_han = "".join(re.findall(r"\w", page))
    han = "".join(re.findall(r"\w", ours))
    found += [
        run
        for start in range(len(han) - characters + 1)
        if (run := han[start : start + characters]) in theirs_han
        and len(re.findall(r"[\u4e00-\u9fff]", run)) > characters // 2
    ]
    return found

"""The deck that ships: whole, in both languages, in our own words, and proved by its record."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from quizapp.cards.kinds import Lang
from quizapp.cards.library import Library
from quizapp.cards.model import Card, Point, Prompt, PromptKind, prompts
from quizapp.cards.problems import Severity
from quizapp.proof import record
from quizapp.proof.verdict import Verdict, judge
from quizapp.recall.calculations import draw
from quizapp.recall.grading import grade
from quizapp.recall.score import point_credit
from quizapp.services import deck
from quizapp.services.checking import check_cards
from quizapp.text.cells import cell_width

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "questions"
RECORD = ROOT / "demos" / "records" / "elementwise.nvidia-h200.jsonl"
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


def body_of(lang: Lang) -> str:
    return text_of(lang).split("---\n", 2)[2]


def all_points(card: Card) -> list[Point]:
    return [*card.points, *(point for f in card.follow_ups for point in f.points)]


def test_the_deck_compiles_without_a_word() -> None:
    found = [p for p in check_cards(FOLDER).problems if p.severity is not Severity.HINT]
    assert [str(problem) for problem in found] == []


def test_the_first_card_is_whole(card: Card) -> None:
    assert [prompt.id for prompt in prompts(card)] == [
        "main", *CONCEPTS, *CASES, *CALCULATIONS, *FOLLOW_UPS,
    ]  # fmt: skip
    assert [point.id for point in card.points] == [f"P{n}" for n in range(1, 7)]
    assert {point.id for point in card.points if point.core} == {"P1", "P2", "P3", "P4"}
    assert [f.id for f in card.false_statements] == [f"X{n}" for n in range(1, 12)]
    assert card.sources
    assert card.extra == ()


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
    assert "second-hand" in text_of(Lang.EN)
    assert "二手" in text_of(Lang.ZH)


UP, DOWN, LEFT, RIGHT = "│└┘├┤", "│┌┐├┤", "─┐┘┤", "─┌└├▶◀"


def test_the_boxes_of_the_diagram_close(card: Card) -> None:
    rows = [cells(line) for line in fenced(card.diagram)]
    assert all(len(row) <= 78 for row in rows)
    corners = 0
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign in "└┘├┤":
                assert at(rows, x, y - 1) in DOWN, f"nothing above {sign} in {''.join(row)!r}"
            if sign in "┌┐├┤":
                assert at(rows, x, y + 1) in UP, f"nothing below {sign} in {''.join(row)!r}"
            if sign in "┌└├":
                assert at(rows, x + 1, y) in LEFT, f"nothing behind {sign} in {''.join(row)!r}"
            if sign in "┐┘┤":
                assert at(rows, x - 1, y) in RIGHT, f"nothing before {sign} in {''.join(row)!r}"
            corners += sign in "┌┐└┘"
    assert corners == 4 * 6


def fenced(diagram: str) -> list[str]:
    first, *lines, last = diagram.split("\n")
    assert (first, last) == ("```text", "```")
    return lines


def cells(line: str) -> list[str]:
    """One sign a cell; the second cell of a wide one is blank."""
    return [cell for sign in line for cell in [sign, *" " * (cell_width(sign) - 1)]]


def at(rows: list[list[str]], x: int, y: int) -> str:
    """A sign that is in no set where nothing stands."""
    return rows[y][x] if 0 <= y < len(rows) and 0 <= x < len(rows[y]) else "nothing"


def test_the_answer_takes_about_half_a_minute(library: Library) -> None:
    english = library.card("kernel-fusion", Lang.EN)
    chinese = library.card("kernel-fusion", Lang.ZH)
    assert english is not None
    assert chinese is not None
    assert 75 <= len(english.answer.split()) <= 100
    han = len(re.findall(r"[\u4e00-\u9fff]", chinese.answer))
    words = len(re.findall(r"[A-Za-z]+", chinese.answer))
    assert 125 <= han + words <= 180


def test_every_calculation_can_be_drawn_in_both_languages(card: Card) -> None:
    for calculation in card.calculations:
        for seed in range(30):
            exercise = draw(calculation, seed)
            assert "{" not in exercise.question + exercise.solution
            assert len(exercise.wrong) >= 3


def test_who_says_the_model_answer_has_said_it(card: Card) -> None:
    """The main answer leaves ways to do it and the project's figures to the points."""
    for prompt in prompts(card):
        if prompt.kind in (PromptKind.ANSWER, PromptKind.FOLLOW_UP):
            wanted = [p for p in prompt.points if p.id not in ("P5", "P6")]
            assert missed(card, prompt, prompt.reference, wanted) == []


def test_who_says_the_points_has_said_them(card: Card) -> None:
    for prompt in prompts(card):
        if prompt.kind in (PromptKind.ANSWER, PromptKind.FOLLOW_UP):
            said = " ".join(point.text for point in prompt.points)
            assert missed(card, prompt, said, list(prompt.points)) == []


def missed(card: Card, prompt: Prompt, said: str, wanted: list[Point]) -> list[str]:
    """Points without full credit, and false statements suspected."""
    found = grade(prompt.points, card.false_statements, said)
    short = [point.id for point in wanted if point_credit(point, found.ticked) < 1]
    return [*short, *found.flagged]


def test_a_false_statement_is_noticed_and_earns_nothing_it_contradicts(card: Card) -> None:
    for statement in card.false_statements:
        against = [point for point in all_points(card) if point.id in statement.against]
        assert against
        for said in statement.say:
            found = grade(against, card.false_statements, said)
            assert statement.id in found.flagged, said
            # Fragments of a point may be right; the point as a whole must not be earned.
            assert all(point_credit(point, found.ticked) < 1 for point in against), said


def test_every_phrasing_is_recognised_and_suspected_of_nothing(card: Card) -> None:
    for prompt in prompts(card):
        for part in [part for point in prompt.points for part in point.parts]:
            english = [said for said in part.say if not re.search(r"[\u4e00-\u9fff]", said)]
            assert min(len(english), len(part.say) - len(english)) >= 2, part.id
            for said in part.say:
                found = grade(prompt.points, card.false_statements, said)
                assert part.id in found.ticked | found.suggested, f"{part.id}: {said}"
                assert found.flagged == (), f"{part.id}: {said}"


def test_the_recorded_run_proves_the_claims(card: Card) -> None:
    run = record.parse(RECORD.read_text(encoding="utf-8")).result
    verdicts = {claim.id: judge(claim, run).verdict for claim in card.claims}
    assert {verdicts.pop("source-speedup"), verdicts.pop("source-forward")} == {
        Verdict.NOT_MEASURABLE
    }
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

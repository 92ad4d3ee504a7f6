"""Every card that ships: whole, in both languages, scored by its own words, proved by a record."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quizapp.cards.kinds import Lang
from quizapp.cards.library import Library
from quizapp.cards.model import Card, PromptKind, prompts
from quizapp.cards.text_rules import SPEAKABLE, spoken_length
from quizapp.proof import record
from quizapp.proof.verdict import Verdict, Why, judge
from quizapp.recall.calculations import draw
from quizapp.recall.grading import grade
from quizapp.recall.score import point_credit
from quizapp.services.checking import check_cards
from quizapp.text.cells import cell_width
from tests.questions.conftest import CARDS, FOLDER, all_points, card_of, missed

RECORDS = FOLDER.parent / "demos" / "records"
UP, DOWN, LEFT, RIGHT = "│└┘├┤", "│┌┐├┤", "─┐┘┤", "─┌└├▶◀"


def test_the_deck_compiles_without_a_word() -> None:
    assert [str(problem) for problem in check_cards(FOLDER).problems] == []


def test_a_card_is_whole(card: Card) -> None:
    assert 3 <= len(card.concepts) <= 5
    assert len(card.cases) >= 3
    assert 4 <= len(card.points) <= 7
    assert 3 <= len(card.follow_ups) <= 5
    assert all(follow_up.points for follow_up in card.follow_ups)
    assert card.calculations
    assert len(card.false_statements) >= 3
    assert card.sources
    assert card.extra == ()


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
    assert corners % 4 == 0


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


def test_the_answer_takes_about_half_a_minute(card: Card) -> None:
    most = SPEAKABLE[card.lang]
    assert 0.65 * most <= spoken_length(card.answer) <= most


def test_every_calculation_can_be_drawn_in_both_languages(card: Card) -> None:
    for calculation in card.calculations:
        for seed in range(30):
            exercise = draw(calculation, seed)
            assert "{" not in exercise.question + exercise.solution
            assert len(exercise.wrong) >= 3


def test_who_says_the_model_answer_has_said_what_is_core(card: Card) -> None:
    """What is not core may be left to the points; what a follow-up asks is answered whole."""
    for prompt in prompts(card):
        if prompt.kind in (PromptKind.ANSWER, PromptKind.FOLLOW_UP):
            main = prompt.kind is PromptKind.ANSWER
            wanted = [point for point in prompt.points if point.core or not main]
            assert missed(card, prompt, prompt.reference, wanted) == []


def test_who_says_the_points_has_said_them(card: Card) -> None:
    for prompt in prompts(card):
        if prompt.kind in (PromptKind.ANSWER, PromptKind.FOLLOW_UP):
            said = " ".join(point.text for point in prompt.points)
            assert missed(card, prompt, said, list(prompt.points)) == []


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


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_no_recorded_run_refutes_a_claim(library: Library, path: Path) -> None:
    run = record.parse(path.read_text(encoding="utf-8")).result
    demo = path.name.partition(".")[0]
    claims = {f"{id_}/{c.id}": c for id_ in CARDS for c in card_of(library, id_, Lang.EN).claims}
    found = {id_: judge(claim, run) for id_, claim in claims.items() if claim.demo == demo}
    judged = {id_: j.verdict for id_, j in found.items() if j.why is not Why.DEVICE}
    assert set(judged.values()) <= {Verdict.PROVED}, judged


@pytest.mark.parametrize("id_", CARDS)
def test_both_languages_claim_the_same(library: Library, id_: str) -> None:
    english, chinese = (card_of(library, id_, lang).claims for lang in Lang)
    assert [claim.id for claim in english] == [claim.id for claim in chinese]

"""Follow-up questions, however they are set apart from their answers."""

from __future__ import annotations

import pytest

from quizapp.cards.importing.asking import questions
from quizapp.cards.importing.lines import page_lines
from quizapp.cards.importing.parts import prose

BOTH = [("Why so?", "Because."), ("And then?", "Nothing.")]


@pytest.mark.parametrize(
    "text",
    [
        "Why so?\nBecause.\nAnd then?\nNothing.",
        "Why so?\n\nBecause.\n\nAnd then?\n\nNothing.",
        "### Why so?\nBecause.\n### And then?\nNothing.",
        "**Why so?**\nBecause.\n**And then?**\nNothing.",
        "**Why so?** Because.\n**And then?** Nothing.",
        "- **Why so?** Because.\n- **And then?** Nothing.",
        "1. Why so?\n   Because.\n2. And then?\n   Nothing.",
        "1、Why so?\nBecause.\n2、And then?\nNothing.",
        "- Why so?\n  Because.\n- And then?\n  Nothing.",
        "Q: Why so?\nA: Because.\nQ: And then?\nA: Nothing.",
        "Q1. Why so?\nA1: Because.\nQ2. And then?\nA2: Nothing.",
        "问：Why so?\n答：Because.\n问：And then?\n答：Nothing.",
        "**Q: Why so?**\nBecause.\n**Q: And then?**\nNothing.",
        "Why so? Because.\nAnd then? Nothing.",
    ],
)
def test_questions_and_answers(text: str) -> None:
    found, left = questions(page_lines(text))
    assert [(question.text, prose(question.answer)) for question in found] == BOTH
    assert left == []


@pytest.mark.parametrize(
    ("text", "asked", "first"),
    [
        ("1. Why?\n   1. a\n   2. b\n2. And then?\nx", ["Why?", "And then?"], "1. a\n2. b"),
        ("1. **Why?**\nx\n2. The other\ny", ["Why?", "The other"], "x"),
        ("### Why?\nReally?\nYes.\n#### More?\nz", ["Why?"], "Really?\nYes.\n#### More?\nz"),
        ("**Why?**\nSo what?\nx", ["Why?"], "So what?\nx"),
        ("Q: Why?\nA: Because. Is it?\nNo?", ["Why?"], "Because. Is it?\nNo?"),
        ("Why?\nFirst profile。Why? So.", ["Why?"], "First profile。Why? So."),
        ("Why?\n```\nwhat?\n```\nx", ["Why?"], "```\nwhat?\n```\nx"),
        ("- Why?\n  - a?\n  - b", ["Why?"], "- a?\n- b"),
    ],
)
def test_what_belongs_to_an_answer(text: str, asked: list[str], first: str) -> None:
    found, _ = questions(page_lines(text))
    assert [question.text for question in found] == asked
    assert prose(found[0].answer) == first


def test_lines_before_the_first_question_are_left() -> None:
    found, left = questions(page_lines("Some of these were asked.\n\nWhy?\nSo."))
    assert len(found) == 1
    assert [line.number for line in left] == [1]


def test_without_a_question_all_is_left() -> None:
    found, left = questions(page_lines("one\n\ntwo"))
    assert found == []
    assert [line.text for line in left] == ["one", "two"]

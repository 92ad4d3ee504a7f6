"""Tables of cases, lists of points, sources, prose and diagrams."""

from __future__ import annotations

import pytest

from quizapp.cards.importing.lines import page_lines
from quizapp.cards.importing.parts import cases, diagram, points, prose, sources


@pytest.mark.parametrize(
    "text",
    [
        "| 情况 | 结果 | 原因 |\n|---|---|---|\n| a | b | c |",
        "|情况|结果|原因|\n|:--|:-:|--:|\n|a|b|c|",
        "Situation | Result | Why\n--- | --- | ---\na | b | c",
        "｜情况｜结果｜原因｜\n｜a｜b｜c｜",
        "情况\t结果\t原因\na\tb\tc",
        "情况   结果   原因\na   b   c",
        "| 原因 | 情况 | 结果 |\n|---|---|---|\n| c | a | b |",
        "| Why | Case | Outcome |\n|---|---|---|\n| c | a | b |".replace("Outcome", "Result"),
        "| a | b | c |",
    ],
)
def test_a_table_of_cases(text: str) -> None:
    found = cases(page_lines(text))
    assert found.rows == [("a", "b", "c")]
    assert found.left == found.heads == []


def test_a_table_without_reasons_and_one_with_names_of_its_own() -> None:
    assert cases(page_lines("| 情况 | 结果 |\n|---|---|\n| a | b |")).rows == [("a", "b", "")]
    own = cases(page_lines("| Workload | Verdict here | Say |\n|---|---|---|\n| a | b | c |"))
    assert own.rows == [("a", "b", "c")]
    assert [line.number for line in own.heads] == [1]


@pytest.mark.parametrize(
    "line", ["a sentence", "| a | b | c | d |", "|  | b | c |", "- a   b   c", "```"]
)
def test_what_is_no_row_is_left(line: str) -> None:
    found = cases(page_lines(f"| 情况 | 结果 | 原因 |\n{line}"))
    assert [left.text for left in found.left] == [line]


def test_a_bar_within_a_cell() -> None:
    assert cases(page_lines("| a \\| b | c | d |")).rows == [("a | b", "c", "d")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a\n- b", ["a", "b"]),
        ("1. a\n2) b\n3、c\n（4）d\n⑤ e", ["a", "b", "c", "d", "e"]),
        ("a\nb", ["a", "b"]),
        ("- [ ] a\n- [x] b", ["a", "b"]),
        ("- a\n  goes on\n- b", ["a goes on", "b"]),
        ("- a\ngoes on\n- b", ["a goes on", "b"]),
        ("- a\n  - deeper\n- b", ["a\n- deeper", "b"]),
        ("\t- a\n\t- b", ["a", "b"]),
        ("- a\n\n- b", ["a", "b"]),
    ],
)
def test_points(text: str, expected: list[str]) -> None:
    assert points(page_lines(text)) == (expected, [])


@pytest.mark.parametrize("text", ["Say these:\n- a", "- a\n\nThat is all.", "### x\n- a"])
def test_text_around_the_points_is_left(text: str) -> None:
    found, left = points(page_lines(text))
    assert found == ["a"]
    assert len(left) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a\n- b", ["a", "b"]),
        ("a · b · c", ["a", "b", "c"]),
        ("a(1)· b", ["a(1)", "b"]),
        ("https://x.y/a·b", ["https://x.y/a·b"]),
        ("  ·  a · ", ["a"]),
        ("", []),
    ],
)
def test_sources(text: str, expected: list[str]) -> None:
    assert [source for source in sources(page_lines(text)) if source] == expected


def test_prose_keeps_paragraphs_lists_and_code() -> None:
    text = "one\n two\n\n- a\n  - b\n    wraps\n\n```py\n  x = 1\n\n  y\n```\n　　三"
    expected = "one\ntwo\n\n- a\n  - b\n    wraps\n\n```py\n  x = 1\n\n  y\n```\n三"
    assert prose(page_lines(text)) == expected


def test_a_diagram_in_the_open_is_fenced_and_keeps_its_columns() -> None:
    art = "  ┌───┐\n  │ x │ ──▶ y\n  └───┘"
    page = page_lines(f"Look:\n{art}\nThat is it.")
    assert diagram(page) == f"Look:\n\n```text\n{art}\n```\n\nThat is it."
    assert diagram(page_lines(f"```\n{art}\n```")) == f"```\n{art}\n```"
    assert diagram(page_lines("![fusion](fusion.png)")) == "![fusion](fusion.png)"

"""Glossaries, however they are set."""

from __future__ import annotations

import pytest

from quizapp.cards.importing.glossary import glossary
from quizapp.cards.importing.lines import page_lines

BOTH = [("Bank", "a slice"), ("Conflict", "two lanes, one bank")]


@pytest.mark.parametrize(
    "text",
    [
        "Bank: a slice\nConflict: two lanes, one bank",
        "- Bank：a slice\n- Conflict：two lanes, one bank",
        "- **Bank**: a slice\n- **Conflict:** two lanes, one bank",
        "Bank - a slice\nConflict — two lanes, one bank",
        "Bank——a slice\nConflict——two lanes, one bank",
        "- Bank\n- a slice\n- Conflict\n- two lanes, one bank",
        "- Bank\n  a slice\n- Conflict\n  two lanes, one bank",
        "Bank\na slice\n\nConflict\ntwo lanes, one bank",
        "**Bank**\na slice\n**Conflict**\ntwo lanes, one bank",
        "### Bank\n\na slice\n\n### Conflict\n\ntwo lanes, one bank",
        "1. Bank: a slice\n2. Conflict: two lanes, one bank",
        "| Term | Meaning |\n|---|---|\n| Bank | a slice |\n| Conflict | two lanes, one bank |",
        "概念\t含义\nBank\ta slice\nConflict\ttwo lanes, one bank",
    ],
)
def test_terms_and_meanings(text: str) -> None:
    found = glossary(page_lines(text))
    terms = [(t.name, " ".join(line.text for line in t.meaning if line.text)) for t in found.terms]
    assert terms == BOTH
    assert found.left == []


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("**Bank**: one of 32\nslices of memory.\n**C**: x", ["one of 32", "slices of memory."]),
        ("- Bank: one of 32\n  slices\n- C: x", ["one of 32", "slices"]),
        ("- Bank\n- one: of 32\n- C\n- x", ["one: of 32"]),
        ("Bank: see https://x.y/z\nC: x", ["see https://x.y/z"]),
        ("Bank: code\n```\nC: no term\n```\nC: x", ["code", "```", "C: no term", "```"]),
        ("### Bank\none: two\nthree\n### C\nx", ["one: two", "three"]),
    ],
)
def test_a_meaning_of_several_lines(text: str, meaning: list[str]) -> None:
    found = glossary(page_lines(text))
    assert [term.name for term in found.terms] == ["Bank", "C"]
    assert [line.text for line in found.terms[0].meaning] == meaning


def test_what_is_no_term_is_left() -> None:
    found = glossary(page_lines("These are the terms you have to know before anything else.\nA: b"))
    assert [line.number for line in found.left] == [1]
    assert [term.name for term in found.terms] == ["A"]


def test_a_row_of_more_than_two_cells_is_left() -> None:
    found = glossary(page_lines("| a | b | c |"))
    assert len(found.left) == 1

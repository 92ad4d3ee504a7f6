"""Every word of a page is accounted for."""

from __future__ import annotations

from quizapp.cards.importing.accounting import missing
from quizapp.cards.importing.lines import page_lines


def lost(page: str, *kept: str) -> list[tuple[int, str]]:
    return [(line.number, words) for line, words in missing(page_lines(page), kept)]


def test_what_is_kept_once_is_not_kept_twice() -> None:
    assert lost("fused kernel\nfused", "kernel", "fused") == [(2, "fused")]


def test_signs_and_characters_count_and_marks_do_not() -> None:
    assert lost("- **融合** → 快?\n## A | B", "融合快", "A", "B") == [(1, "→ ?")]
    assert lost("Q: why\nA: so\n3. x", "why", "so x") == []


def test_a_number_in_code_is_no_mark_of_a_list() -> None:
    assert lost("```\n3. x\n```", "x ``````") == [(2, "3 .")]

"""Markdown as lines of spans: every construct, exact in cells, nothing of it obeyed."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.text.cells import cell_width
from quizapp.text.markdown import inline, render
from quizapp.text.spans import Role, Span, line_width, plain

HOSTILE = "[b]bold[/b] [/] [link=x]a[/link] \x1b[31m\x1b]52;c;YQ==\x07 \x9b2J 👩‍👩‍👧"


def rows(markdown: str, width: int = 40) -> list[str]:
    return [plain(line) for line in render(markdown, width).lines]


def roles(markdown: str) -> list[tuple[str, Role]]:
    return [(text, role) for line in render(markdown, 60).lines for text, role in line]


def test_headings_are_underlined_and_found_by_line() -> None:
    found = render("# 内核融合\n\ntext\n\n## When\n\n### Not *this*\n\nx", 40)
    assert [plain(line) for line in found.lines] == [
        "内核融合", "────────", "", "text", "", "When", "────", "", "Not this", "", "x",
    ]  # fmt: skip
    assert [(h.line, h.level, h.text) for h in found.headings] == [
        (0, 1, "内核融合"),
        (5, 2, "When"),
        (8, 3, "Not this"),
    ]


def test_inline_marks_have_roles() -> None:
    assert roles("a **b** *c* `d` ~~e~~") == [
        ("a ", Role.TEXT), ("b", Role.STRONG), (" ", Role.TEXT), ("c", Role.EMPHASIS),
        (" ", Role.TEXT), ("d", Role.CODE), (" ", Role.TEXT), ("e", Role.MUTED),
    ]  # fmt: skip


def test_a_link_shows_its_text_and_its_address() -> None:
    assert roles("[page](https://a.b/c)") == [
        ("page", Role.LINK),
        (" <https://a.b/c>", Role.MUTED),
    ]
    assert roles("<https://a.b>") == [("https://a.b", Role.LINK)]
    assert rows("![plot](a.png)") == ["[plot] <a.png>"]


def test_hard_breaks_break_and_soft_ones_do_not() -> None:
    assert rows("one  \ntwo\nthree") == ["one", "two three"]


def test_a_soft_break_between_chinese_is_nothing() -> None:
    assert rows("中间结果\n留在**寄\n存器**，\nand more") == ["中间结果留在寄存器， and more"]


def test_lists_nest_and_count_from_their_start() -> None:
    assert rows("- a\n  - b\n    - c\n- d\n\n7. x\n8. y") == [
        "• a", "  ◦ b", "    ▪ c", "• d", "", "7. x", "8. y",
    ]  # fmt: skip


def test_later_lines_of_an_item_stand_under_its_text() -> None:
    assert rows("10. one two three four", 14) == ["10. one two", "    three four"]


def test_quotes_have_a_bar() -> None:
    assert rows("> one\n>\n> two") == ["│ one", "│ ", "│ two"]


def test_tables_are_exact_in_cells_and_aligned() -> None:
    table = "| 量 | n |\n|---|--:|\n| 带宽 bandwidth | 3.35 |\n| 字节 | 12 |"
    assert rows(table, 60) == [
        "量                 n",
        "─" * 20,
        "带宽 bandwidth  3.35",
        "字节              12",
    ]


def test_wide_cells_of_a_table_wrap_between_their_words() -> None:
    table = (
        "| case | why |\n|---|---|\n| element-wise | one pass over the memory, not six |\n| x | y |"
    )
    assert rows(table, 34) == [
        "case          why",
        "─" * 34,
        "element-wise  one pass over the",
        "              memory, not six",
        "",
        "x             y",
    ]


def test_a_table_too_wide_for_its_columns_is_stacked() -> None:
    head = " | ".join(f"column{n}" for n in range(4))
    table = f"| {head} |\n|{'---|' * 4}\n| 甲 | b | c | d |\n| e |"
    found = rows(table, 24)
    assert found[:5] == ["column0: 甲", "column1: b", "column2: c", "column3: d", ""]
    assert found[5] == "column0: e"
    assert rows(f"| {head} |\n|{'---|' * 4}", 24) == [f"column{n}" for n in range(4)]


def test_code_is_verbatim_and_a_long_line_goes_on_under_a_mark() -> None:
    assert rows("```python\nx  = [1]\n\ty()\n```") == ["  x  = [1]", "      y()"]
    long = "abcdefghijklmnopqrstuvwxyz"
    assert rows(f"```\n{long}\n```", 14) == ["  abcdefghijkl", "  ↪ mnopqrstuv", "  ↪ wxyz"]


def test_a_picture_is_never_broken() -> None:
    picture = "┌──────────────────┐\n│ 寄存器 registers │\n└──────────────────┘"
    assert rows(f"```\n{picture}\n```", 14) == [f"  {row}" for row in picture.split("\n")]


def test_html_is_text() -> None:
    assert rows("<b>x</b>\n\n<script>\ny") == ["<b>x</b>", "", "<script> y"]


@pytest.mark.parametrize("frame", ["{}", "# {}", "- {}", "> {}", "`{}`", "```\n{}\n```"])
def test_report_8_markup_and_escapes_show_as_they_stand(frame: str) -> None:
    text = "\n".join(rows(frame.format(HOSTILE), 140))
    assert "[b]bold[/b] [/] [link=x]a[/link] ␛[31m␛]52;c;YQ==␇ \\x9b2J 👩‍👩‍👧" in text


def test_very_long_lines_are_whole() -> None:
    word = "x" * 10_000
    found = rows(word, 80)
    assert "".join(found) == word
    assert max(map(cell_width, found)) == 80


def test_the_depth_of_a_list_leaves_room_for_its_text() -> None:
    deep = "\n".join("  " * n + f"- item {n}" for n in range(25))
    found = render(deep, 40).lines
    assert max(map(line_width, found)) <= 40
    assert "item 24" in plain(found[-1])


def test_the_same_document_is_laid_out_once() -> None:
    assert render("once", 40) is render("once", 40)


def test_one_line_of_markdown_is_spans() -> None:
    assert inline("a `b`") == (Span("a "), Span("b", Role.CODE))
    assert inline("") == ()


PIECES = [
    "# 标题",
    "- a 中文，",
    "1. ",
    "> ",
    "**粗**",
    "`c [x]`",
    "| a | 中 |",
    "|---|:-:|",
    "```",
]
PIECES += [
    "    ",
    "\t",
    "---",
    "[x](y)",
    "<b>",
    "\\",
    "&amp;",
    "word " * 9,
    "长" * 30,
    "！",
    "\x1b[2J",
]
documents = st.lists(
    st.tuples(st.sampled_from(PIECES), st.sampled_from(["\n", "", "\n\n", " "])), max_size=30
).map(lambda pieces: "".join(text + end for text, end in pieces))


@given(documents | st.text(), st.integers(20, 140))
def test_every_line_of_any_document_fits_and_is_harmless(document: str, width: int) -> None:
    for line in render(document, width).lines:
        assert line_width(line) <= width
        assert not any(unicodedata.category(c) == "Cc" for c in plain(line))


@given(st.text(st.characters(categories=("Lu", "Lo", "Nd")), min_size=1), st.integers(20, 60))
def test_no_character_of_a_paragraph_is_lost(text: str, width: int) -> None:
    assert "".join(rows(text, width)).replace(" ", "") == text

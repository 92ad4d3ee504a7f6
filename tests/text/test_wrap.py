"""Lines of mixed Chinese and Latin: nothing lost, nothing too wide, nothing badly broken."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.text.spans import Role, Span, line_width, plain
from quizapp.text.wrap import NOT_LAST, longest_unit, wrap, wrap_text

PARAGRAPH = (
    "共享内存（SMEM）每个 SM 最多 228 KB；HBM3 带宽约 3.35 TB/s。Shared memory is 228 KB per SM "
    "on H100, while HBM3 delivers about 3.35 TB/s; 因此 arithmetic intensity 必须超过 295 FLOP/B，"
    "否则（见《手册》第 3 章）就是访存受限的：read-modify-write 三趟，“六趟”变“两趟”！"
)
CLOSING = "。，；：、！？）」』】》”’"
OPENING = "（「『【《“‘"
WORDS = ["kernel", "HBM3", "3.35 TB/s", "228 KB", "（", "）", "。", "，", "：", "《", "》"]
WORDS += [
    "中间结果",
    "寄存器",
    "里",
    " ",
    "  ",
    "on-chip",
    "x",
    "50 %",
    "👩‍👩‍👧",
    "é",
    "、",
    "“",
    "”",
]
mixed = st.lists(st.sampled_from(WORDS), max_size=40).map("".join)
RUNS = re.compile(f"[{CLOSING}{OPENING} ]{{3,}}")


def shown(text: str, width: int) -> list[str]:
    return [plain(line) for line in wrap_text(text, width)]


@pytest.mark.parametrize("width", range(8, 81))
def test_report_3_no_line_begins_or_ends_badly(width: int) -> None:
    lines = shown(PARAGRAPH, width)
    for line in lines:
        assert line[0] not in CLOSING, lines
        assert line[-1] not in OPENING, lines


@pytest.mark.parametrize("width", range(12, 81))
def test_report_3_no_word_and_no_number_is_split(width: int) -> None:
    text = " ".join(shown(PARAGRAPH, width))
    for whole in ("Shared", "intensity", "delivers", "228 KB", "3.35 TB/s", "SMEM", "FLOP/B"):
        assert whole in text
    assert text.count("228 KB") == 2


@given(mixed, st.integers(2, 50), st.integers(0, 6))
def test_every_line_fits_and_nothing_is_lost(text: str, width: int, indent: int) -> None:
    lines = wrap((Span(text),), width, indent)
    assert all(line_width(line) <= width for line in lines)
    assert "".join(map(plain, lines)).replace(" ", "") == text.replace(" ", "")


@given(st.text(), st.integers(2, 50))
def test_any_text_fits_and_keeps_its_characters(text: str, width: int) -> None:
    lines = wrap_text(text, width)
    assert "".join(map(plain, lines)).replace(" ", "") == text.replace(" ", "")
    if text.isascii():
        assert all(len(plain(line)) <= width for line in lines)


@given(mixed, st.integers(16, 50))
def test_no_line_begins_or_ends_badly(text: str, width: int) -> None:
    text = RUNS.sub("中", text)
    lines = [line for line in shown(text, width) if line]
    for line in lines[1:]:
        assert line[0] not in CLOSING, lines
    for line in lines[:-1]:
        assert line[-1] not in OPENING, lines


@given(mixed, st.integers(20, 60))
def test_words_shorter_than_a_line_stay_whole(text: str, width: int) -> None:
    text = RUNS.sub("中", text)
    words = [w for w in re.findall(r"[a-zA-Z0-9]+", text) if len(w) <= width - 6]
    joined = "\n".join(shown(text, width))
    assert [w for w in re.findall(r"[a-zA-Z0-9]+", joined) if len(w) <= width - 6] == words


def test_roles_stay_with_their_text() -> None:
    spans = (Span("the "), Span("register file", Role.CODE), Span("，很快。"))
    assert wrap(spans, 12) == [
        (Span("the "), Span("register", Role.CODE)),
        (Span("file", Role.CODE), Span("，很快。")),
    ]


def test_later_lines_are_indented() -> None:
    assert [plain(line) for line in wrap((Span("• one two three"),), 9, indent=2)] == [
        "• one two",
        "  three",
    ]


def test_what_is_longer_than_a_line_is_split_at_its_seams() -> None:
    assert shown("https://example.com/a/long/path_of-a.page", 20) == [
        "https://example.com/",
        "a/long/path_of-",
        "a.page",
    ]
    assert shown("abcdefghij。", 10) == ["abcdefghi", "j。"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("nvcc --use_fast_math -O3 x.cu", ["nvcc", "--use_fast_math", "-O3 x.cu"]),
        ("一共有 12345 个 kernel", ["一共有", "12345 个", "kernel"]),
        ("一共一共一共12个", ["一共一共一共", "12个"]),
        ("load the C# binding", ["load the C#", "binding"]),
        ("a  b", ["a  b"]),
        ("", [""]),
        ("   ", [""]),
    ],
)
def test_examples(text: str, lines: list[str]) -> None:
    assert shown(text, 15 if "nvcc" in text else 12) == lines


def test_the_longest_unit_is_what_a_column_needs() -> None:
    assert longest_unit("带宽 2,039 GB/s 的 HBM") == len("2,039 GB/s")
    assert longest_unit("") == 0


def test_an_opening_bracket_goes_with_what_it_opens_even_over_a_blank() -> None:
    for width in range(6, 20):
        for line in shown("中文（ 中文 ）中文。 中文", width):
            assert line[-1] not in NOT_LAST
            assert line[0] not in "）。"

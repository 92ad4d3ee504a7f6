"""Widths are those of the library that draws; what would act on a terminal is a picture."""

from __future__ import annotations

import random
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from quizapp.text.cells import cell_width, clip, graphemes, pad, safe

TRICKY = [*"ab 中。（é\u0301\u200d\ufe0f\ufe0e👩👧🏽🇨🇳🇺❤☺1#"]
TRICKY += [*"\u20e3\u1112\u1161\u11abก\u0e33\u094d\u0937\u200b한"]
"""Joiners, selectors, marks, flags, tones, jamo."""


def test_every_character_is_as_wide_as_the_drawing_library_has_it() -> None:
    differing = [
        hex(code)
        for code in range(0x20, 0x110000)
        if unicodedata.category(chr(code)) not in ("Cn", "Cc", "Cs")
        and cell_width(chr(code)) != cell_len(chr(code))
    ]
    assert differing == []


def test_every_picture_is_as_wide_as_the_drawing_library_has_it() -> None:
    differing = [
        hex(code)
        for code in (*range(0x20, 0x3400), *range(0x1F000, 0x1FB00))
        if unicodedata.category(chr(code)) not in ("Cn", "Cc")
        and cell_width(chr(code) + "\ufe0f") != cell_len(chr(code) + "\ufe0f")
    ]
    assert differing == []


def test_report_14_any_sequence_is_as_wide_as_the_drawing_library_has_it() -> None:
    draw = random.Random(14)
    for _ in range(20_000):
        text = "".join(draw.choices(TRICKY, k=draw.randint(1, 8)))
        assert cell_width(text) == cell_len(text), ascii(text)


@given(st.text(st.sampled_from(TRICKY)))
def test_graphemes_are_the_text_and_its_width(text: str) -> None:
    clusters = list(graphemes(text))
    assert "".join(clusters) == text
    assert sum(map(cell_width, clusters)) == cell_width(text)


@pytest.mark.parametrize("whole", ["👩‍👩‍👧", "🇨🇳", "1️⃣", "👍🏽", "e\u0301", "한", "❤️"])
def test_what_a_reader_takes_for_one_character_stays_whole(whole: str) -> None:
    assert list(graphemes(f"a{whole}b")) == ["a", whole, "b"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "a␛[31mb"),
        ("\x00\x07\x7f\r\n", "␀␇␡␍␊"),
        ("\x9b2J", "\\x9b2J"),
        ("a\u202eb\u2066c", "a\\u202eb\\u2066c"),
        ("a\tb", "a   b"),
        ("\tb", "    b"),
        ("中\tb", "中  b"),
        ("👩‍👩‍👧\tb", "👩‍👩‍👧  b"),
        ("abcd\t\te", "abcd        e"),
        ("a\ud800", "a\ufffd"),
        ("a\u2028b", "a b"),
        ("\u200da\u200d \u200d", "a "),
        ("👩\u200d\u200d", "👩"),
        ("[b]x[/b] [/]", "[b]x[/b] [/]"),
    ],
)
def test_nothing_acts_on_the_terminal(text: str, shown: str) -> None:
    assert safe(text) == shown


@given(st.text())
def test_safe_text_has_no_controls_and_is_as_wide_as_it_is_drawn(text: str) -> None:
    shown = safe(text)
    assert not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in shown)
    assert safe(shown) == shown


@given(st.text(st.sampled_from(TRICKY)), st.integers(0, 12))
def test_clipped_text_fits_and_padded_text_fills(text: str, width: int) -> None:
    text = safe(text)
    assert cell_width(clip(text, width)) <= width
    assert cell_width(pad(text, width)) == width
    assert cell_width(pad(text, width, right=True)) == width


def test_a_clipped_text_says_so() -> None:
    assert clip("寄存器里的中间结果", 9) == "寄存器里…"
    assert clip("寄存器", 6) == "寄存器"
    assert clip("register", 0) == ""


def test_numbers_stand_at_the_right() -> None:
    assert pad("3.5", 6, right=True) == "   3.5"

"""Bars: one scale, cell-exact, no line too wide however little room there is."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.charts.bars import Bar, bars
from quizapp.text.spans import line_width, plain

BARS = st.builds(
    Bar,
    st.text(alphabet="abc 融合x", max_size=30),
    st.none() | st.floats(0, 1e12),
    st.text(alphabet="0123µs ±%倍", max_size=34),
    st.none() | st.floats(0, 1e12),
)


@given(st.lists(BARS, max_size=8), st.integers(1, 120), st.booleans())
def test_no_line_is_wider_than_the_room(rows: list[Bar], width: int, ascii_only: bool) -> None:
    for line in bars(rows, width, ascii_only):
        assert line_width(line) <= width


def test_a_row_is_one_line_where_label_bar_and_value_fit_else_two() -> None:
    row = Bar("elements 4096", 2.0, "16.2 µs → 12.1 µs  1.34×")
    wide, narrow = bars([row], 60), bars([row], 30)
    assert len(wide) == 1
    assert plain(wide[0]).startswith("elements 4096 ")
    assert plain(wide[0]).endswith("16.2 µs → 12.1 µs  1.34×")
    assert [plain(line) for line in narrow] == ["elem… 16.2 µs → 12.1 µs  1.34×", "█" * 30]


def test_lengths_are_in_proportion_and_the_predicted_mark_is_on_their_scale() -> None:
    lines = bars([Bar("a", 4.0, "4", predicted=2.0), Bar("b", 2.0, "2")], 44, ascii_only=True)
    first, second = (plain(line)[2:-2] for line in lines)
    assert len(first) == 40
    assert first == "#" * 19 + "|" + "#" * 20
    assert second == "#" * 20 + " " * 20


def test_what_is_above_nothing_is_seen() -> None:
    least = plain(bars([Bar("a", 1.0, ""), Bar("b", 1e-9, "")], 30)[1])
    assert "▏" in least
    assert "▏" not in plain(bars([Bar("a", 1.0, ""), Bar("b", 0.0, "")], 30)[1])


@pytest.mark.parametrize("value", [math.nan, math.inf, -1.0])
def test_what_is_no_length_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match=r"here: .* cannot be drawn as a bar"):
        bars([Bar("here", value, "")], 40)
    with pytest.raises(ValueError, match="here"):
        bars([Bar("here", 1.0, "", predicted=value)], 40)

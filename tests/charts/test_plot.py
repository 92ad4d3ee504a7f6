"""Plots: points where they belong, axes that name them, no line too wide."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.charts.plot import Series, plot
from quizapp.charts.scale import Axis, Scale, short
from quizapp.text.spans import Role, line_width, plain

X, Y = Axis("elements"), Axis("time", lambda value: f"{value:g} s")
NUMBERS = st.floats(1e-9, 1e12)
SERIES = st.builds(
    Series,
    st.text(alphabet="ab 融合", max_size=25),
    st.lists(st.tuples(NUMBERS, NUMBERS), max_size=9).map(tuple),
)


def drawn(series: list[Series], width: int, height: int = 10, **others: object) -> list[str]:
    return [plain(line) for line in plot(series, X, Y, width, height, **others)]  # type: ignore[arg-type]


@given(st.lists(SERIES, max_size=5), st.integers(2, 120), st.integers(1, 20), st.booleans())
def test_no_line_is_wider_than_the_room(
    series: list[Series], width: int, height: int, ascii_only: bool
) -> None:
    for line in plot(series, X, Y, width, height, "several", ascii_only):
        assert line_width(line) <= width


@given(SERIES.filter(lambda one: len(one.points) > 1), st.integers(30, 100))
def test_every_series_has_its_first_and_last_point_at_the_ends(one: Series, width: int) -> None:
    rows = [row for row in drawn([one], width) if any(edge in row for edge in "│┤")]
    columns = {row.index("●") for row in rows if "●" in row}
    last = {row.rindex("●") for row in rows if "●" in row}
    xs = [x for x, _ in one.points]
    if math.log(max(xs) / min(xs)) > 1e-6:
        edge = next(row.index(mark) for row in rows for mark in "│┤" if mark in row)
        assert min(columns) == edge + 1
        assert max(last) == width - 1


def test_equal_factors_are_equal_distances_and_the_axes_name_them() -> None:
    one = Series("one", ((1024, 1e-3), (4096, 1e-2), (16384, 1e-1)))
    assert [row.rstrip() for row in drawn([one], 31, height=5)] == [
        "time",
        "  0.1 s┤                    ··●",
        "       │              ······",
        " 0.01 s┤         ··●··",
        "       │   ······",
        "0.001 s┤●··",
        "       └┴──────────┴──────────┴",
        "        1Ki       4Ki      16Ki",
        "                       elements",
        "● one",
    ]


def test_without_other_characters_the_plot_is_ascii() -> None:
    one = Series("one", ((1, 1), (10, 10)))
    assert all(row.isascii() for row in drawn([one, one], 30, several="both", ascii_only=True))


def test_points_in_one_cell_are_told_and_the_legend_says_so() -> None:
    one, other = Series("one", ((1, 1), (9, 9))), Series("other", ((1, 1), (9, 1)))
    lines = plot([one, other], X, Y, 40, 6, "several")
    marks = [span for line in lines for span in line if span.text == "◎"]
    assert [span.role for span in marks] == [Role.STRONG]
    assert plain(lines[-1]) == "● one   ○ other   ◎ several"
    apart = drawn([one, Series("other", ((1, 3), (9, 3)))], 40, 6, several="several")
    assert apart[-1] == "● one   ○ other"


def test_of_many_sizes_those_are_named_that_have_room_the_last_always() -> None:
    one = Series("one", tuple((2.0**n, 1.0) for n in range(10, 30)))
    names = drawn([one], 40)[-3].split()
    assert names[-1] == "512Mi"
    assert 2 < len(names) < 20
    assert set(names) <= {short(2.0**n) for n in range(10, 30)}


def test_nothing_to_draw_is_no_line() -> None:
    assert plot([], X, Y, 80) == []
    assert plot([Series("one", ())], X, Y, 80) == []


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
def test_what_has_no_place_on_a_logarithmic_axis_is_refused(value: float) -> None:
    for point in ((value, 1.0), (1.0, value)):
        with pytest.raises(ValueError, match="no place on a logarithmic axis"):
            plot([Series("one", (point,))], X, Y, 40)


def test_a_linear_axis_takes_nothing_and_less() -> None:
    line = Axis("gain", log=False)
    series = Series("one", ((-1, -10), (0, 0), (1, 10)))
    rows = [plain(row) for row in plot([series], line, line, 30, 5)]
    assert any(row.startswith("  0┤") for row in rows)
    assert sum(row.count("●") for row in rows[:-1]) == 3


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (3e-6, 2e-3, [1e-5, 1e-4, 1e-3]),
        (2e-3, 2e-2, [2e-3, 5e-3, 1e-2, 2e-2]),
        (1.0, 1.3, [1.0, 1.1, 1.2, 1.3]),
    ],
)
def test_ticks_are_round(low: float, high: float, ticks: list[float]) -> None:
    assert Scale.over([low, high], log=True).ticks(5) == pytest.approx(ticks)


@given(st.lists(NUMBERS, min_size=1, max_size=5), st.integers(1, 12), st.booleans())
def test_ticks_are_few_and_inside(values: list[float], most: int, log: bool) -> None:
    scale = Scale.over(values, log)
    ticks = scale.ticks(most)
    assert len(ticks) <= most
    assert all(-1e-9 <= scale.share(tick) <= 1 + 1e-9 for tick in ticks if tick > 0 or not log)


@pytest.mark.parametrize(
    ("value", "text"),
    [(4096, "4Ki"), (2**28, "256Mi"), (200, "200"), (1500, "1.5k"), (0.25, "0.25"), (0, "0")],
)
def test_sizes_are_short(value: float, text: str) -> None:
    assert short(value) == text

"""Rules: groups within a window, sequences within a clause, directions bound to their thing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.recall.rules import parse, problem, satisfied
from quizapp.recall.speech import listen


def holds(text: str, *terms: str) -> bool:
    speech = listen(text)
    return satisfied([terms], speech, speech.windows) is not None


@pytest.mark.parametrize(
    ("text", "terms", "expected"),
    [
        ("registers limit the occupancy", ("@register", "@occupancy"), True),
        ("Registers are fast. Occupancy is a ratio.", ("@register", "@occupancy"), False),
        ("it saves kernel launches", ("@less ~ @launch",), True),
        ("launches are saved", ("@less ~ @launch",), False),
        ("it saves time, launches stay", ("@less ~ @launch",), False),
        ("the GEMM epilogue", ("@epilogue", "!@cutlass"), True),
        ("an epilogue for the GEMM, with CUTLASS", ("@epilogue", "!@cutlass"), False),
        ("about 3.6 times", ("3.5|3.6 ~ times",), True),
        ("the same thing with fewer FLOPs", ("@same ~ @flops",), False),
        ("traffic drops the FLOPs stay", ("@less ~ @flops",), False),
        ("it cuts traffic and launches", ("@less ~ @launch",), True),
        ("计算量不变,访存减少", ("@flops ~ @less",), False),
        ("省的不是计算", ("@less ~ @flops",), False),
        ("省的不是计算", ("@less ~ @not ~ @flops",), True),
    ],
)
def test_terms(text: str, terms: tuple[str, ...], expected: bool) -> None:
    assert holds(text, *terms) is expected


def test_the_narrowest_window_is_the_evidence() -> None:
    speech = listen("First of all, the launches are fewer, and the rest is the same")
    found = satisfied([("@launch ~ @less",)], speech, speech.windows)
    assert found is not None
    assert speech.text(found[0]) == "the launches are fewer"


@given(st.text(max_size=60), st.text(max_size=200))
def test_no_term_and_no_text_raises(term: str, text: str) -> None:
    parse(term)
    holds(text, term)


@pytest.mark.parametrize(
    ("term", "wrong"),
    [
        ("@hbm|dram ~ @less", ""),
        ("!@cutlass", ""),
        (" | ", "an empty wording"),
        ("!", "an empty wording"),
        ("@occupancyy ~ @less", "no concept @occupancyy in the lexicon, did you mean @occupancy?"),
        ("@qqqqqq", "no concept @qqqqqq in the lexicon"),
    ],
)
def test_what_is_wrong_with_a_term(term: str, wrong: str) -> None:
    assert problem(term).endswith(wrong)
    assert bool(problem(term)) == bool(wrong)

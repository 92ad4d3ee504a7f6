"""Every failure becomes one line, a kind and a remedy."""

from __future__ import annotations

import pytest

from demos.failures import Incorrect, Missing, explain


def test_what_a_demo_names_itself() -> None:
    told = explain(Missing("no compiler", "install one"))
    assert (told.kind, told.message, told.remedy) == ("missing", "no compiler", "install one")
    assert explain(Incorrect("wrong\nand more")).message == "wrong"


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (ModuleNotFoundError("No module named 'torch'", name="torch"), "missing", "torch"),
        (ModuleNotFoundError("x", name="triton.language"), "missing", "triton"),
        (MemoryError(), "memory", "not enough memory"),
        (
            RuntimeError("[enforce] can't allocate memory: you tried to allocate 4096 bytes."),
            "memory",
            "tried to allocate 4096 bytes",
        ),
        (
            RuntimeError("CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has"),
            "memory",
            "tried to allocate 2.50 GiB",
        ),
        (RuntimeError("Failed to find C compiler. Please specify"), "missing", "no C compiler"),
        (RuntimeError("no kernel image is available for execution"), "unsupported", "no kernel"),
        (ModuleNotFoundError("No module named 'other'", name="other"), "failed", "other"),
        (ValueError(""), "failed", "ValueError"),
    ],
)
def test_known_errors(error: Exception, kind: str, words: str) -> None:
    told = explain(error)
    assert told.kind == kind
    assert words in told.message
    assert "\n" not in told.message


def test_the_cause_behind_an_error_counts() -> None:
    outer = RuntimeError("the backend gave up")
    outer.__cause__ = MemoryError()
    assert explain(outer).kind == "memory"


def test_a_cause_that_leads_to_itself_ends() -> None:
    one, other = RuntimeError("a"), RuntimeError("b")
    one.__context__, other.__context__ = other, one
    assert explain(one).kind == "failed"

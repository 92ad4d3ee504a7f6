"""Parameters: over the defaults, in their types, with an error that says what is wanted."""

from __future__ import annotations

from typing import Any

import pytest

from demos.catalogue import Entry
from demos.params import ParameterError, parsed, settled

ENTRY = Entry(
    "x",
    "X",
    (),
    params={"elements": 64, "sweep": True, "std": 1.0, "mode": "plain"},
    cpu_params={"elements": 8},
)


def test_defaults_by_kind_of_device() -> None:
    assert settled(ENTRY, "cuda", {})["elements"] == 64
    assert settled(ENTRY, "cpu", {})["elements"] == 8
    assert settled(ENTRY, "cpu", {"elements": 9})["elements"] == 9


def test_text_becomes_the_defaults_type() -> None:
    given = parsed("elements=2^20, sweep=no,std=0.5,mode=odd")
    assert settled(ENTRY, "cuda", given) == {
        "elements": 2**20,
        "sweep": False,
        "std": 0.5,
        "mode": "odd",
    }
    assert parsed("") == {}


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("size", 1, "it has: elements, sweep"),
        ("elements", 0, "at least 1"),
        ("elements", -5, "at least 1"),
        ("elements", "1.5", "whole number"),
        ("elements", "2^-1", "whole number"),
        ("elements", "2^9999999999", "whole number"),
        ("elements", None, "whole number"),
        ("sweep", "maybe", "true or false"),
        ("std", "wide", "a float"),
    ],
)
def test_what_cannot_be_a_parameter(name: str, value: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        settled(ENTRY, "cuda", {name: value})


def test_a_pair_without_a_sign() -> None:
    with pytest.raises(ParameterError, match="name=value"):
        parsed("elements")

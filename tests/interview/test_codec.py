"""Events, options and plans as JSON."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.interview import events
from quizapp.interview.codec import KINDS, CodecError, decode, decode_setup, encode, encode_setup
from quizapp.interview.options import Options
from tests.interview.test_machine import acts, interview, options
from tests.interview.world import NOON, Act, act, to_the_end


@given(options, acts)
def test_a_log_comes_back_through_json(made: Options, done: list[Act]) -> None:
    one = interview(made)
    act(one, done)
    to_the_end(one)
    for event in one.log:
        kind, data = encode(event.what)
        assert decode(event.at, kind, json.loads(json.dumps(data))) == event
    setup = json.loads(json.dumps(encode_setup(made, one.first.plan)))
    assert decode_setup(setup) == (made, one.first.plan)


def test_every_event_has_a_name() -> None:
    assert set(KINDS.values()) == set(events.Happening.__args__)


def test_what_a_later_version_adds_is_passed_over_and_what_is_missing_is_default() -> None:
    kind, data = encode(events.Answered("x", events.Manner.TYPED))
    del data["sure"]
    assert decode(NOON, kind, data | {"mood": "good"}).what == events.Answered(
        "x", events.Manner.TYPED
    )


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@given(st.sampled_from([*KINDS, "later"]), json_values)
def test_what_cannot_be_read_is_one_kind_of_error(kind: str, data: object) -> None:
    with suppress(CodecError):
        decode(NOON, kind, data)


@pytest.mark.parametrize(
    "data", [{}, {"options": {}}, {"options": {"length": 0}, "plan": []}, {"options": 3, "plan": 4}]
)
def test_a_setup_that_is_none_is_an_error(data: dict[str, object]) -> None:
    with pytest.raises(CodecError):
        decode_setup(data)

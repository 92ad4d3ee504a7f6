"""Whatever comes in over the wire, the worst is a :class:`ProtocolError`."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.proof.codec import (
    TYPES,
    ProtocolError,
    decode,
    decode_object,
    encode,
    encode_request,
)
from quizapp.proof.protocol import MAX_LINE, DemoInfo, Done, Event, Hello, Metric, Progress

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
numbers = st.floats(allow_nan=False, allow_infinity=False)
whole = st.integers(-(2**63), 2**63)
plain = st.recursive(
    st.none() | st.booleans() | whole | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


def interval(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Build events whose interval is the right way round."""

    def ordered(event: Any) -> Any:
        if event.low is None or event.high is None:
            return event
        low, high = sorted((event.low, event.high))
        values = {name: getattr(event, name) for name in kind.__dataclass_fields__}
        return kind(**{**values, "low": low, "high": high})

    return built(kind).map(ordered)


def built(kind: type[Any]) -> st.SearchStrategy[Any]:
    return st.builds(kind, **{name: _field(kind, name) for name in kind.__dataclass_fields__})


def _field(kind: type[Any], name: str) -> st.SearchStrategy[Any]:
    hint = str(kind.__dataclass_fields__[name].type)
    simple: dict[str, st.SearchStrategy[Any]] = {
        "str": texts,
        "float": numbers,
        "int": whole,
        "bool": st.booleans(),
        "float | None": st.none() | numbers,
        "tuple[str, ...]": st.lists(texts, max_size=3).map(tuple),
        "Mapping[str, str]": st.dictionaries(texts, texts, max_size=3),
        "Mapping[str, Any]": st.dictionaries(texts, plain, max_size=3),
    }
    if hint in simple:
        return simple[hint]
    from quizapp.proof import protocol

    inner = getattr(protocol, hint.removeprefix("tuple[").partition(",")[0])
    return st.lists(built(inner), max_size=2).map(tuple)


events = st.one_of(
    *(
        interval(kind) if "low" in kind.__dataclass_fields__ else built(kind)
        for kind in TYPES.values()
    )
)


@given(events)
def test_an_event_comes_back_as_it_was(event: Event) -> None:
    line = encode(event)
    assert "\n" not in line
    assert decode(line) == event
    assert decode(line.encode()) == event


@given(st.binary(max_size=300))
def test_any_bytes_are_an_event_or_a_protocol_error(line: bytes) -> None:
    with suppress(ProtocolError):
        decode(line)


@given(st.sampled_from(sorted(TYPES)), st.dictionaries(texts, plain, max_size=8), st.data())
def test_any_fields_are_an_event_or_a_protocol_error(
    name: str, more: dict[str, Any], data: st.DataObject
) -> None:
    fields = {key: data.draw(plain) for key in TYPES[name].__dataclass_fields__}
    line = json.dumps({**more, **fields, "v": 1, "type": name})
    try:
        event = decode(line)
    except ProtocolError:
        return
    assert event is not None
    assert decode(encode(event)) == event


@given(events, st.dictionaries(st.text("xyz", min_size=1), plain, max_size=4))
def test_unknown_fields_are_ignored(event: Event, more: dict[str, Any]) -> None:
    known = json.loads(encode(event))
    assert decode(json.dumps({**more, **known})) == event


def test_every_event_has_a_name_on_the_wire() -> None:
    assert set(TYPES.values()) == set(get_args(Event))


def test_an_unknown_type_is_ignored() -> None:
    assert decode('{"v": 1, "type": "witness", "run": "r1", "anything": [1]}') is None


METRIC = {"v": 1, "type": "metric", "run": "r", "name": "n", "unit": "×"}
CHAIN = {
    "v": 1,
    "type": "chain",
    "run": "r",
    "name": "1",
    "operators": ["mul", "add"],
    "kernels": [],
    "place": "net.py:3",
    "repeats": 2,
    "seconds": 3e-3,
    "bytes_in": 8,
    "bytes_out": 8,
    "fused_seconds": 1e-3,
    "gain": 4e-3,
    "share": 0.1,
    "module_seconds": 0.04,
}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"\xff\xfe", "no JSON"),
        ("", "no JSON"),
        ('{"v": 1, "type": "done", "run": "r", "seconds": NaN}', "NaN"),
        ('{"v": 1, "type": "done", "run": "r", "seconds": -Infinity}', "Infinity"),
        ('{"v": 1, "type": "done", "run": "r", "seconds": 1e999}', "finite"),
        ('{"v": 1, "type": "done", "run": "r", "seconds": 1e309}', "done.seconds"),
        ('{"v": 1, "type": "done", "run": "r", "seconds": true}', "a number was expected"),
        ('{"v": 1, "type": "done", "run": "r", "seconds": "3"}', "a number was expected"),
        ('{"v": 1, "type": "done", "run": 7, "seconds": 3}', "done.run: text was expected"),
        ('{"v": 1, "type": "done", "run": "r"}', "done without seconds"),
        ('{"v": 1, "type": "done", "run": "\\ud800", "seconds": 3}', "surrogates"),
        ('{"v": 1, "type": ["done"]}', "without a type"),
        ('{"v": 1}', "without a type"),
        ('{"v": 2, "type": "done"}', "version '2'"),
        ('{"v": true, "type": "done"}', "version 'True'"),
        ('{"type": "done"}', "version 'None'"),
        ("[1]", "an object was expected"),
        ("[" * 100_000, "no JSON"),
        ('{"v": 1, "type": "hello", "demos": {}, "pid": 1, "python": ""}', "a list was expected"),
        ('{"v": 1, "type": "hello", "demos": [3], "pid": 1, "python": ""}', "an object was exp"),
        ('{"v": 1, "type": "hello", "demos": [], "pid": 1.5, "python": ""}', "a whole number"),
        (json.dumps({**METRIC, "value": 2, "low": 3, "high": 1}), "low 3 over high 1"),
        (json.dumps({**CHAIN, "measured": 2, "low": 3, "high": 1}), "low 3 over high 1"),
        (json.dumps({**CHAIN, "operators": "mul"}), "chain.operators: a list was expected"),
        (json.dumps({**METRIC, "value": 10**400, "low": 1, "high": 1}), "metric.value"),
    ],
)
def test_a_bad_line_is_refused_with_its_reason(line: bytes | str, reason: str) -> None:
    with pytest.raises(ProtocolError, match=reason.replace("[", r"\[")):
        decode(line)


def test_infinity_hides_in_no_value_of_any_type() -> None:
    line = '{"v": 1, "type": "device", "kind": "", "name": "", "versions": {}, "details": %s}'
    assert decode(line % '{"l2": [1.5, {"x": null}]}') is not None
    with pytest.raises(ProtocolError, match=r"device\.details: a finite number"):
        decode(line % '{"l2": [1.5, {"x": 1e999}]}')


def test_a_line_over_the_limit_is_refused_unread() -> None:
    head = '{"v": 1, "type": "progress", "run": "r", "fraction": 0, "stage": "'
    fits = head + "x" * (MAX_LINE - len(head) - 2) + '"}'
    assert isinstance(decode(fits), Progress)
    with pytest.raises(ProtocolError, match=f"{MAX_LINE} are allowed"):
        decode(fits + " ")


def test_defaults_stand_in_for_fields_of_an_older_worker() -> None:
    line = json.dumps({**METRIC, "value": 2, "low": 1, "high": 3})
    assert decode(line) == Metric("r", "n", 2.0, 1.0, 3.0, "×", control=None, note="")


def test_whole_numbers_are_numbers() -> None:
    done = decode('{"v": 1, "type": "done", "run": "r", "seconds": 3}')
    assert done == Done("r", 3.0)
    assert isinstance(done, Done)
    assert isinstance(done.seconds, float)


def test_a_request_is_one_line_with_its_version() -> None:
    line = encode_request("run", run="r1", demo="chain", params={"n": 2}, seed=3)
    assert decode_object(line) == {
        "v": 1, "type": "run", "run": "r1", "demo": "chain", "params": {"n": 2}, "seed": 3,
    }  # fmt: skip
    with pytest.raises(ValueError, match="JSON compliant"):
        encode_request("run", seed=float("nan"))


def test_events_within_events_are_read() -> None:
    info = DemoInfo("chain", "A chain", ("cuda",), ("speedup",), "d1")
    hello = Hello((info,), 7, "3.12")
    assert decode(encode(hello)) == hello

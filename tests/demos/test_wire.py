"""Lines of the protocol."""

from __future__ import annotations

import json

import pytest

from demos.wire import MAX_LINE, MAX_TEXT, BadRequestError, encode, event, request


def test_an_event_is_one_line_with_version_and_type() -> None:
    line = encode(event("metric", name="a\nb", value=1.5, note="快"))
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == {
        "v": 1,
        "type": "metric",
        "name": "a\nb",
        "value": 1.5,
        "note": "快",
    }


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_no_nan_and_no_infinity(value: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode(event("metric", value=[value]))


def test_long_text_is_cut_and_a_long_line_refused() -> None:
    told = json.loads(encode(event("error", message="x" * 10_000)))
    assert len(told["message"]) == MAX_TEXT
    with pytest.raises(ValueError, match="too long"):
        encode(event("measurement", samples=[1.0] * MAX_LINE))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"{", "not JSON"),
        (b"\xff\n", "not JSON"),
        (b"[1]", "not an object"),
        (b'{"v": 1}', "not an object with a type"),
        (b'{"v": 3, "type": "run"}', "version 3"),
        (b'{"type": "run"}', "version None"),
        (b" " * (MAX_LINE + 1), "too long"),
        (b"[" * 100_000, "not JSON"),
    ],
    ids=["cut", "bytes", "list", "no type", "newer", "no version", "long", "deep"],
)
def test_requests_that_are_refused(line: bytes, words: str) -> None:
    with pytest.raises(BadRequestError, match=words):
        request(line)


def test_unknown_fields_are_kept_out_of_nobodys_way() -> None:
    assert request(b'{"v": 1, "type": "run", "more": 1}')["type"] == "run"

"""Lines of JSON to events and back; whatever comes in, the worst is a :class:`ProtocolError`."""

from __future__ import annotations

import json
import math
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, Union, get_args, get_origin, get_type_hints

from quizapp.proof import protocol
from quizapp.proof.protocol import MAX_LINE, VERSION, Event


class ProtocolError(ValueError):
    """A line that is not what the protocol allows."""


TYPES: Mapping[str, type[Any]] = {
    "hello": protocol.Hello,
    "device": protocol.Device,
    "started": protocol.Started,
    "progress": protocol.Progress,
    "ceiling": protocol.Ceiling,
    "prediction": protocol.Prediction,
    "measurement": protocol.Measurement,
    "kernel": protocol.Kernel,
    "check": protocol.Check,
    "metric": protocol.Metric,
    "chain": protocol.Chain,
    "done": protocol.Done,
    "error": protocol.Failed,
}
"""By the name on the wire."""
_NAMES = {kind: name for name, kind in TYPES.items()}

Converter = Callable[[Any], Any]


def decode(line: bytes | str) -> Event | None:
    """Read an event; ``None`` for a type that this version does not know."""
    value = decode_object(line)
    name = value.get("type")
    if not isinstance(name, str):
        raise ProtocolError("an object without a type")
    kind = TYPES.get(name)
    if kind is None:
        return None
    event: Event = _build(kind, value)
    return event


def decode_object(line: bytes | str) -> dict[str, Any]:
    """Read a line as an object of this version of the protocol."""
    if len(line) > MAX_LINE:
        raise ProtocolError(f"a line of {len(line)} bytes; {MAX_LINE} are allowed")
    try:
        value = _loads(line)
    except (ValueError, RecursionError) as error:  # UnicodeError is a ValueError
        raise ProtocolError(f"no JSON: {str(error)[:200]}") from None
    if not isinstance(value, dict):
        raise ProtocolError(f"an object was expected, not {str(value)[:80]!r}")
    version = value.get("v")
    if version != VERSION or isinstance(version, bool):
        raise ProtocolError(
            f"version {str(version)[:40]!r} of the protocol; this program speaks {VERSION}"
        )
    return value


def encode(event: Event) -> str:
    """Write an event as one line, without its end."""
    return _dump({"v": VERSION, "type": _NAMES[type(event)], **_plain(event)})


def encode_request(kind: str, **values: Any) -> str:
    """Write a request as one line, without its end."""
    return _dump({"v": VERSION, "type": kind, **values})


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
"""Half a character, escaped or not; one without its other half cannot be written anywhere."""


def _loads(line: bytes | str) -> Any:
    text = line.decode() if isinstance(line, bytes) else line
    value = _DECODER.decode(text)
    if ("\\u" in text or not text.isascii()) and _SURROGATE.search(text):
        _dump(value).encode()
    return value


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return dict(value) if isinstance(value, Mapping) else value


def _build(kind: type[Any], value: Mapping[str, Any]) -> Any:
    made: dict[str, Any] = {}
    for name, (convert, optional) in _converters(kind).items():
        if name not in value:
            if optional:
                continue
            raise ProtocolError(f"{_NAMES.get(kind, kind.__name__)} without {name}")
        try:
            made[name] = convert(value[name])
        except (TypeError, OverflowError, RecursionError) as error:
            raise ProtocolError(f"{_NAMES.get(kind, kind.__name__)}.{name}: {error}") from None
    low, high = made.get("low"), made.get("high")
    if low is not None and high is not None and low > high:
        raise ProtocolError(f"{_NAMES[kind]}: low {low:g} over high {high:g}")
    return kind(**made)


def _converters(kind: type[Any]) -> dict[str, tuple[Converter, bool]]:
    if kind not in _CONVERTERS:
        hints = get_type_hints(kind)
        _CONVERTERS[kind] = {
            field.name: (_converter(hints[field.name]), _is_optional(field))
            for field in fields(kind)
        }
    return _CONVERTERS[kind]


def _is_optional(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


_CONVERTERS: dict[type[Any], dict[str, tuple[Converter, bool]]] = {}


def _converter(hint: Any) -> Converter:
    if hint in _SCALARS:
        return _SCALARS[hint]
    if is_dataclass(hint) and isinstance(hint, type):
        return lambda value: _build(hint, _mapping(value))
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is tuple:
        item = _converter(arguments[0])
        return lambda value: tuple(item(one) for one in _sequence(value))
    if origin in (Union, types.UnionType):
        inner = _converter(next(one for one in arguments if one is not type(None)))
        return lambda value: None if value is None else inner(value)
    if origin is not None and issubclass(origin, Mapping):
        item = _converter(arguments[1])
        return lambda value: {key: item(one) for key, one in _mapping(value).items()}
    return _any


def _any(value: Any) -> Any:
    """Take any JSON, but for numbers beyond a float's range: ``1e999`` is read as infinity."""
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, list):
        return [_any(item) for item in value]
    return {key: _any(item) for key, item in value.items()} if isinstance(value, dict) else value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text was expected, not {str(value)[:40]!r}")
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"a number was expected, not {str(value)[:40]!r}")
    if not math.isfinite(value):
        raise TypeError("a finite number was expected")
    return float(value)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"a whole number was expected, not {str(value)[:40]!r}")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"true or false was expected, not {str(value)[:40]!r}")
    return value


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"an object was expected, not {str(value)[:40]!r}")
    return value


def _sequence(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"a list was expected, not {str(value)[:40]!r}")
    return value


_SCALARS: dict[Any, Converter] = {str: _text, float: _number, int: _whole, bool: _flag}

"""Events, options and plans to what JSON knows, and back.

Fields that a later version leaves out take their defaults, and fields that this version does
not know are passed over; an event of an unknown kind is an error, since a log with a gap
would replay to something that never was.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from quizapp.interview import events
from quizapp.interview.events import Event, Happening
from quizapp.interview.options import Options
from quizapp.interview.questions import Slot

T = TypeVar("T")


class CodecError(ValueError):
    """What was stored is nothing that this version of the program can read."""


KINDS: Mapping[str, type[Any]] = {
    "asked": events.Asked,
    "drafted": events.Drafted,
    "bell": events.Bell,
    "hinted": events.Hinted,
    "spoke": events.Spoke,
    "answered": events.Answered,
    "graded": events.Graded,
    "reprompted": events.Reprompted,
    "ticked": events.Ticked,
    "skipped": events.Skipped,
    "challenged": events.Challenged,
    "proved": events.Proved,
    "paused": events.Paused,
    "resumed": events.Resumed,
    "ended-early": events.EndedEarly,
    "concluded": events.Concluded,
    "finished": events.Finished,
    "regraded": events.Regraded,
}
"""By the name in the log."""
_NAMES = {kind: name for name, kind in KINDS.items()}


def encode(what: Happening) -> tuple[str, dict[str, Any]]:
    """Return an event's kind and its data."""
    return _NAMES[type(what)], _plain(what)


def decode(at: datetime, kind: str, data: object) -> Event:
    """Return the event that was stored; :class:`CodecError` if it cannot be read."""
    if kind not in KINDS:
        raise CodecError(f"an event {kind!r}, which this version does not know")
    return Event(at, _read(KINDS[kind], data))


def encode_setup(options: Options, plan: tuple[Slot, ...]) -> dict[str, Any]:
    """Return what an interview was started with."""
    return {"options": _plain(options), "plan": _plain(plan)}


def decode_setup(data: Mapping[str, Any]) -> tuple[Options, tuple[Slot, ...]]:
    """Return what an interview was started with; :class:`CodecError` if it cannot be read."""
    if not {"options", "plan"} <= data.keys():
        raise CodecError("an interview without options or plan")
    return _read(Options, data["options"]), _read(tuple[Slot, ...], data["plan"])


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def _read(kind: Any, value: Any) -> Any:
    try:
        return _convert(kind, value)
    except CodecError:
        raise
    except (TypeError, ValueError, KeyError) as error:
        raise CodecError(str(error)) from None


def _convert(kind: Any, value: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        real = next(each for each in inner if each is not type(None))
        return None if value is None else _convert(real, value)
    if origin is tuple:
        return _items(inner, _checked(list, value))
    if origin is not None:  # a mapping
        items = _checked(dict, value).items()
        return {str(key): _convert(inner[1], item) for key, item in items}
    if is_dataclass(kind):
        return _record(kind, _checked(dict, value))
    if issubclass(kind, Enum):
        return kind(value)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return _checked(kind, value)


def _record(kind: Any, given: Mapping[str, Any]) -> Any:
    known = {name: hint for name, hint in _hints(kind).items() if name in given}
    return kind(**{name: _convert(hint, given[name]) for name, hint in known.items()})


def _items(inner: tuple[Any, ...], values: list[Any]) -> tuple[Any, ...]:
    if len(inner) == 2 and inner[1] is Ellipsis:
        return tuple(_convert(inner[0], value) for value in values)
    return tuple(_convert(each, value) for each, value in zip(inner, values, strict=True))


def _checked(kind: type[T], value: Any) -> T:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise CodecError(f"{value!r:.80} where {kind.__name__} was expected")
    return value


@cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    return get_type_hints(kind)

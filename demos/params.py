"""Parameters of a run: what was given, over the demo's defaults, in the defaults' types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from demos.catalogue import Entry

TRUE, FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


class ParameterError(ValueError):
    """A parameter that the demo does not have, or a value it cannot take."""


def settled(entry: Entry, kind: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """All parameters of a run on that kind of device; raises :class:`ParameterError`."""
    defaults = {**entry.params, **(entry.cpu_params if kind == "cpu" else {})}
    if unknown := [name for name in given if name not in defaults]:
        known = ", ".join(defaults) or "none"
        raise ParameterError(f"{entry.name} has no parameter {unknown[0]!r}; it has: {known}")
    return {
        name: _converted(name, given[name], default) if name in given else default
        for name, default in defaults.items()
    }


def parsed(text: str) -> dict[str, str]:
    """Read ``name=value,name=value``; raises :class:`ParameterError`."""
    pairs: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, sign, value = part.partition("=")
        if not sign:
            raise ParameterError(f"a parameter is written name=value, not {part!r}")
        pairs[name.strip()] = value.strip()
    return pairs


def _converted(name: str, value: Any, default: Any) -> Any:
    try:
        if isinstance(default, bool):
            return _switch(value)
        if isinstance(default, int):
            return _count(value)
        return type(default)(value)
    except (TypeError, ValueError, OverflowError) as error:
        kind = {bool: "true or false", int: "a whole number of at least 1"}.get(type(default))
        wanted = kind or f"a {type(default).__name__}"
        raise ParameterError(f"parameter {name} is {wanted}, not {value!r}") from error


def _switch(value: Any) -> bool:
    word = str(value).lower()
    if word not in (*TRUE, *FALSE):
        raise ValueError(value)
    return word in TRUE


def _count(value: Any) -> int:
    """A whole number, as ``1048576`` or ``2^20``."""
    base, sign, exponent = str(value).partition("^")
    if sign and not 0 <= int(exponent) <= 62:
        raise ValueError(value)
    number = int(base) ** int(exponent) if sign else int(base)
    if number < 1:
        raise ValueError(value)
    return number

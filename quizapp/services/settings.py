"""The user's settings: a TOML file, checked key by key, with a default for everything."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from quizapp.cards.kinds import Lang

THEMES = ("dark", "light", "ansi-dark", "ansi-light")


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting, valid by construction of :func:`load`."""

    language: Lang = Lang.EN
    """Of the interface and the cards."""
    theme: str = "dark"
    desired_retention: float = 0.9
    """Retrievability at which a prompt comes due."""
    maximum_interval: int = 3650
    """Days."""
    new_per_day: int = 10
    reviews_per_day: int = 200
    rollover_hour: int = 4
    """Local hour at which a study day begins."""
    time_zone: str = ""
    """IANA name; empty: the system's."""
    answer_seconds: int = 30
    """Target time of a main answer."""
    again_below: float = 0.60
    hard_below: float = 0.80
    good_below: float = 0.95
    """Recall scores at which the proposed rating changes."""
    database: str = ""
    """SQLAlchemy URL; empty: SQLite in the data folder."""
    demo_python: str = ""
    """The Python with torch and triton; empty: the one that runs the program."""
    speech_command: str = ""
    """Prints what it hears until it is interrupted (Ctrl+C); empty: nothing is recorded."""


@dataclass(frozen=True, slots=True)
class SettingsProblem:
    """A line of the settings file that was not taken; its default holds instead."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        """``file:line: what is wrong``."""
        return f"{self.path}:{self.line}: {self.message}"


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings and what was wrong with their file."""

    settings: Settings = field(default_factory=Settings)
    problems: tuple[SettingsProblem, ...] = ()


def load(path: Path) -> Loaded:
    """Read the settings; what is wrong is reported and its default holds."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        # The first start is the one to be quick at: nothing is imported to read nothing.
        return Loaded()
    except (OSError, UnicodeDecodeError) as error:
        return Loaded(problems=(SettingsProblem(path, 1, f"cannot be read: {error}"),))
    import tomllib

    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        where = int(line[1]) if line else max(1, text.count("\n"))
        return Loaded(problems=(SettingsProblem(path, where, f"not valid TOML: {error}"),))
    return _check(path, text, values)


def _check(path: Path, text: str, values: Mapping[str, Any]) -> Loaded:
    taken: dict[str, Any] = {}
    problems: list[SettingsProblem] = []
    for name, value in values.items():
        try:
            taken[name] = _value(name, value)
        except ValueError as error:
            problems.append(SettingsProblem(path, _line_of(name, text), str(error)))
    settings = replace(Settings(), **taken)
    if not settings.again_below < settings.hard_below < settings.good_below:
        message = "again_below < hard_below < good_below must hold; the defaults are used"
        problems.append(SettingsProblem(path, _line_of("again_below", text), message))
        default = Settings()
        settings = replace(
            settings,
            again_below=default.again_below,
            hard_below=default.hard_below,
            good_below=default.good_below,
        )
    return Loaded(settings, tuple(problems))


def _line_of(name: str, text: str) -> int:
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf"\s*\[*\s*[\"']?{re.escape(name)}\b", line):
            return number
    return 1


def _value(name: str, value: object) -> object:
    if name not in _CHECKS:
        known = ", ".join(sorted(_CHECKS))
        raise ValueError(f"unknown setting {name!r}; known are {known}")
    try:
        return _CHECKS[name](value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} = {value!r}: {error}") from None


def _number(low: float, high: float) -> Callable[[Any], float]:
    def check(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TypeError(f"must be a number from {low:g} to {high:g}")
        if not low <= value <= high:
            raise ValueError(f"must lie from {low:g} to {high:g}")
        return float(value)

    return check


def _whole(low: int, high: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return value

    return check


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("must be text in quotes")
    return value


def _theme(value: Any) -> str:
    if value not in THEMES:
        raise ValueError("must be one of " + ", ".join(THEMES))
    return str(value)


def _language(value: Any) -> Lang:
    if value not in list(Lang):
        raise ValueError("must be " + " or ".join(Lang))
    return Lang(value)


def _zone(value: Any) -> str:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    name = _text(value)
    try:
        if name:
            ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("no such time zone; use an IANA name such as Asia/Shanghai") from None
    return name


_CHECKS: dict[str, Callable[[Any], Any]] = {
    "language": _language,
    "theme": _theme,
    "desired_retention": _number(0.7, 0.99),
    "maximum_interval": _whole(1, 36500),
    "new_per_day": _whole(0, 9999),
    "reviews_per_day": _whole(0, 9999),
    "rollover_hour": _whole(0, 23),
    "time_zone": _zone,
    "answer_seconds": _whole(5, 600),
    "again_below": _number(0, 1),
    "hard_below": _number(0, 1),
    "good_below": _number(0, 1),
    "database": _text,
    "demo_python": _text,
    "speech_command": _text,
}
assert set(_CHECKS) == {f.name for f in fields(Settings)}


def change(path: Path, **values: object) -> None:
    """Write settings into the user's file, keeping its comments and order.

    The file is written beside itself and renamed, so that a crash leaves the old one whole.
    Raises ``ValueError`` for a value that is not allowed, ``OSError`` if it cannot be written.
    """
    import tomlkit

    checked = {name: _value(name, value) for name, value in values.items()}
    text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    document = tomlkit.parse(text)
    for name, value in checked.items():
        document[name] = str(value) if isinstance(value, str) else value
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(tomlkit.dumps(document), encoding="utf-8")
    os.replace(new, path)

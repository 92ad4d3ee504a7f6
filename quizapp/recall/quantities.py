"""Reading a quantity as people type it: ``2,9ms``, ``about 3``, ``1.5×10^9``, ``三倍``."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from quizapp.recall import numbers, units

_ROUGHLY = re.compile(
    r"^(?:it'?s|it is|that'?s|i (?:think|guess|would say)|answer|答案|is|roughly|about|around|"
    r"approximately|approx\.?|circa|ca\.?|nearly|almost|大概|大约|大約|约|約|差不多|应该|應該|"
    r"接近|快了|快|是|有|at least|at most|至少|最多|[~≈∼=:≥≤<>]|\s)+",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r"(?:\s*(?:左右|上下|吧|的样子|faster|slower|more|less|roughly|or so|ish|快|[.。!!??,,;;]))+$",
    re.IGNORECASE,
)
_NUMBER = (
    r"[-+−]?(?:\d{1,3}(?:[,  ]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)"
    r"(?:[eE][-+]?\d+)?"
)
_POWER = r"(?:\s*[x×*·]\s*(?:10|2)\s*(?:\^|\*\*)\s*[-+−]?\d+)"
_BARE_POWER = r"(?:10|2)\s*(?:\^|\*\*)\s*[-+−]?\d+"
_SCALES = {"万": 1e4, "萬": 1e4, "亿": 1e8, "億": 1e8, "million": 1e6, "billion": 1e9} | {
    "thousand": 1e3,
    "trillion": 1e12,
}
_QUANTITY = re.compile(
    rf"(?P<number>{_BARE_POWER}|{_NUMBER}(?:{_POWER})?)(?:\s*/\s*(?P<divisor>\d+(?:\.\d+)?))?"
    rf"\s*(?P<scale>{'|'.join(_SCALES)})?\s*(?P<unit>.*)$",
    re.IGNORECASE,
)
_RANGE = re.compile(
    rf"(?:{_NUMBER})(?![eE][-+]?\d)\s*[^\d\s]{{0,12}}?\s*(?<![eE^*])(?:-|–|—|~|\.\.+|到|至|\bto\b|\band\b|\bor\b|或)\s*\d"
)
_PERCENT_OF = "%"
"""百分之 stands before its number, and holds the numeral 百."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from an answer."""

    value: float | None
    """In the unit asked for; None when ``problem`` says why not."""
    unit: str = ""
    """The unit as written; empty when there was none."""
    problem: str = ""
    """One line for the user."""


def read(text: str, wanted: str) -> Reading:
    """Read a value in the unit ``wanted`` (a symbol); never raises."""
    plain = _tidy(text)
    if not plain:
        return Reading(None, problem="Give a number, e.g. " + units.show(3, wanted, scale=False))
    if _RANGE.search(plain):
        return Reading(None, problem="Give one value, not a range.")
    match = _QUANTITY.match(plain)
    if match is None:
        return Reading(None, problem=f"No number was found in {text.strip()!r}.")
    return _in_unit(_value(match), match["unit"].strip(), wanted)


def _tidy(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).replace("−", "-").strip()
    plain = plain.replace("百分之", _PERCENT_OF)
    if not re.search(r"\d", plain):
        plain = _spelled(plain)
    plain = re.sub(rf"{_PERCENT_OF}\s*([\d.]+)", r"\1%", plain)
    plain = plain.rpartition("=")[2] or plain
    return _TRAILING.sub("", _ROUGHLY.sub("", plain)).strip()


def _spelled(text: str) -> str:
    text = numbers.ENGLISH.sub(lambda m: numbers.plain(numbers.english(m[0])), text.lower())
    return numbers.CHINESE.sub(lambda m: numbers.plain(numbers.chinese(m[0])), text)


def _value(match: re.Match[str]) -> float:
    value = _number(match["number"])
    if match["divisor"]:
        value /= float(match["divisor"]) or 1.0
    return value * _SCALES.get((match["scale"] or "").lower(), 1.0)


def _number(text: str) -> float:
    compact = re.sub(r"\s", "", text)
    mantissa, base, exponent = compact, 10.0, 0
    if power := re.search(r"(?:^|[x×*·])(10|2)(?:\^|\*\*)([-+]?\d+)$", compact):
        mantissa = compact[: power.start()] or "1"
        base, exponent = float(power[1]), int(power[2])
    if re.fullmatch(r"[-+]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", mantissa):
        mantissa = mantissa.replace(",", "")
    return float(mantissa.replace(",", ".")) * base ** max(-300, min(exponent, 300))


def _in_unit(value: float, written: str, wanted: str) -> Reading:
    target = units.unit(wanted)
    if not math.isfinite(value):
        return Reading(None, written, "The number is too large.")
    if not written:
        return Reading(value)
    for source in _spellings(written, target):
        converted = units.convert(value, source, target)
        if converted is not None:
            return Reading(converted, written)
    return Reading(None, written, f"{written!r} is not a unit of this answer; use {wanted}.")


def _spellings(written: str, target: units.Unit) -> Iterator[units.Unit]:
    """The unit as written, a bare prefix (``1.2M``), or its first words (``GB of traffic``)."""
    yield units.unit(written)
    if re.fullmatch("[kKMGT]", written):
        yield units.unit(f"{written} {target.dimension}")
    words = written.split()
    for size in range(len(words) - 1, 0, -1):
        yield units.unit(" ".join(words[:size]))
    if written.startswith("倍"):
        yield units.unit("倍")

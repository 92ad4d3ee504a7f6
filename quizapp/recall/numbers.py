"""Numbers as people say them: ``three point six``, ``三点六``, ``half a dozen``, ``1.5×10^9``."""

from __future__ import annotations

import re

_DIGITS = {
    "零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6,
    "七": 7, "八": 8, "九": 9,
}  # fmt: skip
_SMALL_UNITS = {"十": 10, "百": 100, "千": 1000}
_LARGE_UNITS = {"万": 10_000, "萬": 10_000, "亿": 100_000_000, "億": 100_000_000}

_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}

_ONE_WORD = "|".join(sorted((*_WORDS, *_SCALES), key=len, reverse=True))
ENGLISH = re.compile(
    rf"(?<![a-z])(?:{_ONE_WORD})(?:(?:\s+and)?[\s-]+(?:{_ONE_WORD}))*"
    rf"(?:\s+point(?:[\s-]+(?:{_ONE_WORD}|oh))+)?(?![a-z])"
)
"""A number in English words, lower case."""

_NUMERAL = "".join((*_DIGITS, *_SMALL_UNITS, *_LARGE_UNITS))
CHINESE = re.compile(rf"[{_NUMERAL}]+(?:[点點][{''.join(_DIGITS)}]+)?")
"""A number in Chinese numerals."""


def english(words: str) -> float:
    """Value of a match of :data:`ENGLISH`."""
    whole, _, fraction = words.lower().replace("-", " ").partition(" point ")
    total, current = 0, 0
    for word in whole.split():
        if word in _WORDS:
            current += _WORDS[word]
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word in _SCALES:
            total, current = total + max(current, 1) * _SCALES[word], 0
    digits = "".join(str(_WORDS.get(word, 0)) for word in fraction.split())
    return float(f"{total + current}.{digits or 0}")


def chinese(numerals: str) -> float:
    """Value of a match of :data:`CHINESE`; ``三六五`` is read digit by digit."""
    whole, _, fraction = numerals.replace("點", "点").partition("点")
    digits = "".join(str(_DIGITS[digit]) for digit in fraction)
    return float(f"{_chinese_whole(whole)}.{digits or 0}")


def _chinese_whole(numerals: str) -> int:
    if all(numeral in _DIGITS for numeral in numerals):
        return int("".join(str(_DIGITS[numeral]) for numeral in numerals) or 0)
    total, section, digit = 0, 0, 0
    for numeral in numerals:
        if numeral in _DIGITS:
            digit = _DIGITS[numeral]
        elif numeral in _SMALL_UNITS:
            section += (digit or 1) * _SMALL_UNITS[numeral]
            digit = 0
        else:
            total = (total + section + digit or 1) * _LARGE_UNITS[numeral]
            section = digit = 0
    return total + section + digit


def plain(value: float) -> str:
    """The shortest usual spelling: ``6``, ``3.6``."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)

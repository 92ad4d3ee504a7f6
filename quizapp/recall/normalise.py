"""One spelling for what people write and dictate, with the way back to their own characters.

Width, case, traditional characters, hyphens, number words, spelled-out letters and known slips
of dictation are made alike.  Every character of the result knows the stretch of the original
it came from, so evidence and highlights are always the user's own words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from quizapp.recall import numbers
from quizapp.recall.slips import SLIPS
from quizapp.recall.traditional import SIMPLIFIED

MAX_CHARACTERS = 8_000
"""What is read of an answer; an hour's speech is longer, an interview answer never."""

HAN = "\u3400-\u9fff\uf900-\ufaff"


@dataclass(frozen=True, slots=True)
class Normalised:
    """A text in one spelling; ``starts`` and ``ends`` point into the original."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The original's stretch behind a non-empty stretch of :attr:`text`."""
        return self.starts[start], self.ends[end - 1]


def normalise(text: str) -> Normalised:
    """Bring a text into the one spelling."""
    draft = _by_character(text[:MAX_CHARACTERS])
    for pattern, replacement in _passes():
        draft = _rewrite(draft, pattern, replacement)
    return draft


@cache
def normalise_term(text: str) -> str:
    """The one spelling of a term of the lexicon or a card, without stray blanks."""
    return normalise(text).text.strip()


def _by_character(text: str) -> Normalised:
    letters: list[str] = []
    origin: list[int] = []
    for index, character in enumerate(text):
        for letter in unicodedata.normalize("NFKC", character).lower():
            letters.append(SIMPLIFIED.get(letter, letter))
            origin.append(index)
    return Normalised("".join(letters), tuple(origin), tuple(index + 1 for index in origin))


_Replacement = Callable[[re.Match[str]], str]


def _rewrite(draft: Normalised, pattern: re.Pattern[str], replacement: _Replacement) -> Normalised:
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    last = 0
    for match in pattern.finditer(draft.text):
        start, end = match.span()
        new = replacement(match)
        if start == end or new == match[0]:
            continue
        pieces += (draft.text[last:start], new)
        starts += (*draft.starts[last:start], *(draft.starts[start],) * len(new))
        ends += (*draft.ends[last:start], *(draft.ends[end - 1],) * len(new))
        last = end
    if not last:
        return draft
    return Normalised(
        "".join((*pieces, draft.text[last:])),
        (*starts, *draft.starts[last:]),
        (*ends, *draft.ends[last:]),
    )


@cache
def _passes() -> tuple[tuple[re.Pattern[str], _Replacement], ...]:
    """The rewritings, in order; each sees what the ones before it left."""
    slips = "|".join(sorted(map(re.escape, SLIPS), key=len, reverse=True))
    return tuple(
        (re.compile(pattern), replacement)
        for pattern, replacement in (
            (r"[’‘`´]", lambda _: "'"),
            (r"(?<=[a-z])[-‐‑–_./](?=[a-z])|(?<=[a-z])-(?=\d)", lambda _: " "),
            (rf"(?<=[{HAN}])\s+|\s+(?=[{HAN}])", lambda _: ""),
            (r"(?<![a-z0-9'])(?:[a-z] ){2,}[a-z](?![a-z0-9'])", lambda m: m[0].replace(" ", "")),
            (rf"(?<![a-z])(?:{slips})(?![a-z])", lambda m: SLIPS[m[0]]),
            (r"\bhalf a dozen\b", lambda _: "6"),
            (r"百分之", lambda _: "%"),
            (numbers.ENGLISH.pattern, lambda m: numbers.plain(numbers.english(m[0]))),
            (_CHINESE_NUMBER, _chinese_number),
            (r"(?<=\d)(?: and a half\b|倍半)", lambda m: ".5" + ("倍" if "倍" in m[0] else "")),
            (r"%\s*([\d.]*\d)", lambda m: f"{m[1]}%"),
            (r"(\d)成(?![a-z员分为本1一])", lambda m: f"{m[1]}0%"),
            (r"(?<=\d)\s*(?:percent|per cent|pct|个点)(?![a-z])", lambda _: "%"),
            (r"(?<=\d)\s+(?=[%x倍](?![a-z]))", lambda _: ""),
            (r"\s+", lambda _: " "),
        )
    )


def _chinese_number(match: re.Match[str]) -> str:
    """Digits, parted from a Latin word before them: launch 一次 is no ``launch1``."""
    digits = numbers.plain(numbers.chinese(match[0]))
    before = match.string[match.start() - 1 : match.start()]
    return f" {digits}" if before.isascii() and before.isalpha() else digits


_COUNTED = "个個倍支颗种次成趟遍%部分条只步层轮块"
_CHINESE_NUMBER = (
    rf"(?<=[%])[零一二两三四五六七八九十百]+(?:点[零一二两三四五六七八九]+)?"
    rf"|[零一二两三四五六七八九十百千]+点[零一二两三四五六七八九]+"
    rf"|(?<![第统唯之万])[一二两三四五六七八九十百]+(?=[{_COUNTED}]|\s?kernel)"
    rf"|(?<=[合融并变成])[一二三四五六七八九](?![{HAN}])"
)
"""Numerals that count or measure; 一样, 一致 and 统一 are words."""

"""Where in an answer a statement may stand: sentences, pairs of clauses, stretches of speech."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from quizapp.recall.normalise import Normalised, normalise

LONG = 140
"""Characters beyond which a sentence is also cut at its commas."""
STRIDE, SPAN = 13, 26
"""Tokens of the sliding window over text without punctuation."""

_SENTENCE = re.compile(r"[^.!?;。！？；\n]+(?:\.(?=\d)[^.!?;。！？；\n]+)*")
_CLAUSE = re.compile(r"[^,，、:：]+")
_TOKEN = re.compile(r"[a-z0-9'%.]+|[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of an answer that may hold one statement."""

    text: str
    """In the one spelling."""
    start: int
    """Where it stands in the original answer."""
    end: int

    @property
    def tokens(self) -> int:
        """Words and Chinese characters."""
        return len(_TOKEN.findall(self.text))


def windows(answer: str) -> list[Window]:
    """Return every window of an answer, the narrow ones before the wide ones."""
    normal = normalise(answer)
    found: dict[tuple[int, int], Window] = {}
    for sentence in _SENTENCE.finditer(normal.text):
        for start, end in _stretches(normal.text, *sentence.span()):
            window = _window(normal, start, end)
            if window is not None:
                found.setdefault((window.start, window.end), window)
    return sorted(found.values(), key=lambda window: (window.end - window.start, window.start))


def _stretches(text: str, start: int, end: int) -> list[tuple[int, int]]:
    if end - start <= LONG:
        return [(start, end)]
    clauses = [match.span() for match in _CLAUSE.finditer(text, start, end)]
    if len(clauses) > 1:
        pairs = [(a, d) for (a, _), (_, d) in pairwise(clauses)]
        return [stretch for pair in pairs for stretch in _slid(text, *pair)]
    return _slid(text, start, end)


def _slid(text: str, start: int, end: int) -> list[tuple[int, int]]:
    tokens = [match.span() for match in _TOKEN.finditer(text, start, end)]
    if len(tokens) <= SPAN * 2:
        return [(start, end)]
    starts = range(0, max(1, len(tokens) - STRIDE), STRIDE)
    return [(tokens[i][0], tokens[min(i + SPAN, len(tokens)) - 1][1]) for i in starts]


def _window(normal: Normalised, start: int, end: int) -> Window | None:
    text = normal.text[start:end]
    start += len(text) - len(text.lstrip())
    text = text.strip()
    if not text:
        return None
    where = normal.original(start, start + len(text))
    return Window(text, *where)

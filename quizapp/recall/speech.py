"""An answer as the grader sees it: tokens, what they speak of, and windows for statements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby

from quizapp.recall.everyday import EVERYDAY
from quizapp.recall.lexicon import Mention, mentions
from quizapp.recall.normalise import Normalised, normalise
from quizapp.recall.tokens import Token, stems, tokenise

LONGEST = 30.0
"""A window holds at most as many words; a longer clause is slid over."""
STRIDE, SPAN = 13, 26
"""Tokens of the sliding window over speech without punctuation."""
MOST_PIECES = 5
"""A window joins at most as many clauses."""
FEWEST_WORDS = 6
"""Answers shorter than this are too short to tell a list of keywords from a statement."""
GLUE_SHARE = 0.1
"""Share of words that say something about others, under which an answer is a list of keywords."""

FUNCTION_WORDS = frozenset(
    "a an the is are was were be been being of in on at by for from with as it its it's they them"
    " their this that these those there you we i he she and or but so if when then than which what"
    " who how do does did can could will would should may might must have has had just only also"
    " very really um uh like well ok okay right about into out up down to because while where"
    " 的 了 是 在 就 把 和 会 也 都 要 从 到 被 让 给 与 或 而 那 这 个 们 很 嘛 呢 吧 啊 呀 哦 嗯"
    " 得 着 过 又 再 还 能 可 以 用 于 对 等 其 之 所 为 我 你 他 它 有 去 来 上 下 里".split()
)
_RELATIONS = frozenset(EVERYDAY) - {"data", "far-place", "near-place", "effort", "pressure"}


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of tokens that may hold one statement."""

    start: int
    end: int
    """One past its last token."""


@dataclass(slots=True)
class Speech:
    """An answer, read once and asked many times."""

    normal: Normalised
    tokens: tuple[Token, ...]
    mentions: tuple[Mention, ...]
    windows: tuple[Window, ...]
    """The narrow ones before the wide ones."""
    stuffed: bool
    """A list of keywords, not speech."""
    _places: dict[str, tuple[Window, ...]] = field(default_factory=dict)

    def places(self, wording: str) -> tuple[Window, ...]:
        """Return where a wording stands: ``@concept``, or words as they are written."""
        if wording not in self._places:
            found = self._concept(wording[1:]) if wording[0] == "@" else self._literal(wording)
            self._places[wording] = tuple(found)
        return self._places[wording]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the stretch of the original answer behind a stretch of tokens."""
        return self.normal.original(self.tokens[start].start, self.tokens[end - 1].end)

    def text(self, window: Window) -> str:
        """Return a window's text in the one spelling."""
        return self.normal.text[self.tokens[window.start].start : self.tokens[window.end - 1].end]

    def context(self, window: Window) -> Window:
        """Return the sentences that a window stands in, if they are not too long."""
        first, last = self.tokens[window.start].sentence, self.tokens[window.end - 1].sentence
        inside = [n for n, token in enumerate(self.tokens) if first <= token.sentence <= last]
        whole = Window(inside[0], inside[-1] + 1)
        return whole if _weight(self.tokens, whole) <= LONGEST else window

    def around(self, window: Window) -> str:
        """Return a window's text with what parts it from its neighbours."""
        start = self.tokens[window.start - 1].end if window.start else 0
        at_end = window.end >= len(self.tokens)
        return self.normal.text[start : None if at_end else self.tokens[window.end].start]

    def _concept(self, concept: str) -> Iterator[Window]:
        return (Window(m.start, m.end) for m in self.mentions if m.concept == concept)

    def _literal(self, wording: str) -> Iterator[Window]:
        wanted = stems(wording)
        size = len(wanted)
        for start in range(len(self.tokens) - size + 1 if size else 0):
            if all(self.tokens[start + n].stem == stem for n, stem in enumerate(wanted)):
                yield Window(start, start + size)


@lru_cache(maxsize=256)
def listen(answer: str) -> Speech:
    """Read an answer."""
    normal = normalise(answer)
    tokens = tokenise(normal.text)
    found = mentions(tokens)
    return Speech(normal, tokens, found, _windows(tokens), _stuffed(tokens, found))


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Return where the sentences of a text stand in it."""
    speech = listen(text)
    found = []
    for _, group in groupby(range(len(speech.tokens)), lambda n: speech.tokens[n].sentence):
        members = list(group)
        found.append(speech.original(members[0], members[-1] + 1))
    return tuple(found)


def _windows(tokens: tuple[Token, ...]) -> tuple[Window, ...]:
    found: set[Window] = set()
    for _, group in groupby(range(len(tokens)), key=lambda index: tokens[index].sentence):
        sentence = list(group)
        pieces = []
        for _, part in groupby(sentence, key=lambda index: tokens[index].piece):
            members = list(part)
            pieces.append(Window(members[0], members[-1] + 1))
        found.update(_runs(tokens, pieces))
    return tuple(sorted(found, key=lambda w: (w.end - w.start, w.start)))


def _runs(tokens: tuple[Token, ...], pieces: list[Window]) -> Iterator[Window]:
    """Yield runs of neighbouring clauses that are not too long, and stretches of long ones."""
    for first, piece in enumerate(pieces):
        if _weight(tokens, piece) > LONGEST:
            yield from _slid(piece)
            continue
        for last in pieces[first : first + MOST_PIECES]:
            run = Window(piece.start, last.end)
            if _weight(tokens, run) > LONGEST:
                break
            yield run


def _slid(piece: Window) -> Iterator[Window]:
    for start in range(piece.start, max(piece.start + 1, piece.end - STRIDE), STRIDE):
        yield Window(start, min(start + SPAN, piece.end))


def _weight(tokens: tuple[Token, ...], window: Window) -> float:
    return sum(token.weight for token in tokens[window.start : window.end])


def _stuffed(tokens: tuple[Token, ...], found: tuple[Mention, ...]) -> bool:
    """Tell a list of keywords from speech by the words that say something about others."""
    if len(tokens) < FEWEST_WORDS:
        return False
    glue = {n for n, token in enumerate(tokens) if token.word in FUNCTION_WORDS}
    for mention in found:
        if mention.concept in _RELATIONS:
            glue.update(range(mention.start, mention.end))
    digits = {n for n, token in enumerate(tokens) if re.match(r"\d", token.word)}
    between = {n for n in glue if n - 1 in digits and n + 1 in digits}
    return len(glue - between) < GLUE_SHARE * len(tokens)

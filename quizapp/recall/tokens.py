"""Words of a text in the one spelling: Latin words by their stems, Chinese by its characters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from quizapp.recall.normalise import normalise_term

LATIN, HAN = 1.0, 0.6
"""How much a word and a character count for the length of a stretch of speech."""

_TOKEN = re.compile(
    r"(?P<number>\d+(?:\.\d+)?%?)|(?P<word>[a-z][a-z0-9]*(?:'[a-z]+)?)|(?P<han>[\u3400-\u9fff])"
    r"|(?P<stop>[.!?;。\n])|(?P<pause>[,:()—…])"
)
_PAUSE_AFTER_WORDS = re.compile(r"\s[-–]\s")
_CONNECTIVES = frozenset(
    "and but so because then if when while whereas since unless otherwise although though plus"
    " also however therefore".split()
)
_HAN_CONNECTIVE = re.compile(
    r"所以|然后|但是|但|而且|另外|还有|因为|如果|不过|那么|其次|第二|第三|最后|于是|因此|并且|同时|或者|就是"
)
_WHOLE = frozenset(("note", "none", "here", "there", "fore", "cute", "hope"))
"""Words that would be another word without their last letter."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number or a Chinese character."""

    stem: str
    start: int
    """Where it stands in the text in the one spelling."""
    end: int
    sentence: int
    clause: int
    """Numbered through the text; a pause or a stop ends one."""
    piece: int
    """As :attr:`clause`, and a connective begins one, too."""
    word: str
    """As spelled."""

    @property
    def weight(self) -> float:
        """What it counts for the length of a stretch of speech."""
        return HAN if "\u3400" <= self.word <= "\u9fff" else LATIN


def tokenise(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text in the one spelling."""
    breaks = {match.start() for match in _HAN_CONNECTIVE.finditer(text)}
    dashes = {match.start() + 1 for match in _PAUSE_AFTER_WORDS.finditer(text)}
    tokens: list[Token] = []
    sentence = clause = piece = 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind in ("stop", "pause"):
            clause, piece = clause + 1, piece + 1
            sentence += kind == "stop"
            continue
        if any(tokens and tokens[-1].end <= dash < match.start() for dash in dashes):
            clause, piece = clause + 1, piece + 1
        word = match[0]
        if word in _CONNECTIVES or match.start() in breaks:
            piece += 1
        tokens.append(Token(stem(word), *match.span(), sentence, clause, piece, word))
    return tuple(tokens)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return a word without its ending, alike for all its forms; not always a word itself."""
    if len(word) <= 3 or not word[0].isalpha() or not word.isascii():
        return word
    word = word.removesuffix("'s")
    for ending, instead in (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("s", "")):
        base = word.removesuffix(ending) + instead
        if word.endswith(ending) and _stands(base, ending):
            word = base
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word[-1] == "e" and word not in _WHOLE else word


def _stands(base: str, ending: str) -> bool:
    if ending == "s":
        return base[-1] not in "sui"
    return len(base) >= 3 and any(letter in "aeiouy" for letter in base)


@lru_cache(maxsize=8192)
def stems(phrase: str) -> tuple[str, ...]:
    """Return the stems of a phrase as it is written."""
    return tuple(token.stem for token in tokenise(normalise_term(phrase)))

"""How alike two wordings are, by their character n-grams: needs no tokeniser for Chinese."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache

from quizapp.recall.normalise import normalise_term

SIZES = (2, 3, 4)


@lru_cache(maxsize=4096)
def grams(text: str) -> dict[str, float]:
    """Return the weighted n-grams of a text in the one spelling, of length 1 together."""
    padded = f" {text} "
    counts = Counter(
        padded[start : start + size] for size in SIZES for start in range(len(padded) - size + 1)
    )
    # Longer n-grams say more; repeated ones say little more than once.
    weighted = {gram: (1 + math.log(n)) * len(gram) ** 0.5 for gram, n in counts.items()}
    length = math.sqrt(sum(value * value for value in weighted.values())) or 1.0
    return {gram: value / length for gram, value in weighted.items()}


def similarity(normal: str, phrase: str) -> float:
    """Return the cosine of a text in the one spelling and a phrase as it is written, 0 to 1."""
    ours, theirs = grams(normal), grams(normalise_term(phrase))
    small, large = sorted((ours, theirs), key=len)
    return sum(value * large[gram] for gram, value in small.items() if gram in large)

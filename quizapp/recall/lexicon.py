"""The concepts that cards write as ``@name``, and where a text speaks of them.

The longest wording wins: ``shared memory`` is not ``memory``.  A negated concept becomes what
its negation says (``doesn't reduce`` is ``same``), so that cards never spell out a negation.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from quizapp.recall.everyday import EVERYDAY, NOT, OPPOSITE, WRONG
from quizapp.recall.tokens import LATIN, Token, stems
from quizapp.recall.vocabulary import VOCABULARY

NUMBER = "number"
"""Concept of every number written in digits."""
CONCEPTS: frozenset[str] = frozenset(
    {*EVERYDAY, *VOCABULARY, *OPPOSITE.values(), NUMBER} - {"plain"}
)
"""The names that cards may use after ``@``."""

SCOPE, FAR_SCOPE = 4.0, 8.0
"""How far a negation reaches, in words; ``nothing about ... is altered`` reaches far."""
REACH = 40
"""Mentions among which a negation looks for what it denies; its scope in words is far less."""
FAR = frozenset(("nothing", "nobody", "none", "neither"))
DENIABLE = frozenset(("less", "more", "change", "always"))
"""What a remark such as ``which is wrong`` turns round in its sentence."""
AMOUNTS = frozenset(("less", "more"))
SHORT, BARE = 6, 3
"""Tokens of a sentence that can only speak of the one before: ``Which is wrong. It doesn't.``"""


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of tokens that speaks of a concept."""

    concept: str
    start: int
    end: int
    """One past its last token."""


class _Node(dict[str, "_Node"]):
    """A node of the tree of all wordings."""

    concepts: tuple[str, ...] = ()


@cache
def _tree() -> _Node:
    root = _Node()
    for table in (EVERYDAY, VOCABULARY):
        for concept, forms in table.items():
            for form in dict.fromkeys(map(stems, forms.split("|"))):
                node = root
                for stem in form:
                    node = node.setdefault(stem, _Node())
                if form and concept not in node.concepts:
                    node.concepts = (*node.concepts, concept)
    return root


def mentions(tokens: Sequence[Token]) -> tuple[Mention, ...]:
    """Return what the tokens speak of, negations resolved."""
    found = _outermost(tokens, _matches(tokens))
    plain = [Mention(c, i, j) for i, j, concepts in found for c in concepts if c != "plain"]
    return tuple(_denied(tokens, _negated(tokens, plain)))


def _matches(tokens: Sequence[Token]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield the longest wording that begins at each token."""
    root = _tree()
    for start, first in enumerate(tokens):
        node, at = root, start
        longest: tuple[int, int, tuple[str, ...]] | None = None
        while at < len(tokens) and (following := node.get(tokens[at].stem)) is not None:
            node, at = following, at + 1
            if tokens[at - 1].clause != first.clause:
                break
            if node.concepts:
                longest = (start, at, node.concepts)
        if longest:
            yield longest
        if first.word[0].isdigit():
            yield start, start + 1, (NUMBER,)


def _outermost(
    tokens: Sequence[Token], found: Iterable[tuple[int, int, tuple[str, ...]]]
) -> list[tuple[int, int, tuple[str, ...]]]:
    """Leave out what stands within a longer wording; numbers stay.

    Two Chinese wordings that share a character cannot both be meant: the first one is.
    """
    kept, reach = [], -1
    for start, end, concepts in found:
        shared = start < reach and tokens[start].weight < LATIN
        if (end > reach and not shared) or concepts == (NUMBER,):
            kept.append((start, end, concepts))
            reach = max(reach, end)
    return kept


def _negated(tokens: Sequence[Token], found: Sequence[Mention]) -> list[Mention]:
    """Turn round the concept that each negation stands before, and use the negation up."""
    turned: set[int] = set()
    used: set[int] = set()
    for negation in (m for m in found if m.concept == NOT):
        scope = FAR_SCOPE if tokens[negation.start].word in FAR else SCOPE
        denied = set(_after(tokens, found, negation, scope))
        turned |= denied
        if denied:
            used.add(negation.start)
    return [
        Mention(OPPOSITE[m.concept], m.start, m.end)
        if m.start in turned and m.concept in OPPOSITE
        else m
        for m in found
        if m.concept != NOT or m.start not in used
    ]


def _after(
    tokens: Sequence[Token], found: Sequence[Mention], negation: Mention, scope: float
) -> Iterator[int]:
    """Yield where the negated mention starts, and its amount: ``does not write fewer bytes``."""
    clause, end, first = tokens[negation.end - 1].clause, negation.end, -1
    for mention in found[bisect_left(found, negation.end, key=lambda each: each.start) :][:REACH]:
        if mention.start < end or mention.concept not in OPPOSITE or mention.start == first:
            continue
        between = sum(token.weight for token in tokens[end : mention.start])
        if tokens[mention.start].clause != clause or between > scope:
            return
        if first < 0:
            yield mention.start
            first, end, scope = mention.start, mention.end, 1.0
        else:
            if mention.concept in AMOUNTS:
                yield mention.start
            return


def _denied(tokens: Sequence[Token], found: Sequence[Mention]) -> Iterator[Mention]:
    """Turn round what a remark denies, in its own sentence or, a short one, in the last."""
    sentences = [token.sentence for token in tokens]
    clauses = [token.clause for token in tokens]
    spoken = Counter(clauses[mention.start] for mention in found)
    in_sentence, in_clause = Counter(sentences), Counter(clauses)
    opening = {token.sentence: token.clause for token in reversed(tokens)}
    denied: set[int] = set()
    for mention in found:
        sentence, clause = sentences[mention.start], clauses[mention.start]
        if mention.concept == WRONG:
            short = in_sentence[sentence] <= SHORT
            denied |= _target(sentences, found, mention, sentence - short)
        elif mention.concept == NOT and in_clause[clause] <= BARE and spoken[clause] == 1:
            opens = opening[sentence] == clause
            denied |= _target(sentences, found, mention, sentence - opens)
    for mention in found:
        deny = mention.concept in DENIABLE and mention.start in denied
        yield Mention(OPPOSITE[mention.concept], mention.start, mention.end) if deny else mention


def _target(
    sentences: Sequence[int], found: Sequence[Mention], remark: Mention, sentence: int
) -> set[int]:
    """Return what a remark denies: what was said before it, or else the next thing said."""
    there = [m.start for m in found if m.concept in DENIABLE and sentences[m.start] == sentence]
    before = {start for start in there if start < remark.start}
    return before or {start for start in there if start >= remark.end and start == min(there)}

"""Rules of cards: groups of wordings that must stand together in one window.

A term is a wording (``@concept`` or words as they are written), alternatives parted by bars
(``@register|@shared-memory``), a sequence (``@less ~ @launch``: one after the other in a
clause, a few words apart), or any of these that must be absent (``!@cutlass``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from quizapp.recall.lexicon import CONCEPTS
from quizapp.recall.speech import Speech, Window
from quizapp.recall.tokens import Token
from quizapp.recall.vocabulary import QUANTITIES

GAP = 5.0
"""Words that may stand between two members of a sequence."""
_TURNS = ("@less", "@more", "@same", "@different", "@change")
"""Between members of a sequence that says one of these, another would say the contrary."""
_QUANTITIES = tuple(f"@{concept}" for concept in sorted(QUANTITIES))
_ATTRIBUTIVE = frozenset(
    "less fewer lower more higher same reduces reduced cuts saves save cut reduce 减 省 少".split()
)
_AND = re.compile(r"(?<![a-z])(?:and|or|plus|nor)(?![a-z])|[和与及跟、/&+]|还有")


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a rule."""

    steps: tuple[tuple[str, ...], ...]
    """Alternatives of each member, in their order."""
    absent: bool = False


@lru_cache(maxsize=4096)
def parse(text: str) -> Term:
    """Read a term; never raises, see :func:`problem`."""
    absent = text.startswith("!")
    members = text.removeprefix("!").split("~")
    steps = (tuple(w for w in map(str.strip, member.split("|")) if w) for member in members)
    return Term(tuple(step for step in steps if step), absent)


def problem(text: str) -> str:
    """Return what is wrong with a term, or nothing."""
    term = parse(text)
    if not term.steps:
        return "an empty wording"
    for wording in (w for step in term.steps for w in step):
        if wording.startswith("@") and wording[1:] not in CONCEPTS:
            like = get_close_matches(wording[1:], CONCEPTS, 1)
            meant = f", did you mean @{like[0]}?" if like else ""
            return f"there is no concept {wording} in the lexicon{meant}"
    return ""


def satisfied(
    groups: Sequence[Sequence[str]], speech: Speech, windows: Iterable[Window]
) -> tuple[Window, tuple[Window, ...]] | None:
    """Return the first window in which all terms of a group hold, and the words that make it so."""
    possible = [group for group in map(_terms, groups) if group and _anywhere(group, speech)]
    for window in windows if possible else ():
        for group in possible:
            marks = _holds(group, speech, window)
            if marks is not None:
                return window, marks
    return None


def stands(terms: Sequence[str], speech: Speech, window: Window) -> bool:
    """Tell whether any of the terms holds in the window."""
    return any(_place(parse(term), speech, window) is not None for term in terms)


def _terms(group: Sequence[str]) -> tuple[Term, ...]:
    return tuple(parse(term) for term in group)


def _anywhere(group: Iterable[Term], speech: Speech) -> bool:
    """Tell quickly whether a group could hold in any window at all."""
    return all(
        term.absent or all(any(map(speech.places, step)) for step in term.steps) for term in group
    )


def _holds(group: Iterable[Term], speech: Speech, window: Window) -> tuple[Window, ...] | None:
    marks: list[Window] = []
    for term in group:
        place = _place(term, speech, speech.context(window) if term.absent else window)
        if (place is None) != term.absent:
            return None
        marks += place or ()
    return tuple(marks)


def _place(term: Term, speech: Speech, window: Window) -> tuple[Window, ...] | None:
    """Return the places of a term's members within the window."""
    if not term.steps:
        return None
    paths: list[tuple[Window, ...]] = [(place,) for place in _within(term.steps[0], speech, window)]
    for step in term.steps[1:]:
        following = list(_within(step, speech, window))
        paths = [
            (*path, place)
            for path in paths
            for place in following
            if _follows(term, speech, path[-1], place)
        ]
    return min(paths, key=lambda path: path[-1].end - path[0].start, default=None)


def _within(step: Iterable[str], speech: Speech, window: Window) -> Iterator[Window]:
    for wording in step:
        for place in speech.places(wording):
            if window.start <= place.start and place.end <= window.end:
                yield place


def _follows(term: Term, speech: Speech, before: Window, after: Window) -> bool:
    if after.start < before.end:
        return False
    tokens = speech.tokens
    if tokens[before.end - 1].clause != tokens[after.start].clause:
        return False
    if sum(token.weight for token in tokens[before.end : after.start]) > GAP:
        return False
    if not any(turn in step for step in term.steps for turn in _TURNS):
        return True
    between = Window(before.end, after.start)
    contrary = _TURNS if any("@not" in step for step in term.steps) else (*_TURNS, "@not")
    if any(_within(contrary, speech, between)):
        return False
    return not _parted(speech, between) and not _bound(speech, before, after)


def _parted(speech: Speech, between: Window) -> bool:
    """Tell whether something else that can be less or more stands between, and is not listed."""
    return any(_within(_QUANTITIES, speech, between)) and not _listed(speech, between)


def _bound(speech: Speech, before: Window, after: Window) -> bool:
    """Tell whether a direction speaks of something nearer: ``fewer launches``."""
    turns = {place for each in _TURNS for place in speech.places(each)}
    tokens = speech.tokens
    for place in (p for each in _QUANTITIES for p in speech.places(each)):
        if tokens[place.start].clause != tokens[after.start].clause:
            continue
        if before in turns and place.end <= before.start:
            gap = Window(place.end, before.start)
        elif after in turns and after.end <= place.start and _attributive(tokens[after.start]):
            gap = Window(after.end, place.start)
        else:
            continue
        near = sum(token.weight for token in tokens[gap.start : gap.end]) <= 1.0
        if near and not _listed(speech, gap):
            return True
    return False


def _attributive(token: Token) -> bool:
    """Tell whether a direction speaks of what follows it."""
    return token.word in _ATTRIBUTIVE


def _listed(speech: Speech, between: Window) -> bool:
    return bool(between.start < between.end and _AND.search(speech.around(between)))

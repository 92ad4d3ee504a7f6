"""Where a card's numbers come from: a claim, a calculation, or a source that is named.

A number nobody can trace is the first thing that an expert doubts.  So each one in the prose must
stand once more where it is measured, worked out or looked up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from quizapp.cards.model import MAIN, Card, prompts
from quizapp.cards.outline import scan
from quizapp.cards.problems import Severity
from quizapp.cards.sections import Place
from quizapp.cards.subject import Subject

_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_LINK = re.compile(r"\]\([^)]*\)")
_DATE = re.compile(r"\b(?:19|20)\d\d(?:-\d\d){0,2}\b")
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.\-^])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![0-9_]|[-.]?[A-Za-z]\d)"
)
_COUNTED = 10.0
"""Whole numbers below this are counted on the card itself: three kernels, two passes."""


def check_numbers(subject: Subject) -> None:
    """Hint at each number of the prose that neither claim, calculation nor source has."""
    for lang, card in subject.cards.items():
        known = {number for text in _accounts(card) for number in numbers(text)}
        for where, text in _prose(card):
            for number in dict.fromkeys(numbers(text)):
                if number not in known and not (number < _COUNTED and number.is_integer()):
                    subject.note(
                        where,
                        f"where does {number:g} come from? No claim, calculation or source has it",
                        "name the source that gives it, or bind it to a claim",
                        Severity.HINT,
                        lang,
                    )


def numbers(text: str) -> Iterator[float]:
    """Yield the numbers of Markdown text; not those of code, names (H100, fp16) or dates."""
    for line in scan(text, 1):
        if not line.code:
            plain = _DATE.sub("", _LINK.sub("]", _CODE.sub("", line.text)))
            for match in _NUMBER.finditer(plain):
                yield float(match[0].replace(",", ""))


def _accounts(card: Card) -> Iterator[str]:
    """Yield what says where a number comes from."""
    yield card.by_hand
    for claim in card.claims:
        yield from (claim.says, claim.holds)
    for calculation in card.calculations:
        yield from (calculation.ask, calculation.solution, calculation.formula)
        for slip in calculation.slips:
            yield from (slip.formula, slip.means)
        for variable in calculation.variables:
            yield " ".join(f"{choice:g}" for choice in variable.choices)
    for source in card.sources:
        yield source.text


def _prose(card: Card) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what is asked and answered, and where it stands."""
    for prompt in prompts(card):
        if prompt.id in {calculation.id for calculation in card.calculations}:
            continue
        where = ("section", Place.ANSWER) if prompt.id == MAIN else ("id", prompt.id)
        yield where, prompt.question
        yield where, prompt.reference
        for point in prompt.points:
            if point.text not in prompt.reference:
                yield ("id", point.id), point.text

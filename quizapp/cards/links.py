"""Where the links of a card's Markdown lead."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quizapp.cards.model import Card
from quizapp.cards.outline import scan
from quizapp.cards.page import page

CARD = "card:"
"""Beginning of an address in the library: ``card:ID`` or ``card:ID/PROMPT``."""

_LINK = re.compile(r"(?<!\\)\[[^\]\n]*\]\(\s*<?([^)\s>]*)")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")


def targets(text: str) -> Iterator[str]:
    """Yield the addresses of the links in Markdown; what stands in code is none."""
    for line in scan(text, 1):
        if not line.code:
            yield from _LINK.findall(_CODE.sub("", line.text))


def linked_cards(card: Card) -> tuple[str, ...]:
    """Return the ids of the cards that a card's page links to, in order, itself not among them."""
    found = (each.removeprefix(CARD) for each in targets(page(card)) if each.startswith(CARD))
    return tuple(dict.fromkeys(id_ for each in found if (id_ := each.partition("/")[0]) != card.id))

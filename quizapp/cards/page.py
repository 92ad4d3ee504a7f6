"""A whole card as one Markdown document, for people."""

from __future__ import annotations

from quizapp.cards.layout import Layout
from quizapp.cards.model import Card, Lang
from quizapp.cards.outline import heading, scan


def page(card: Card, lang: Lang | None = None) -> str:
    """Return the card as Markdown, headings in the language, no ids and no front matter."""
    return Layout(lang or card.lang, ids=False).document(card)


def headings(card: Card, lang: Lang | None = None) -> tuple[tuple[int, str], ...]:
    """Return level and text of the headings that :func:`page` writes, in order."""
    found = (heading(line) for line in scan(page(card, lang), 1))
    return tuple(each for each in found if each is not None)

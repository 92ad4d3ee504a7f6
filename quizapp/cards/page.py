"""A whole card as one Markdown document, for people."""

from __future__ import annotations

from quizapp.cards.model import Card, Lang


def page(card: Card, lang: Lang | None = None) -> str:
    """Return the card as Markdown, headings in the language, no ids and no front matter."""
    raise NotImplementedError


def headings(card: Card, lang: Lang | None = None) -> tuple[tuple[int, str], ...]:
    """Return level and text of the headings that :func:`page` writes, in order."""
    raise NotImplementedError

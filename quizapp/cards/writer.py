"""Writes a card as its Markdown file; the reader gives the same card back."""

from __future__ import annotations

from quizapp.cards.front_text import front_tree
from quizapp.cards.layout import Layout
from quizapp.cards.model import Card
from quizapp.cards.yaml_text import dump


def write(card: Card) -> str:
    """Return the card as the text of its file, all machine data included.

    Texts are Markdown and are written as they are; a line that would be taken for the file's
    own structure gets the backslash that makes Markdown show it as it stands.
    """
    return f"---\n{dump(front_tree(card))}---\n\n{Layout(card.lang, ids=True).document(card)}"

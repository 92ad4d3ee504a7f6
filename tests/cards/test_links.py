"""Where a card's links lead."""

from __future__ import annotations

from pathlib import Path

from quizapp.cards.library import SourceFile, build
from quizapp.cards.links import linked_cards, targets
from quizapp.cards.model import Lang

CARD = Path(__file__).resolve().parent.parent / "data" / "cards" / "fusion-short.en.md"


def test_links_in_code_lead_nowhere() -> None:
    text = "[a](card:one) `[b](card:two)` [c](https://x.org)\n\n```\n[d](card:three)\n```\n"
    assert list(targets(text)) == ["card:one", "https://x.org"]


def test_linked_cards_come_once_each_without_the_card_itself() -> None:
    links = "[a](card:one) [b](card:fusion-short) [c](card:two/main) [d](card:one/followup-1)"
    text = CARD.read_text(encoding="utf-8").replace("- A talk.", f"- A talk. {links}")
    card = build([[SourceFile("fusion-short.en.md", text)]]).card("fusion-short", Lang.EN)
    assert card is not None
    assert linked_cards(card) == ("one", "two")

"""The order in which cards are studied."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from heapq import heapify, heappop, heappush


def study_order(after: Mapping[str, Sequence[str]], own: Collection[str] = ()) -> tuple[str, ...]:
    """Return all cards, each behind those it comes after.

    ``after`` names for each card the cards to study before it. Of the cards that could be next,
    the user's ``own`` come first, then the one that most others build on, then the first given.
    A card that is unknown holds nobody up, and a circle is entered where it was given first.
    """
    before = {card: {each for each in after[card] if each in after} - {card} for card in after}
    followers: dict[str, list[str]] = {card: [] for card in after}
    for card, earlier in before.items():
        for each in earlier:
            followers[each].append(card)
    rank = {
        card: (card not in own, -len(_reached(card, followers)), number, card)
        for number, card in enumerate(after)
    }
    ready = [rank[card] for card, earlier in before.items() if not earlier]
    heapify(ready)
    order: dict[str, None] = {}
    while len(order) < len(after):
        card = heappop(ready)[-1] if ready else next(card for card in after if card not in order)
        if card in order:
            continue
        order[card] = None
        for each in followers[card]:
            before[each].discard(card)
            if not before[each]:
                heappush(ready, rank[each])
    return tuple(order)


def _reached(start: str, followers: Mapping[str, Sequence[str]]) -> set[str]:
    """Return the cards that build on a card, at whatever distance."""
    seen: set[str] = set()
    ways = [start]
    while ways:
        new = [each for each in followers[ways.pop()] if each not in seen]
        seen.update(new)
        ways += new
    return seen

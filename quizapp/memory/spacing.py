"""Orders that keep like from like: siblings apart, new prompts evenly among due ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain
from typing import TypeVar

Item = TypeVar("Item")


def apart(
    items: Sequence[Item], group: Callable[[Item], str], seen: Collection[str]
) -> tuple[list[Item], list[Item]]:
    """Split off the first item of each group not in ``seen``; the others go in turns.

    In turns means: the second of every group, then the third of every group, and so on.
    """
    rounds: list[list[Item]] = [[]]
    turns = Counter(dict.fromkeys(seen, 1))
    for item in items:
        name = group(item)
        turn = turns[name]
        turns[name] = turn + 1
        while len(rounds) <= turn:
            rounds.append([])
        rounds[turn].append(item)
    return rounds[0], list(chain.from_iterable(rounds[1:]))


def spread(many: Sequence[Item], few: Sequence[Item]) -> Iterator[Item]:
    """Yield both, each in its order, with ``few`` evenly among ``many``."""
    taken = 0
    for number, item in enumerate(few, 1):
        until = len(many) * number // (len(few) + 1)
        yield from many[taken:until]
        yield item
        taken = until
    yield from many[taken:]

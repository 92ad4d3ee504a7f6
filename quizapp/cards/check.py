"""The author's compiler: everything about a deck that can be wrong, before anybody studies it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from quizapp.cards.library import Library
from quizapp.cards.model import Calculation
from quizapp.cards.problems import Problem


def check(
    library: Library,
    demos: Mapping[str, Collection[str]] | None,
    *,
    metrics_of: Callable[[str], frozenset[str]],
    calculation_problems: Callable[[Calculation], Sequence[str]],
    cells: Callable[[str], int] | None = None,
) -> list[Problem]:
    """Return every problem of the library, the reader's included, by file and line.

    ``demos`` gives the metrics of each demo by name, or is ``None`` when they are not known.
    ``metrics_of`` returns the metrics a claim's predicate speaks of and raises ``ValueError``
    when it cannot be read; ``calculation_problems`` tries a calculation's formulas.
    ``cells`` is the width of a line on a terminal.
    """
    raise NotImplementedError

"""What of a point must be said: ``P1a``, ``P2a and (P2b or P1a)``, ``2 of P5a, P5b, P5c``."""

from __future__ import annotations

from collections.abc import Collection, Sequence


class NeedsError(ValueError):
    """An expression that cannot be read; says where."""


def names(needs: str) -> frozenset[str]:
    """Return the parts an expression speaks of; raises :class:`NeedsError`."""
    raise NotImplementedError


def credit(needs: str, parts: Sequence[str], hit: Collection[str]) -> float:
    """Return the share of what is needed that was hit, 0 to 1; raises :class:`NeedsError`."""
    raise NotImplementedError

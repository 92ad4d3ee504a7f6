"""What the reader of an imported page is told."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was not understood, or that is missing."""

    line: int
    """From 1; 0 for the page as a whole."""
    text: str
    kept: str = ""
    """Heading of the card's section that holds it; empty if it is kept in this note alone."""

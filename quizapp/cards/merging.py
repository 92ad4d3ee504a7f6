"""Makes one front matter of the two that a card's language files have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from quizapp.cards.front import FrontMatter, Share


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A value that both files give, and differently."""

    keys: tuple[str, ...]
    """Where it stands: ``points``, ``P1``, ``weight``."""
    own: Any
    other: Any


@dataclass(slots=True)
class Merger:
    """Merges the other language's front matter into one's own."""

    yielding: bool
    """Where the two disagree, the other is believed; the other file's merger must not yield."""
    disagreements: list[Disagreement] = field(default_factory=list)

    def merge(self, own: FrontMatter, other: FrontMatter) -> FrontMatter:
        """Return one's own front matter with what only the other says."""
        return replace(own, **self._record(own, other, ()))

    def _record(self, own: Any, other: Any, keys: tuple[str, ...]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for each in fields(own):
            mine, theirs = getattr(own, each.name), getattr(other, each.name)
            match each.metadata.get("share"):
                case Share.JOIN:
                    found[each.name] = tuple(dict.fromkeys((*mine, *theirs)))
                case Share.WORDS:
                    found[each.name] = theirs if mine is None else mine
                case Share.AGREE:
                    found[each.name] = self._agreed(mine, theirs, (*keys, each.name))
                case Share.BY_ID:
                    found[each.name] = self._by_id(mine, theirs, (*keys, each.name))
        return found

    def _agreed(self, mine: Any, theirs: Any, keys: tuple[str, ...]) -> Any:
        if mine is None or theirs is None:
            return theirs if mine is None else mine
        if mine != theirs:
            self.disagreements.append(Disagreement(keys, mine, theirs))
        return theirs if self.yielding else mine

    def _by_id(
        self, mine: Mapping[str, Any], theirs: Mapping[str, Any], keys: tuple[str, ...]
    ) -> dict[str, Any]:
        found = {**theirs, **mine} if self.yielding else {**mine, **theirs}
        for id_ in mine.keys() & theirs.keys():
            merged = self._record(mine[id_], theirs[id_], (*keys, id_))
            found[id_] = replace(mine[id_], **merged)
        return found

"""Writing cards: a new one to begin with, and the file to edit of one that is there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from quizapp.cards.kinds import Lang
from quizapp.services import deck
from quizapp.services.errors import UserError
from quizapp.services.paths import Paths

_INSTALLED = frozenset({"site-packages", "dist-packages"})
"""Folders whose files the next update of the program writes over."""


@dataclass(frozen=True, slots=True)
class NewCard:
    """Files that were written."""

    card: str
    paths: tuple[Path, ...]


def new_card(paths: Paths, id_: str, deck_id: str = "own", folder: Path | None = None) -> NewCard:
    """Write the skeleton of a card, in both languages, into the user's own cards or a folder.

    Raises :class:`UserError` if the id is none, is taken, or a file cannot be written.
    """
    from quizapp.cards.skeleton import skeleton
    from quizapp.cards.values import ID

    for name, value in (("card", id_), ("deck", deck_id)):
        if not ID.fullmatch(value):
            raise UserError(
                f"{value!r} is no id of a {name}", "use letters a to z, digits, '.', '-' and '_'"
            )
    taken = deck.read_library(deck.roots(paths)).path(id_, Lang.EN)
    if taken:
        raise UserError(f"there is a card {id_} in {taken} already", "choose another id")
    folder = folder or paths.cards
    targets = {lang: folder / f"{id_}.{lang}.md" for lang in Lang}
    for lang, target in targets.items():
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            # "x": a file that is there is somebody's work.
            with target.open("x", encoding="utf-8", newline="\n") as file:
                file.write(skeleton(id_, deck_id, lang))
        except OSError as error:
            raise UserError(f"{target} cannot be written: {error.strerror or error}") from error
    return NewCard(id_, tuple(targets.values()))


def file_to_edit(paths: Paths, path: Path) -> Path:
    """Return the file in which to edit a card: an installed one's copy among the user's cards.

    The copy takes the installed card's place, in its language, and outlives the next update.
    Raises :class:`UserError` if it cannot be written.
    """
    if not _INSTALLED & set(path.parts):
        return path
    copy = paths.cards / path.name
    try:
        copy.parent.mkdir(parents=True, exist_ok=True)
        with copy.open("xb") as file:
            file.write(path.read_bytes())
    except FileExistsError:
        return copy
    except OSError as error:
        raise UserError(f"{copy} cannot be written: {error.strerror or error}") from error
    return copy

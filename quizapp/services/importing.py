"""Taking a study page into the user's own cards."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from quizapp.cards.importing import Note, import_page
from quizapp.cards.model import prompts
from quizapp.cards.writer import write
from quizapp.services.errors import UserError
from quizapp.services.paths import locate


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """What became of a page."""

    card: str
    """The card's id."""
    path: Path
    prompts: int
    notes: tuple[Note, ...]
    """Line by line, what was not understood."""


def import_file(page: Path, id_: str = "", replace: bool = False) -> ImportedFile:
    """Write a page as a card file into the user's own cards.

    Raises :class:`UserError` if the page cannot be read, or if there is such a card already
    and ``replace`` was not asked for.
    """
    text = _text(page)
    if not text.strip("\ufeff \t\r\n"):
        raise UserError(f"{page} is empty", "there is nothing to make a card of")
    done = import_page(text, id_ or page.stem)
    card = done.card
    if id_ and card.id != id_:
        raise UserError(f"--id {id_} is no id", f"write {card.id}, or another of letters and -")
    target = locate().cards / f"{card.id}.{card.lang}.md"
    if target.exists() and not replace:
        raise UserError(
            f"there is a card {card.id} in {target} already",
            "give another --id, or --replace to write over it",
        )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        new = target.with_suffix(".new")
        new.write_text(write(card), encoding="utf-8", newline="\n")
        os.replace(new, target)
    except OSError as error:
        raise UserError(f"{target} cannot be written: {error}") from error
    return ImportedFile(card.id, target, len(list(prompts(card))), done.notes)


def _text(page: Path) -> str:
    data = page.read_bytes()
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise UserError(f"{page} is not text", "save it as UTF-8")

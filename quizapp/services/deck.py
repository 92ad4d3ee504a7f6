"""Finding and reading the cards: the deck that ships with the program, then the user's own."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from quizapp.services.paths import Paths

if TYPE_CHECKING:
    from quizapp.cards.library import Library, SourceFile
    from quizapp.cards.problems import Problem

SUFFIXES = (".en.md", ".zh.md")


def bundled() -> Path | None:
    """Return the folder of the deck that ships with the program."""
    spec = importlib.util.find_spec("questions")
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None


def roots(paths: Paths) -> tuple[Path, ...]:
    """Return the folders cards are read from; a later one's card takes an earlier one's place."""
    shipped = bundled()
    return (shipped, paths.cards) if shipped else (paths.cards,)


def read_library(folders: Iterable[Path]) -> Library:
    """Read every card under the folders; what cannot be read is a problem of the library."""
    from quizapp.cards.library import build

    problems: list[Problem] = []
    sources = [list(_read(folder, problems)) for folder in folders]
    return build(sources, tuple(problems))


def card_files(folder: Path) -> list[Path]:
    """List the card files under a folder, or the one file that it is, in a stable order."""
    if folder.is_file():
        return [folder]
    found = (path for suffix in SUFFIXES for path in folder.rglob(f"*{suffix}"))
    return sorted(path for path in found if not path.name.startswith("."))


def _read(folder: Path, problems: list[Problem]) -> Iterator[SourceFile]:
    from quizapp.cards.library import SourceFile
    from quizapp.cards.problems import Problem

    for path in card_files(folder):
        try:
            # newline="": line ends are the reader's business, and it keeps them.
            with path.open(encoding="utf-8", newline="") as file:
                yield SourceFile(str(path), file.read())
        except (OSError, UnicodeDecodeError) as error:
            problems.append(
                Problem(str(path), 1, f"cannot be read: {error}", "save it as UTF-8 text")
            )

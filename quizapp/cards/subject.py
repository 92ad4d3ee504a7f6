"""One card under examination: all its languages, and the problems found so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from quizapp.cards.card_file import CardFile
from quizapp.cards.library import Library
from quizapp.cards.model import Card, Lang
from quizapp.cards.problems import Problem, Severity


@dataclass(slots=True)
class Subject:
    """A card in every language it is written in."""

    id: str
    cards: Mapping[Lang, Card]
    files: Mapping[Lang, CardFile]
    problems: list[Problem] = field(default_factory=list)

    @property
    def any(self) -> Card:
        """The card in one language, for what is the same in all."""
        return next(iter(self.cards.values()))

    def note(
        self,
        where: tuple[str, ...],
        message: str,
        remedy: str,
        severity: Severity = Severity.ERROR,
        lang: Lang | None = None,
    ) -> None:
        """Note a problem at a key of this language's file, else of the file that has it."""
        file = self.files[lang] if lang else self._having(where)
        self.problems.append(Problem(file.path, file.line(*where), message, remedy, severity))

    def warn(
        self, where: tuple[str, ...], message: str, remedy: str, lang: Lang | None = None
    ) -> None:
        """Note what was surely meant otherwise."""
        self.note(where, message, remedy, Severity.WARNING, lang)

    def _having(self, where: tuple[str, ...]) -> CardFile:
        for end in range(len(where), 0, -1):
            for file in self.files.values():
                if where[:end] in file.lines:
                    return file
        return next(iter(self.files.values()))


def subjects(library: Library) -> Iterable[Subject]:
    """Yield every card of a library."""
    for id_ in library.ids:
        files, cards = {}, {}
        for lang in library.languages(id_):
            file, card = library.file(id_, lang), library.card(id_, lang)
            if file is not None and card is not None:
                files[lang], cards[lang] = file, card
        yield Subject(id_, cards, files)

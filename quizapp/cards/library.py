"""All cards of all folders, both languages of each merged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from quizapp.cards.assembling import assemble
from quizapp.cards.card_file import CardFile
from quizapp.cards.merging import Disagreement, Merger
from quizapp.cards.model import Card, Lang, Prompt, prompts
from quizapp.cards.order import study_order
from quizapp.cards.problems import Problem
from quizapp.cards.reader import read

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A card file that somebody else has read from disk."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class _Kept:
    """A file that counts, and the root it came from."""

    file: CardFile
    root: int


class Library:
    """The cards by id and language; a broken file never hides a healthy one."""

    def __init__(
        self,
        files: Mapping[str, Mapping[Lang, CardFile]],
        cards: Mapping[str, Mapping[Lang, Card]],
        problems: Sequence[Problem],
    ) -> None:
        """``cards`` stand in the order of study."""
        self._files = files
        self._cards = cards
        self.problems = tuple(problems)
        """What is wrong with the files, one by one and language against language."""
        self._prompts: dict[Lang, dict[str, Prompt]] = {}

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of all cards, in the order of study."""
        return tuple(self._cards)

    def card(self, id_: str, lang: Lang) -> Card | None:
        """Return a card in this language, else in the other, else ``None``."""
        return _best(self._cards.get(id_, {}), lang)

    def languages(self, id_: str) -> tuple[Lang, ...]:
        """Return the languages a card is written in."""
        return tuple(lang for lang in Lang if lang in self._cards.get(id_, {}))

    def file(self, id_: str, lang: Lang) -> CardFile | None:
        """Return the file that a card's text in exactly this language was read from."""
        return self._files.get(id_, {}).get(lang)

    def path(self, id_: str, lang: Lang) -> str | None:
        """Return the path of the card's file in this language, else in the other."""
        file = _best(self._files.get(id_, {}), lang)
        return file.path if file else None

    def prompts(self, lang: Lang) -> dict[str, Prompt]:
        """Return every prompt by its key; one that this language lacks comes in the other."""
        if lang not in self._prompts:
            self._prompts[lang] = {
                prompt.key: prompt for id_ in self._cards for prompt in self._of_card(id_, lang)
            }
        return self._prompts[lang]

    def prompt(self, key: str, lang: Lang) -> Prompt | None:
        """Return one prompt by its key ``card/id``."""
        return self.prompts(lang).get(key)

    def _of_card(self, id_: str, lang: Lang) -> Iterator[Prompt]:
        seen: set[str] = set()
        for card in (self._cards[id_].get(each) for each in _preference(lang)):
            for prompt in prompts(card) if card else ():
                if prompt.id not in seen:
                    seen.add(prompt.id)
                    yield prompt


def _preference(lang: Lang) -> list[Lang]:
    return [lang, *(other for other in Lang if other is not lang)]


def _best(by_lang: Mapping[Lang, T], lang: Lang) -> T | None:
    return next((by_lang[each] for each in _preference(lang) if each in by_lang), None)


def build(roots: Sequence[Sequence[SourceFile]], problems: Sequence[Problem] = ()) -> Library:
    """Read all files; a later root's file takes the place of an earlier one's.

    ``problems`` are those met when the files were read from disk.
    """
    found = list(problems)
    kept: dict[str, dict[Lang, _Kept]] = {}
    for number, root in enumerate(roots):
        for source in root:
            reading = read(source.text, source.path)
            found += reading.problems
            if reading.draft is not None:
                _keep(_Kept(reading.draft, number), kept, found)
    assembled = {id_: dict(_cards(by_lang, found)) for id_, by_lang in kept.items()}
    order = study_order(
        {id_: next(iter(by_lang.values())).after for id_, by_lang in assembled.items()},
        {id_ for id_, by_lang in kept.items() if all(each.root for each in by_lang.values())},
    )
    cards = {id_: assembled[id_] for id_ in order}
    files = {
        id_: {lang: each.file for lang, each in by_lang.items()} for id_, by_lang in kept.items()
    }
    return Library(files, cards, found)


def _keep(new: _Kept, kept: dict[str, dict[Lang, _Kept]], problems: list[Problem]) -> None:
    by_lang = kept.setdefault(new.file.id, {})
    old = by_lang.get(new.file.lang)
    if old is not None and old.root == new.root:
        problems.append(
            Problem(
                new.file.path,
                new.file.line("id"),
                f"the card {new.file.id} stands already in {old.file.path}",
                "give one of them another id; until then this file is left out",
            )
        )
        return
    by_lang[new.file.lang] = new


def _cards(by_lang: Mapping[Lang, _Kept], problems: list[Problem]) -> Iterator[tuple[Lang, Card]]:
    """Assemble each language with the machine data of both."""
    for lang, own in by_lang.items():
        other = next((each for each in by_lang.values() if each is not own), None)
        front = own.file.front
        if other is not None:
            # The later root is the user's own and wins; within one folder the first language does.
            merger = Merger(yielding=_rank(own) < _rank(other))
            front = merger.merge(front, other.file.front)
            if merger.yielding and own.root == other.root:
                problems += [_told(d, own.file, other.file) for d in merger.disagreements]
        yield lang, assemble(own.file.text, front)


def _rank(kept: _Kept) -> tuple[int, bool]:
    return kept.root, kept.file.lang is next(iter(Lang))


def _told(disagreement: Disagreement, own: CardFile, other: CardFile) -> Problem:
    keys = " → ".join(disagreement.keys)
    here, there = _shown(disagreement.own), _shown(disagreement.other)
    return Problem(
        own.path,
        own.line(*disagreement.keys),
        f"{keys} is {here} here and {there} in {other.path}",
        "write the same in both, or leave it out of one",
    )


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_shown, value))}]"
    return f"{value:g}" if isinstance(value, float) else str(value)

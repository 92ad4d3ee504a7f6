"""What can be wrong between a card's languages: ids and words that only one of them has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from quizapp.cards.front import Share
from quizapp.cards.model import Card, Lang
from quizapp.cards.subject import Subject

NAMES: Mapping[Lang, str] = {Lang.EN: "English", Lang.ZH: "Chinese"}


def check_languages(subject: Subject) -> None:
    """A card is written in every language, with the same ids and words for everything."""
    for lang in Lang:
        if lang not in subject.cards:
            subject.warn(
                ("id",), f"{subject.id} is not written in {NAMES[lang]}", f"add NAME.{lang}.md"
            )
    for lang in subject.cards:
        for other in subject.cards:
            if other is not lang:
                _ids(subject, lang, other)
                _words(subject, lang, other)


def _ids(subject: Subject, lang: Lang, other: Lang) -> None:
    there = dict(_identified(subject.cards[other]))
    for id_, kind in _identified(subject.cards[lang]):
        if there.get(id_) != kind:
            path = subject.files[other].path
            subject.note(
                ("id", id_),
                f"the {kind} {id_} is missing in {path}",
                f"write it in {NAMES[other]} under the same id",
                lang=lang,
            )


def _identified(card: Card) -> Iterator[tuple[str, str]]:
    for point in card.points:
        yield point.id, "point"
    for concept in card.concepts:
        yield concept.id, "concept"
        yield from ((point.id, f"point of {concept.id}") for point in concept.points)
    for case in card.cases:
        yield case.id, "case"
    for follow_up in card.follow_ups:
        yield follow_up.id, "follow-up"
        yield from ((point.id, f"point of {follow_up.id}") for point in follow_up.points)


def _words(subject: Subject, lang: Lang, other: Lang) -> None:
    """Words for people that stand in one file's front matter and not in the other's."""
    for section in ("false", "calculations", "claims"):
        here = dict(_spoken(getattr(subject.files[lang].front, section), (section,)))
        there = dict(_spoken(getattr(subject.files[other].front, section), (section,)))
        for keys in here.keys() - there.keys():
            subject.warn(
                keys,
                f"{' → '.join(keys)} has no {NAMES[other]} words",
                f"add them to {subject.files[other].path}",
                lang,
            )


def _spoken(
    records: Mapping[str, Any], keys: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str]]:
    for id_, record in records.items():
        for field in fields(record):
            value, here = getattr(record, field.name), (*keys, id_, field.name)
            if field.metadata.get("share") is Share.WORDS and value:
                yield here, value
            elif field.metadata.get("share") is Share.BY_ID:
                yield from _spoken(value, here)

"""What can be wrong with a card's text: empty sections, wide diagrams, links that lead nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import fields, is_dataclass

from quizapp.cards.links import targets
from quizapp.cards.model import MAIN, Card, Lang, prompts
from quizapp.cards.outline import scan
from quizapp.cards.problems import Severity
from quizapp.cards.sections import HEADINGS, Place
from quizapp.cards.skeleton import TODO
from quizapp.cards.subject import Subject

DIAGRAM_CELLS = 78
"""Widest line of a diagram that still fits a terminal of 80 columns."""

SPEAKABLE = {Lang.EN: 90, Lang.ZH: 150}
"""Said clearly in 30 seconds: words of English, signs of Chinese (a Latin word counts as one)."""

_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W_][\w'’.,-]*")
_ELSEWHERE = re.compile(r"https?://|mailto:", re.IGNORECASE)


def check_sections(subject: Subject) -> None:
    """No section is empty, and nothing is asked that has no answer."""
    for lang, card in subject.cards.items():
        for place, content in _contents(card).items():
            if not content and ("section", place) in subject.files[lang].lines:
                name = HEADINGS[place][lang]
                subject.warn(("section", place), f"{name} is empty", "fill or remove it", lang)
        if not card.answer and ("section", Place.ANSWER) not in subject.files[lang].lines:
            name = HEADINGS[Place.ANSWER][lang]
            subject.warn(("section", "title"), "the card has no answer", f"add ## {name}", lang)
        _unanswered(subject, card, lang)


def _contents(card: Card) -> dict[Place, object]:
    return {
        Place.CONCEPTS: card.concepts,
        Place.DIAGRAM: card.diagram,
        Place.ANSWER: card.answer,
        Place.BY_HAND: card.by_hand,
        Place.CASES: card.cases,
        Place.POINTS: card.points,
        Place.FOLLOW_UPS: card.follow_ups,
        Place.SOURCES: card.sources,
    }


def _unanswered(subject: Subject, card: Card, lang: Lang) -> None:
    for concept in card.concepts:
        if not concept.text and not concept.points:
            where = ("id", concept.id)
            subject.note(
                where, f"{concept.name} is not explained", "write what it means", lang=lang
            )
    for case in card.cases:
        if not case.result or not case.reason:
            where = ("id", case.id)
            subject.note(where, f"{case.id} lacks result or reason", "fill the cell", lang=lang)
    for follow_up in card.follow_ups:
        if not follow_up.answer and not follow_up.points:
            where = ("id", follow_up.id)
            subject.note(where, f"{follow_up.id} has no answer", "write one below it", lang=lang)


def check_diagrams(subject: Subject, cells: Callable[[str], int]) -> None:
    """Every line of a diagram fits a terminal."""
    for lang, card in subject.cards.items():
        for line in scan(card.diagram, 1):
            width = cells(line.text) if line.code else 0
            if width > DIAGRAM_CELLS:
                subject.note(
                    ("section", Place.DIAGRAM),
                    f"line {line.number} of the diagram is {width} cells wide",
                    f"draw it within {DIAGRAM_CELLS}",
                    lang=lang,
                )


def check_length(subject: Subject) -> None:
    """The 30-second answer can be said in 30 seconds."""
    for lang, card in subject.cards.items():
        long = spoken_length(card.answer)
        if long > SPEAKABLE[lang]:
            seconds = 30 * long / SPEAKABLE[lang]
            subject.note(
                ("section", Place.ANSWER),
                f"the answer takes about {seconds:.0f} s to say: {long} words",
                f"30 s are {SPEAKABLE[lang]}",
                Severity.HINT,
                lang,
            )


def spoken_length(text: str) -> int:
    """Return the words of a text as they are spoken: a Chinese sign counts as one."""
    return len(_HAN.findall(text)) + len(_WORD.findall(_HAN.sub(" ", text)))


def check_todo(subject: Subject) -> None:
    """Nothing of the skeleton is left."""
    for lang, card in subject.cards.items():
        left = sum(TODO in text for text in _strings(card))
        if left:
            subject.warn(
                ("section", "title"),
                f"{left} texts still say {TODO}",
                f"write them, or remove what the card does not need; search for {TODO}",
                lang,
            )


def _strings(value: object) -> Iterator[str]:
    """Yield every text within a value of the model."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _strings(item)
    elif is_dataclass(value) and not isinstance(value, type):
        for item in fields(value):
            yield from _strings(getattr(value, item.name))


def check_links(subject: Subject, known: Collection[str]) -> None:
    """Links lead to web pages or, as ``card:ID`` and ``card:ID/PROMPT``, into the library."""
    for lang, card in subject.cards.items():
        for where, text in _texts(card):
            for target in targets(text):
                if target.startswith("card:"):
                    if target.removeprefix("card:") not in known:
                        subject.note(
                            where,
                            f"the link {target} leads to no card",
                            "write card:ID, or card:ID/PROMPT",
                            lang=lang,
                        )
                elif not _ELSEWHERE.match(target):
                    subject.warn(
                        where, f"the link {target!r} leads nowhere", "use https: or card:ID", lang
                    )


def _texts(card: Card) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the Markdown of a card and where it stands."""
    yield ("section", Place.DIAGRAM), card.diagram
    yield ("section", Place.BY_HAND), card.by_hand
    for prompt in prompts(card):
        where = ("section", Place.ANSWER) if prompt.id == MAIN else ("id", prompt.id)
        yield where, prompt.reference
        for point in prompt.points:
            yield ("id", point.id), point.text
    for source in card.sources:
        yield ("section", Place.SOURCES), source.text
    for section in card.extra:
        yield ("section", "title"), section.text

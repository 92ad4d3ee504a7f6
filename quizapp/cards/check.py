"""The author's compiler: everything about a deck that can be wrong, before anybody studies it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence

from quizapp.cards import machine_rules, number_rules, text_rules
from quizapp.cards.language_rules import check_languages
from quizapp.cards.library import Library
from quizapp.cards.model import Calculation, Lang
from quizapp.cards.problems import Problem, nearest
from quizapp.cards.subject import Subject, subjects


def cells_of(text: str) -> int:
    """Return how many cells a line takes on a terminal, as far as Unicode tells."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    marks = sum(unicodedata.category(character) in ("Mn", "Me", "Cf") for character in text)
    return len(text) + wide - marks


def check(
    library: Library,
    demos: Mapping[str, Collection[str]] | None,
    *,
    metrics_of: Callable[[str], frozenset[str]],
    calculation_problems: Callable[[Calculation], Sequence[str]],
    term_problem: Callable[[str], str],
    cells: Callable[[str], int] = cells_of,
) -> list[Problem]:
    """Return every problem of the library, the reader's included, by file and line.

    ``demos`` gives the metrics of each demo by name, or is ``None`` when they are not known.
    ``metrics_of`` returns the metrics a claim's predicate speaks of and raises ``ValueError``
    when it cannot be read; ``calculation_problems`` tries a calculation's formulas, and
    ``term_problem`` says what is wrong with a term of a wording, or nothing.  ``cells`` is the
    width of a line on a terminal.
    """
    found = list(library.problems)
    known = {*library.ids, *(key for lang in Lang for key in library.prompts(lang))}
    for subject in subjects(library):
        machine_rules.check_points(subject)
        machine_rules.check_wordings(subject, term_problem)
        machine_rules.check_claims(subject, demos, metrics_of)
        machine_rules.check_calculations(subject, calculation_problems)
        text_rules.check_sections(subject)
        text_rules.check_diagrams(subject, cells)
        text_rules.check_length(subject)
        text_rules.check_links(subject, known)
        number_rules.check_numbers(subject)
        text_rules.check_todo(subject)
        check_languages(subject)
        _check_after(subject, library)
        found += subject.problems
    return sorted(dict.fromkeys(found), key=lambda problem: (problem.path, problem.line))


def _check_after(subject: Subject, library: Library) -> None:
    for id_ in subject.any.after:
        if library.path(id_, Lang.EN) is None:
            like = nearest(id_, library.ids)
            subject.note(
                ("after",),
                f"{subject.id} comes after {id_}, which is no card",
                f"did you mean {like}?" if like else "name cards by their ids",
            )
    circle = _circle(subject.id, library)
    if circle:
        subject.note(
            ("after",), f"the order goes in a circle: {' → '.join(circle)}", "remove one of them"
        )


def _circle(start: str, library: Library) -> list[str]:
    """Return the way from a card back to itself along ``after``, or an empty list."""
    ways = [[start]]
    seen: set[str] = set()
    while ways:
        way = ways.pop()
        card = library.card(way[-1], Lang.EN)
        for id_ in card.after if card else ():
            if id_ == start:
                return [*way, id_]
            if id_ not in seen:
                seen.add(id_)
                ways.append([*way, id_])
    return []

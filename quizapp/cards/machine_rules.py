"""What can be wrong with a card's machine data: points, false statements, claims, calculations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from quizapp.cards.front_text import all_points
from quizapp.cards.model import Calculation, Card, Claim, Point
from quizapp.cards.needs import NeedsError, names
from quizapp.cards.problems import Severity, nearest
from quizapp.cards.subject import Subject

DEVICES = ("cuda", "cpu")
"""Kinds of device a claim may be judged on."""


def check_points(subject: Subject) -> None:
    """Points have text, parts and needs that fit together, and one of them is core."""
    card = subject.any
    points = {point.id: point for each in subject.cards.values() for point in all_points(each)}
    parts = {part.id for point in points.values() for part in point.parts}
    for id_ in {id_ for file in subject.files.values() for id_ in file.front.points}:
        if id_ not in points:
            subject.note(
                ("points", id_),
                f"no list has the point {id_}",
                _meant(id_, points, "end an item with"),
            )
    for point in points.values():
        _needs(subject, point, parts)
    _parts(subject, points.values())
    if not card.points:
        where = ("section", "points")
        subject.warn(where, "the main answer has no points", "list what it must say")
    elif not any(point.core for point in card.points):
        subject.warn(
            ("points",),
            "no must-hit point is core",
            "add core: true where missing it means failing",
        )
    _unscored(subject, points.values())
    _false(subject, card, points)


def _meant(id_: str, known: Iterable[str], otherwise: str) -> str:
    like = nearest(id_, known)
    return f"did you mean {like}?" if like else f"{otherwise} {{#{id_}}} or remove it here"


def _needs(subject: Subject, point: Point, parts: Collection[str]) -> None:
    where = ("points", point.id, "needs")
    try:
        unknown = sorted(names(point.needs) - set(parts))
    except NeedsError as error:
        subject.note(where, f"needs {point.needs!r}: {error}", "write it as P2a and (P2b or P1a)")
        return
    for name in unknown:
        like = nearest(name, parts)
        remedy = f"did you mean {like}?" if like else "add it under parts"
        subject.note(where, f"needs speaks of {name}, which no point has", remedy)


def _parts(subject: Subject, points: Iterable[Point]) -> None:
    """A part is hit by its id, on whichever point it stands."""
    owner: dict[str, str] = {}
    for point in points:
        for part in point.parts:
            first = owner.setdefault(part.id, point.id)
            if first != point.id:
                subject.note(
                    ("points", point.id, "parts", part.id),
                    f"the part {part.id} belongs to {first} already",
                    "give it an id of its own, or name it in needs",
                )


def _unscored(subject: Subject, points: Iterable[Point]) -> None:
    """Points that no wording can tick: that is allowed, and the author should know."""
    silent = [p.id for p in points if not any(part.accept or part.say for part in p.parts)]
    if silent:
        subject.note(
            ("points",),
            f"no wording is known for {', '.join(silent)}",
            "these are ticked by hand; parts with accept or say let the program tick them",
            Severity.HINT,
        )


def _false(subject: Subject, card: Card, points: Mapping[str, Point]) -> None:
    for statement in card.false_statements:
        where = ("false", statement.id)
        if not statement.text:
            subject.note(where, f"the false statement {statement.id} has no text", "add text:")
        for id_ in statement.against:
            if id_ not in points:
                like = nearest(id_, points)
                subject.note(
                    (*where, "against"),
                    f"{statement.id} is against {id_}, which is no point",
                    f"did you mean {like}?" if like else "name the points it contradicts",
                )


def check_wordings(subject: Subject, term_problem: Callable[[str], str]) -> None:
    """Every term of the accepted and refused wordings can be found in an answer."""
    remedy = "write words, @concept, a|b, a ~ b or !a; vocabulary.py has the concepts"
    for where, term in dict.fromkeys(_terms(subject)):
        wrong = term_problem(term)
        if wrong:
            subject.note(where, f"the term {term!r}: {wrong}", remedy)


def _terms(subject: Subject) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield where a term stands, and the term."""
    for point in (point for card in subject.cards.values() for point in all_points(card)):
        for part in point.parts:
            where = ("points", point.id, "parts", part.id)
            yield from (((*where, "accept"), term) for group in part.accept for term in group)
            yield from (((*where, "reject"), term) for term in part.reject)
    for statement in subject.any.false_statements:
        yield from (
            (("false", statement.id, "match"), term) for group in statement.match for term in group
        )


def check_claims(
    subject: Subject,
    demos: Mapping[str, Collection[str]] | None,
    metrics_of: Callable[[str], frozenset[str]],
) -> None:
    """Claims name demos and metrics that exist, or say why nothing can measure them."""
    for claim in subject.any.claims:
        where = ("claims", claim.id)
        if not claim.says:
            subject.note(where, f"the claim {claim.id} says nothing", "add says: and a sentence")
        for kind in claim.on:
            if kind not in DEVICES:
                subject.note((*where, "on"), f"{kind} is no kind of device", "use cuda or cpu")
        if claim.demo:
            _measured(subject, claim, demos, metrics_of)
        elif not claim.unmeasurable:
            subject.note(
                where,
                f"nothing measures the claim {claim.id}",
                "add demo: and holds:, or unmeasurable: and the reason",
            )


def _measured(
    subject: Subject,
    claim: Claim,
    demos: Mapping[str, Collection[str]] | None,
    metrics_of: Callable[[str], frozenset[str]],
) -> None:
    where = ("claims", claim.id)
    if demos is not None and claim.demo not in demos:
        like = nearest(claim.demo, demos)
        subject.note(
            (*where, "demo"),
            f"there is no demo {claim.demo}",
            f"did you mean {like}?" if like else f"there are {', '.join(sorted(demos)) or 'none'}",
        )
    try:
        metrics = metrics_of(claim.holds)
    except ValueError as error:
        subject.note(
            (*where, "holds"),
            f"holds {claim.holds!r}: {error}",
            "write it as speedup in [2.7, 3.1]",
        )
        return
    known = demos.get(claim.demo) if demos is not None else None
    for metric in sorted(metrics - set(known)) if known is not None else ():
        like = nearest(metric, known or ())
        subject.note(
            (*where, "holds"),
            f"the demo {claim.demo} gives no metric {metric}",
            f"did you mean {like}?" if like else f"it gives {', '.join(sorted(known or ()))}",
        )


def check_calculations(
    subject: Subject, calculation_problems: Callable[[Calculation], Sequence[str]]
) -> None:
    """Calculations have a question, a formula that works for every draw, and a solution."""
    for lang, card in subject.cards.items():
        for calculation in card.calculations:
            where = ("calculations", calculation.id)
            if not calculation.ask:
                subject.note((*where, "ask"), f"{calculation.id} asks nothing", "add ask:")
            if not calculation.solution:
                subject.warn((*where, "solution"), f"{calculation.id} has no solution", "add it")
            for problem in calculation_problems(calculation):
                subject.note(where, problem, "mend the template and check again", lang=lang)

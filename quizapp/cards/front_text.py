"""Turns a card's machine data into the tree of its front matter; defaults are left out."""

from __future__ import annotations

from collections.abc import Iterator

from quizapp.cards import model
from quizapp.cards.yaml_text import Inline, Literal, Tree, number, share


def front_tree(card: model.Card) -> dict[str, Tree]:
    """Return the front matter of a card."""
    return {"id": card.id, "lang": str(card.lang)} | _filled(
        deck=card.deck,
        tags=card.tags,
        after=card.after,
        points={point.id: data for point in all_points(card) if (data := _point(point))},
        false={statement.id: _false(statement) for statement in card.false_statements},
        calculations={c.id: _calculation(c) for c in card.calculations},
        claims={claim.id: _claim(claim) for claim in card.claims},
    )


def all_points(card: model.Card) -> Iterator[model.Point]:
    """Yield the points of the answer, the concepts and the follow-ups."""
    yield from card.points
    for concept in card.concepts:
        yield from concept.points
    for follow_up in card.follow_ups:
        yield from follow_up.points


def _filled(**values: Tree) -> dict[str, Tree]:
    return {key: value for key, value in values.items() if value}


def _point(point: model.Point) -> dict[str, Tree]:
    return _filled(
        weight="" if point.weight == 1 else number(point.weight),
        core=Literal("true") if point.core else "",
        needs=point.needs,
        parts={
            part.id: _filled(accept=part.accept, reject=part.reject, say=part.say)
            for part in point.parts
        },
    )


def _false(statement: model.FalseStatement) -> dict[str, Tree]:
    return _filled(
        text=statement.text,
        against=statement.against,
        match=statement.match,
        reject=statement.reject,
        say=statement.say,
    )


def _calculation(calculation: model.Calculation) -> dict[str, Tree]:
    return _filled(
        ask=calculation.ask,
        variables={variable.name: _variable(variable) for variable in calculation.variables},
        formula=calculation.formula,
        unit=calculation.unit,
        tolerance=share(calculation.tolerance),
        solution=calculation.solution,
        slips=[_filled(formula=slip.formula, means=slip.means) for slip in calculation.slips],
    )


def _variable(variable: model.Variable) -> Inline:
    choices = [number(choice) for choice in variable.choices]
    return Inline(_filled(choices=choices, unit=variable.unit))


def _claim(claim: model.Claim) -> dict[str, Tree]:
    return _filled(
        says=claim.says,
        demo=claim.demo,
        holds=claim.holds,
        on=claim.on,
        unmeasurable=claim.unmeasurable,
    )

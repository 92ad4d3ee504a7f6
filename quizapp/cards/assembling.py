"""Puts a card together from its text and its machine data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from quizapp.cards import model
from quizapp.cards.front import (
    CalculationData,
    ClaimData,
    FalseData,
    FrontMatter,
    PartData,
    PointData,
)


def assemble(text: model.Card, front: FrontMatter) -> model.Card:
    """Return the card: the text's points with their machine data, and what has no text."""
    return replace(
        text,
        id=front.id,
        lang=front.lang,
        deck=front.deck or "",
        tags=front.tags or (),
        after=front.after or (),
        concepts=tuple(
            replace(concept, points=_points(concept.points, front.points))
            for concept in text.concepts
        ),
        points=_points(text.points, front.points),
        follow_ups=tuple(
            replace(follow_up, points=_points(follow_up.points, front.points))
            for follow_up in text.follow_ups
        ),
        false_statements=tuple(_false(*item) for item in front.false.items()),
        calculations=tuple(_calculation(*item) for item in front.calculations.items()),
        claims=tuple(_claim(*item) for item in front.claims.items()),
    )


def _points(
    points: tuple[model.Point, ...], data: Mapping[str, PointData]
) -> tuple[model.Point, ...]:
    return tuple(_point(point, data.get(point.id, PointData())) for point in points)


def _point(point: model.Point, data: PointData) -> model.Point:
    return replace(
        point,
        weight=1.0 if data.weight is None else data.weight,
        core=bool(data.core),
        needs=data.needs or "",
        parts=tuple(_part(*item) for item in data.parts.items()),
    )


def _part(id_: str, data: PartData) -> model.Part:
    return model.Part(id_, data.accept, data.reject, data.say)


def _false(id_: str, data: FalseData) -> model.FalseStatement:
    return model.FalseStatement(
        id_, data.text or "", data.against or (), data.match, data.reject, data.say
    )


def _calculation(id_: str, data: CalculationData) -> model.Calculation:
    return model.Calculation(
        id=id_,
        ask=data.ask or "",
        formula=data.formula or "",
        unit=data.unit or "",
        tolerance=0.05 if data.tolerance is None else data.tolerance,
        variables=tuple(
            model.Variable(name, variable.unit or "", variable.choices or ())
            for name, variable in data.variables.items()
        ),
        solution=data.solution or "",
        slips=tuple(model.Slip(formula, slip.means or "") for formula, slip in data.slips.items()),
    )


def _claim(id_: str, data: ClaimData) -> model.Claim:
    return model.Claim(
        id=id_,
        says=data.says or "",
        demo=data.demo or "",
        holds=data.holds or "",
        on=data.on or (),
        unmeasurable=data.unmeasurable or "",
    )

"""Textual's bindings, made from the registry of actions."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from quizapp.tui.actions import ACTIONS, Place, types_nothing

PRIORITY = frozenset(("quit", "interrupt", "help", "language", "theme"))
"""Actions that hold whatever has the focus, where their key types no text."""


def bindings(*places: Place) -> list[BindingType]:
    """Return a binding for every key of the actions of these places."""
    return [
        Binding(
            key,
            action.id,
            action.id,
            show=False,
            priority=action.id in PRIORITY and types_nothing(key),
        )
        for action in ACTIONS
        if any(place in action.places for place in places)
        for key in action.keys
    ]

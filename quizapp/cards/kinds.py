"""The closed sets that more than the cards know of; apart, since the start of the program is."""

from __future__ import annotations

from enum import StrEnum


class Lang(StrEnum):
    """A language a card is written in."""

    EN = "en"
    ZH = "zh"


class PromptKind(StrEnum):
    """What sort of question a prompt is."""

    ANSWER = "answer"
    CONCEPT = "concept"
    CASE = "case"
    CALCULATION = "calculation"
    FOLLOW_UP = "follow-up"

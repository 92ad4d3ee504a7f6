"""Checking cards as their author wants it: everything that is wrong, with file and line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from quizapp.cards.check import check
from quizapp.cards.model import Lang
from quizapp.cards.problems import Problem
from quizapp.proof.predicate import parse
from quizapp.recall.calculations import problems as calculation_problems
from quizapp.recall.rules import problem as term_problem
from quizapp.services import deck
from quizapp.services.demo_list import installed_demos
from quizapp.services.paths import locate
from quizapp.text.cells import cell_width


@dataclass(frozen=True, slots=True)
class Checked:
    """What was looked at and what was found."""

    files: int
    cards: int
    prompts: int
    problems: tuple[Problem, ...]


def check_cards(path: Path | None = None) -> Checked:
    """Check a file, a folder, or the shipped deck together with the user's own cards."""
    folders = deck.roots(locate()) if path is None else (path,)
    library = deck.read_library(folders)
    demos = {demo.name: demo.metrics for demo in installed_demos()}
    found = check(
        library,
        demos,
        metrics_of=lambda text: parse(text).metrics,
        calculation_problems=calculation_problems,
        term_problem=term_problem,
        cells=cell_width,
    )
    return Checked(
        files=sum(len(deck.card_files(folder)) for folder in folders),
        cards=len(library.ids),
        prompts=len(library.prompts(Lang.EN)),
        problems=tuple(found),
    )

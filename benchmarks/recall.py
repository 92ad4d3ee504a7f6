"""Ticks on labelled answers: our grader beside what could do the same with less.

* anywhere: a part is ticked where all words of one of its rules stand anywhere in the answer.
* n-grams: a part is ticked where a sentence's letters are like one of its phrasings.
* words: the same with whole words, weighted by how rare they are among the phrasings.

Figures are of whole points; "or asked" is the recall of parts that are ticked or suggested.  The
wordings grew with the first splits.  Of the voices each lot was written before what it taught
went into the lexicon, so that the figures now flatter: what a new lot gives is what to expect.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quizapp.cards.kinds import Lang
from quizapp.cards.model import FalseStatement, Part, Point, prompts
from quizapp.recall.grading import grade
from quizapp.recall.likeness import in_letters, of_phrase
from quizapp.recall.rules import parse
from quizapp.recall.score import point_credit, score
from quizapp.recall.speech import listen
from quizapp.services import deck

ROOT = Path(__file__).parents[1]
SETS = (ROOT.parent / "shared" / "facts" / "answers.jsonl", ROOT / "tests/recall/fresh.jsonl")
ALIKE = 0.32
"""Likeness of letters from which the prototypes ticked."""
ALIKE_WORDS = 0.45
FEWEST_TOKENS = 4

Ticks = tuple[frozenset[str], frozenset[str]]
"""Parts that are ticked, and parts that are only suggested."""
Grader = Callable[[Sequence[Point], str], Ticks]


@dataclass(slots=True)
class Tally:
    """What a grader did on a set of answers."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    found: int = 0
    """Parts said that are ticked or suggested."""
    said: int = 0
    asked: int = 0
    """Suggestions."""
    errors: list[float] = field(default_factory=list)
    seconds: float = 0.0

    def line(self) -> str:
        """Show precision, recall, F1, recall with suggestions, suggestions, error and time."""
        n = len(self.errors)
        precision = self.right / (self.right + self.wrong or 1)
        recall = self.right / (self.right + self.missed or 1)
        f1 = 2 * self.right / (2 * self.right + self.wrong + self.missed or 1)
        return (
            f"{precision:7.2f}{recall:8.2f}{f1:6.2f}{self.found / (self.said or 1):10.2f}"
            f"{self.asked / n:9.1f}{sum(self.errors) / n:9.3f}{self.seconds / n * 1e3:7.1f}"
        )


def labelled() -> dict[str, list[dict[str, Any]]]:
    """Read the labelled answers that are there, by split."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for path in SETS:
        if path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                rows.setdefault(row.get("split") or f"voices {row['half']}", []).append(row)
    return rows


def truth(row: dict[str, Any]) -> frozenset[str]:
    """Return the parts an answer says, as labelled."""
    marked = row.get("parts") or row.get("hits") or {}
    return frozenset(row.get("said", ())) | {part for part, said in marked.items() if said}


def parts_of(points: Iterable[Point]) -> Iterator[Part]:
    """Yield all parts of the points."""
    for point in points:
        yield from point.parts


def anywhere(points: Sequence[Point], text: str) -> Ticks:
    """Tick where all words of a rule stand anywhere, in any order."""
    speech = listen(text)

    def stands(term: str) -> bool:
        read = parse(term)
        return read.absent or all(any(map(speech.places, step)) for step in read.steps)

    ticked = (p.id for p in parts_of(points) if any(all(map(stands, g)) for g in p.accept))
    return frozenset(ticked), frozenset()


def sentences(text: str) -> list[str]:
    """Return the sentences that have enough words to be a statement."""
    found = re.split(r"[.!?。！？;；]\s*", text)
    return [each for each in found if len(listen(each).tokens) >= FEWEST_TOKENS]


def n_grams(points: Sequence[Point], text: str) -> Ticks:
    """Tick by the letters of single sentences."""
    said = [of_phrase(sentence) for sentence in sentences(text)]
    ticked = (
        part.id
        for part in parts_of(points)
        if any(in_letters(s, of_phrase(phrase)) >= ALIKE for s in said for phrase in part.say)
    )
    return frozenset(ticked), frozenset()


def words(points: Sequence[Point], text: str) -> Ticks:
    """Tick by the rare words of single sentences."""
    phrases = {part.id: [stems(phrase) for phrase in part.say] for part in parts_of(points)}
    spread = Counter(stem for each in phrases.values() for stem in set().union(*each, set()))
    said = [stems(sentence) for sentence in sentences(text)]

    def weight(stem_set: set[str]) -> float:
        return sum(math.log(1 + len(phrases) / spread.get(s, 1)) ** 2 for s in stem_set)

    def alike(one: set[str], other: set[str]) -> float:
        return weight(one & other) / (math.sqrt(weight(one) * weight(other)) or 1.0)

    ticked = (
        id_
        for id_, known in phrases.items()
        if any(alike(s, phrase) >= ALIKE_WORDS for s in said for phrase in known)
    )
    return frozenset(ticked), frozenset()


def stems(text: str) -> set[str]:
    """Return the stems of a text."""
    return {token.stem for token in listen(text).tokens}


def ours(false: Sequence[FalseStatement]) -> Grader:
    """Return our own grader."""

    def run(points: Sequence[Point], text: str) -> Ticks:
        found = grade(points, false, text)
        return found.ticked, found.suggested

    return run


def measure(grader: Grader, rows: Iterable[dict[str, Any]], asked: dict[str, Any]) -> Tally:
    """Grade the answers and count."""
    tally = Tally()
    for row in rows:
        points, said = asked[row["prompt"]].points, truth(row)
        listen.cache_clear()
        began = time.perf_counter()
        ticked, suggested = grader(points, row["text"])
        tally.seconds += time.perf_counter() - began
        tally.found += len(said & (ticked | suggested))
        tally.said += len(said)
        tally.asked += len(suggested)
        tally.errors.append(abs(score(points, ticked).value - score(points, said).value))
        for point in points:
            hit, meant = (point_credit(point, parts) >= 1 for parts in (ticked, said))
            tally.right += hit and meant
            tally.wrong += hit and not meant
            tally.missed += meant and not hit
    return tally


def false_line(rows: Iterable[dict[str, Any]], asked: dict[str, Any], card: Any) -> str:
    """Count the false statements that were flagged."""
    right = wrong = missed = 0
    for row in rows:
        flagged = set(
            grade(asked[row["prompt"]].points, card.false_statements, row["text"]).flagged
        )
        meant = set(row["false_claims"])
        right += len(flagged & meant)
        wrong += len(flagged - meant)
        missed += len(meant - flagged)
    return f"false statements: {right} flagged, {missed} missed, {wrong} flagged wrongly"


def main() -> None:
    """Print a table for every split, and one for every language."""
    folder = deck.bundled()
    assert folder is not None, "the deck is not installed"
    library = deck.read_library([folder])
    card = library.card("kernel-fusion", Lang.EN)
    assert card is not None, "the deck has no card kernel-fusion"
    asked = {prompt.id: prompt for prompt in prompts(card)}
    graders: dict[str, Grader] = {
        "anywhere": anywhere,
        "n-grams": n_grams,
        "words": words,
        "ours": ours(card.false_statements),
    }
    rows = labelled()
    every = [row for each in rows.values() for row in each]
    for grader in graders.values():
        grader(asked["main"].points, "warm up")
    groups = rows | {
        f"all in {lang}": [row for row in every if row["lang"] == lang]
        for lang in ("en", "zh", "mixed")
    }
    print(
        f"{'':12}{'precision':>7}{'recall':>7}{'F1':>6}{'or asked':>10}{'asked':>9}"
        f"{'error':>9}{'ms':>7}"
    )
    for split, answers in groups.items():
        print(f"{split}, {len(answers)} answers; {false_line(answers, asked, card)}")
        for name, grader in graders.items():
            print(f"  {name:<10}{measure(grader, answers, asked).line()}")


if __name__ == "__main__":
    main()

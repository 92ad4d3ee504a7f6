"""The log's answers as the grader, the corrected ticks and the user's own rating judged them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from quizapp.cards.model import Prompt, PromptKind
from quizapp.memory.drift import Marks, Opinions
from quizapp.memory.model import Review
from quizapp.recall.grading import parts_of
from quizapp.recall.score import score
from quizapp.services.review import proposed, target_seconds
from quizapp.services.workspace import Workspace
from quizapp.store.values import Entry


def opinions(
    workspace: Workspace, entries: Iterable[Entry], reviews: Sequence[Review]
) -> Iterator[Opinions]:
    """Yield the opinions of each answer, newest first as the entries are.

    All three are worked out by today's rubric and thresholds.  Left out are calculations, whose
    number is right or not, and answers to prompts whose claims are others now.  ``reviews`` is
    the whole log, for how many reviews an answer had before it.
    """
    prompts = workspace.library.prompts(workspace.language)
    earlier = Counter(review.prompt for review in reviews)
    for entry in entries:
        earlier[entry.prompt] -= 1
        prompt = prompts.get(entry.prompt)
        if prompt is None or prompt.kind is PromptKind.CALCULATION or entry.rating is None:
            continue
        ticks, found = set(entry.ticks), set(entry.suggested)
        if not ticks | found <= {part.id for point in prompt.points for part in parts_of(point)}:
            continue
        before = max(0, earlier[entry.prompt])
        read = bool(entry.answer.strip())
        yield Opinions(
            _marks(workspace, prompt, entry, before, found, ()) if read else None,
            _marks(workspace, prompt, entry, before, ticks, entry.false_claims),
            entry.rating,
            len(ticks - found),
            len(found - ticks),
        )


def _marks(
    workspace: Workspace,
    prompt: Prompt,
    entry: Entry,
    before: int,
    ticks: Collection[str],
    false: Collection[str],
) -> Marks:
    card = workspace.library.card(prompt.card, workspace.language)
    known = card.false_statements if card else ()
    result = score(prompt.points, ticks, [each for each in known if each.id in false])
    proposal = proposed(
        result,
        len(false),
        entry,
        target_seconds(workspace, prompt),
        before,
        workspace.thresholds,
    )
    return Marks(sum(result.credits.values()), proposal.rating)

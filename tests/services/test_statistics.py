"""The figures of the log: what the grader ticked against what the user made of it."""

from __future__ import annotations

from quizapp.memory.model import Rating
from quizapp.services.review import Answer, Asked, Revealed, Reviewing
from quizapp.services.statistics import statistics
from quizapp.services.workspace import Workspace
from quizapp.store.values import Mode
from tests.services.test_review import workspace as workspace

TYPED = Answer("Intermediates stay in registers.", Mode.TYPED, 9.0)
ALOUD = Answer("", Mode.SPOKEN, 9.0)


async def answered(reviewing: Reviewing, answer: Answer) -> Revealed:
    asked = await reviewing.next()
    assert isinstance(asked, Asked)
    return await reviewing.answer(asked, answer)


async def test_drift_between_grader_ticks_and_own_rating(workspace: Workspace) -> None:
    reviewing = Reviewing(workspace)
    await reviewing.start()
    first = await answered(reviewing, TYPED)
    assert first.ticked == {"P1a"}
    await reviewing.rate(first, Rating.HARD, {"P1a", "P2a"})
    second = await answered(reviewing, ALOUD)
    points = {point.id for point in second.asked.prompt.points}
    await reviewing.rate(second, Rating.GOOD, points)
    found = (await statistics(workspace)).drift
    assert (found.answers, found.read) == (2, 1)
    assert (found.automatic_points, found.corrected_points) == (1.0, 2.0)
    assert (found.added, found.removed) == (1.0, 0.0)
    assert (found.correction.higher, found.correction.total) == (1, 1)
    assert (found.own.lower, found.own.same) == (1, 1)
    assert (await statistics(workspace)).recent_drift == found


async def test_an_answer_whose_claims_are_others_now_is_left_out(workspace: Workspace) -> None:
    reviewing = Reviewing(workspace)
    await reviewing.start()
    revealed = await answered(reviewing, TYPED)
    await reviewing.rate(revealed, Rating.GOOD, {"P1a", "P2a"})
    assert (await statistics(workspace)).drift.answers == 1
    for path in workspace.paths.cards.iterdir():
        path.write_text(path.read_text(encoding="utf-8").replace("P2a", "P2z"), encoding="utf-8")
    workspace.reload()
    assert (await statistics(workspace)).drift.answers == 0

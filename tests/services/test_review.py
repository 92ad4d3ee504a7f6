"""A session over the history: what is asked, kept, left out and taken back."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from quizapp.memory.model import Rating
from quizapp.recall.grading import parts_of
from quizapp.services import deck
from quizapp.services.paths import locate
from quizapp.services.review import Answer, Asked, Reason, Revealed, Reviewing, suspend
from quizapp.services.today import overview
from quizapp.services.workspace import Workspace
from quizapp.store import drafts, history
from quizapp.store.values import ConflictError, Mode

CARDS = Path(__file__).resolve().parent.parent / "data" / "cards"
SAID = Answer("intermediates stay in registers and the flops do not change", Mode.TYPED, 9.0, True)


@dataclass
class Clock:
    at: datetime = datetime(2026, 3, 2, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at


@pytest.fixture
async def workspace(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Workspace]:
    monkeypatch.setattr(deck, "bundled", lambda: None)
    paths = locate()
    shutil.copytree(CARDS, paths.cards)
    paths.config.write_text('time_zone = "UTC"\n', encoding="utf-8")
    made = Workspace(paths, Clock())
    await made.open()
    yield made
    made.close()


async def begun(workspace: Workspace) -> tuple[Reviewing, Asked]:
    reviewing = Reviewing(workspace)
    await reviewing.start()
    step = await reviewing.next()
    assert isinstance(step, Asked)
    return reviewing, step


async def test_an_answer_is_on_disk_before_it_is_revealed(workspace: Workspace) -> None:
    reviewing, asked = await begun(workspace)
    await reviewing.answer(asked, SAID)
    (draft,) = workspace.database.run(drafts.load)
    assert (draft.text, draft.prompt) == (SAID.text, "fusion-short/main")


async def test_a_kept_answer_comes_back_revealed_in_the_next_session(workspace: Workspace) -> None:
    reviewing, asked = await begun(workspace)
    await reviewing.answer(asked, SAID)
    again = Reviewing(workspace)
    await again.start()
    step = await again.next()
    assert isinstance(step, Revealed)
    assert step.asked.reason is Reason.DRAFT
    assert step.answer.text == SAID.text
    assert step.asked.uuid == asked.uuid


async def test_suspending_a_revealed_prompt_drops_its_answer(workspace: Workspace) -> None:
    reviewing, asked = await begun(workspace)
    await reviewing.answer(asked, SAID)
    assert await reviewing.suspend(asked)
    assert workspace.database.run(drafts.load) == []
    again = Reviewing(workspace)
    await again.start()
    step = await again.next()
    assert isinstance(step, Asked)
    assert step.prompt.key != asked.prompt.key


async def test_an_answer_kept_by_another_program_is_not_asked_once_suspended(
    workspace: Workspace,
) -> None:
    reviewing, asked = await begun(workspace)
    await reviewing.answer(asked, SAID)
    await suspend(workspace, asked.prompt.key)
    again = Reviewing(workspace)
    await again.start()
    step = await again.next()
    assert isinstance(step, Asked)
    assert step.prompt.key != asked.prompt.key


async def test_a_calculation_that_cannot_be_drawn_is_left_out_and_told(
    workspace: Workspace,
) -> None:
    for lang in ("en", "zh"):
        file = workspace.paths.cards / f"fusion-short.{lang}.md"
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("{choices: [3, 4, 5]}", "{range: [0, 1, 0]}"), "utf-8")
    workspace.reload()
    reviewing = Reviewing(workspace)
    await reviewing.start()
    asked = []
    while (step := await reviewing.next()) is not None:
        assert isinstance(step, Asked)
        asked.append(step.prompt.key)
        reviewing.skip(step)
    assert "fusion-short/hand" not in asked
    assert len(asked) == 5
    assert "no values to draw from" in reviewing.left_out["fusion-short/hand"]


@pytest.mark.parametrize("took_over", [True, False])
async def test_another_program_s_review_meanwhile_is_a_conflict_and_loses_nothing(
    workspace: Workspace, took_over: bool
) -> None:
    here, asked = await begun(workspace)
    there, same = await begun(workspace)
    revealed = await here.answer(asked, SAID)
    if took_over:
        # The other program began after the answer was kept, and found it.
        await there.start()
        found = await there.next()
        assert isinstance(found, Revealed)
    else:
        found = await there.answer(same, SAID)
    await there.rate(found, Rating.GOOD, found.ticked)
    with pytest.raises(ConflictError):
        await here.rate(revealed, Rating.GOOD, revealed.ticked)
    renewed = await here.renewed(revealed)
    assert renewed.asked.schedule is not None
    assert renewed.answer == SAID
    await here.rate(renewed, Rating.GOOD, renewed.ticked)
    assert len(workspace.database.run(history.reviews)) == 2
    assert workspace.database.run(drafts.load) == []


async def test_what_was_rated_again_is_counted_once_on_the_first_screen(
    workspace: Workspace,
) -> None:
    reviewing, asked = await begun(workspace)
    revealed = await reviewing.answer(asked, Answer("", Mode.GAVE_UP, 1.0))
    await reviewing.rate(revealed, Rating.AGAIN, ())
    found = await overview(workspace)
    assert (found.counts.due, found.counts.learning) == (0, 1)
    assert dict(found.forecast)[found.day] == 0
    assert found.cards[0].due == 0


async def test_what_the_user_ticks_by_hand_is_learned(workspace: Workspace) -> None:
    reviewing, asked = await begun(workspace)
    odd = Answer("The sandwich is eaten on the way.", Mode.TYPED, 5.0)
    revealed = await reviewing.answer(asked, odd)
    assert "P1a" not in revealed.ticked
    await reviewing.rate(revealed, Rating.AGAIN, {"P1a"})
    (entry,) = workspace.database.run(history.entries)
    assert "sandwich" in entry.evidence["P1a"]
    assert entry.client


async def test_a_calculation_s_values_are_kept_with_its_answer(workspace: Workspace) -> None:
    reviewing = Reviewing(workspace)
    await reviewing.start()
    while isinstance(step := await reviewing.next(), Asked) and step.exercise is None:
        reviewing.skip(step)
    assert isinstance(step, Asked)
    assert step.exercise is not None
    revealed = await reviewing.answer(step, Answer(step.exercise.shown, Mode.TYPED, 5.0))
    await reviewing.rate(revealed, Rating.GOOD, revealed.ticked)
    (entry,) = workspace.database.run(history.entries)
    assert dict(entry.inputs) == dict(step.exercise.values)


async def test_sure_and_wrong_is_asked_at_the_end_and_tomorrow(workspace: Workspace) -> None:
    reviewing, asked = await begun(workspace)
    said = Answer("it saves time with fewer flops", Mode.TYPED, 5.0, sure=True)
    revealed = await reviewing.answer(asked, said)
    outcome = reviewing.outcome(revealed, {"P1a", "P2a"}, {"X1"})
    assert outcome.misled
    rating = outcome.proposal.rating
    rated = await reviewing.rate(revealed, rating, {"P1a", "P2a"}, {"X1"})
    assert rated.days == outcome.days(revealed.previews[rating]) == 1
    later = []
    while isinstance(step := await reviewing.next(), Asked):
        later.append(step.prompt.key)
        made = await reviewing.answer(step, replace(SAID, sure=False))
        every = {part.id for point in step.prompt.points for part in parts_of(point)}
        await reviewing.rate(made, reviewing.outcome(made, every).proposal.rating, every)
    assert len(later) > 1
    assert later[-1] == asked.prompt.key
    (entry, *_) = [e for e in workspace.database.run(history.log) if e.uuid == asked.uuid]
    assert entry.review.misled
    replayed = [r for r in workspace.database.run(history.reviews) if r.prompt == entry.prompt]
    assert replayed[0].misled


async def test_sure_and_right_or_unsure_and_wrong_is_no_such_thing(workspace: Workspace) -> None:
    reviewing, asked = await begun(workspace)
    revealed = await reviewing.answer(asked, SAID)
    assert not reviewing.outcome(revealed, {"P1a", "P2a"}).misled
    assert reviewing.outcome(revealed, ()).misled
    unsure = await reviewing.answer(asked, replace(SAID, sure=False))
    assert not reviewing.outcome(unsure, ()).misled

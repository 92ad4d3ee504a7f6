"""Interviews over the history: nothing is lost, nothing counts twice, leaving takes no time."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from quizapp.interview import events
from quizapp.interview.events import Manner
from quizapp.interview.machine import MoveError
from quizapp.interview.options import Languages, Options
from quizapp.interview.state import Fate, Phase
from quizapp.memory.model import Rating
from quizapp.services import deck
from quizapp.services.errors import UserError
from quizapp.services.interview import (
    Interviewing,
    decks,
    interviews,
    load_report,
    regrade,
    replay,
)
from quizapp.services.paths import locate
from quizapp.services.review import Answer, Asked, Reviewing
from quizapp.services.workspace import Workspace
from quizapp.store import history
from quizapp.store.values import Kind, Mode, StoreError

CARDS = Path(__file__).resolve().parent.parent / "data" / "cards"
GOOD = "intermediates stay in registers and the flops do not change"
ONE = Options(length=1, seed=5)


@dataclass
class Clock:
    at: datetime = datetime(2026, 3, 2, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    def pass_(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


def opened(clock: Clock) -> Workspace:
    return Workspace(locate(), clock)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def workspace(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> AsyncIterator[Workspace]:
    monkeypatch.setattr(deck, "bundled", lambda: None)
    paths = locate()
    shutil.copytree(CARDS, paths.cards)
    paths.config.write_text('time_zone = "UTC"\n', encoding="utf-8")
    made = opened(clock)
    await made.open()
    yield made
    made.close()


async def to_the_end(interviewing: Interviewing, clock: Clock, text: str = GOOD) -> None:
    while not interviewing.over:
        match interviewing.state.phase:
            case Phase.ANSWERING:
                clock.pass_(10)
                await interviewing.happen(events.Answered(text, Manner.TYPED, sure=True))
            case Phase.TICKING:
                turn = interviewing.state.to_tick
                assert turn is not None
                await interviewing.happen(events.Ticked(turn.question.number, turn.said))
            case Phase.PROVING:
                await interviewing.happen(events.Skipped())
            case _:
                await interviewing.happen(events.Resumed())


async def test_what_is_on_disk_is_what_is_shown_after_every_event(
    workspace: Workspace, clock: Clock
) -> None:
    interviewing = await Interviewing.begin(workspace, ONE)
    clock.pass_(12)
    await interviewing.happen(events.Answered(GOOD, Manner.TYPED))
    steps = await replay(workspace, interviewing.id)
    assert steps[-1][1] == interviewing.state


async def test_what_cannot_happen_is_not_logged(workspace: Workspace) -> None:
    interviewing = await Interviewing.begin(workspace, ONE)
    before = await replay(workspace, interviewing.id)
    with pytest.raises(MoveError):
        await interviewing.happen(events.Resumed())
    assert await replay(workspace, interviewing.id) == before


async def test_an_interview_broken_off_goes_on_where_it_was_and_no_time_has_passed(
    workspace: Workspace, clock: Clock
) -> None:
    interviewing = await Interviewing.begin(workspace, ONE)
    clock.pass_(7)
    await interviewing.keep_draft("half an ans")
    clock.pass_(3600)
    again = await Interviewing.resume(workspace)
    assert again.state.phase is Phase.PAUSED
    turn = again.state.turn
    assert turn is not None
    assert (turn.draft, turn.seconds, turn.first_word) == ("half an ans", 7, None)
    clock.pass_(60)
    await again.happen(events.Resumed())
    clock.pass_(2)
    assert again.reading.seconds == 9


async def test_leaving_stops_the_clock(workspace: Workspace, clock: Clock) -> None:
    interviewing = await Interviewing.begin(workspace, ONE)
    clock.pass_(5)
    await interviewing.leave("some words")
    clock.pass_(600)
    again = await Interviewing.resume(workspace, interviewing.id[:8])
    turn = again.state.turn
    assert turn is not None
    assert (turn.draft, turn.seconds) == ("some words", 5)
    assert again.state == interviewing.state


async def test_the_bell_is_due_when_the_time_is_up(workspace: Workspace, clock: Clock) -> None:
    interviewing = await Interviewing.begin(workspace, ONE)
    clock.pass_(29.9)
    assert not interviewing.bell_is_due
    clock.pass_(0.2)
    assert interviewing.bell_is_due
    await interviewing.happen(events.Bell("so far"))
    assert not interviewing.bell_is_due


async def test_questions_count_as_reviews_once_each(workspace: Workspace, clock: Clock) -> None:
    interviewing = await Interviewing.begin(workspace, ONE)
    await to_the_end(interviewing, clock)
    asked = {turn.question.prompt: turn for turn in interviewing.state.turns}
    logged = workspace.database.run(history.log)
    assert sorted(entry.prompt for entry in logged) == sorted(asked)
    main = next(entry for entry in logged if entry.prompt.endswith("/main"))
    assert (main.kind, main.mode, main.answer, main.sure) == (
        Kind.REVIEW,
        Mode.TYPED,
        GOOD,
        True,
    )
    assert (main.score, main.rating) == (1.0, Rating.GOOD), "not Easy: it is a first review"
    assert set(main.evidence) == {"P1a", "P2a"}
    await Interviewing.resume(workspace, interviewing.id)
    assert len(workspace.database.run(history.log)) == len(logged)


async def test_they_do_not_count_if_the_candidate_says_so(
    workspace: Workspace, clock: Clock
) -> None:
    interviewing = await Interviewing.begin(workspace, Options(length=1, count=False))
    await to_the_end(interviewing, clock)
    assert workspace.database.run(history.log) == []


async def test_a_skipped_question_counts_as_forgotten_and_a_hint_holds_a_rating_down(
    workspace: Workspace, clock: Clock
) -> None:
    interviewing = await Interviewing.begin(workspace, ONE)
    hint = interviewing.hint()
    assert hint is not None
    await interviewing.happen(hint)
    clock.pass_(9)
    await interviewing.happen(events.Answered(GOOD, Manner.TYPED))
    turn = interviewing.state.to_tick
    assert turn is not None
    await interviewing.happen(events.Ticked(turn.question.number, turn.said))
    assert interviewing.state.phase is Phase.ANSWERING
    await interviewing.happen(events.Skipped())
    skipped = next(t for t in interviewing.state.turns if t.fate is Fate.SKIPPED)
    await interviewing.happen(events.EndedEarly())
    ratings = {entry.prompt: entry.rating for entry in workspace.database.run(history.log)}
    assert ratings["fusion-short/main"] is Rating.HARD
    assert ratings[skipped.question.prompt] is Rating.AGAIN


async def test_a_dropped_question_does_not_count(workspace: Workspace) -> None:
    interviewing = await Interviewing.begin(workspace, ONE)
    await interviewing.happen(events.EndedEarly())
    assert interviewing.over
    assert workspace.database.run(history.log) == []
    made = await interviewing.report()
    assert (made.dropped, made.questions, made.summary.total) == (1, (), None)


async def test_a_review_in_between_is_built_upon(workspace: Workspace, clock: Clock) -> None:
    interviewing = await Interviewing.begin(workspace, ONE)
    reviewing = Reviewing(workspace)
    await reviewing.start("fusion-short")
    asked = await reviewing.next()
    assert isinstance(asked, Asked)
    revealed = await reviewing.answer(asked, Answer(GOOD, Mode.TYPED, 5.0))
    await reviewing.rate(revealed, Rating.GOOD, revealed.ticked)
    await to_the_end(interviewing, clock)
    schedules = workspace.database.run(history.schedules)
    assert schedules[asked.prompt.key].reviews == 2


async def test_suspended_prompts_are_not_asked_and_languages_may_differ(
    workspace: Workspace, clock: Clock
) -> None:
    options = Options(length=1, languages=Languages.EN_ZH)
    interviewing = await Interviewing.begin(workspace, options)
    turn = interviewing.state.turn
    assert turn is not None
    assert "Why is fusion" in turn.question.text
    assert "寄存器" in turn.question.reference
    await to_the_end(interviewing, clock, "中间结果留在寄存器里，计算量不变")
    assert (await interviewing.report()).questions[0].mark.value == 1


async def test_a_report_shows_the_interviews_before_it(workspace: Workspace, clock: Clock) -> None:
    for _ in range(2):
        interviewing = await Interviewing.begin(workspace, ONE)
        await to_the_end(interviewing, clock)
        clock.pass_(86400)
    made = await load_report(workspace)
    assert made.id == interviewing.id
    assert len(made.earlier) == 1
    assert made.earlier[0].summary.total == made.summary.total
    listed = await interviews(workspace)
    assert [one.summary is not None for one in listed] == [True, True]


async def test_answers_are_graded_again_by_the_card_as_it_is_now(
    workspace: Workspace, clock: Clock
) -> None:
    interviewing = await Interviewing.begin(workspace, ONE)
    await to_the_end(interviewing, clock, "the zebra holds it and the flops do not change")
    file = workspace.paths.cards / "fusion-short.en.md"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"intermediates stay in', '"the zebra holds it", "in'), "utf-8")
    workspace.reload()
    before, after = await regrade(workspace, interviewing.id)
    assert before.questions[0].mark.value < after.questions[0].mark.value
    assert (await load_report(workspace, interviewing.id)).summary == after.summary


async def test_what_cannot_be_done_is_told_in_one_line(workspace: Workspace) -> None:
    assert decks(workspace) == ("test",)
    with pytest.raises(UserError, match="there is no deck nope; there are test"):
        await Interviewing.begin(workspace, Options(decks=("nope",)))
    with pytest.raises(UserError, match="no interview to go on with"):
        await Interviewing.resume(workspace)
    with pytest.raises(UserError, match="there is no interview abc"):
        await load_report(workspace, "abc")
    with pytest.raises(UserError, match="no interview that is over"):
        await load_report(workspace)
    interviewing = await Interviewing.begin(workspace, ONE)
    with pytest.raises(UserError, match="not over"):
        await regrade(workspace, interviewing.id)


async def test_two_programs_do_not_write_on_in_one_interview(
    workspace: Workspace, clock: Clock
) -> None:
    interviewing = await Interviewing.begin(workspace, ONE)
    other = opened(clock)
    try:
        there = await Interviewing.resume(other, interviewing.id)
        assert there.state.phase is Phase.PAUSED
        with pytest.raises(StoreError, match="another program has gone on"):
            await interviewing.happen(events.Answered(GOOD, Manner.TYPED))
        assert interviewing.state.phase is Phase.ANSWERING
    finally:
        other.close()

"""``apply(state, event)``: the only way from one state of an interview to the next.

Time is what lies between two events while the clock of the open question runs.  It is never
negative, whatever the machine's clock does, and a pause or the end of the program takes none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from quizapp.interview import events
from quizapp.interview.events import Event, Manner
from quizapp.interview.options import Options
from quizapp.interview.questions import Slot
from quizapp.interview.state import Challenge, Fate, Phase, State, Turn


class MoveError(ValueError):
    """An event that cannot happen now; the state stays as it was."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the clock of the open question shows."""

    seconds: float
    """Gone."""
    left: float
    """To the bell, at least 0."""
    over: float
    """Overtime, 0 before the bell."""


def begin(id_: str, options: Options, plan: tuple[Slot, ...]) -> State:
    """Return an interview before its first question."""
    return State(id_, options, plan)


def fold(state: State, happened: Iterable[Event]) -> State:
    """Return the state after all these events; :class:`MoveError` at the first impossible one."""
    for event in happened:
        state = apply(state, event)
    return state


def apply(state: State, event: Event) -> State:
    """Return the state after one more event; :class:`MoveError` if it cannot happen now."""
    timed = _with_time(state, event.at)
    after = _HANDLERS[type(event.what)](timed, event.what)
    running = after.phase is Phase.ANSWERING and after.turn is not None and not after.turn.spoke
    return replace(after, at=event.at, running_since=event.at if running else None)


def reading(state: State, now: datetime) -> Reading:
    """Return what the clock of the newest question shows at an instant."""
    turn = state.turn
    if turn is None:
        return Reading(0.0, 0.0, 0.0)
    seconds = turn.seconds + _gone(state, now)
    limit = turn.question.seconds
    return Reading(seconds, max(0.0, limit - seconds), max(0.0, seconds - limit))


def bell_is_due(state: State, now: datetime) -> bool:
    """Tell whether the open question's time is up and the bell has not been heard."""
    turn = state.turn
    if state.phase is not Phase.ANSWERING or turn is None or turn.bell is not None:
        return False
    return reading(state, now).left == 0


def _gone(state: State, now: datetime) -> float:
    if state.running_since is None:
        return 0.0
    return max(0.0, (now - state.running_since).total_seconds())


def _with_time(state: State, at: datetime) -> State:
    gone = _gone(state, at)
    if not gone or state.turn is None:
        return state
    return _with_turn(state, replace(state.turn, seconds=state.turn.seconds + gone))


def _with_turn(state: State, turn: Turn) -> State:
    number = turn.question.number
    return replace(state, turns=(*state.turns[:number], turn, *state.turns[number + 1 :]))


def _in_phase(state: State, *phases: Phase) -> None:
    if state.phase not in phases:
        raise MoveError(f"this cannot be done while {state.phase.value}")


def _open_turn(state: State) -> Turn:
    _in_phase(state, Phase.ANSWERING)
    assert state.turn is not None
    return state.turn


def _asked(state: State, what: events.Asked) -> State:
    _in_phase(state, Phase.THINKING)
    question = what.question
    if state.done:
        raise MoveError("there are no more questions")
    if question.number != len(state.turns):
        raise MoveError(f"question {question.number} comes after {len(state.turns)} others")
    if question.prompt in state.asked:
        raise MoveError(f"{question.prompt} was asked before")
    return replace(state, turns=(*state.turns, Turn(question)))


def _drafted(state: State, what: events.Drafted) -> State:
    turn = _open_turn(state)
    first = turn.first_word
    if first is None and what.as_typed and what.text.strip() and not turn.spoke:
        first = turn.seconds
    return _with_turn(state, replace(turn, draft=what.text, first_word=first))


def _bell(state: State, what: events.Bell) -> State:
    turn = _open_turn(state)
    if turn.bell is not None:
        raise MoveError("the bell has been heard")
    bell = "\n".join((*turn.given, what.text))
    return _with_turn(state, replace(turn, bell=bell, draft=what.text))


def _hinted(state: State, what: events.Hinted) -> State:
    turn = _open_turn(state)
    if what.point in {hint.point for hint in turn.hints}:
        raise MoveError(f"the hint to {what.point} was shown before")
    return _with_turn(state, replace(turn, hints=(*turn.hints, what)))


def _spoke(state: State, _: events.Spoke) -> State:
    return _with_turn(state, replace(_open_turn(state), spoke=True))


def _answered(state: State, what: events.Answered) -> State:
    turn = _open_turn(state)
    said = (what.text,) if what.text.strip() else ()
    added = bool(turn.given)
    answered = replace(
        turn,
        fate=Fate.ANSWERED,
        draft="",
        given=(*turn.given, *said),
        manner=turn.manner if added else what.manner,
        sure=turn.sure or what.sure,
        heard=None,
    )
    return _with_turn(state, answered)


def _graded(state: State, what: events.Graded) -> State:
    _in_phase(state, Phase.THINKING)
    if state.ungraded is None:
        raise MoveError("there is no answer to grade")
    return _with_turn(state, replace(state.ungraded, heard=what.heard))


def _reprompted(state: State, what: events.Reprompted) -> State:
    _in_phase(state, Phase.THINKING)
    turn = state.turn
    if turn is None or state.vague is None:
        raise MoveError("there is nothing to ask again for")
    again = replace(turn, fate=Fate.OPEN, spoke=False, reprompts=(*turn.reprompts, what.why))
    return _with_turn(state, again)


def _ticked(state: State, what: events.Ticked) -> State:
    _in_phase(state, Phase.TICKING)
    turn = next((t for t in state.unticked if t.question.number == what.number), None)
    if turn is None:
        raise MoveError(f"question {what.number} has no ticks to correct now")
    return _with_turn(state, replace(turn, ticks=what.ticks, false=what.false))


def _skipped(state: State, _: events.Skipped) -> State:
    if state.phase is Phase.PROVING:
        return _with_challenge(state, skipped=True)
    turn = _open_turn(state)
    # What was said before the interviewer asked again stays an answer.
    fate = Fate.ANSWERED if turn.reprompts else Fate.SKIPPED
    return _with_turn(state, replace(turn, fate=fate, draft=""))


def _challenged(state: State, what: events.Challenged) -> State:
    _in_phase(state, Phase.THINKING)
    if what.claim in {challenge.asked.claim for challenge in state.challenges}:
        raise MoveError(f"a proof of {what.claim} was asked for before")
    return replace(state, challenges=(*state.challenges, Challenge(what)))


def _proved(state: State, what: events.Proved) -> State:
    _in_phase(state, Phase.PROVING)
    return _with_challenge(state, proved=what)


def _with_challenge(state: State, **changes: Any) -> State:
    newest = replace(state.challenges[-1], **changes)
    return replace(state, challenges=(*state.challenges[:-1], newest))


def _paused(state: State, _: events.Paused) -> State:
    if state.paused or state.summary is not None:
        raise MoveError("there is nothing to pause")
    return replace(state, paused=True)


def _resumed(state: State, _: events.Resumed) -> State:
    _in_phase(state, Phase.PAUSED)
    return replace(state, paused=False)


def _ended_early(state: State, what: events.EndedEarly) -> State:
    if state.done or state.summary is not None:
        raise MoveError("there are no more questions to leave out")
    ended = replace(state, ended_early=True, done=True, paused=False)
    if ended.challenge is not None:
        ended = _with_challenge(ended, skipped=True)
    turn = ended.turn
    if turn is None or turn.fate is not Fate.OPEN:
        return ended
    text = what.text or turn.draft
    said = (text,) if text.strip() else ()
    given = (*turn.given, *said)
    taken = replace(
        turn,
        fate=Fate.ANSWERED if given or turn.reprompts else Fate.DROPPED,
        draft="",
        given=given,
        manner=turn.manner or Manner.TYPED,
        interrupted=True,
        heard=None,
    )
    return _with_turn(ended, taken)


def _concluded(state: State, _: events.Concluded) -> State:
    _in_phase(state, Phase.THINKING)
    return replace(state, done=True)


def _finished(state: State, what: events.Finished) -> State:
    _in_phase(state, Phase.THINKING)
    if not state.done or state.ungraded is not None:
        raise MoveError("the interview is not at its end")
    return replace(state, summary=what.summary)


def _regraded(state: State, what: events.Regraded) -> State:
    _in_phase(state, Phase.OVER)
    for item in what.questions:
        if not 0 <= item.number < len(state.turns):
            raise MoveError(f"there is no question {item.number}")
        turn = state.turns[item.number]
        question = replace(
            turn.question,
            reference=item.reference,
            points=item.points,
            false_statements=item.false_statements,
        )
        graded = replace(
            turn, question=question, heard=item.heard, ticks=item.ticks, false=item.false
        )
        state = _with_turn(state, graded)
    return replace(state, summary=what.summary)


_HANDLERS: dict[type[Any], Callable[[State, Any], State]] = {
    events.Asked: _asked,
    events.Drafted: _drafted,
    events.Bell: _bell,
    events.Hinted: _hinted,
    events.Spoke: _spoke,
    events.Answered: _answered,
    events.Graded: _graded,
    events.Reprompted: _reprompted,
    events.Ticked: _ticked,
    events.Skipped: _skipped,
    events.Challenged: _challenged,
    events.Proved: _proved,
    events.Paused: _paused,
    events.Resumed: _resumed,
    events.EndedEarly: _ended_early,
    events.Concluded: _concluded,
    events.Finished: _finished,
    events.Regraded: _regraded,
}

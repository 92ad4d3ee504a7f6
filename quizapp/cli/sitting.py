"""A mock interview as plain lines."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import aclosing
from dataclasses import dataclass

from quizapp.cards.model import Point
from quizapp.cli.output import colour
from quizapp.interview import events
from quizapp.interview.events import Heard, Manner, Why
from quizapp.interview.markdown import share
from quizapp.interview.options import Style
from quizapp.interview.questions import Role
from quizapp.interview.scoring import mark
from quizapp.interview.state import Phase, Turn
from quizapp.interview.wording import Wording, wording
from quizapp.proof.protocol import Progress
from quizapp.proof.run import RunResult
from quizapp.recall.grading import parts_of
from quizapp.recall.score import point_credit
from quizapp.runner.base import Runner
from quizapp.services.interview import Interviewing
from quizapp.services.proving import keep_run, records, run_demo
from quizapp.services.showing import rendered
from quizapp.services.workspace import Workspace
from quizapp.text.cells import safe

Ask = Callable[[str], str | None]
Say = Callable[[str], object]


class LeftError(Exception):
    """The candidate left, or the input ended."""


@dataclass(frozen=True, slots=True)
class Room:
    """Where an interview takes place: a way to read a line, one to write, and how wide."""

    ask: Ask
    say: Say
    columns: int
    runner: Callable[[str], Runner]
    """Of a demo on this machine."""

    def line(self, prompt: str) -> str:
        """Read a line; :class:`LeftError` at the end of input."""
        reply = self.ask(prompt)
        if reply is None:
            raise LeftError
        return reply

    def show(self, markdown: str) -> None:
        """Write a document."""
        self.say(rendered(markdown, self.columns, colour()))


async def sit(workspace: Workspace, interviewing: Interviewing, room: Room) -> bool:
    """Sit an interview until it is over; tells whether it is, or was left."""
    texts = wording(interviewing.state.options.languages.answers)
    room.say(texts.plain_answer)
    shown: tuple[int, int] = (-1, 0)
    try:
        while not interviewing.over:
            turn = interviewing.state.turn
            match interviewing.state.phase:
                case Phase.ANSWERING:
                    assert turn is not None
                    now = turn.question.number, len(turn.reprompts)
                    if now != shown:
                        _put(turn, interviewing, texts, room)
                    shown = now
                    await _answer(turn, interviewing, texts, room)
                case Phase.TICKING:
                    await _tick(interviewing, texts, room)
                case Phase.PROVING:
                    await _prove(workspace, interviewing, texts, room)
                case _:
                    room.say(texts.paused)
                    if room.line(texts.plain_pause).strip().lower() == "q":
                        raise LeftError
                    await interviewing.happen(events.Resumed())
                    shown = (-1, 0)
    except LeftError:
        await interviewing.leave()
        room.say(f"\n{texts.plain_left}")
    return interviewing.over


def _put(turn: Turn, interviewing: Interviewing, texts: Wording, room: Room) -> None:
    if turn.reprompts:
        room.say(texts.asked_again[turn.reprompts[-1]])
        return
    question = turn.question
    role, left = texts.one_role[question.role], round(interviewing.reading.left)
    number = f"{question.round + 1}/{len(interviewing.state.plan)}"
    room.say(f"\n── {number} · {role} · {texts.seconds.format(seconds=left)} ──")
    room.show(question.text)


async def _answer(turn: Turn, interviewing: Interviewing, texts: Wording, room: Room) -> None:
    lines = turn.draft.splitlines()
    for line in lines:
        room.say(f"> {safe(line)}")
    sure = False
    while True:
        try:
            line = room.line("> ")
        except LeftError:
            await interviewing.leave("\n".join(lines))
            raise
        match line.strip().lower():
            case "" if lines or turn.question.role is not Role.CALCULATION:
                break
            case "":
                room.say(texts.asked_again[Why.UNREAD])
            case "/sure":
                sure = True
            case "/hint":
                await _hint(interviewing, texts, room)
            case "/skip":
                await interviewing.happen(events.Skipped())
                return
            case "/idk":
                await interviewing.happen(events.Answered("\n".join(lines), Manner.GAVE_UP))
                return
            case "/pause":
                await interviewing.leave("\n".join(lines))
                return
            case "/end":
                await interviewing.happen(events.EndedEarly("\n".join(lines)))
                return
            case "/quit":
                await interviewing.leave("\n".join(lines))
                raise LeftError
            case _:
                lines.append(line)
                await interviewing.keep_draft("\n".join(lines))
    text = "\n".join(lines)
    over = interviewing.reading.over
    manner = Manner.TYPED if text.strip() else Manner.SPOKEN
    await interviewing.happen(events.Answered(text, manner, sure))
    if over >= 1:
        room.say(texts.overtime.format(seconds=round(over)))
    if interviewing.state.options.style is Style.LIVE and not interviewing.state.done:
        room.say(texts.ticks_later)


async def _hint(interviewing: Interviewing, texts: Wording, room: Room) -> None:
    hint = interviewing.hint()
    if hint is None:
        room.say(texts.no_hint)
        return
    await interviewing.happen(hint)
    room.say(f"{texts.hint}{texts.colon}{safe(hint.text)}")


async def _tick(interviewing: Interviewing, texts: Wording, room: Room) -> None:
    turn = interviewing.state.to_tick
    assert turn is not None
    question, heard = turn.question, turn.heard
    room.say(f"\n{texts.model_answer}")
    room.show(question.reference)
    ticks, false = frozenset(turn.said), frozenset[str]()
    flagged = [s for s in question.false_statements if heard and s.id in heard.flagged]
    while True:
        for number, point in enumerate(question.points, 1):
            core = f" ({texts.core})" if point.core else ""
            sign, words = _found(point, ticks, heard)
            room.say(f"{number} [{sign}] {safe(' '.join(point.text.split()))}{core}{words}")
        for number, statement in enumerate(flagged, 1):
            sign = "x" if statement.id in false else "?"
            room.say(f"f{number} [{sign}] {safe(' '.join(statement.text.split()))}")
            room.say(f"       {texts.plain_false.format(number=number)}")
        reply = room.line(texts.plain_tick).strip().lower()
        if not reply:
            break
        if reply == "q":
            raise LeftError
        place = reply.removeprefix("f")
        chosen = int(place) - 1 if place.isdecimal() else -1
        if reply.startswith("f") and 0 <= chosen < len(flagged):
            false ^= {flagged[chosen].id}
        elif reply.isdecimal() and 0 <= chosen < len(question.points):
            ids = frozenset(part.id for part in parts_of(question.points[chosen]))
            ticks = ticks - ids if ids <= ticks else ticks | ids
        else:
            room.say(texts.unknown.format(reply=safe(reply)))
    made = events.Ticked(question.number, tuple(sorted(ticks)), tuple(sorted(false)))
    state = await interviewing.happen(made)
    marked = mark(state.turns[question.number])
    room.say(f"{texts.one_role[question.role]}{texts.colon}{share(marked.value, texts)}")


def _found(point: Point, ticks: Collection[str], heard: Heard | None) -> tuple[str, str]:
    """Return a point's sign, and the candidate's words for what is only perhaps said."""
    credit = point_credit(point, ticks)
    perhaps = [
        part.id
        for part in parts_of(point)
        if heard and part.id in heard.suggested and part.id not in ticks
    ]
    words = [heard.evidence[id_] for id_ in perhaps if heard and id_ in heard.evidence]
    sign = "x" if credit >= 1 else "-" if credit else "?" if perhaps else " "
    return sign, f" — “{safe(' … '.join(words))}”?" if words else ""


async def _prove(
    workspace: Workspace, interviewing: Interviewing, texts: Wording, room: Room
) -> None:
    challenge = interviewing.state.challenge
    assert challenge is not None
    asked = challenge.asked
    room.say(f"\n── {texts.prove_it} ──")
    room.show(asked.says)
    reply = room.line(texts.plain_prove.format(demo=asked.demo)).strip().lower()
    match reply:
        case "q":
            raise LeftError
        case "":
            await interviewing.happen(events.Skipped())
            return
        case "r":
            record = next(iter(records(asked.demo)), None)
            if record is None:
                room.say(texts.no_record.format(demo=asked.demo))
                return
            proved = interviewing.proof(record.result, "record", record.date.date())
        case "d":
            result = await _run(workspace, asked.demo, interviewing, room)
            if result.done is None:
                message = result.failed.message if result.failed else ""
                room.say(texts.demo_failed.format(colon=texts.colon, message=message))
                return
            proved = interviewing.proof(result, "local")
        case _:
            room.say(texts.unknown.format(reply=safe(reply)))
            return
    if proved is None:
        room.say(texts.no_record.format(demo=asked.demo))
        await interviewing.happen(events.Skipped())
        return
    verdict = texts.proof_verdicts.get(proved.verdict, proved.verdict)
    where = filter(None, (verdict, proved.device, proved.source, proved.day, safe(proved.text)))
    room.say(" · ".join(where))
    # Only then: the clock of the next question would run while this is read.
    room.line(texts.plain_go_on)
    await interviewing.happen(proved)


async def _run(
    workspace: Workspace, demo: str, interviewing: Interviewing, room: Room
) -> RunResult:
    runner = room.runner(demo)
    happened, result = [], RunResult()
    try:
        async with aclosing(run_demo(runner, demo)) as steps:
            async for step in steps:
                happened.append(step.event)
                result = step.result
                if isinstance(step.event, Progress) and colour():
                    room.say(f"{step.event.fraction:4.0%} {step.event.stage}")
        found = interviewing.claim
        if result.done is not None and found is not None:
            await keep_run(workspace, [found[0]], runner, result, happened)
    finally:
        await runner.close()
    return result

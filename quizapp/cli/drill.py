"""The review as plain lines: what a full-screen program can never be to a screen reader."""

from __future__ import annotations

from collections.abc import Callable

from quizapp.memory.model import Rating
from quizapp.recall.grading import parts_of
from quizapp.recall.score import point_credit
from quizapp.services.review import Answer, Asked, Revealed, Reviewing
from quizapp.services.showing import rendered
from quizapp.services.workspace import Workspace
from quizapp.store.values import Mode
from quizapp.text.cells import safe
from quizapp.tui.words import Words, words

Ask = Callable[[str], str | None]
Say = Callable[[str], object]

KEYS = {"a": Rating.AGAIN, "h": Rating.HARD, "g": Rating.GOOD, "e": Rating.EASY}


async def drill(
    workspace: Workspace,
    ask: Ask,
    say: Say,
    clock: Callable[[], float],
    columns: int,
    limit: int | None = None,
) -> None:
    """Ask prompt after prompt until nothing is left, the input ends, or ``limit`` is reached."""
    await workspace.open()
    reviewing = Reviewing(workspace)
    await reviewing.start()
    texts = words(workspace.language)
    while (limit is None or reviewing.summary.answers < limit) and (step := await reviewing.next()):
        revealed = step
        if isinstance(step, Asked):
            answer = _answered(step, texts, ask, say, clock, columns)
            if answer is None:
                return
            revealed = await reviewing.answer(step, answer)
        assert isinstance(revealed, Revealed)
        for key, reason in reviewing.left_out.items():
            say(texts.left_out.format(prompt=key, reason=reason))
        reviewing.left_out.clear()
        if not await _rated(reviewing, revealed, texts, ask, say, columns):
            return
    say(texts.session_over)


def _answered(
    asked: Asked, texts: Words, ask: Ask, say: Say, clock: Callable[[], float], columns: int
) -> Answer | None:
    say(f"\n{asked.card.id} · {texts.kinds[asked.prompt.kind]}")
    say(rendered(asked.question, columns, colour=False))
    say(texts.plain_answer)
    began = clock()
    lines: list[str] = []
    while (line := ask("> ")) is not None:
        if not line:
            break
        lines.append(line)
    if line is None and not lines:
        return None
    text = "\n".join(lines)
    return Answer(text, Mode.TYPED if text else Mode.SPOKEN, max(0.0, clock() - began))


async def _rated(
    reviewing: Reviewing, revealed: Revealed, texts: Words, ask: Ask, say: Say, columns: int
) -> bool:
    """Let the user tick and rate; tells whether to go on."""
    asked = revealed.asked
    say(f"\n{texts.model_answer}")
    say(rendered(asked.reference, columns, colour=False))
    ticks = revealed.ticked
    points = asked.prompt.points
    while True:
        for number, point in enumerate(points, 1):
            share = point_credit(point, ticks)
            mark = "x" if share >= 1 else "-" if share else " "
            say(f"{number} [{mark}] {safe(' '.join(point.text.split()))}")
        outcome = reviewing.outcome(revealed, ticks)
        days = {rating: outcome.days(found) for rating, found in revealed.previews.items()}
        choices = ", ".join(
            f"{key} {texts.ratings[rating]} {texts.interval_of(days[rating])}"
            for key, rating in KEYS.items()
            if rating in outcome.allowed
        )
        proposed = outcome.proposal.rating
        say(texts.score.format(said=outcome.score.said))
        if outcome.misled:
            say(texts.misled)
        say(texts.plain_tick.format(rating=texts.ratings[proposed]))
        reply = ask(f"1-{len(points)}; {choices} > ")
        if reply is None or reply.strip().lower() == "q":
            return False
        reply = reply.strip().lower()
        if reply.isdecimal() and 1 <= int(reply) <= len(points):
            ids = frozenset(part.id for part in parts_of(points[int(reply) - 1]))
            ticks = ticks - ids if ids <= ticks else ticks | ids
            continue
        rating = KEYS.get(reply) if reply else proposed
        if rating is None or rating not in outcome.allowed:
            say(texts.plain_unknown.format(reply=safe(reply)))
            continue
        rated = await reviewing.rate(revealed, rating, ticks)
        when = texts.interval_of(rated.days)
        say(texts.rated.format(rating=texts.ratings[rating], when=when))
        return True

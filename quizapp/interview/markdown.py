"""A report as Markdown: what :mod:`quizapp.interview.page` and the terminal make theirs of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import tzinfo

from quizapp.interview.questions import Role
from quizapp.interview.report import Answered, Line, Report
from quizapp.interview.scoring import Lost, Reason
from quizapp.interview.state import Challenge, Fate
from quizapp.interview.wording import Wording, wording
from quizapp.recall.calculations import Verdict

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~$&{}!])")
_LEADING = re.compile(r"^(\s*)(\d*)(?=[-+=]|(?<=\d)[.)](?:\s|$))", re.MULTILINE)


def markdown(made: Report, zone: tzinfo | None = None) -> str:
    """Return a whole report; ``zone`` is the user's."""
    texts = wording(made.options.languages.answers)
    blocks = [*_head(made, texts, zone)]
    for number, one in enumerate(made.questions, 1):
        blocks += _question(one, number, texts)
    for challenge in made.proofs:
        blocks += _proof(challenge, texts)
    blocks += _earlier(made, texts, zone)
    blocks += _study(made, texts)
    return "\n\n".join(blocks) + "\n"


def literal(text: str) -> str:
    """Return text that Markdown shows as it is, on one line."""
    return _block(" ".join(text.split()))


def _block(text: str) -> str:
    return _LEADING.sub(r"\1\2\\", _SPECIAL.sub(r"\\\1", text))


def share(value: float | None, texts: Wording) -> str:
    """Return a share as people read it."""
    return texts.nothing_asked if value is None else f"{100 * value:.0f} %"


def clock(seconds: float) -> str:
    """Return a time as minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


def _head(made: Report, texts: Wording, zone: tzinfo | None) -> Iterator[str]:
    day = made.at.astimezone(zone)
    options = made.options
    yield f"# {texts.title} · {day:%Y-%m-%d %H:%M}"
    yield texts.setup.format(
        level=texts.levels[options.level],
        style=texts.styles[options.style],
        languages=texts.languages[options.languages],
        seed=options.seed,
    )
    summed = made.summary
    rows = [
        (texts.roles[Role.MAIN], share(summed.main, texts)),
        (texts.roles[Role.FOLLOW_UP], share(summed.follow_ups, texts)),
        (texts.roles[Role.CALCULATION], share(summed.calculations, texts)),
    ]
    yield _table((texts.total, share(summed.total, texts)), rows)
    count = texts.questions.format(count=summed.questions, time=clock(summed.seconds))
    yield f"{count}{texts.stop}{texts.how_counted}"
    if not made.over:
        yield texts.in_progress
    if made.ended_early:
        yield texts.ended_early
    if made.dropped:
        yield texts.dropped.format(count=made.dropped)


def _question(one: Answered, number: int, texts: Wording) -> Iterator[str]:
    question = one.turn.question
    value = share(one.mark.value, texts)
    yield f"## {number} · {texts.one_role[question.role]} · {value}"
    yield question.text.strip()
    if one.turn.question.choice is not None:
        yield f"*{_why(one, texts)}*"
    if one.sure_but_wrong:
        yield f"**{texts.sure_but_wrong}**"
    yield f"**{texts.your_answer}**{texts.colon}{texts.semicolon.join(_how(one, texts))}"
    said = one.turn.text.strip()
    yield _quoted(said) if said else f"> {texts.no_answer}"
    for why in one.turn.reprompts:
        yield f"*{texts.asked_again[why]}*"
    if question.role is Role.CALCULATION:
        yield _calculated(one, texts)
    elif one.lines:
        heads = ("", texts.cards_line, texts.your_words, "")
        yield _table(heads, (_row(line, texts) for line in one.lines))
    for lost in one.whole:
        if question.role is not Role.CALCULATION or one.turn.fate is Fate.SKIPPED:
            yield f"{texts.reasons[lost.reason]} {_amount(lost, texts)}"
    for false in one.false:
        words = f" — {texts.your_words}{texts.colon}{literal(false.words)}" if false.words else ""
        amount = texts.lost.format(percent=round(100 * false.lost))
        yield f"**{texts.false}** ({amount}){texts.colon}{literal(false.text)}{words}"
    yield f"**{texts.model_answer}**"
    yield question.reference.strip()


def _why(one: Answered, texts: Wording) -> str:
    choice = one.turn.question.choice
    assert choice is not None
    told = [texts.why_chosen.format(percent=round(100 * choice.missed))]
    if choice.false:
        told.append(texts.chosen_false)
    if choice.last >= 0.5:
        told.append(texts.chosen_last)
    return texts.semicolon.join(told)


def _how(one: Answered, texts: Wording) -> Iterator[str]:
    pace, turn = one.pace, one.turn
    if turn.manner is not None:
        yield texts.manners[turn.manner]
    yield texts.time.format(seconds=round(pace.seconds), limit=round(pace.limit))
    if pace.over >= 0.5:
        yield texts.overtime.format(seconds=round(pace.over))
    if pace.first_word is not None:
        yield texts.first_word.format(seconds=f"{pace.first_word:.0f}")
    if pace.a_minute is not None:
        yield texts.pace.format(words=round(pace.a_minute))
    if pace.fillers:
        yield texts.fillers.format(count=pace.fillers)
    if turn.hints:
        yield texts.hints.format(count=len(turn.hints))


def _calculated(one: Answered, texts: Wording) -> str:
    exercise = one.turn.question.exercise
    judged = one.turn.heard.judgement if one.turn.heard else None
    told = []
    if judged is not None:
        means = f" — {judged.means}" if judged.means else ""
        told.append(f"{texts.verdicts[judged.verdict]}{means}")
        if judged.verdict is not Verdict.RIGHT:
            told += [_amount(lost, texts) for lost in one.whole]
    if exercise is not None:
        told.append(f"{texts.right_answer}{texts.colon}{literal(exercise.shown)}")
    return " · ".join(told)


def _row(line: Line, texts: Wording) -> tuple[str, ...]:
    core = f" *({texts.core})*" if line.core else ""
    lost = texts.semicolon.join(_told(each, texts) for each in line.lost)
    what = " ".join(line.text.split()).replace("|", "\\|")
    return texts.said[line.said], f"{what}{core}", literal(line.words), lost


def _told(lost: Lost, texts: Wording) -> str:
    """Return a deduction, with its reason where the line does not say it already."""
    plain = lost.reason in (Reason.MISSED, Reason.PARTLY, Reason.CONTRADICTED)
    return _amount(lost, texts) if plain else f"{texts.reasons[lost.reason]} {_amount(lost, texts)}"


def _amount(lost: Lost, texts: Wording) -> str:
    return texts.lost.format(percent=round(100 * lost.amount))


def _proof(challenge: Challenge, texts: Wording) -> Iterator[str]:
    yield f"## {texts.proof}"
    yield challenge.asked.says.strip()
    proved = challenge.proved
    if proved is None:
        yield texts.proof_skipped
        return
    verdict = texts.proof_verdicts.get(proved.verdict, proved.verdict)
    where = " · ".join(filter(None, (proved.device, proved.source, proved.day)))
    yield f"**{verdict}** · {literal(where)}"
    if proved.text:
        yield literal(proved.text)


def _earlier(made: Report, texts: Wording, zone: tzinfo | None) -> Iterator[str]:
    if not made.earlier:
        return
    yield f"## {texts.earlier}"
    rows = [(texts.now, made.summary)]
    rows += [(f"{one.at.astimezone(zone):%Y-%m-%d %H:%M}", one.summary) for one in made.earlier]
    yield _table(
        texts.earlier_column,
        (
            (
                when,
                *(
                    "–" if value is None else share(value, texts)
                    for value in (each.total, each.main, each.follow_ups, each.calculations)
                ),
            )
            for when, each in rows
        ),
    )


def _study(made: Report, texts: Wording) -> Iterator[str]:
    if not made.questions:
        return
    yield f"## {texts.study}"
    by_prompt = {one.turn.question.prompt: one for one in made.questions}
    lines = [
        f"- {' '.join(by_prompt[key].turn.question.text.split())} (`{key}`)" for key in made.study
    ]
    yield "\n".join(lines) if lines else texts.study_nothing


def _quoted(text: str) -> str:
    return "\n".join(f"> {_block(line)}  " if line.strip() else ">" for line in text.splitlines())


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = list(heads)
    lines = [f"| {' | '.join(names)} |", f"|{'---|' * len(names)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])

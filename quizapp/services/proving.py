"""Proving claims: run a demo, judge what it says, keep both."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from quizapp.cards.model import Card, Claim
from quizapp.proof.codec import ProtocolError, encode
from quizapp.proof.ledger import claim_key
from quizapp.proof.protocol import Event, Measurement, Progress
from quizapp.proof.record import Record, parse
from quizapp.proof.run import RunResult, fold
from quizapp.proof.verdict import Judgement, judge
from quizapp.runner.base import Runner
from quizapp.services.demo_list import records_folder
from quizapp.services.workspace import Workspace
from quizapp.store import calls
from quizapp.store.values import RunRecord, VerdictRecord


@dataclass(frozen=True, slots=True)
class Step:
    """How far a run is, after one more event."""

    event: Event
    result: RunResult


def demos_of(card: Card) -> tuple[str, ...]:
    """Return the demos that measure the card's claims, in the order of the claims."""
    return tuple(dict.fromkeys(claim.demo for claim in card.claims if claim.demo))


def claims_of(card: Card, demo: str) -> tuple[Claim, ...]:
    """Return the claims that a demo measures, and those that none can."""
    return tuple(c for c in card.claims if c.demo == demo or not c.demo)


def judge_all(claims: Sequence[Claim], result: RunResult | None) -> tuple[Judgement, ...]:
    """Return what a run says about each claim; a predicate that cannot be read is the card's."""
    return tuple(judge(claim, result) for claim in claims)


def records(demo: str) -> tuple[Record, ...]:
    """Return the recorded runs of a demo that come with the program, newest first."""
    found = [_record(path) for path in sorted(records_folder().glob(f"{demo}.*.jsonl"))]
    known = [record for record in found if record is not None]
    return tuple(sorted(known, key=lambda record: record.date, reverse=True))


def _record(path: Path) -> Record | None:
    try:
        return parse(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ProtocolError):
        return None


async def run_demo(
    runner: Runner, demo: str, params: Mapping[str, Any] | None = None, seed: int = 0
) -> AsyncGenerator[Step, None]:
    """Yield the steps of a run; closing the generator cancels it."""
    result = RunResult()
    async with aclosing(runner.run(demo, params, seed)) as events:
        async for event in events:
            result = fold(result, event)
            yield Step(event, result)


async def keep_run(
    workspace: Workspace,
    cards: Sequence[Card],
    runner: Runner,
    result: RunResult,
    events: Sequence[Event],
) -> None:
    """Keep a run that has ended, with its verdicts on the claims of these cards."""
    if result.started is None:
        return
    run = _run_record(runner, result, events, workspace.now())
    verdicts = [
        _verdict(claim_key(card, claim), claim, judge(claim, result), run)
        for card in cards
        for claim in card.claims
        if claim.demo == run.demo
    ]
    await workspace.database.call(calls.save_run, run, verdicts)


def kept(events: Sequence[Event]) -> list[Event]:
    """Return the events worth keeping: no progress, and of measurements the final ones."""
    return [
        event
        for event in events
        if not isinstance(event, Progress)
        and not (isinstance(event, Measurement) and not event.final)
    ]


def _run_record(
    runner: Runner, result: RunResult, events: Sequence[Event], now: datetime
) -> RunRecord:
    assert result.started is not None
    device = result.device
    return RunRecord(
        id=str(uuid4()),
        demo=result.started.demo,
        at=now,
        device_kind=device.kind if device else "",
        device_name=device.name if device else "",
        source=runner.name,
        digest=result.digest,
        outcome=result.failed.kind if result.failed else "done",
        events="\n".join(encode(event) for event in kept(events)),
        versions=dict(device.versions) if device else {},
    )


def _verdict(key: str, claim: Claim, judgement: Judgement, run: RunRecord) -> VerdictRecord:
    return VerdictRecord(
        claim=key,
        run=run.id,
        verdict=judgement.verdict.value,
        predicate=claim.holds,
        digest=run.digest,
        device_kind=run.device_kind,
        device_name=run.device_name,
        source=run.source,
        at=run.at,
        detail={
            "why": judgement.why.value,
            "detail": judgement.detail,
            "terms": [
                {
                    "metric": term.metric,
                    "bound": term.bound,
                    "value": term.value,
                    "low": term.low,
                    "high": term.high,
                    "unit": term.unit,
                    "control": term.control,
                }
                for term in judgement.terms
            ],
        },
    )

"""The ledger of proofs: claim × device × verdict × date, the recorded runs among them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quizapp.cards.model import Card, Claim
from quizapp.proof.ledger import Currency, Proof, claim_key, currency, newest, ordered
from quizapp.proof.record import Record
from quizapp.proof.verdict import Judgement, Verdict, judge
from quizapp.services.demo_list import demo_digests
from quizapp.services.proving import demos_of, records
from quizapp.services.workspace import Workspace
from quizapp.store import calls
from quizapp.store.values import VerdictRecord


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One line of the ledger."""

    claim: str
    """``card/claim``."""
    says: str
    """The claim in the user's language."""
    proof: Proof | None
    """``None`` for a claim that no run has judged yet."""
    currency: Currency | None
    """Whether the proof still counts."""
    unmeasurable: str = ""
    """Why no demo can measure the claim."""

    @property
    def standing(self) -> str:
        """The verdict, or why there is none."""
        if self.proof is not None:
            return self.proof.verdict.value
        return Verdict.NOT_MEASURABLE.value if self.unmeasurable else "not run"


async def ledger(workspace: Workspace, card: str = "") -> tuple[LedgerRow, ...]:
    """Return the ledger of one card, or of all: nothing hidden, not even what was never run."""
    stored = await workspace.database.call(calls.verdicts, card or None)
    # Records are read and the demos are asked: files and a process, off the event loop.
    return await asyncio.to_thread(_rows, workspace, card, stored)


def _rows(
    workspace: Workspace, card: str, stored: Sequence[VerdictRecord]
) -> tuple[LedgerRow, ...]:
    claims = dict(_claims(workspace, card))
    proofs = [_stored(verdict, claims.get(verdict.claim)) for verdict in stored]
    proofs += [proof for found in _cards(workspace, card) for proof in _recorded(found)]
    digests = demo_digests()
    judged = [
        LedgerRow(
            proof.claim,
            claims[proof.claim].says if proof.claim in claims else "",
            proof,
            currency(proof, claims.get(proof.claim), digests),
        )
        for proof in ordered(newest(proofs), list(claims))
    ]
    known = {row.claim for row in judged}
    return (*judged, *(_unjudged(key, c) for key, c in claims.items() if key not in known))


def _cards(workspace: Workspace, wanted: str) -> Iterator[Card]:
    for id_ in workspace.library.ids:
        card = workspace.library.card(id_, workspace.language)
        if card is not None and wanted in ("", id_):
            yield card


def _claims(workspace: Workspace, wanted: str) -> Iterator[tuple[str, Claim]]:
    for card in _cards(workspace, wanted):
        for claim in card.claims:
            yield claim_key(card, claim), claim


def _stored(verdict: VerdictRecord, claim: Claim | None) -> Proof:
    terms = verdict.detail.get("terms", [])
    text = ", ".join(f"{term['metric']} = {term['value']:.4g}" for term in terms)
    return Proof(
        claim=verdict.claim,
        verdict=Verdict(verdict.verdict),
        demo=claim.demo if claim else "",
        device_kind=verdict.device_kind,
        device=verdict.device_name,
        at=verdict.at,
        source=verdict.source,
        predicate=verdict.predicate,
        digest=verdict.digest,
        text=text or str(verdict.detail.get("detail", "")),
    )


def _recorded(card: Card) -> Iterator[Proof]:
    for demo in demos_of(card):
        for record in records(demo):
            for claim in card.claims:
                if claim.demo == demo:
                    yield _of_record(card, claim, record)


def _of_record(card: Card, claim: Claim, record: Record) -> Proof:
    result = record.result
    judgement = judge(claim, result)
    return Proof(
        claim=claim_key(card, claim),
        verdict=judgement.verdict,
        demo=claim.demo,
        device_kind=result.device.kind if result.device else "",
        device=record.device,
        at=record.date,
        source="record",
        predicate=claim.holds,
        digest=record.digest,
        text=_numbers(judgement),
    )


def _numbers(judgement: Judgement) -> str:
    terms = ", ".join(f"{term.metric} = {term.value:.4g}" for term in judgement.terms)
    return terms or judgement.detail


def _unjudged(key: str, claim: Claim) -> LedgerRow:
    return LedgerRow(key, claim.says, None, None, claim.unmeasurable)

"""The ledger: which claims are proved, on what, when, and whether that still counts.

A proof is of a claim as it was worded for the machine and of a demo as it was written.  When
either has changed since, what was proved is something else, and the proof is stale.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from quizapp.cards.model import Card, Claim
from quizapp.proof.verdict import Verdict


class Currency(StrEnum):
    """Whether a proof still counts."""

    CURRENT = "current"
    DEMO_CHANGED = "demo-changed"
    CLAIM_CHANGED = "claim-changed"
    CLAIM_GONE = "claim-gone"
    """The card has no such claim any more."""
    DEMO_GONE = "demo-gone"
    """No demo of that name is installed, so nobody could repeat it."""


@dataclass(frozen=True, slots=True)
class Proof:
    """One verdict as the ledger keeps it."""

    claim: str
    """``card/claim``."""
    verdict: Verdict
    demo: str
    """Empty for a claim that no demo can measure."""
    device_kind: str
    """``cuda`` or ``cpu``; empty when nothing was run."""
    device: str
    """The device's name."""
    at: datetime
    source: str
    """``local``, ``ssh:HOST`` or ``record``."""
    predicate: str
    """As it stood when it was judged."""
    digest: str
    """Of the demo's sources as they were; empty if it was not told."""
    text: str = ""
    """The numbers it rests on, or the reason, in one line."""

    @property
    def card(self) -> str:
        """The card's id."""
        return self.claim.partition("/")[0]


def claim_key(card: Card, claim: Claim) -> str:
    """Return the claim's name in the ledger."""
    return f"{card.id}/{claim.id}"


def currency(proof: Proof, claim: Claim | None, digests: Mapping[str, str]) -> Currency:
    """Return whether a proof still counts.

    ``claim`` is today's, and ``digests`` are those of the demos as they are installed today.
    """
    if claim is None:
        return Currency.CLAIM_GONE
    if (claim.demo, _spaced(claim.holds)) != (proof.demo, _spaced(proof.predicate)):
        return Currency.CLAIM_CHANGED
    if not proof.demo:
        return Currency.CURRENT
    if proof.demo not in digests:
        return Currency.DEMO_GONE
    return Currency.CURRENT if digests[proof.demo] == proof.digest else Currency.DEMO_CHANGED


def newest(proofs: Iterable[Proof]) -> tuple[Proof, ...]:
    """Return the newest proof of each claim on each device from each source."""
    kept: dict[tuple[str, str, str, str], Proof] = {}
    for proof in sorted(proofs, key=lambda one: one.at):
        kept[proof.claim, proof.device_kind, proof.device, proof.source] = proof
    return tuple(kept.values())


def ordered(proofs: Iterable[Proof], claims: Sequence[str]) -> tuple[Proof, ...]:
    """Return proofs as a table shows them.

    Claims come in the order given, those that are gone last; of one claim the GPUs come
    before the CPUs, each by name, and what was measured here before what was recorded.
    """
    place = {claim: index for index, claim in enumerate(claims)}

    def key(proof: Proof) -> tuple[int, str, bool, str, bool, str, float]:
        return (
            place.get(proof.claim, len(place)),
            proof.claim,
            proof.device_kind != "cuda",
            proof.device,
            proof.source == "record",
            proof.source,
            -proof.at.timestamp(),
        )

    return tuple(sorted(proofs, key=key))


def counted(proofs: Iterable[Proof]) -> Mapping[Verdict, int]:
    """Return how often each verdict stands in the ledger, every verdict among them."""
    found = Counter(proof.verdict for proof in proofs)
    return {verdict: found[verdict] for verdict in Verdict}


def _spaced(predicate: str) -> str:
    """Line breaks and indentation of the card's file are not part of what was proved."""
    return " ".join(predicate.split())

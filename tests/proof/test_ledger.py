"""Which proofs still count, and how a table shows them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from quizapp.cards.kinds import Lang
from quizapp.cards.model import Card, Claim
from quizapp.proof.ledger import Currency, Proof, claim_key, counted, currency, newest, ordered
from quizapp.proof.verdict import Verdict

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
CLAIM = Claim("faster", "…", "chain", "speedup in [2.8, 3.1] and kernels == 1")
PROOF = Proof(
    "fusion/faster",
    Verdict.PROVED,
    "chain",
    "cuda",
    "NVIDIA H200",
    NOON,
    "local",
    CLAIM.holds,
    "d1",
)


def test_a_proof_of_the_same_claim_by_the_same_demo_counts() -> None:
    assert currency(PROOF, CLAIM, {"chain": "d1"}) is Currency.CURRENT
    assert currency(PROOF, replace(CLAIM, says="in other words"), {"chain": "d1"}) is (
        Currency.CURRENT
    )


def test_line_breaks_of_the_card_do_not_make_a_proof_stale() -> None:
    folded = replace(CLAIM, holds="speedup in [2.8, 3.1]\n  and kernels == 1\n")
    assert currency(PROOF, folded, {"chain": "d1"}) is Currency.CURRENT


@pytest.mark.parametrize(
    ("claim", "digests", "expected"),
    [
        (CLAIM, {"chain": "d2"}, Currency.DEMO_CHANGED),
        (CLAIM, {}, Currency.DEMO_GONE),
        (None, {"chain": "d1"}, Currency.CLAIM_GONE),
        (replace(CLAIM, holds="speedup > 2"), {"chain": "d1"}, Currency.CLAIM_CHANGED),
        (replace(CLAIM, demo="softmax"), {"chain": "d1"}, Currency.CLAIM_CHANGED),
    ],
)
def test_a_proof_of_something_else_is_stale(
    claim: Claim | None, digests: dict[str, str], expected: Currency
) -> None:
    assert currency(PROOF, claim, digests) is expected


def test_a_proof_without_a_digest_cannot_vouch_for_the_demo() -> None:
    assert currency(replace(PROOF, digest=""), CLAIM, {"chain": "d1"}) is Currency.DEMO_CHANGED


def test_what_no_demo_measures_never_grows_stale() -> None:
    source = Claim("source", "…", unmeasurable="not public")
    proof = replace(PROOF, verdict=Verdict.NOT_MEASURABLE, demo="", predicate="", digest="")
    assert currency(proof, source, {}) is Currency.CURRENT


def test_the_newest_proof_of_each_device_and_source_is_kept() -> None:
    older = replace(PROOF, at=NOON - timedelta(days=1), verdict=Verdict.REFUTED)
    elsewhere = replace(older, source="ssh:box")
    cpu = replace(older, device_kind="cpu", device="some CPU")
    kept = newest([PROOF, older, elsewhere, cpu])
    assert set(kept) == {PROOF, elsewhere, cpu}


def test_a_table_has_the_cards_order_gpus_first_and_what_is_measured_before_records() -> None:
    rows = [
        replace(PROOF, claim="fusion/passes"),
        replace(PROOF),
        replace(PROOF, source="ssh:box"),
        replace(PROOF, source="record"),
        replace(PROOF, device_kind="cpu", device="AMD"),
        replace(PROOF, claim="fusion/gone"),
    ]
    shuffled = Random(1).sample(rows, len(rows))
    assert list(ordered(shuffled, ["fusion/passes", "fusion/faster"])) == rows


def test_verdicts_are_counted_with_none_left_out() -> None:
    counts = counted([PROOF, PROOF, replace(PROOF, verdict=Verdict.BROKEN)])
    assert set(counts) == set(Verdict)
    assert (counts[Verdict.PROVED], counts[Verdict.BROKEN], counts[Verdict.REFUTED]) == (2, 1, 0)


def test_a_claim_is_known_by_its_card_and_id() -> None:
    key = claim_key(Card("fusion", Lang.EN, "Why?"), CLAIM)
    assert key == PROOF.claim
    assert PROOF.card == "fusion"

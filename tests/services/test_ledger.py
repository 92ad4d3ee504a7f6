"""The ledger: runs of this machine beside the recorded ones."""

from __future__ import annotations

from quizapp.services.ledger import ledger
from quizapp.services.paths import locate
from quizapp.services.workspace import Workspace
from quizapp.store import calls
from quizapp.store.values import RunRecord, VerdictRecord


async def test_a_run_here_and_a_recorded_one_stand_side_by_side() -> None:
    workspace = Workspace(locate())
    await workspace.open()
    try:
        before = await ledger(workspace, "kernel-fusion")
        recorded = next(row for row in before if row.proof and row.proof.source == "record")
        at = workspace.now()
        run = RunRecord(
            id="r",
            demo="elementwise",
            at=at,
            device_kind="cpu",
            device_name="A CPU",
            source="local",
            digest="d",
            outcome="done",
            events="",
        )
        verdict = VerdictRecord(
            recorded.claim, "r", "proved", "speedup > 2", "d", "cpu", "A CPU", "local", at
        )
        await workspace.database.call(calls.save_run, run, [verdict])
        rows = await ledger(workspace, "kernel-fusion")
        both = {row.proof.source for row in rows if row.claim == recorded.claim and row.proof}
        assert both == {"record", "local"}
    finally:
        workspace.close()

"""The self-check: what fails is told with its traceback, and the rest goes on."""

from __future__ import annotations

import pytest

from demos import selfcheck


def good(_: selfcheck.Trial) -> str:
    return "as it should be"


def bad(_: selfcheck.Trial) -> str:
    raise AssertionError("the gate let a cheat pass")


def test_a_failure_has_its_traceback_and_stops_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(selfcheck, "CHECKS", (bad, good))
    assert selfcheck.main("cpu") == 1
    said = capsys.readouterr().out
    assert "FAILED bad" in said
    assert 'raise AssertionError("the gate let a cheat pass")' in said
    assert "as it should be" in said
    assert said.endswith("1 of 2 checks passed\n")


def test_checks_that_take_a_moment_pass_on_a_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMOS_SELFTEST", "1")  # put back afterwards
    trial = selfcheck.Trial("cpu")
    assert "load" in selfcheck.device(trial)
    assert "other_thread: " in selfcheck.correctness(trial)
    assert "0 contractions" in selfcheck.machine_code(trial)
    assert "aten::mul" in selfcheck.launches(trial)
    assert "tried to allocate" in selfcheck.memory(trial)

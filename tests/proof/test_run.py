"""Events folded into a run as far as it has come."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from hypothesis import given
from hypothesis import strategies as st

from quizapp.proof.protocol import (
    Ceiling,
    Chain,
    Check,
    DemoInfo,
    Device,
    Done,
    Failed,
    Hello,
    Kernel,
    Measurement,
    Metric,
    Prediction,
    Progress,
    Started,
    Variant,
)
from quizapp.proof.run import RunResult, fold, folded

HELLO = Hello((DemoInfo("chain", "", ("cuda",), (), "of-hello"),), 1, "3.12")
DEVICE = Device("cuda", "NVIDIA H200", {}, {})
STARTED = Started("r1", "chain", "", (Variant("a", "A"), Variant("b", "B")), {}, 0, "")


def measured(
    variant: str, seconds: float, point: int | None = None, clock: str = "device"
) -> Measurement:
    where = {} if point is None else {"elements": point}
    return Measurement("r1", variant, seconds, seconds, seconds, 9, 0, 0, where, clock, True)


def test_nothing_is_known_at_first() -> None:
    assert not RunResult().finished
    assert RunResult().digest == ""


def test_every_kind_of_event_finds_its_place() -> None:
    ceiling = Ceiling("r1", "copy bandwidth", 4e12, "B/s")
    prediction = Prediction("r1", "speedup", 3, "×", "6 / 2")
    kernel = Kernel("r1", "a", "k", 16, 0, 0, 128, 1.0, 3)
    check = Check("r1", "a", "correct", True, "")
    metric = Metric("r1", "speedup", 3, 2.9, 3.1, "×")
    chain = Chain("r1", "1", ("mul", "add"), ("k",), "", 1, 3e-3, 8, 8, 1e-3, 2e-3, 0.1, 0.02)
    told = replace(chain, measured=2.1e-3, low=2e-3, high=2.2e-3)
    time = measured("a", 1.0)
    end = Done("r1", 2.0)
    events = [HELLO, DEVICE, STARTED, ceiling, prediction, chain, time, kernel, check, metric]
    events += [told, end]
    result = folded(events)
    assert (result.hello, result.device, result.started) == (HELLO, DEVICE, STARTED)
    assert result.ceilings == {"copy bandwidth": ceiling}
    assert result.predictions == {"speedup": prediction}
    assert list(result.measurements.values()) == [time]
    assert (result.kernels, result.checks) == ((kernel,), (check,))
    assert result.metrics == {"speedup": metric}
    assert result.chains == {"1": told}, "the latest of a name"
    assert result.done is end
    assert result.finished


def test_a_failure_ends_a_run() -> None:
    failed = Failed("r1", "memory", "not enough")
    result = folded([STARTED, failed])
    assert result.failed is failed
    assert result.finished


def test_later_progress_and_times_take_the_place_of_earlier_ones() -> None:
    result = folded(
        [
            STARTED,
            Progress("r1", "one", 0.1),
            measured("a", 3.0),
            measured("a", 9.0, clock="call"),
            measured("a", 5.0, point=64),
            Progress("r1", "two", 0.2),
            measured("a", 2.0),
            measured("a", 4.0, point=64),
        ]
    )
    assert result.progress == Progress("r1", "two", 0.2)
    times = {(m.clock, *m.point.values()): m.seconds for m in result.measurements.values()}
    assert times == {("device",): 2.0, ("call",): 9.0, ("device", 64): 4.0}


def test_times_come_in_the_order_of_the_variants() -> None:
    events = [STARTED, measured("c", 3), measured("b", 2), measured("a", 1), measured("a", 7, 64)]
    assert [m.variant for m in folded(events).times("device")] == ["a", "b", "c"]
    assert folded(events).times("call") == []


def test_a_run_begins_afresh_but_keeps_the_worker_and_its_device() -> None:
    first = folded([HELLO, DEVICE, STARTED, measured("a", 1), Done("r1", 1)])
    second = fold(first, replace(STARTED, run="r2"))
    assert (second.hello, second.device) == (HELLO, DEVICE)
    assert not second.measurements
    assert not second.finished


def test_the_run_tells_its_digest_or_else_the_worker_does() -> None:
    assert folded([HELLO, STARTED]).digest == "of-hello"
    assert folded([HELLO, replace(STARTED, digest="own")]).digest == "own"
    assert folded([replace(STARTED, digest="own")]).digest == "own"
    assert folded([HELLO, replace(STARTED, demo="other")]).digest == ""


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3)), max_size=30))
def test_folding_changes_no_earlier_result(times: list[tuple[str, int]]) -> None:
    events = [measured(name, float(n), point) for n, (name, point) in enumerate(times)]
    steps = [RunResult()]
    sizes = []
    for event in events:
        sizes.append(len(steps[-1].measurements))
        steps.append(fold(steps[-1], event))
    assert [len(step.measurements) for step in steps[:-1]] == sizes
    assert steps[-1] == reduce(fold, events, RunResult())
    assert len(steps[-1].measurements) == len(set(times))


def test_parameters_are_unusual_where_they_are_not_the_defaults_of_the_device() -> None:
    defaults = {"cuda": {"n": 8, "sweep": True}, "cpu": {"n": 2, "sweep": True}}
    told = DemoInfo("chain", "", ("cuda",), (), "d", defaults)
    started = replace(STARTED, params={"n": 2, "sweep": True})
    hello = replace(HELLO, demos=(told,))
    cpu = replace(DEVICE, kind="cpu")
    assert folded([hello, DEVICE, started]).unusual_params() == {"n": 2}
    assert folded([hello, cpu, started]).unusual_params() == {}
    assert folded([DEVICE, started]).unusual_params([told]) == {"n": 2}


def test_without_the_defaults_nothing_is_called_unusual() -> None:
    started = replace(STARTED, params={"n": 2})
    assert folded([HELLO, DEVICE, started]).unusual_params() == {}
    assert folded([started]).unusual_params() == {}
    broken = replace(HELLO, demos=(replace(HELLO.demos[0], params={"cuda": 3}),))
    assert folded([broken, DEVICE, started]).unusual_params() == {}

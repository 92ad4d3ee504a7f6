"""Events of a run, as a worker would send them."""

from __future__ import annotations

from quizapp.proof.protocol import (
    Check,
    DemoInfo,
    Device,
    Done,
    Event,
    Failed,
    Hello,
    Measurement,
    Metric,
    Prediction,
    Progress,
    Started,
    Variant,
)

RUN = "r1"
HELLO = Hello(
    (DemoInfo("elementwise", "An element-wise chain", ("cuda", "cpu"), ("speedup",), "d1"),),
    1,
    "3.12",
)
DEVICE = Device("cuda", "NVIDIA H200", {"torch": "2.11.0", "triton": "3.6.0"}, {})
STARTED = Started(
    RUN,
    "elementwise",
    "An element-wise chain",
    (Variant("three", "Three kernels", baseline=True), Variant("one", "One kernel")),
    {},
    0,
    "2026-03-02T12:00:00Z",
)


def measured(variant: str, seconds: float, final: bool = True) -> Measurement:
    low, high = seconds * 0.99, seconds * 1.01
    return Measurement(RUN, variant, seconds, low, high, 40, 10**9, 10**8, {}, "device", final)


def metric(name: str, value: float, control: float | None = None) -> Metric:
    return Metric(RUN, name, value, value * 0.99, value * 1.01, "×", control)


def good_run() -> list[Event]:
    return [
        HELLO,
        DEVICE,
        STARTED,
        Prediction(RUN, "time:three", 1.5e-3, "s", "6 N s / BW"),
        Prediction(RUN, "time:one", 0.5e-3, "s", "2 N s / BW"),
        Progress(RUN, "round 3", 0.3),
        measured("three", 1.527e-3),
        measured("one", 0.51e-3),
        Check(RUN, "one", "correct", True, "relative error 4e-08"),
        metric("passes_unfused", 6.0, control=2.0),
        metric("passes_fused", 2.0, control=6.0),
        Done(RUN, 3.0),
    ]


def crash() -> list[Event]:
    return [
        HELLO,
        DEVICE,
        STARTED,
        Failed(RUN, "crashed", "the demo process ended by SIGSEGV: [/b] boom", "look at the log"),
    ]

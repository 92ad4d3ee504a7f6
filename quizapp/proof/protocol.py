"""The wire protocol between the application and a demo worker.

Both sides speak JSON, one object a line, UTF-8, no NaN or infinity.  Requests go to the
worker's standard input, events come from its standard output; end of input means stop.
Every object carries ``v`` (:data:`VERSION`) and ``type``; an unknown type and unknown
fields are ignored, an unknown version is refused.  Times are seconds, sizes bytes, rates
per second.

Requests::

    {"v": 1, "type": "run", "run": "r1", "demo": "elementwise", "params": {}, "seed": 0}
    {"v": 1, "type": "list"}
    {"v": 1, "type": "cancel", "run": "r1"}
    {"v": 1, "type": "stop"}

Events of a worker: ``hello`` once, before torch is imported; ``device`` once, when it knows.
Events of a run, each with its ``run``: ``started``, then any number of ``progress``,
``ceiling``, ``prediction``, ``measurement``, ``kernel``, ``chain``, ``check`` and ``metric``, and
at last exactly one ``done`` or ``error``.  Predictions come before the first measurement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

VERSION = 1
MAX_LINE = 1 << 20
"""Longest line that is accepted, bytes."""


@dataclass(frozen=True, slots=True)
class DemoInfo:
    """One demo that a worker offers."""

    name: str
    title: str
    devices: tuple[str, ...]
    """Kinds of device it runs on: ``cuda``, ``cpu``."""
    metrics: tuple[str, ...]
    """Names of the metrics it gives, for claims to be checked against."""
    digest: str
    """Hash of the sources that the demo's result depends on; a proof older than it is stale."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """By kind of device, its parameters and their defaults."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The worker lives; torch is not loaded yet."""

    demos: tuple[DemoInfo, ...]
    pid: int
    python: str


@dataclass(frozen=True, slots=True)
class Device:
    """What the measurements are taken on."""

    kind: str
    """``cuda`` or ``cpu``."""
    name: str
    versions: Mapping[str, str]
    """``torch``, ``triton``, ``driver``, ``cuda``, ``python``, ..."""
    details: Mapping[str, Any]
    """Multiprocessors, L2 bytes, memory bytes, threads, ..."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One way of doing the demo's computation."""

    name: str
    """Short, unique in the demo, e.g. ``three kernels``."""
    title: str
    baseline: bool = False
    """The strongest way without what the demo is about."""


@dataclass(frozen=True, slots=True)
class Started:
    """A run begins."""

    run: str
    demo: str
    title: str
    variants: tuple[Variant, ...]
    params: Mapping[str, Any]
    seed: int
    at: str
    """ISO 8601, UTC."""
    digest: str = ""
    """Hash of the sources that this run's result depends on."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is; replaces the progress before it."""

    run: str
    stage: str
    fraction: float
    """0 to 1."""


@dataclass(frozen=True, slots=True)
class Ceiling:
    """A limit of this device, measured in this run."""

    run: str
    name: str
    """``copy bandwidth``, ``fp32 fma``, ``bf16 gemm``, ``launch``, ..."""
    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the demo expects, said before it measures."""

    run: str
    metric: str
    """Name of the metric, or ``time:VARIANT``, that it foretells."""
    value: float
    unit: str
    formula: str
    """In words a reader can follow, e.g. ``6 N s / BW``."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """Time of one variant at one size."""

    run: str
    variant: str
    seconds: float
    """Median over the rounds."""
    low: float
    high: float
    """95 % interval of the median, seconds."""
    rounds: int
    bytes: int
    """Counted bytes through device memory in one call; 0 if not counted."""
    flops: int
    point: Mapping[str, Any]
    """Where in a sweep this was taken, e.g. ``{"elements": 268435456}``; empty outside one."""
    clock: str
    """``device`` (kernels alone) or ``call`` (with launches, as called)."""
    final: bool
    """False while samples are still coming in."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """What the compiler says of one kernel."""

    run: str
    variant: str
    name: str
    registers: int
    spills: int
    """Bytes a thread."""
    shared: int
    """Bytes a block."""
    threads: int
    """A block."""
    occupancy: float
    """0 to 1."""
    launches: int
    """In one call of the variant."""
    seconds: float = 0.0
    """Of all launches in one call, by the profiler; 0 if it was not told."""


@dataclass(frozen=True, slots=True)
class Check:
    """Whether a variant's output is right."""

    run: str
    variant: str
    name: str
    """What was checked: ``error``, ``bit-identical``, ``guard bands``, ..."""
    passed: bool
    detail: str
    differing: int = 0
    of: int = 0
    """Elements that differ, of how many."""
    control: bool = False
    """A negative control: it is meant not to pass, and the check is broken if it does."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A number that claims are judged by."""

    run: str
    name: str
    value: float
    low: float
    high: float
    """95 % interval; equal to ``value`` for a count."""
    unit: str
    control: float | None = None
    """The same number for the negative control, which must fail the claim."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Chain:
    """Operations of a module that could be one kernel; a later one of its name replaces it."""

    run: str
    name: str
    """Its rank, ``1`` for the greatest gain, or what it is."""
    operators: tuple[str, ...]
    """Those that launch something, in order."""
    kernels: tuple[str, ...]
    """What they launch, by the profiler."""
    place: str
    """Where in the code they are called for: file and lines; empty if unknown."""
    repeats: int
    """How often the module does the same on other numbers."""
    seconds: float
    """Of one, as it is, in the module."""
    bytes_in: int
    """From outside the chain, each piece of memory once."""
    bytes_out: int
    fused_seconds: float
    """Foretold of one as one kernel."""
    gain: float
    """Seconds that fusing all of them should save."""
    share: float
    """Of the module's time that the gain is."""
    module_seconds: float
    """All operations of the module."""
    measured: float | None = None
    """Seconds that fusing one did save; none before it is measured."""
    low: float | None = None
    high: float | None = None
    """95 % interval."""
    speedup: float | None = None
    """Measured, of the chain alone."""
    note: str = ""
    """E.g. why it was not measured."""


@dataclass(frozen=True, slots=True)
class Done:
    """The run ended well."""

    run: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Failed:
    """The run ended badly; on the wire its type is ``error``."""

    run: str
    kind: str
    """``missing``, ``unsupported``, ``memory``, ``incorrect``, ``cancelled``, ``crashed``,
    ``hung``, ``lost``, ``protocol``, ``failed``."""
    message: str
    """One line: what happened."""
    remedy: str = ""
    """What the user can do about it."""


Event = (
    Hello
    | Device
    | Started
    | Progress
    | Ceiling
    | Prediction
    | Measurement
    | Kernel
    | Check
    | Metric
    | Chain
    | Done
    | Failed
)

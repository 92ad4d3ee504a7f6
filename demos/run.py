"""A run of a demo, as its author sees it: say, predict, check, measure, conclude.

Every method tells the world what happened as an event of the wire protocol; the order is
enforced where it matters: predictions come before the first measurement, and a variant whose
output is wrong ends the run before anything is timed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import torch

from demos import ceilings, gate, profiling, rounds
from demos.bootstrap import Estimate
from demos.catalogue import Entry
from demos.clocks import clock_for
from demos.device import Machine, need_room, witness
from demos.failures import Cancelled, Incorrect
from demos.gate import Error, Findings
from demos.problem import Buffers, Problem, Variant
from demos.wire import Sink, event

COPIES = 2
"""How often the checks copy inputs and outputs at the same time."""
PREPARING = 0.3
"""Share of the progress before the first measurement: ceilings, compiling, checks.  Nobody
knows how many stages there will be, so each takes a part of what is left."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How many elements of two outputs differ in any bit."""

    differing: int
    of: int


class Run:
    """One run of one demo; handed to the demo's ``demo(run)``."""

    def __init__(
        self,
        run: str,
        entry: Entry,
        machine: Machine,
        params: Mapping[str, Any],
        seed: int,
        sink: Sink,
        cancelled: Callable[[], bool] = lambda: False,
        ceilings_of: ceilings.Ceilings | None = None,
    ) -> None:
        self.entry = entry
        self.machine = machine
        """The device's facts: ``l2_bytes``, ``multiprocessors``, ``capability``, ..."""
        self.params = params
        self.seed = seed
        self._id = run
        self._sink = sink
        self._cancelled = cancelled
        self._ceilings = ceilings_of or ceilings.Ceilings(machine)
        self._begun = self._measured = False
        self._stages, self._expected, self._done = 0, 1, 0

    @property
    def device(self) -> torch.device:
        """Where to allocate."""
        return self.machine.device

    @property
    def cuda(self) -> bool:
        """Whether this is a GPU."""
        return self.device.type == "cuda"

    def begin(self, variants: Sequence[Variant], measures: int = 1) -> None:
        """Announce the variants first of all, and how often :meth:`measure` will be called."""
        self._begun, self._expected = True, max(1, measures)
        self._send(
            "started",
            demo=self.entry.name,
            title=self.entry.title,
            variants=[{"name": v.name, "title": v.title, "baseline": v.baseline} for v in variants],
            params=dict(self.params),
            seed=self.seed,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            digest=self.entry.digest,
        )

    def stage(self, text: str, within: float = 0.0) -> None:
        """Say what is going on now; also where a cancelled run stops."""
        if self._cancelled():
            raise Cancelled("stopped")
        self._stages += not self._measured
        before = PREPARING * (1 if self._measured else 1 - 0.85**self._stages)
        share = min(1.0, (self._done + within) / self._expected)
        fraction = round(before + (1 - PREPARING) * share, 4)
        self._send("progress", stage=text, fraction=fraction)

    def ceiling(self, name: str) -> float:
        """A limit of this device, measured now; names are in :data:`demos.ceilings.KNOWN`."""
        self.stage(f"measuring the ceiling: {name}")
        found, best = self._ceilings.get(name), self._ceilings.best(name)
        self._send(
            "ceiling",
            name=name,
            value=found.value,
            unit=found.unit,
            at=found.at,
            best=best.value,
            best_at=best.at,
        )
        return found.value

    def own_ceiling(self, name: str, unit: str, measure: Callable[[], float]) -> float:
        """A limit that only this demo knows how to measure."""
        self.stage(f"measuring the ceiling: {name}")
        value = measure()
        self._send("ceiling", name=name, value=value, unit=unit)
        return value

    def predict(self, metric: str, value: float, unit: str, formula: str) -> float:
        """Foretell a metric, or ``time:VARIANT``, before anything is measured."""
        if self._measured:
            raise RuntimeError(f"{metric} is predicted after the first measurement")
        self._send("prediction", metric=metric, value=value, unit=unit, formula=formula)
        return value

    def gate(
        self,
        problems: Problem | Sequence[Problem],
        variants: Sequence[Variant],
        yardstick: Variant,
    ) -> None:
        """Check every variant that is meant to be right at every size; raise :class:`Incorrect`.

        ``yardstick`` is the variant without what the demo is about: what error is allowed
        is derived from its own.
        """
        wrong: list[str] = []
        for problem in [problems] if isinstance(problems, Problem) else problems:
            buffers = self._buffers(problem)
            limit: gate.Error | None = None
            for variant in _first(yardstick, [v for v in variants if not v.unchecked]):
                self.stage(f"checking: {variant.name}")
                findings = gate.Findings()
                gate.trial(buffers, variant.bind(buffers), findings, (self.seed + 1, self.seed + 2))
                limit = limit or gate.allowed(problem, findings.error)
                gate.judge(findings, limit)
                wrong += self._report(variant, findings, limit, problem.size)
        if wrong:
            raise Incorrect(wrong[0])

    def identical(
        self, problem: Problem, one: Variant, other: Variant, control: bool = False
    ) -> Difference:
        """Compare two variants bit by bit on fresh random inputs.

        With ``control`` they are meant to differ, and the check is broken if they do not.
        """
        self.stage(f"comparing bits: {one.name}, {other.name}")
        buffers = self._buffers(problem)
        count = total = 0
        for seed in (self.seed + 11, self.seed + 12):
            buffers.draw(seed)
            left = [t.clone() for t in self._outputs(buffers, one)]
            right = self._outputs(buffers, other)
            count += sum(gate.differing(a, b) for a, b in zip(left, right, strict=True))
            total += sum(tensor.numel() for tensor in left)
        self.check(
            other.name,
            "bit-identical",
            passed=count == 0,
            detail=f"{count} of {total} elements differ from {one.name}",
            differing=count,
            of=total,
            control=control,
        )
        return Difference(count, total)

    def measure(
        self,
        problem: Problem,
        variants: Sequence[Variant],
        point: Mapping[str, Any] | None = None,
        again: Variant | None = None,
        seconds: float | None = None,
        clocks: Sequence[str] = ("device", "call"),
    ) -> rounds.Timings:
        """Time the variants, interleaved in random order, until known well enough.

        ``again`` is timed twice a round under two names: the ratio of the two is the noise
        floor (default: the first variant).  The first variant is also the yardstick of the
        check afterwards.  ``point`` says where in a sweep this is.  ``seconds`` bounds the
        time spent measuring.
        """
        self._measured = True
        clock = clock_for(self.machine)
        session = rounds.Session(
            problem, variants, again or variants[0], clock, self.machine, self.seed
        )
        before = witness(self.machine)
        spot = {} if point is None else dict(point)
        for state in session.rounds(seconds, tuple(c for c in clocks if c in clock.names)):
            self.stage(state.text, state.fraction)
            if state.report:
                self._measurements(session, spot, final=False)
        self._done += 1
        self._measurements(session, spot, final=True)
        self._send("witness", point=spot, before=before, after=witness(self.machine))
        self._afterwards(session)
        return session.timings

    def kernels(self, problem: Problem, variant: Variant) -> list[profiling.Launch]:
        """What one call of the variant launches, by the profiler (by dispatch on a CPU)."""
        self.stage(f"profiling: {variant.name}")
        buffers = self._buffers(problem)
        buffers.draw(self.seed)
        launches = profiling.launches(variant.bind(buffers), self.machine, variant.kernels)
        for launch in launches:
            self._send("kernel", variant=variant.name, **launch.fields())
        return launches

    def check(
        self,
        variant: str,
        name: str,
        passed: bool,
        detail: str,
        differing: int = 0,
        of: int = 0,
        control: bool = False,
    ) -> None:
        """Report a check of the demo's own."""
        self._send(
            "check",
            variant=variant,
            name=name,
            passed=passed,
            detail=detail,
            differing=differing,
            of=of,
            control=control,
        )

    def metric(
        self,
        name: str,
        value: Estimate | float,
        unit: str = "",
        control: Estimate | float | None = None,
        note: str = "",
    ) -> None:
        """Give a number that claims are judged by, and the same for the negative control."""
        if name not in self.entry.metrics:
            raise RuntimeError(f"metric {name} is not in the catalogue's entry")
        known = value if isinstance(value, Estimate) else Estimate.exact(float(value))
        if not all(map(math.isfinite, (known.value, known.low, known.high))):
            raise RuntimeError(f"metric {name} is not a finite number")
        against = control.value if isinstance(control, Estimate) else control
        self._send(
            "metric",
            name=name,
            value=known.value,
            low=known.low,
            high=known.high,
            unit=unit,
            control=against,
            note=note,
        )

    def chain(self, **fields: Any) -> None:
        """Tell of operations that could be one kernel; told again once they are measured."""
        self._send("chain", **fields)

    def _send(self, kind: str, /, **fields: Any) -> None:
        if not self._begun and kind not in ("started", "progress"):
            raise RuntimeError(f"{kind} before begin()")
        if self._begun or kind == "started":
            self._sink(event(kind, run=self._id, **fields))

    def _report(
        self, variant: Variant, findings: Findings, limit: Error, size: Mapping[str, Any]
    ) -> list[str]:
        where = ", ".join(f"{key} {value}" for key, value in size.items())
        detail = "; ".join(findings.faults) or (
            f"relative error {findings.error.relative:.1e}, allowed {limit.relative:.1e}"
        )
        self.check(variant.name, "correct", not findings.faults, f"{detail} ({where})")
        return [f"{variant.name}: {fault} ({where})" for fault in findings.faults]

    def _outputs(self, buffers: Buffers, variant: Variant) -> tuple[torch.Tensor, ...]:
        buffers.poison(float("nan"))
        return gate.returned(buffers, variant.bind(buffers)(), gate.Findings())

    def _buffers(self, problem: Problem) -> Buffers:
        need_room(self.machine, problem.footprint + COPIES * problem.compulsory_bytes)
        return Buffers(problem, self.device)

    def _measurements(self, session: rounds.Session, point: dict[str, Any], final: bool) -> None:
        for line in session.summary(final):
            self._send("measurement", point=point, final=final, **line)

    def _afterwards(self, session: rounds.Session) -> None:
        """Check the very calls that were timed, and that no time is beyond the hardware."""
        wrong: list[str] = []
        for variant, findings in session.recheck():
            detail = "; ".join(findings.faults) or "right on fresh inputs in the timed buffers"
            self.check(variant.name, "last timed output", not findings.faults, detail)
            wrong += [f"{variant.name}: {fault}" for fault in findings.faults]
        for variant, text in session.impossible():
            self.check(variant.name, "possible", False, text)
            wrong.append(f"{variant.name}: {text}")
        if wrong:
            raise Incorrect(wrong[0])


def _first(head: Variant, variants: Sequence[Variant]) -> list[Variant]:
    return [head, *(variant for variant in variants if variant is not head)]

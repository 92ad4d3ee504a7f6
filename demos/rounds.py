"""Interleaved rounds: every variant once a round, in random order, until known well enough."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from demos import gate
from demos.bootstrap import Estimate, combined, interval, ratio
from demos.clocks import COLD, Clock, Lane, restore_timers, sets_for, timers_intact
from demos.device import Machine, need_room
from demos.problem import Buffers, Problem, Variant

AGAIN = " (again)"
WARM_UPS = 3
FEWEST, MOST = {"cuda": 15, "cpu": 7}, {"cuda": 60, "cpu": 40}
SECONDS = {"cuda": 3.0, "cpu": 6.0}
NARROW = 0.004
"""Half an interval over its median at which a variant is known well enough."""
REPORT_EVERY = 5


@dataclass(frozen=True, slots=True)
class State:
    """Where the rounds are."""

    text: str
    fraction: float
    """0 to 1."""
    report: bool = False
    """Whether there are new medians worth telling."""


class Timings:
    """Samples by clock and variant, one a round; times are seconds."""

    def __init__(self, clocks: tuple[str, ...], again: str) -> None:
        self.clocks = clocks
        self.samples: dict[str, dict[str, list[float]]] = {clock: {} for clock in clocks}
        self._again = again

    def __getitem__(self, variant: str) -> Estimate:
        """Time of one call, by the device's clock where there is one."""
        return interval(self._of(self.clocks[0], variant))

    def ratio(self, over: str, under: str) -> Estimate:
        """How many times as long ``over`` takes as ``under``: the speed-up of ``under``."""
        return self._ratio(self.clocks[0], over, under)

    def combined(self, formula: Callable[..., float], *variants: str) -> Estimate:
        """Any formula of the variants' times, paired by round."""
        return combined(formula, *(self._of(self.clocks[0], name) for name in variants))

    def called(self, variant: str) -> Estimate:
        """Time of one call as a program sees it, launches included."""
        return interval(self._of("call", variant))

    def called_ratio(self, over: str, under: str) -> Estimate:
        """As :meth:`ratio`, by the time as called."""
        return self._ratio("call", over, under)

    @property
    def noise(self) -> Estimate:
        """One variant against itself: no ratio nearer to 1 than this means anything."""
        return self.ratio(self._again + AGAIN, self._again)

    @property
    def called_noise(self) -> Estimate:
        """As :attr:`noise`, by the time as called."""
        return self.called_ratio(self._again + AGAIN, self._again)

    def _of(self, clock: str, variant: str) -> list[float]:
        if clock not in self.samples or variant not in self.samples[clock]:
            raise KeyError(f"{variant} was not timed by the {clock} clock")
        return self.samples[clock][variant]

    def _ratio(self, clock: str, over: str, under: str) -> Estimate:
        return ratio(self._of(clock, over), self._of(clock, under))


@dataclass(slots=True)
class _Timed:
    """A variant under one name, and its calls on every set of buffers."""

    name: str
    variant: Variant
    lane: Lane
    samples: dict[str, list[float]] = field(default_factory=dict)


class Session:
    """The timing of one problem by several variants."""

    def __init__(
        self,
        problem: Problem,
        variants: Sequence[Variant],
        again: Variant,
        clock: Clock,
        machine: Machine,
        seed: int,
    ) -> None:
        self._problem, self._clock, self._machine, self._seed = problem, clock, machine, seed
        touched = problem.compulsory_bytes
        count = sets_for(machine, clock, touched, problem.footprint)
        need_room(machine, count * problem.footprint)
        self._sets = [Buffers(problem, machine.device) for _ in range(count)]
        for number, buffers in enumerate(self._sets):
            buffers.draw(seed + 100 + number)
            buffers.poison(float("nan"))
        self._cold = count * touched < COLD * machine.l2_bytes
        self._timed = [self._bind(variant.name, variant) for variant in variants]
        self._timed.append(self._bind(again.name + AGAIN, again))
        self._shuffled = list(self._timed)
        self._order = random.Random(seed)
        self.timings = Timings(clock.names, again.name)

    def rounds(self, seconds: float | None, clocks: tuple[str, ...]) -> Iterator[State]:
        """Warm up, then sample round by round; yields before each round."""
        kind = self._machine.kind
        limit = SECONDS[kind] if seconds is None else seconds
        self.timings.clocks = clocks
        for timed in self._timed:
            yield State(f"warming up: {timed.name}", 0.0)
            self._warm_up(timed, clocks)
        spent, number = 0.0, 0
        collecting = gc.isenabled()
        gc.disable()
        try:
            while number < FEWEST[kind] or not self._enough(number, spent, limit):
                share = max(number / MOST[kind], min(1.0, spent / limit))
                yield State(f"round {number + 1}", share, _worth_telling(number))
                spent += self._round(clocks)
                number += 1
        finally:
            if collecting:
                gc.enable()

    def summary(self, final: bool) -> Iterator[dict[str, Any]]:
        """The measurement of each variant by each clock, as event fields."""
        for timed in self._timed:
            if timed.name.endswith(AGAIN):
                continue
            for clock, samples in timed.samples.items():
                if samples:
                    yield self._line(timed, clock, samples, final)

    def recheck(self, limit: gate.Error | None = None) -> Iterator[tuple[Variant, gate.Findings]]:
        """Time each variant's very calls once more on fresh inputs, and check what they give.

        What error is allowed is derived from the first variant's, unless ``limit`` says it.
        """
        for number, timed in enumerate(self._timed):
            if timed.variant.unchecked or timed.name.endswith(AGAIN):
                continue
            findings = gate.Findings()
            for buffers in self._sets:
                buffers.draw(self._seed + 200 + number)
                buffers.poison(float("nan"))
            last = self._clock.sample(timed.lane, self._clock.names[0]).last
            outputs = gate.returned(self._sets[-1], last, findings)
            gate.inspect_outputs(self._sets[-1], outputs, findings)
            limit = limit or gate.allowed(self._problem, findings.error)
            gate.judge(findings, limit)
            if not timers_intact():
                findings.fault("replaced the functions that tell the time")
                restore_timers()
            yield timed.variant, findings

    def impossible(self) -> Iterator[tuple[Variant, str]]:
        """Variants whose time is under what memory could do at most."""
        peak = self._machine.peak_bandwidth
        floor_bytes = self._problem.compulsory_bytes - self._machine.l2_bytes
        if peak is None or floor_bytes <= self._machine.l2_bytes:
            return
        floor = floor_bytes / peak
        for timed in self._timed:
            if timed.variant.unchecked and timed.variant.bytes is None:
                # A ceiling such as a plain copy, which moves what it moves.
                continue
            seconds = interval(next(iter(timed.samples.values()))).value
            if seconds < floor:
                yield timed.variant, f"impossible: {seconds:.2e} s, memory needs {floor:.2e} s"

    def _bind(self, name: str, variant: Variant) -> _Timed:
        lane = Lane([variant.bind(buffers) for buffers in self._sets], cold=self._cold)
        return _Timed(name, variant, lane)

    def _warm_up(self, timed: _Timed, clocks: tuple[str, ...]) -> None:
        for _ in range(WARM_UPS):
            for clock in clocks:
                self._clock.sample(timed.lane, clock)
        for clock in clocks:
            timed.samples[clock] = self.timings.samples[clock].setdefault(timed.name, [])

    def _round(self, clocks: tuple[str, ...]) -> float:
        """Sample every variant once by every clock; the seconds that were measured."""
        self._order.shuffle(self._shuffled)
        spent = 0.0
        for timed in self._shuffled:
            for clock in clocks:
                seconds = self._clock.sample(timed.lane, clock).seconds
                timed.samples[clock].append(seconds)
                spent += seconds * len(timed.lane.calls)
        return spent

    def _enough(self, number: int, spent: float, limit: float) -> bool:
        if number >= MOST[self._machine.kind] or spent >= limit:
            return True
        return all(
            interval(samples).spread < NARROW
            for timed in self._timed
            for samples in timed.samples.values()
        )

    def _line(self, timed: _Timed, clock: str, samples: list[float], final: bool) -> dict[str, Any]:
        known = interval(samples)
        line = {
            "variant": timed.name,
            "seconds": known.value,
            "low": known.low,
            "high": known.high,
            "rounds": len(samples),
            "bytes": timed.variant.counted_bytes(self._problem),
            "flops": timed.variant.counted_flops(self._problem),
            "clock": clock,
        }
        if final:
            line["samples"] = [float(f"{seconds:.4g}") for seconds in samples]
        if timed.lane.gaps and clock == "device":
            line["gaps"] = True
        return line


def _worth_telling(number: int) -> bool:
    return number > 0 and number % REPORT_EVERY == 0

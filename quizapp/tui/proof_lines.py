"""A run and its claims as lines: bars with the predicted mark, verdicts with their numbers.

Every number says where it comes from: measured here, recorded on a named device, predicted by
a formula, or claimed by a source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from quizapp.cards.model import Claim
from quizapp.charts.bars import Bar, bars
from quizapp.proof.protocol import DemoInfo, Measurement
from quizapp.proof.record import Record
from quizapp.proof.run import RunResult
from quizapp.proof.sweep import Spot, spots
from quizapp.proof.verdict import FINDINGS, Judgement, TermResult, Verdict, Why
from quizapp.text.cells import safe
from quizapp.text.spans import Line, Role, Span
from quizapp.text.wrap import wrap
from quizapp.tui.sweep_lines import sweep_plots
from quizapp.tui.words import Words

VERDICT_ROLES = {
    Verdict.PROVED: Role.GOOD,
    Verdict.REFUTED: Role.BAD,
    Verdict.BROKEN: Role.BAD,
    Verdict.UNDECIDED: Role.WARN,
    Verdict.NOT_MEASURABLE: Role.MUTED,
    Verdict.NOT_MEASURABLE_HERE: Role.WARN,
}
VERSIONS = ("torch", "triton", "cuda", "driver")
"""Those worth a line."""


def claim_lines(
    claims: Sequence[Claim],
    here: Sequence[Judgement] | None,
    recorded: Sequence[Judgement] | None,
    words: Words,
    width: int,
    where: str = "",
) -> Iterator[Line]:
    """Yield each claim with its verdict here and on the recorded device, each labelled.

    ``where`` names the machine of the run, if it is not this one.
    """
    yield (Span(words.claims, Role.HEADING),)
    for index, claim in enumerate(claims):
        yield from wrap((Span("• ", Role.MUTED), Span(safe(claim.says))), width, indent=2)
        if claim.holds:
            yield from wrap((Span(f"  {claim.holds}", Role.CODE),), width, indent=4)
        if here is not None:
            yield from _judgement(where or words.measured_here, here[index], words, width)
        if recorded is not None and not claim.unmeasurable:
            yield from _judgement(words.recorded, recorded[index], words, width)
        if here is None and recorded is None:
            yield (Span(f"  {words.no_verdict}", Role.MUTED),)
        yield ()


def _judgement(label: str, judgement: Judgement, words: Words, width: int) -> Iterator[Line]:
    verdict = words.verdicts[judgement.verdict.value]
    why = words.verdict_reasons[judgement.why.value]
    head = (
        Span(f"  {label}{words.colon}", Role.MUTED),
        Span(verdict, VERDICT_ROLES[judgement.verdict]),
        Span(f"  {why}", Role.MUTED),
    )
    yield from wrap(head, width, indent=4)
    for term in judgement.terms:
        yield from wrap((Span(f"    {_term(term, words)}"),), width, indent=6)
    if judgement.why is Why.DEVICE:
        kinds = words.colon.join((words.judged_on, safe(judgement.detail)))
        yield (Span(f"    {kinds}", Role.MUTED),)
    elif judgement.detail:
        yield from wrap((Span(f"    {safe(judgement.detail)}", Role.MUTED),), width, indent=4)


def _term(term: TermResult, words: Words) -> str:
    unit = f" {term.unit}" if term.unit and term.unit != "×" else term.unit
    text = f"{term.metric} = {_number(term.value)}{unit}"
    if term.low != term.high:
        text += f" [{_number(term.low)}, {_number(term.high)}]"
    if term.control is not None:
        text += f" · {words.control} {_number(term.control)}"
    return text


def run_lines(result: RunResult, words: Words, width: int) -> Iterator[Line]:
    """Yield the times of a run's variants as bars, then the numbers, checks and kernels."""
    clocks = {measurement.clock for measurement in result.measurements.values()}
    clock = "device" if "device" in clocks else "call"
    times = result.times(clock)
    if times:
        yield from bars([_time_bar(m, result) for m in times], width)
        legend = words.legend_device if clock == "device" else words.legend_call
        yield from wrap((Span("┃ ", Role.MARK), Span(legend, Role.MUTED)), width, indent=2)
        yield ()
    yield from sweep_plots(result, clock, words, width)
    yield from _sweep(result, clock, words, width)
    yield from _numbers(result, words, width)
    yield from _checks(result, words, width)
    yield from _kernels(result, words, width)


def _time_bar(measurement: Measurement, result: RunResult) -> Bar:
    predicted = result.predictions.get(f"time:{measurement.variant}")
    half = (measurement.high - measurement.low) / 2
    shown = f"{seconds(measurement.seconds)} ±{half / measurement.seconds:.1%}"
    variants = result.started.variants if result.started else ()
    baseline = any(v.baseline for v in variants if v.name == measurement.variant)
    return Bar(
        safe(measurement.variant),
        measurement.seconds,
        shown,
        predicted.value if predicted else None,
        Role.BASELINE if baseline else Role.BAR,
    )


def _sweep(result: RunResult, clock: str, words: Words, width: int) -> Iterator[Line]:
    """Yield every point of a sweep: how many times as fast a variant is as the baseline there."""
    names: dict[str, None] = {}
    pairs: list[tuple[str, Measurement, Measurement]] = []
    for spot in spots(result, clock):
        pair = _pair(result, spot)
        if pair is not None:
            names |= dict.fromkeys(spot.point)
            pairs.append((" · ".join(str(value) for value in spot.point.values()), *pair))
    if not pairs:
        return
    _, first, last = pairs[0]
    text = words.sweep.format(one=last.variant, other=first.variant)
    over = f"{words.colon}{' · '.join(names)}"
    yield from wrap((Span(safe(text + over), Role.MUTED),), width)
    yield from bars([_sweep_bar(*pair) for pair in pairs], width)
    yield ()


def _pair(result: RunResult, spot: Spot) -> tuple[Measurement, Measurement] | None:
    """Return the baseline and the first variant that is none, of those timed at a point."""
    timed = {time.variant: time for time in spot.times}
    order = [v for v in result.started.variants if v.name in timed] if result.started else []
    base = next((v.name for v in order if v.baseline), None)
    other = next((v.name for v in order if not v.baseline), None)
    if base is None or other is None:
        return (spot.times[0], spot.times[-1]) if len(spot.times) > 1 else None
    return timed[base], timed[other]


def _sweep_bar(label: str, first: Measurement, last: Measurement) -> Bar:
    ratio = first.seconds / last.seconds
    shown = f"{seconds(first.seconds)} → {seconds(last.seconds)}  {ratio:.2f}×"
    return Bar(safe(label), ratio, shown, role=Role.BAR if ratio >= 1 else Role.WARN)


def _numbers(result: RunResult, words: Words, width: int) -> Iterator[Line]:
    if not result.metrics:
        return
    yield (Span(words.metrics, Role.SUBHEADING),)
    for metric in result.metrics.values():
        text = f"  {metric.name} = {_number(metric.value)} {metric.unit}".rstrip()
        if metric.low != metric.high:
            text += f" [{_number(metric.low)}, {_number(metric.high)}]"
        foretold = result.predictions.get(metric.name)
        note = ""
        if foretold is not None:
            note += f" · {words.predicted} {_number(foretold.value)}: {foretold.formula}"
        if metric.control is not None:
            note += f" · {words.control} {_number(metric.control)}"
        yield from wrap((Span(safe(text)), Span(safe(note), Role.MUTED)), width, indent=4)
    for ceiling in result.ceilings.values():
        shown = f"  {ceiling.name}: {_number(ceiling.value)} {ceiling.unit}"
        yield (Span(safe(shown), Role.MUTED),)
    yield ()


def _checks(result: RunResult, words: Words, width: int) -> Iterator[Line]:
    """Yield every check with its finding; what is right by the dozen is counted, not listed."""
    if not result.checks:
        return
    yield (Span(words.checks, Role.SUBHEADING),)
    right: dict[str, list[str]] = {}
    for check in result.checks:
        good = check.passed != check.control
        if good and not check.control and check.name not in FINDINGS:
            right.setdefault(check.name, []).append(check.variant)
            continue
        mark = Span("  ✓ " if good else "  ✗ ", Role.GOOD if good else Role.BAD)
        control = f" ({words.control})" if check.control else ""
        text = f"{check.variant}: {check.name}{control} · {check.detail}"
        yield from wrap((mark, Span(safe(text))), width, indent=4)
    for name, variants in right.items():
        each = ", ".join(dict.fromkeys(variants))
        text = f"{name} · {words.checked.format(n=len(variants))}{words.colon}{each}"
        yield from wrap((Span("  ✓ ", Role.GOOD), Span(safe(text))), width, indent=4)
    yield ()


def _kernels(result: RunResult, words: Words, width: int) -> Iterator[Line]:
    """Yield what the compiler and the profiler say of each kernel, under its variant."""
    if not result.kernels:
        return
    yield (Span(words.kernels, Role.SUBHEADING),)
    variant = ""
    for kernel in result.kernels:
        if kernel.variant != variant:
            variant = kernel.variant
            yield (Span(f"  {safe(variant)}", Role.STRONG),)
        told = [f"{kernel.launches} × {kernel.name}"]
        if kernel.seconds:
            told.append(seconds(kernel.seconds))
        if kernel.registers:
            told.append(
                words.kernel_use.format(
                    registers=kernel.registers,
                    spills=kernel.spills,
                    shared=kernel.shared,
                    threads=kernel.threads,
                    occupancy=f"{kernel.occupancy:.0%}",
                )
            )
        role = Role.WARN if kernel.spills else Role.MUTED
        yield from wrap((Span(f"    {safe(' · '.join(told))}", role),), width, indent=6)


def record_label(record: Record, words: Words) -> str:
    """Return where and when a record was made, in one line."""
    versions = ", ".join(f"{n} {record.versions[n]}" for n in VERSIONS if n in record.versions)
    made = words.record_of.format(
        device=record.device, date=f"{record.date:%Y-%m-%d}", versions=versions
    )
    return made + params_note(record.result, words)


def params_note(result: RunResult, words: Words, demos: Iterable[DemoInfo] = ()) -> str:
    """Return the parameters that are not the demo's own, for the end of a line; often nothing."""
    given = ", ".join(f"{name}={value}" for name, value in result.unusual_params(demos).items())
    return words.params.format(params=safe(given)) if given else ""


def seconds(value: float) -> str:
    """Return a time as people read it."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if value * factor >= 1:
            return f"{value * factor:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def _number(value: float) -> str:
    if value == int(value) and abs(value) < 1e6:
        return f"{int(value)}"
    return f"{value:.4g}"

"""`quizapp fuse-advice`: which chain of kernels to fuse in a module of the user's own."""

from __future__ import annotations

import asyncio
import os
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from itertools import groupby

import click

from quizapp.cli.output import colour, echo_json, width
from quizapp.proof.protocol import Chain, Progress
from quizapp.proof.run import RunResult
from quizapp.runner.base import Runner
from quizapp.services.errors import UserError

TOOL = "own_module"
"""What the worker calls it."""
FUNCTION = "make_module"


@click.command()
@click.argument("target", metavar="PATH.py[:FUNCTION]")
@click.option("--check", is_flag=True, help="Compile the best chains, check and time them.")
@click.option(
    "--chains",
    type=click.IntRange(1, 100),
    default=7,
    show_default=True,
    help="How many to show, and to check.",
)
@click.option("--python", default="", help="The Python with torch and what your module needs.")
@click.option("--json", "as_json", is_flag=True, help="For programs; all chains.")
def fuse_advice(target: str, check: bool, chains: int, python: str, as_json: bool) -> None:
    """Profile a module of yours and rank the kernels worth fusing, best first.

    FUNCTION (default: make_module) takes nothing and returns (module, example_inputs), or a
    module that has example_inputs: a tensor, a tuple of positional arguments or a dictionary of
    named ones.

    \b
        def make_module():
            return Model(), (torch.randn(8, 1024),)

    The module is moved to the GPU where there is one; one forward pass, in evaluation mode and
    without gradients, is recorded and profiled.  Kernels that are bound by memory and hand each
    other something are a chain.  Fusing it should save the time of its kernels less that of the
    bytes that must still move, at the speed of a copy.  Without --check nothing is compiled, and
    the savings are foretold, not measured.
    """
    path, name = parted(target)
    params: dict[str, object] = {
        "path": path,
        "function": name,
        "folder": os.getcwd(),
        "check": check,
        "chains": chains,
    }
    result = asyncio.run(_run(params, python))
    if as_json:
        echo_json(_plain(result, target))
        return
    for line in lines(result, target, chains):
        click.echo(line)


def parted(target: str) -> tuple[str, str]:
    """Return the file and the function of ``path.py:make_module``."""
    path, sign, name = target.rpartition(":")
    return (path, name) if sign and name.isidentifier() else (target, FUNCTION)


async def _run(params: dict[str, object], python: str) -> RunResult:
    """Run it in the Python that has torch; raises :class:`UserError` for whatever goes wrong."""
    from quizapp.services.proving import run_demo

    runner = _runner(python)
    result = RunResult()
    try:
        async with aclosing(run_demo(runner, TOOL, params)) as steps:
            async for step in steps:
                result = step.result
                if isinstance(step.event, Progress) and colour():
                    told = f"{step.event.fraction:4.0%} {step.event.stage}"
                    click.echo(f"\r\x1b[K{told}", nl=False, err=True)
    finally:
        await runner.close()
        if colour():
            click.echo("\r\x1b[K", nl=False, err=True)
    if result.failed is not None:
        raise UserError(result.failed.message, result.failed.remedy)
    return result


def _runner(python: str) -> Runner:
    from quizapp.runner.local import LocalRunner
    from quizapp.services.paths import locate
    from quizapp.services.settings import load

    return LocalRunner(python or load(locate().config).settings.demo_python)


def _plain(result: RunResult, target: str) -> dict[str, object]:
    module = result.metrics.get("module_seconds")
    return {
        "module": target,
        "device": result.device,
        "module_seconds": module.value if module else None,
        "ceilings": list(result.ceilings.values()),
        "chains": list(result.chains.values()),
        "checks": list(result.checks),
        "metrics": list(result.metrics.values()),
    }


def lines(result: RunResult, target: str, most: int) -> Iterator[str]:
    """Yield the advice as lines for people."""
    yield from _head(result, target)
    found = list(result.chains.values())
    worth = [chain for chain in found if chain.gain > 0][:most]
    if not worth:
        yield "Nothing to fuse: no two neighbouring kernels are bound by memory and would gain."
        return
    yield ""
    yield from table(worth)
    yield ""
    yield from _foot(result, found, worth)


def table(chains: Sequence[Chain]) -> Iterator[str]:
    """Yield a row for each chain, and below it what it is."""
    from quizapp.text.cells import safe

    columns = width()
    room = max(2, *(len(chain.name) for chain in chains))
    yield "#".rjust(room) + "      saves       ×   share         now          in         out  times"
    for chain in chains:
        numbers = [
            chain.name.rjust(room),
            f"{_seconds(chain.gain):>9}",
            f"{chain.seconds / chain.fused_seconds:>5.1f}×",
            f"{chain.share:>6.1%}",
            f"{_seconds(chain.seconds):>10}",
            f"{_bytes(chain.bytes_in):>10}",
            f"{_bytes(chain.bytes_out):>10}",
            f"{chain.repeats:>5}",
        ]
        yield "  ".join(numbers)
        for label, text in _details(chain):
            yield from textwrap.wrap(
                safe(f"{label}: {text}"), columns, initial_indent="    ", subsequent_indent="      "
            )


def _head(result: RunResult, target: str) -> Iterator[str]:
    device, module = result.device, result.metrics.get("module_seconds")
    where = f" on {device.name} ({device.kind})" if device else ""
    took = f": {_seconds(module.value)} in all operations of a forward pass" if module else ""
    yield f"{target}{where}{took}"


def _details(chain: Chain) -> Iterator[tuple[str, str]]:
    yield chain.place or "operators", _told(chain.operators)
    kernels = [kernel_name(kernel) for kernel in chain.kernels]
    if kernels and not chain.kernels[0].startswith("aten."):  # a CPU's are the operators
        yield "kernels", ", ".join(_often(*one) for one in Counter(kernels).items())
    if chain.measured is not None and chain.low is not None and chain.high is not None:
        times = f", {chain.speedup:.2f}×" if chain.speedup else ""
        between = f"[{_seconds(chain.low)}, {_seconds(chain.high)}]"
        yield "measured", f"saves {_seconds(chain.measured)} {between}{times}"
    if chain.note:
        yield "note", chain.note


def _told(operators: Sequence[str]) -> str:
    """Write the operators, the same ones in a row as one."""
    return ", ".join(_often(name, len(list(run))) for name, run in groupby(operators))


def _often(name: str, count: int) -> str:
    return f"{name} ({count})" if count > 1 else name


def _foot(result: RunResult, found: Sequence[Chain], worth: Sequence[Chain]) -> Iterator[str]:
    if any(chain.repeats > 1 for chain in worth):
        yield "What is saved, and its share, is of all times together; the rest is of one."
    total = sum(chain.share for chain in worth)
    yield f"Together they should save {total:.1%} of the module's time."
    if len(found) > len(worth):
        yield f"{len(found) - len(worth)} more chains are in --json."
    if rho := result.metrics.get("spearman"):
        yield f"Order foretold against order measured: Spearman's ρ {rho.value:.2f}."
    elif all(chain.measured is None and not chain.note for chain in found):
        yield "Foretold, not measured: --check compiles the best and times them."
    if result.device is not None and result.device.kind == "cpu":
        yield "On a CPU: operations are timed into memory that is there, and what calling compiled"
        yield "code costs is not foretold; a GPU's ranking may differ."


def kernel_name(name: str) -> str:
    """Return a kernel's own name, without its template's arguments and its signature."""
    plain = name.removeprefix("void ").partition("<")[0].partition("(")[0]
    return plain.rpartition("::")[2] or name


def _seconds(value: float) -> str:
    sign = "-" if value < 0 else ""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if abs(value) * factor >= 1 or unit == "µs":
            return f"{sign}{abs(value) * factor:.4g} {unit}"
    raise AssertionError("microseconds take anything")


def _bytes(value: int) -> str:
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if value >= factor:
            return f"{value / factor:.4g} {unit}"
    return f"{value} B"

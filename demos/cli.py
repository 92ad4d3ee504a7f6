"""The command line: list, run, all, worker, selfcheck.

Exit status: 0 the run ended well, 1 it failed or an output was wrong, 2 the command was not
understood, 3 something is missing or this device cannot run it, 4 not enough memory,
130 stopped with Ctrl+C.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from demos import params, record, report
from demos.catalogue import entries, find
from demos.execution import Host
from demos.failures import DemoError, Explanation, explain
from demos.wire import Event, encode

STATUS = {"missing": 3, "unsupported": 3, "memory": 4, "cancelled": 130}
RUN = "run"


class Interrupt:
    """Ctrl+C: the first time a request to stop, the second time the end."""

    def __init__(self) -> None:
        self.asked = False

    def __enter__(self) -> Interrupt:
        self._before = signal.signal(signal.SIGINT, self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _hear(self, *_: object) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


class Listener:
    """Collects a run's events; passes them on as JSON, or its progress to a terminal."""

    def __init__(self, as_json: bool) -> None:
        self.events: list[Event] = []
        self._as_json = as_json
        self._live = not as_json and sys.stderr.isatty()

    def __call__(self, event: Event) -> None:
        """Take one event."""
        if event["type"] != "progress":
            self.events.append(event)
        if self._as_json:
            sys.stdout.write(encode(event).decode())
            sys.stdout.flush()
        elif self._live:
            self._show(event)

    def _show(self, event: Event) -> None:
        text = f"{event['fraction']:4.0%} {event['stage']}" if event["type"] == "progress" else ""
        if text or event["type"] in ("done", "error"):
            sys.stderr.write(f"\r\x1b[K{text[:78]}")
            sys.stderr.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; returns the exit status."""
    given = _parser().parse_args(arguments)
    try:
        return int(given.act(given))
    except (DemoError, ImportError) as error:  # torch is missing, say, or the device is
        return _explain(explain(error))
    except KeyboardInterrupt:
        return _complain("stopped", STATUS["cancelled"])
    except BrokenPipeError:  # whoever read has left; nothing more may be written at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1


def show_list(given: argparse.Namespace) -> int:
    """The demos there are; torch is not imported."""
    found = [entry.describe() for entry in entries()]
    if given.json:
        print(json.dumps(found, ensure_ascii=False, indent=1))
    else:
        rows = [[one["name"], ", ".join(one["devices"]), one["title"]] for one in found]
        print("\n".join(report.table(rows)))
    return 0


def run_one(given: argparse.Namespace) -> int:
    """One demo."""
    if find(given.name) is None:
        names = ", ".join(entry.name for entry in entries())
        return _complain(f"there is no demo {given.name!r}; there are: {names}", 2)
    try:
        wanted = params.parsed(given.params)
        params.settled(find(given.name), "", wanted)  # type: ignore[arg-type]
    except params.ParameterError as error:
        return _complain(str(error), 2)
    return _run(given, given.name, wanted, given.record)


def run_all(given: argparse.Namespace) -> int:
    """Every demo that this machine can run; the worst status of them."""
    kind = Host(lambda _: None).machine(given.device).kind
    worst = 0
    for entry in entries():
        if kind in entry.devices and worst != STATUS["cancelled"]:
            worst = max(worst, _run(given, entry.name, {}, given.out))
    return worst


def serve(_: argparse.Namespace) -> int:
    """Be a worker, until standard input ends."""
    from demos import worker

    worker.serve()
    return 0


def check_harness(given: argparse.Namespace) -> int:
    """Try every path of the harness on this device, with full tracebacks."""
    from demos import selfcheck

    return selfcheck.main(given.device)


def _run(given: argparse.Namespace, name: str, wanted: dict[str, Any], folder: Path | None) -> int:
    if folder is not None and (reason := record.hindrance(folder)):
        return _complain(f"nothing can be recorded in {folder}: {reason}", 1)
    listener = Listener(given.json)
    host = Host(listener, trace=given.trace)
    with Interrupt() as interrupt:
        failure = host.run(
            RUN, name, wanted, given.seed, given.device, cancelled=lambda: interrupt.asked
        )
    if not given.json:
        print("\n".join(report.lines(listener.events)))
    if failure is not None:
        return _explain(failure)
    if folder is not None:
        machine = host.last_machine
        path = record.write(folder, machine, _command(), listener.events)
        print(f"recorded in {path}", file=sys.stderr)
    return 0


def _command() -> str:
    return shlex.join(["python", "-m", "demos", *sys.argv[1:]])


def _explain(failure: Explanation) -> int:
    remedy = f"; {failure.remedy}" if failure.remedy else ""
    return _complain(f"{failure.kind}: {failure.message}{remedy}", STATUS.get(failure.kind, 1))


def _complain(text: str, status: int) -> int:
    print(f"demos: {text}", file=sys.stderr)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m demos", description="Proofs by measurement.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, act: Any) -> argparse.ArgumentParser:
        text = (act.__doc__ or "").strip()
        added = commands.add_parser(name, help=text.partition("\n")[0], description=text)
        added.set_defaults(act=act)
        return added

    listing = command("list", show_list)
    listing.add_argument("--json", action="store_true", help="a JSON array")
    one = command("run", run_one)
    one.add_argument("name", help="as the list names it")
    one.add_argument("--params", default="", metavar="K=V,...", help="e.g. elements=2^20,sweep=no")
    one.add_argument("--record", type=Path, metavar="DIR", help="keep the run's events in DIR")
    every = command("all", run_all)
    every.add_argument("--out", type=Path, metavar="DIR", help="keep the runs' events in DIR")
    for runs in (one, every):
        runs.add_argument("--seed", type=_seed, default=0, help="of the random inputs")
        runs.add_argument("--json", action="store_true", help="events, one JSON object a line")
        runs.add_argument("--trace", action="store_true", help="tracebacks of failures")
    command("worker", serve)
    for choosing in (one, every, command("selfcheck", check_harness)):
        choosing.add_argument("--device", choices=("cuda", "cpu"), default="", help="default: best")
    return parser


def _seed(text: str) -> int:
    seed = int(text)
    if not 0 <= seed < 2**32:
        raise argparse.ArgumentTypeError("the seed is from 0 to 4294967295")
    return seed

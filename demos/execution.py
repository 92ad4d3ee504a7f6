"""From a request to a finished run: import, run, and one event for however it ended."""

from __future__ import annotations

import gc
import importlib
import os
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from demos import params
from demos.catalogue import Entry, find
from demos.compiling import cache_folder, use_user_caches
from demos.failures import Explanation, Unsupported, explain
from demos.wire import Sink, event

if TYPE_CHECKING:
    from demos.device import Machine


class Host:
    """Runs demos one after the other in this process; loads torch when it is first needed."""

    def __init__(self, sink: Sink, trace: bool = False) -> None:
        self._sink = sink
        self._trace = trace
        """Write a traceback of every failure to standard error."""
        self._machines: dict[str, Machine] = {}
        self.last_machine: Machine | None = None
        """What the last run was on."""

    def machine(self, kind: str = "") -> Machine:
        """The device of that kind; told as a ``device`` event when it is first known."""
        if kind not in self._machines:
            _before_torch()
            from demos import device

            found = device.machine(kind)
            known = found.kind in (machine.kind for machine in self._machines.values())
            self._machines[kind] = found
            if not known:
                self._sink(event("device", **found.fields()))
        return self._machines[kind]

    def run(
        self,
        run: str,
        name: str,
        given: Mapping[str, Any],
        seed: int = 0,
        kind: str = "",
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Explanation | None:
        """Run a demo and send its events; ``None`` when it ended well, else what went wrong."""
        began = time.perf_counter()
        failure = self._attempt(run, name, given, seed, kind, cancelled)
        if failure is None:
            self._sink(event("done", run=run, seconds=time.perf_counter() - began))
            return None
        _free_memory()
        self._sink(
            event(
                "error",
                run=run,
                kind=failure.kind,
                message=failure.message,
                remedy=failure.remedy,
            )
        )
        return failure

    def _attempt(
        self,
        run: str,
        name: str,
        given: Mapping[str, Any],
        seed: int,
        kind: str,
        cancelled: Callable[[], bool],
    ) -> Explanation | None:
        """The run itself.  Returning frees the frames that an error's traceback holds on to."""
        try:
            entry = _entry(name)
            machine = self.last_machine = self._machine_for(entry, kind)
            settled = params.settled(entry, machine.kind, given)
            module = importlib.import_module(entry.module or f"demos.{entry.name}")
            from demos.ceilings import Ceilings
            from demos.run import Run

            story = getattr(module, "demo" if not entry.module else entry.name)
            limits = Ceilings(machine, cache_folder() / "ceilings.json")
            story(Run(run, entry, machine, settled, seed, self._sink, cancelled, limits))
        except params.ParameterError as error:
            return Explanation("unsupported", str(error))
        except BrokenPipeError:  # nobody listens any more
            raise
        except Exception as error:  # noqa: BLE001 - whatever a demo raises is told, not raised
            failure = explain(error)
            if self._trace or failure.kind == "failed":
                traceback.print_exc(file=sys.stderr)
            return failure
        return None

    def _machine_for(self, entry: Entry, kind: str) -> Machine:
        """The device asked for, or the best that the demo runs on."""
        machine = self.machine(kind)
        if machine.kind not in entry.devices:
            if kind or "cpu" not in entry.devices:
                wanted = " or ".join(entry.devices)
                raise Unsupported(
                    f"{entry.name} runs on {wanted}, and this device is {machine.kind}"
                )
            machine = self.machine("cpu")
        return machine


def _entry(name: str) -> Entry:
    entry = find(name)
    if entry is None:
        raise Unsupported(f"there is no demo {name!r}", "python -m demos list names them")
    return entry


def _before_torch() -> None:
    """Settings that torch reads when it is imported.

    A thread of OpenMP that is done early sleeps.  Spinning, it would keep a core that the
    thread it waits for needs: on a shared machine an operation of 20 µs then takes 4 ms.
    The profiler announces its start and end at a level above its errors.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")
    use_user_caches()


def _free_memory() -> None:
    """Give back what the failed run held, so that the next one finds room."""
    gc.collect()
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available() and torch.cuda.is_initialized():
        torch.cuda.empty_cache()

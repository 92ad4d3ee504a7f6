"""Which chain to fuse in a module of the user's own: loaded from a file, profiled, ranked.

The file has a function that takes nothing and returns ``(module, example_inputs)``, or a module
that has ``example_inputs``.  Those are a tensor, a tuple of positional arguments, or a dictionary
of named ones.  The forward pass is taken in evaluation mode and without gradients.

Whatever the user's code does wrong is told in one line, with file and line where it happened.
"""

from __future__ import annotations

import contextlib
import importlib.util
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from inspect import isfunction
from pathlib import Path
from typing import Any

import torch
from torch.utils._pytree import tree_map

from demos import advising, chains
from demos.advising import Candidate, Checked, Survey
from demos.failures import DemoError, Missing, Unsupported, explain, first_line
from demos.run import Run

CONTRACT = "return (module, example_inputs), or a module that has example_inputs"
NAME = "quizapp_own_module"
"""What the user's file is called while it is loaded."""
OWN = str(Path(__file__).parent)
TORCH = str(Path(torch.__file__).parent)


@dataclass(frozen=True, slots=True)
class Own:
    """The user's module and its inputs, on the device."""

    module: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def __call__(self) -> Any:
        """One forward pass."""
        return self.module(*self.args, **self.kwargs)


def own_module(run: Run) -> None:
    """Rank the chains of the user's module; compile and time the best if ``check``."""
    wanted = run.params
    count = wanted["chains"] if wanted["check"] else 0
    names = [str(number) for number in range(1, count + 1)]
    run.begin(advising.announced(names), measures=max(1, count))
    folder = Path(wanted["folder"] or ".")
    if not folder.is_dir():
        raise Unsupported(f"there is no folder {folder}")
    with contextlib.chdir(folder):
        run.stage("loading the module")
        own = loaded(Path(wanted["path"]), wanted["function"], run.device)
        with blamed("the module"), torch.no_grad():
            own()
        found = advising.survey(run, own)
    run.metric("module_seconds", found.seconds, "s")
    run.metric("chains", len(found.candidates), "chains")
    run.metric("gain_share", sum(max(0.0, one.share) for one in found.candidates))
    for one in found.candidates:
        advising.tell(run, found, one)
    _check(run, found, found.candidates[:count])


def _check(run: Run, found: Survey, best: Sequence[Candidate]) -> None:
    checked: list[tuple[Candidate, Checked]] = []
    for one in best:
        result = advising.try_check(run, found, one)
        if isinstance(result, str):
            advising.tell(run, found, one, note=f"not checked: {result}")
        else:
            checked.append((one, result))
            advising.tell(run, found, one, result)
    if len(checked) > 2:
        rho = chains.spearman(
            [one.total_gain for one, _ in checked],
            [one.repeats * result.gain.value for one, result in checked],
        )
        chance = chains.shuffled_spearman(len(checked))
        run.metric("spearman", rho, control=chance, note="the order foretold, and as measured")


def loaded(path: Path, name: str, device: torch.device) -> Own:
    """The module that the function of that file makes; raises a failure of one line."""
    made = _function(path, name)
    with blamed(f"{name}()"):
        given = made()
    module, inputs = _parts(given, name)
    if isinstance(module, torch.nn.Module):
        with blamed("moving the module to the device"):
            module = module.to(device).eval()
    inputs = tree_map(lambda one: one.to(device) if isinstance(one, torch.Tensor) else one, inputs)
    if isinstance(inputs, dict):
        return Own(module, (), {str(key): one for key, one in inputs.items()})
    return Own(module, tuple(inputs) if isinstance(inputs, tuple | list) else (inputs,), {})


@contextlib.contextmanager
def blamed(what: str) -> Iterator[None]:
    """Tell what the user's code raises as one line that says where."""
    try:
        yield
    except DemoError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - anything a user's code can do
        raise _blame(what, error) from None


def _blame(what: str, error: BaseException) -> DemoError:
    known = explain(error)
    where = _where(error)
    at = f", at {where}" if where else ""
    if known.kind == "memory":
        found: DemoError = DemoError(known.message + at, known.remedy)
        found.kind = "memory"
        return found
    said = f"{type(error).__name__}: {first_line(error)}" if str(error) else type(error).__name__
    if isinstance(error, ModuleNotFoundError):
        return Missing(f"{what} raised {said}{at}", "install it where torch is installed")
    return Unsupported(f"{what} raised {said}{at}")


def _where(error: BaseException) -> str:
    """``file:line`` of the last line of the user's code that ran."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if not f.filename.startswith((OWN, TORCH, "<"))]
    return f"{own[-1].filename}:{own[-1].lineno}" if own else ""


def _function(path: Path, name: str) -> Callable[[], Any]:
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "is not there"
        raise Unsupported(f"{path} {what}", "give a Python file: path.py:make_module")
    absolute = path.resolve()
    spec = importlib.util.spec_from_file_location(NAME, absolute)
    if spec is None or spec.loader is None:
        raise Unsupported(f"{path} is no Python file", "give a Python file: path.py:make_module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = module
    sys.path.insert(0, str(absolute.parent))
    with blamed(str(path)):
        spec.loader.exec_module(module)
    found = getattr(module, name, None)
    if not callable(found):
        there = [
            key
            for key, value in vars(module).items()
            if isfunction(value) and value.__module__ == NAME and key[0] != "_"
        ]
        has = f"; it has {', '.join(there)}" if there else ""
        raise Unsupported(f"{path} has no function {name}{has}", "give path.py:FUNCTION")
    made: Callable[[], Any] = found
    return made


def _parts(given: Any, name: str) -> tuple[Callable[..., Any], Any]:
    """The module and its inputs, of whatever the function returned."""
    if isinstance(given, tuple) and len(given) == 2 and callable(given[0]):
        return given[0], given[1]
    inputs = getattr(given, "example_inputs", None)
    if callable(given) and inputs is not None:
        return given, inputs() if callable(inputs) else inputs
    what = type(given).__name__
    if isinstance(given, tuple):
        what = f"a tuple of {len(given)}: {', '.join(type(one).__name__ for one in given)}"
    elif isinstance(given, torch.nn.Module):
        what += ", a module without example_inputs"
    raise Unsupported(f"{name}() returned {what}", CONTRACT)

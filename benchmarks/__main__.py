"""Run every benchmark: ``python -m benchmarks [NAME ...]``."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import benchmarks

SUPPORT = {"__main__", "bare_card", "bare_screen", "hello", "terminal"}


def names() -> list[str]:
    """List the benchmarks of this folder."""
    found = (module.name for module in pkgutil.iter_modules(benchmarks.__path__))
    return sorted(name for name in found if name not in SUPPORT and not name.startswith("_"))


def main(wanted: list[str]) -> None:
    """Run the named ones, or all."""
    for name in wanted or names():
        print(f"== {name}", flush=True)
        importlib.import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main(sys.argv[1:])

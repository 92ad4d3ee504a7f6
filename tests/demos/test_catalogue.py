"""The catalogue: complete, quick to read, and a digest that notices every change."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from demos import catalogue


def imported(path: Path) -> set[str]:
    """Modules of this package that a file imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "demos":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("demos."):
            found.add(str(node.module).removeprefix("demos."))
    return found


def test_the_digest_covers_everything_a_run_depends_on() -> None:
    left_out = {"catalogue", "failures", "optional", "params", "wire"}
    known = {name.removesuffix(".py") for name in catalogue.HARNESS}
    for name in catalogue.HARNESS:
        missing = imported(catalogue.FOLDER / name) - known - left_out
        assert not missing, f"{name} imports {missing}"


def test_every_entry_has_its_module_and_sources() -> None:
    for entry in catalogue.DEMOS:
        assert (catalogue.FOLDER / f"{entry.name}.py").is_file()
        assert entry.metrics
        assert set(entry.cpu_params) <= set(entry.params)
        assert all((catalogue.FOLDER / source).is_file() for source in entry.sources)


def test_the_digest_changes_with_any_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = catalogue.DEMOS[0]
    for name in (*catalogue.HARNESS, f"{entry.name}.py"):
        (tmp_path / name).write_text("x", "utf-8")
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    before = entry.digest
    assert entry.digest == before
    (tmp_path / "gate.py").write_text("y", "utf-8")
    changed = entry.digest
    assert changed != before
    (tmp_path / f"{entry.name}.py").write_text("y", "utf-8")
    assert entry.digest not in (before, changed)


def test_demos_that_go_wrong_are_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DEMOS_SELFTEST", raising=False)
    assert catalogue.find("_crash") is None
    monkeypatch.setenv("DEMOS_SELFTEST", "1")
    assert catalogue.find("_crash") is not None


def test_the_list_is_json_and_imports_neither_torch_nor_triton(python: Any) -> None:
    done = python(
        "-c",
        "import sys; from demos.cli import main; main(['list', '--json']);"
        "sys.exit(bool({'torch', 'triton', 'numpy'} & set(sys.modules)))",
    )
    assert done.returncode == 0, done.stderr
    listed = json.loads(done.stdout)
    first = next(one for one in listed if one["name"] == "elementwise")
    assert set(first) == {"name", "title", "devices", "metrics", "digest", "params"}
    assert first["params"]["cuda"]["elements"] == 2**28

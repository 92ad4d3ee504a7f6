"""The demos' files as one parcel, known by its contents."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from quizapp.runner.base import UnavailableError
from quizapp.runner.sources import demos_folder, parcel, version

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "demos"
    (folder / "records").mkdir(parents=True)
    (folder / "__pycache__").mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "chain.cu").write_text("kernel")
    (folder / "records" / "chain.h200.jsonl").write_text("{}")
    (folder / "__pycache__" / "chain.pyc").write_text("")
    return folder


def test_records_and_caches_stay_behind(package: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(parcel(package))) as archive:
        assert archive.getnames() == ["demos/__init__.py", "demos/chain.cu"]


def test_a_version_depends_on_names_and_contents_alone(package: Path, tmp_path: Path) -> None:
    before = version(parcel(package))
    os.utime(package / "chain.cu", (1, 1))
    os.chmod(package / "chain.cu", 0o600)
    (package / "records" / "more.jsonl").write_text("{}")
    assert version(parcel(package)) == before
    (package / "chain.cu").write_text("other")
    changed = version(parcel(package))
    (package / "chain.cu").rename(package / "other.cu")
    assert len({before, changed, version(parcel(package))}) == 3


def test_the_demos_are_found_without_being_imported() -> None:
    code = "from quizapp.runner.sources import *; import sys; print(demos_folder(), *sys.modules)"
    folder, *modules = subprocess.check_output(
        [sys.executable, "-c", code], text=True, cwd=ROOT
    ).split()
    assert (Path(folder) / "worker.py").is_file()
    assert "demos" not in modules


def test_demos_that_are_not_installed_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UnavailableError, match="not installed; pip install"):
        demos_folder()

"""The demos' own files: where they are, which version they are, and as one parcel."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

from quizapp.proof.protocol import Failed
from quizapp.runner.base import UnavailableError

LEFT_OUT = frozenset({"__pycache__", "records"})


def demos_folder() -> Path:
    """Return the folder of the ``demos`` package, which is not imported for it."""
    spec = importlib.util.find_spec("demos")
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        message = "the package demos, which comes with quizapp, is not installed"
        remedy = "pip install --force-reinstall quizapp"
        raise UnavailableError(Failed("", "missing", message, remedy))
    return Path(places[0])


def parcel(folder: Path) -> bytes:
    """Return the package as an archive that depends on its files' names and contents alone."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in _files(folder):
            content = path.read_bytes()
            entry = tarfile.TarInfo(f"demos/{path.relative_to(folder).as_posix()}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def version(package: bytes) -> str:
    """Return the hash of a parcel."""
    return hashlib.sha256(package).hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        inner = path.relative_to(folder)
        if path.is_file() and not LEFT_OUT.intersection(inner.parts) and path.suffix != ".pyc":
            yield path

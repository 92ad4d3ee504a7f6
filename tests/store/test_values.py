"""The border of the store costs nothing to import."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize("module", ["values", "calls", "database", "backup"])
def test_importing_the_border_imports_no_sqlalchemy(module: str) -> None:
    code = (
        f"import sys, quizapp.store.{module}; print({{'sqlalchemy', 'alembic'}} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "set()"

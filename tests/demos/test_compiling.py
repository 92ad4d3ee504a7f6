"""torch.compile as the demos use it."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from demos import compiling
from demos.failures import Missing


def test_each_set_of_shapes_is_compiled_once_and_never_run_uncompiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Twelve shapes are more than torch compiles for one function."""
    graphs: list[tuple[int, ...]] = []

    def backend(graph: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> object:
        graphs.append(tuple(inputs[0].shape))
        return graph.forward

    def doubled(x: torch.Tensor, y: torch.Tensor) -> None:
        y.copy_(x * 2)

    function = compiling.Compiled(doubled, backend=backend)
    for _ in range(2):
        for count in range(1, 13):
            x, y = torch.ones(count), torch.empty(count)
            function(x, y)
            assert torch.equal(y, 2 * x)
    assert graphs == [(count,) for count in range(1, 13)]


def test_a_call_that_is_bound_computes_with_the_contents_of_now() -> None:
    x, y = torch.ones(3), torch.empty(3)
    function = compiling.Compiled(lambda x, y: y.copy_(x + 1), backend="eager")
    call = function.bind(x, y)
    x.fill_(5)
    call()
    assert y.tolist() == [6, 6, 6]


def test_a_missing_compiler_is_said_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(Missing, match=r"no C\+\+ compiler") as caught:
        compiling.compiled(lambda x: x, cpu=True)
    assert "install" in caught.value.remedy


def test_caches_are_the_users_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    names = ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "TORCHINDUCTOR_COMPILE_THREADS")
    for name in names:
        monkeypatch.setenv(name, "before")
        monkeypatch.delenv(name)
    monkeypatch.delenv("DEMOS_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert compiling.cache_folder() == tmp_path / "quizapp-demos"
    compiling.use_user_caches()
    import os

    assert os.environ["TRITON_CACHE_DIR"] == str(tmp_path / "quizapp-demos" / "triton")
    monkeypatch.setenv("TRITON_CACHE_DIR", "mine")
    compiling.use_user_caches()
    assert os.environ["TRITON_CACHE_DIR"] == "mine"

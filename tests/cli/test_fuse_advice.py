"""`quizapp fuse-advice`: the table and the JSON on a user's file, and every mistake in one line."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from quizapp.cli.fuse_advice import kernel_name, lines, parted
from quizapp.proof.protocol import Chain, Device, Metric
from quizapp.proof.run import folded
from tests.cli.conftest import Command

DEMO_CACHE = "compiled"
NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(256, 256), nn.Linear(256, 256)

    def forward(self, x):
        h = torch.relu(self.one(x)) * 2 + x
        return torch.relu(self.two(h)) * 2 + h


def make_module():
    return Net(), torch.randn(128, 256)


def wrong():
    return 3


def fails():
    raise ValueError("no weights")


def bad_shape():
    return Net(), torch.randn(128, 255)


def alone():
    return nn.ReLU(), torch.randn(128, 256)
"""


@pytest.fixture
def advise(quizapp: Command, tmp_path: Path) -> Command:
    (tmp_path / "net.py").write_text(NET, encoding="utf-8")
    (tmp_path / "broken.py").write_text("def make_module(:\n", encoding="utf-8")
    (tmp_path / "lacking.py").write_text("import no_such_thing_anywhere\n", encoding="utf-8")

    def run(*arguments: str) -> object:
        return quizapp(
            "fuse-advice",
            *arguments,
            DEMOS_CACHE=str(tmp_path / DEMO_CACHE),
            CUDA_VISIBLE_DEVICES="",
        )

    return run  # type: ignore[return-value]


def test_the_table_of_a_module(advise: Command) -> None:
    done = advise("net.py:make_module")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    head, *rest = done.stdout.splitlines()
    assert head.startswith("net.py:make_module on ")
    assert any(line.strip() == "net.py:11: relu, mul, add" for line in rest) or any(
        line.strip() == "net.py:11-12: relu, mul, add" for line in rest
    )
    assert "--check compiles the best" in done.stdout
    assert all(len(line) <= 100 for line in rest)


@pytest.mark.slow
def test_the_check_as_json(advise: Command) -> None:
    done = advise("net.py", "--check", "--chains", "1", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    (chain,) = told["chains"]
    size = 4 * 128 * 256
    assert chain["operators"] == ["relu", "mul", "add"]
    assert (chain["bytes_in"], chain["bytes_out"], chain["repeats"]) == (2 * size, size, 2)
    assert chain["low"] <= chain["measured"] <= chain["high"]
    assert told["device"]["kind"] == "cpu"
    assert told["module_seconds"] == chain["module_seconds"] > 0
    assert all(check["passed"] for check in told["checks"])


def test_a_module_without_chains_is_no_mistake(advise: Command) -> None:
    done = advise("net.py:alone")
    assert done.returncode == 0, done.stderr
    assert "Nothing to fuse" in done.stdout


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("none.py:make_module", "none.py is not there"),
        ("net.py:nothing", "net.py has no function nothing; it has make_module, wrong, fails"),
        ("net.py:wrong", "wrong() returned int; return (module, example_inputs)"),
        ("net.py:fails", "fails() raised ValueError: no weights, at {}/net.py:24"),
        ("net.py:bad_shape", "the module raised RuntimeError: mat1 and mat2 shapes cannot"),
        ("broken.py", "broken.py raised SyntaxError"),
        ("lacking.py", "lacking.py raised ModuleNotFoundError: No module named 'no_such"),
    ],
)
def test_a_mistake_is_one_line(advise: Command, tmp_path: Path, target: str, said: str) -> None:
    done = advise(target)
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("quizapp: " + said.format(os.path.realpath(tmp_path)))


def test_a_forward_pass_that_fails_says_where(advise: Command, tmp_path: Path) -> None:
    done = advise("net.py:bad_shape")
    assert f"at {os.path.realpath(tmp_path)}/net.py:11" in done.stderr


def test_a_python_that_is_none(advise: Command) -> None:
    done = advise("net.py", "--python", "/no/such/python")
    assert done.returncode == 1
    assert done.stderr.startswith("quizapp: /no/such/python cannot be started")


@pytest.mark.parametrize(
    ("target", "parts"),
    [
        ("a.py:make", ("a.py", "make")),
        ("a.py", ("a.py", "make_module")),
        ("dir:x/a.py", ("dir:x/a.py", "make_module")),
        ("dir:x/a.py:make", ("dir:x/a.py", "make")),
    ],
)
def test_file_and_function(target: str, parts: tuple[str, str]) -> None:
    assert parted(target) == parts


def test_names_of_kernels_are_their_own() -> None:
    long = "void at::native::vectorized_elementwise_kernel<4, at::native::Add<float>>(int, float)"
    assert kernel_name(long) == "vectorized_elementwise_kernel"
    assert kernel_name("triton_poi_fused_add_0") == "triton_poi_fused_add_0"


def chain(name: str, gain: float, **more: object) -> Chain:
    kernels = ("void at::native::k<4>(int)", "void at::native::k<8>(int)", "r")
    return Chain(
        "r", name, ("mul", "mul", "sum"), kernels, "net.py:3-5", 12, 333e-6, 2 * 10**8, 10**8,
        66.6e-6, gain, 0.084, 0.038, **more,
    )  # fmt: skip


def test_lines_of_a_gpu() -> None:
    events = [
        Device("cuda", "NVIDIA Z", {}, {}),
        Metric("r", "module_seconds", 0.038, 0.038, 0.038, "s"),
        chain("1", 3.2e-3, measured=262.4e-6, low=261e-6, high=263e-6, speedup=4.9),
        chain("2", 1e-3, note="not checked: it holds NaN"),
        chain("3", -1e-6),
    ]
    text = "\n".join(lines(folded(events), "net.py:make", 7))
    assert "net.py:make on NVIDIA Z (cuda): 38 ms in all operations" in text
    (first,) = [line for line in text.splitlines() if line.startswith(" 1 ")]
    assert first.split() == "1 3.2 ms 5.0× 8.4% 333 µs 200 MB 100 MB 12".split()  # noqa: SIM905
    assert "net.py:3-5: mul (2), sum" in text
    assert "kernels: k (2), r" in text
    assert "measured: saves 262.4 µs [261 µs, 263 µs], 4.90×" in text
    assert "note: not checked: it holds NaN" in text
    assert " 3 " not in [line[:3] for line in text.splitlines()]
    assert "1 more chains" in text
    assert "GPU's ranking" not in text

"""A module of the user's own: loaded in every form, and every mistake told in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from demos import own_module
from demos.catalogue import find
from demos.failures import DemoError, Missing

HEAD = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x, scale=1.0):
        y = torch.relu(self.linear(x)) * scale
        return y + x

"""
CPU = torch.device("cpu")


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def write(text: str) -> Path:
        path = tmp_path / "net.py"
        path.write_text(HEAD + text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(
    "body",
    [
        "return Net(), torch.randn(3, 8)",
        "return Net(), (torch.randn(3, 8), 2.0)",
        "return Net(), [torch.randn(3, 8)]",
        "return Net(), {'x': torch.randn(3, 8), 'scale': 0.5}",
        "net = Net(); net.example_inputs = (torch.randn(3, 8),); return net",
        "net = Net(); net.example_inputs = torch.randn(3, 8); return net",
        "return torch.relu, torch.randn(3, 8)",
    ],
)
def test_every_form_of_a_module(file: Any, body: str) -> None:
    own = own_module.loaded(file(f"def make_module():\n    {body}\n"), "make_module", CPU)
    assert own().shape == (3, 8)
    assert not getattr(own.module, "training", False)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return 3", "make_module() returned int"),
        ("return None", "make_module() returned NoneType"),
        ("return Net()", "make_module() returned Net, a module without example_inputs"),
        ("return 1, 2, 3", "make_module() returned a tuple of 3: int, int, int"),
        ("raise ValueError('no weights')", "make_module() raised ValueError: no weights, at {}:15"),
        ("raise SystemExit(2)", "make_module() raised SystemExit: 2, at {}:15"),
        ("return make_module(1)", "make_module() raised TypeError: make_module() takes 0"),
    ],
)
def test_what_a_function_does_wrong(file: Any, body: str, said: str) -> None:
    path = file(f"def make_module():\n    {body}\n")
    with pytest.raises(DemoError) as caught:
        own_module.loaded(path, "make_module", CPU)
    assert str(caught.value).startswith(said.format(path))
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_loaded(file: Any, tmp_path: Path) -> None:
    for text, kind, said in (
        ("x = = 3\n", DemoError, "SyntaxError"),
        ("import no_such_thing_anywhere\n", Missing, "No module named 'no_such_thing_anywhere'"),
        ("1 / 0\n", DemoError, "ZeroDivisionError"),
    ):
        path = file(text)
        with pytest.raises(kind) as caught:
            own_module.loaded(path, "make_module", CPU)
        assert said in str(caught.value)
        assert f"{path}:14" in str(caught.value)
    with pytest.raises(DemoError, match="is not there"):
        own_module.loaded(tmp_path / "none.py", "make_module", CPU)
    with pytest.raises(DemoError, match="is a folder"):
        own_module.loaded(tmp_path, "make_module", CPU)
    odd = tmp_path / "notes.txt"
    odd.write_text("x")
    with pytest.raises(DemoError, match="is no Python file"):
        own_module.loaded(odd, "make_module", CPU)


def test_a_function_that_is_not_there_and_those_that_are(file: Any) -> None:
    path = file("def one(): ...\ndef two(): ...\ndef _three(): ...\n")
    with pytest.raises(DemoError, match=r"has no function make_module; it has one, two$"):
        own_module.loaded(path, "make_module", CPU)


def asked(worker: Any, path: Path, **params: Any) -> list[dict[str, Any]]:
    given = {"path": path.name, "folder": str(path.parent), **params}
    worker.run("own_module", params=given, device="cpu")
    return list(worker.until("done", "error"))


def test_a_module_is_ranked_where_the_user_is(file: Any, worker: Any, tmp_path: Path) -> None:
    (tmp_path / "sizes.txt").write_text("512")
    (tmp_path / "beside.py").write_text("ROWS = 256\n")
    path = file(
        "def make_module():\n    import beside\n    width = int(open('sizes.txt').read())\n"
        "    print('noise')\n    return Net(width), torch.randn(beside.ROWS, width)\n"
    )
    events = asked(worker, path)
    assert events[-1]["type"] == "done", events[-1]
    (chain,) = [event for event in events if event["type"] == "chain"]
    assert chain["operators"] == ["relu", "mul", "add"]
    assert (chain["bytes_in"], chain["bytes_out"]) == (2 * 4 * 256 * 512, 4 * 256 * 512)
    assert (chain["place"], chain["measured"]) == ("net.py:11-12", None)
    entry = find("own_module")
    assert entry is not None
    assert {e["name"] for e in events if e["type"] == "metric"} <= set(entry.metrics)


def test_a_forward_pass_that_fails_says_where(file: Any, worker: Any) -> None:
    path = file("def make_module():\n    return Net(), torch.randn(3, 9)\n")
    failed = asked(worker, path)[-1]
    assert (failed["type"], failed["kind"]) == ("error", "unsupported")
    assert failed["message"].startswith("the module raised RuntimeError: mat1 and mat2")
    assert failed["message"].endswith(f"at {path}:11")


@pytest.mark.slow
def test_the_check_measures_and_tells_what_it_cannot(file: Any, worker: Any) -> None:
    path = file(
        "class Two(nn.Module):\n    def forward(self, x):\n"
        "        masked = x.masked_fill(x > 0, float('-inf'))\n"
        "        return masked + 1, torch.relu(x @ x) * 3\n"
        "def make_module():\n    return Two(), torch.randn(64, 64)\n"
    )
    events = asked(worker, path, check=True)
    assert events[-1]["type"] == "done", events[-1]
    told = {tuple(e["operators"]): e for e in events if e["type"] == "chain"}
    assert told["relu", "mul"]["measured"] is not None
    other = told["gt", "masked_fill", "add"]
    assert other["measured"] is None
    assert other["note"].startswith("not checked: what it gives holds infinite numbers")


def test_it_is_no_demo_that_is_listed() -> None:
    from demos.catalogue import entries

    assert find("own_module") is not None
    assert "own_module" not in {entry.name for entry in entries()}

"""The machine: its facts fit on the wire, and nothing optional is needed."""

from __future__ import annotations

import dataclasses
import subprocess
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from demos import device
from demos.failures import Unsupported
from demos.wire import encode, event


def test_facts_of_the_cpu(machine: Any) -> None:
    assert machine.kind == "cpu"
    assert machine.l2_bytes >= 1 << 20
    assert machine.memory_bytes > machine.l2_bytes
    fields = machine.fields()
    encode(event("device", **fields))
    assert fields["details"]["threads"] == torch.get_num_threads()
    assert fields["versions"]["torch"] == str(torch.__version__)


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("NVIDIA H200", "nvidia-h200"),
        ("Intel(R) Xeon(R) @ 2.0GHz", "intel-r-xeon-r-2-0ghz"),
        ("", "cpu"),
    ],
)
def test_slug(machine: Any, name: str, slug: str) -> None:
    assert dataclasses.replace(machine, name=name).slug == slug


def test_a_kind_that_is_not_there() -> None:
    with pytest.raises(Unsupported, match="no such kind"):
        device.machine("tpu")
    if not torch.cuda.is_available():
        with pytest.raises(Unsupported, match="no CUDA device"):
            device.machine("cuda")


def gpu(monkeypatch: pytest.MonkeyPatch, **more: Any) -> device.Machine:
    facts = SimpleNamespace(
        name="NVIDIA H200",
        L2_cache_size=60 << 20,
        total_memory=139 << 30,
        multi_processor_count=132,
        major=9,
        minor=0,
        **more,
    )
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: facts)
    return device._gpu()


def test_a_gpu_whose_torch_tells_neither_clock_nor_uuid(monkeypatch: pytest.MonkeyPatch) -> None:
    found = gpu(monkeypatch)
    assert (found.capability, found.peak_bandwidth, found.uuid) == (90, None, "")
    encode(event("device", **found.fields()))


def test_peak_bandwidth_is_two_transfers_a_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    found = gpu(monkeypatch, memory_clock_rate=3_201_000, memory_bus_width=6144, uuid="ab-cd")
    assert found.peak_bandwidth == pytest.approx(4.917e12, rel=1e-3)
    assert found.uuid == "GPU-ab-cd"


def test_witness_reads_what_nvidia_smi_says(monkeypatch: pytest.MonkeyPatch, machine: Any) -> None:
    card = dataclasses.replace(machine, device=torch.device("cuda", 0), uuid="GPU-1")
    asked: list[list[str]] = []

    def smi(command: list[str], **_: Any) -> Any:
        asked.append(command)
        processes = "--query-compute-apps=pid" in command
        return SimpleNamespace(stdout="7\n8\n" if processes else "1980, 3201, 512.25, [N/A]\n")

    monkeypatch.setattr(subprocess, "run", smi)
    device._smi.cache_clear()
    found = device.witness(card)
    assert found == {
        "clocks.sm": 1980.0,
        "clocks.mem": 3201.0,
        "power.draw": 512.25,
        "temperature.gpu": "[N/A]",
        "other processes": 1,
    }
    assert "--id=GPU-1" in asked[0]


def test_without_nvidia_smi_there_is_no_witness(
    monkeypatch: pytest.MonkeyPatch, machine: Any
) -> None:
    card = dataclasses.replace(machine, device=torch.device("cuda", 0), uuid="GPU-2")

    def absent(*_: Any, **__: Any) -> Any:
        raise FileNotFoundError("nvidia-smi")

    monkeypatch.setattr(subprocess, "run", absent)
    device._smi.cache_clear()
    assert device.witness(card) == {}
    assert device.other_processes(card) == 0

"""What the compiler made of a kernel: registers, spills, instructions, occupancy.

Triton compiles for a GPU that is not there, and brings ``cuobjdump``, so a test can assert on
a machine without one that a kernel has no fused multiply-add on Ampere, Hopper or Blackwell.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from demos.failures import Missing


@dataclass(frozen=True, slots=True)
class Limits:
    """What one multiprocessor holds."""

    registers: int
    shared: int
    """Bytes."""
    warps: int
    blocks: int


LIMITS = {
    70: Limits(65536, 98304, 64, 32),
    75: Limits(65536, 65536, 32, 16),
    80: Limits(65536, 167936, 64, 32),
    86: Limits(65536, 102400, 48, 16),
    89: Limits(65536, 102400, 48, 24),
    90: Limits(65536, 233472, 64, 32),
    100: Limits(65536, 233472, 64, 32),
    120: Limits(65536, 102400, 48, 32),
}
"""By compute capability; from the CUDA programming guide's table of compute capabilities."""

RESERVED_SHARED = 1024
"""Shared memory that the system takes of each block, since Ampere."""


@dataclass(frozen=True, slots=True)
class Machinery:
    """One kernel as machine code."""

    name: str
    registers: int
    """A thread."""
    spills: int
    """Bytes of local memory a thread: stack frame and spilled registers."""
    shared: int
    """Bytes a block."""
    threads: int
    """A block; 0 if it is only known at launch."""
    occupancy: float
    sass: str
    """The disassembly."""
    ptx: str = ""

    def count(self, opcode: str) -> int:
        """How many instructions have this opcode, e.g. ``FFMA``, ``HGMMA``, ``LDG.E.128``."""
        return len(re.findall(rf"\b{re.escape(opcode)}(?![A-Z0-9])", self.sass))

    @property
    def contractions(self) -> int:
        """Multiply-adds with one rounding; Blackwell does two in one ``FFMA2``.

        ``HFMA2`` is not among them: compilers move constants with it.
        """
        return sum(map(self.count, ("FFMA", "FFMA2", "DFMA")))


def triton_kernel(
    function: Any,
    signature: Mapping[str, str],
    constants: Mapping[str, Any],
    capability: int,
    **options: Any,
) -> Machinery:
    """Compile a Triton function for a GPU that need not be there.

    ``signature`` gives the type of each argument (``*fp32``, ``i32``); pointers are taken as
    aligned to 16 bytes, as torch's are, and ``i32:16`` is a multiple of 16, which Triton sees
    at a launch.  ``options`` are those of a launch: ``num_warps``, ``enable_fp_fusion``.
    """
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    names = function.arg_names
    plain = {name: kind.removesuffix(":16") for name, kind in signature.items()}
    types = {**plain, **dict.fromkeys(constants, "constexpr")}
    aligned = {
        (names.index(name),): [["tt.divisibility", 16]]
        for name, kind in signature.items()
        if kind.startswith("*") or kind.endswith(":16")
    }
    source = ASTSource(
        fn=function,
        signature={name: types[name] for name in names},
        constexprs={(names.index(name),): value for name, value in constants.items()},
        attrs=aligned,
    )
    target = GPUTarget("cuda", capability, 32)
    options = {"enable_fp_fusion": False, **options}  # the default differs between versions
    compiled = triton.compile(source, target=target, options=options)
    return machinery(
        compiled.asm["cubin"],
        compiled.metadata.name,
        capability,
        threads=32 * compiled.metadata.num_warps,
        shared=compiled.metadata.shared,
        ptx=compiled.asm["ptx"],
    )


def machinery(
    cubin: bytes, name: str, capability: int, threads: int, shared: int = 0, ptx: str = ""
) -> Machinery:
    """Read machine code; ``shared`` is what is asked for at launch, beside the static."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.cubin"
        path.write_bytes(cubin)
        usage = _cuobjdump("-res-usage", path)
        sass = _cuobjdump("-sass", path)
    numbers = usage_of(usage, name)
    own_shared = numbers["SHARED"] + shared
    return Machinery(
        name=name,
        registers=numbers["REG"],
        spills=numbers["STACK"] + numbers["LOCAL"],
        shared=own_shared,
        threads=threads,
        occupancy=occupancy(capability, numbers["REG"], own_shared, threads) if threads else 0.0,
        sass=_function(sass, name),
        ptx=ptx,
    )


def usage_of(text: str, name: str) -> dict[str, int]:
    """The numbers that ``cuobjdump -res-usage`` gives for one function."""
    found = re.search(rf"Function {re.escape(name)}:\s*(.*)", text)
    if not found:
        raise ValueError(f"no function {name} in the machine code")
    pairs = re.findall(r"([A-Z]+):(\d+)", found.group(1))
    return {"REG": 0, "STACK": 0, "SHARED": 0, "LOCAL": 0} | {k: int(v) for k, v in pairs}


def limits_of(capability: int) -> Limits:
    """The limits of a capability, or of the family it is of."""
    return LIMITS.get(capability) or LIMITS.get(capability // 10 * 10) or LIMITS[90]


def blocks(capability: int, registers: int, shared: int, threads: int) -> int:
    """Blocks that a multiprocessor holds at once.

    Registers are handed out by 256 a warp, shared memory with 1 KiB a block for the system.
    """
    limits = limits_of(capability)
    warps = max(1, -(-threads // 32))
    warp_registers = -(-max(registers, 1) * 32 // 256) * 256
    return min(
        limits.registers // warp_registers // warps,
        limits.shared // (shared + RESERVED_SHARED),
        limits.warps // warps,
        limits.blocks,
    )


def occupancy(capability: int, registers: int, shared: int, threads: int) -> float:
    """Share of a multiprocessor's warps that can be there at once, 0 to 1."""
    warps = max(1, -(-threads // 32))
    held = blocks(capability, registers, shared, threads) * warps
    return held / limits_of(capability).warps


def crowding(capability: int, wanted: int) -> int:
    """Fewest bytes of shared memory a block, in KiB, that leave room for ``wanted`` blocks only."""
    room = limits_of(capability).shared
    return room // (wanted + 1) // 1024 * 1024 + 1024 - RESERVED_SHARED


def _function(sass: str, name: str) -> str:
    """The part of a disassembly that is about one function."""
    parts = re.split(r"(?m)^\s*Function : ", sass)
    return next((part for part in parts[1:] if part.split(None, 1)[0] == name), sass)


def _cuobjdump(option: str, cubin: Path) -> str:
    command = [str(_tool("cuobjdump")), option, str(cubin)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"cuobjdump {option}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def _tool(name: str) -> Path:
    """A tool of NVIDIA's that comes with Triton."""
    import triton

    path = Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / name
    if not path.exists():
        raise Missing(f"this Triton brings no {name}", "install Triton from PyPI")
    return path

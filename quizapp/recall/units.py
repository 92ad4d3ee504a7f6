"""Units of hand calculations: how people write them, what they convert to, how values are shown."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

_SI = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_IEC = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50}

TIMES = "x"
PERCENT = "%"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measure: its dimension and how many of the dimension's base unit it is."""

    dimension: str
    """``s``, ``B``, ``FLOP``, ``B/s``, ``FLOP/s``, ``FLOP/B``, ``tok/s``, ``x``, or a word of its
    own (``waves``)."""
    factor: float = 1.0
    symbol: str = ""
    """As shown to people."""


def _table() -> dict[str, Unit]:
    """Every known symbol in lower case; ``gb`` is gigabytes, since bits are spelled out here."""
    units: dict[str, Unit] = {}

    def add(symbol: str, dimension: str, factor: float, *spellings: str) -> None:
        for spelling in (symbol, *spellings):
            units.setdefault(spelling.lower(), Unit(dimension, factor, symbol))

    for symbol, factor, spellings in (
        ("s", 1.0, "sec secs second seconds 秒"),
        ("ms", 1e-3, "msec msecs millisecond milliseconds millis 毫秒"),
        ("µs", 1e-6, "us μs usec usecs microsecond microseconds micros 微秒"),
        ("ns", 1e-9, "nsec nanosecond nanoseconds 纳秒 納秒 奈秒"),
        ("min", 60.0, "mins minute minutes 分钟 分鐘"),
        ("h", 3600.0, "hr hour hours 小时 小時"),
    ):
        add(symbol, "s", factor, *spellings.split())
    for prefix, factor in (_SI | _IEC).items():
        shown = "k" if prefix == "K" else prefix
        add(f"{shown}B", "B", factor, f"{prefix}byte", f"{prefix}bytes", f"{prefix}字节")
        add(f"{prefix}bit", "B", factor / 8, f"{prefix}bits")
        rate = f"{shown}B/s"
        add(rate, "B/s", factor, f"{prefix}Bps", f"{prefix}bytes/s", f"{prefix}byte/s")
        add(f"{prefix}bit/s", "B/s", factor / 8, f"{prefix}bits/s", f"{prefix}bps")
    for prefix, factor in _SI.items():
        add(f"{prefix}FLOP/s", "FLOP/s", factor, f"{prefix}FLOPS/s", f"{prefix}FLOPps")
        add(f"{prefix}FLOP", "FLOP", factor, f"{prefix}FLOPs")
        tokens = f"{prefix}tok/s"
        add(tokens, "tok/s", factor, f"{prefix}tokens/s", f"{prefix}token/s", f"{prefix}tps")
    add("FLOP/B", "FLOP/B", 1.0, "FLOPs/B", "FLOP/byte", "FLOPs/byte", "FLOPs/bytes", "flop/bytes")
    add("B/FLOP", "B/FLOP", 1.0, "byte/FLOP", "bytes/FLOP")
    add(TIMES, TIMES, 1.0, "×", "倍", "times", "fold", "time")
    add(PERCENT, TIMES, 0.01, "percent", "pct", "per cent", "个百分点", "百分比")
    return units


_UNITS = _table()
_LADDERS = {
    "s": ("ns", "µs", "ms", "s"),
    "B": ("B", "kB", "MB", "GB", "TB", "PB"),
    "iB": ("B", "KiB", "MiB", "GiB", "TiB", "PiB"),
    "B/s": ("B/s", "kB/s", "MB/s", "GB/s", "TB/s"),
    "FLOP": ("FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP"),
    "FLOP/s": ("FLOP/s", "kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s"),
}


def unit(symbol: str) -> Unit:
    """The unit a symbol stands for; one that is not known is a dimension of its own."""
    spelled = re.sub(r"\s*(?:/|\bper\b|每)\s*", "/", symbol.strip().lower())
    spelled = re.sub(r"/(?:second|seconds|sec|秒)$", "/s", spelled)
    if known := _UNITS.get(spelled) or _UNITS.get(spelled.replace(" ", "")):
        return known
    factor = 1.0
    if prefixed := re.fullmatch(r"([kmgt]) (.+)", spelled):
        factor, spelled = _SI[prefixed[1].upper()], prefixed[2]
    return Unit(spelled.removesuffix("s"), factor, symbol.strip())


def convert(value: float, source: Unit, target: Unit) -> float | None:
    """``value`` of ``source`` in ``target``; None when they measure different things.

    FLOP and FLOP/s pass for each other, since both are written "FLOPs"."""
    if source.dimension != target.dimension:
        kinds = {source.dimension, target.dimension}
        if kinds != {"FLOP", "FLOP/s"}:
            return None
    return value * (source.factor / target.factor)


def family(symbol: str) -> tuple[str, ...]:
    """The symbols of a unit's family, from small to large; empty when it does not scale."""
    here = unit(symbol)
    return _LADDERS.get("iB" if "iB" in here.symbol else here.dimension, ())


def show(value: float, symbol: str = "", *, scale: bool = True, digits: int = 3) -> str:
    """The value as people write it: ``2,039 GB/s``, ``2.94 ms``, ``33.4 %``, ``3.6x``.

    With ``scale`` an unhandy value moves to a fitting unit of its family (0.00294 s → 2.94 ms).
    """
    if scale:
        value, symbol = _handy(value, symbol)
    number = digits_of(value, digits)
    if symbol in (TIMES, "×"):
        return f"{number}x"
    return f"{number} {symbol}".rstrip()


def _handy(value: float, symbol: str) -> tuple[float, str]:
    here, ladder = unit(symbol), family(symbol)
    if here.symbol not in ladder or value == 0 or 0.1 <= abs(value) < 10_000:
        return value, symbol
    base = value * here.factor
    fitting = [step for step in ladder if abs(base) >= unit(step).factor * (1 - 1e-9)]
    best = fitting[-1] if fitting else ladder[0]
    return base / unit(best).factor, best


def digits_of(value: float, digits: int = 3) -> str:
    """Whole numbers in full with thousands commas, others to that many significant digits."""
    if value == round(value) and abs(value) < 1e12:
        return f"{int(value):,}"
    if not 1e-4 <= abs(value) < 1e12:
        return f"{value:.{digits - 1}e}"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    shown = f"{value:,.{places}f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown

"""Quantities for people: 510.2 µs, 4.25 TB/s, 2.995 ×."""

from __future__ import annotations

PREFIXES = (
    (1e15, "P"),
    (1e12, "T"),
    (1e9, "G"),
    (1e6, "M"),
    (1e3, "k"),
    (1.0, ""),
    (1e-3, "m"),
    (1e-6, "µ"),
    (1e-9, "n"),
)
SINGULAR = {"kernels": "kernel", "passes": "pass", "elements": "element"}
PREFIXED = ("s", "B", "B/s", "FLOP", "FLOP/s", "elements/s")


def quantity(value: float, unit: str = "") -> str:
    """Four figures, with a prefix where the unit takes one: ``0.00051`` s is ``510.0 µs``."""
    if unit in PREFIXED and value:
        scale, prefix = next(
            ((s, p) for s, p in PREFIXES if abs(value) >= 0.9995 * s), PREFIXES[-1]
        )
        return f"{_four(value / scale)} {prefix}{unit}"
    return f"{figures(value)} {SINGULAR.get(unit, unit) if value == 1 else unit}".rstrip()


def between(low: float, high: float, unit: str = "") -> str:
    """An interval in one unit: ``[509.1, 511.0]``; nothing where both ends are one number."""
    if low == high:
        return ""
    scale = 1.0
    if unit in PREFIXED and high:
        scale = next((s for s, _ in PREFIXES if abs(high) >= 0.9995 * s), PREFIXES[-1][0])
    return f"[{_four(low / scale)}, {_four(high / scale)}]"


def figures(value: float) -> str:
    """Four figures; whole numbers whole."""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}" if abs(value) >= 10_000 else str(int(value))
    return _four(value)


def _four(value: float) -> str:
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    if 0 < abs(value) < 0.001:
        return f"{value:.2e}"
    return f"{value:.{3 if abs(value) < 10 else 2 if abs(value) < 100 else 1}f}"

"""A run as text for people: prediction beside measurement, and every check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from demos.quantities import between, figures, quantity
from demos.wire import Event

BAR = 24
"""Cells of the longest bar."""
FAR = 0.2
"""A ceiling this much worse than the best seen of it is worth a word."""


def lines(events: Sequence[Event]) -> Iterator[str]:
    """The report of one run, from its events."""
    yield from _head(events)
    yield from _section("Ceilings, measured now", _ceilings(events))
    yield from _section("Chains that could be one kernel, best first", _chains(events))
    yield from _section("Checks", _checks(events))
    yield from _section("Kernels in one call", _kernels(events))
    yield from _section("Times", _times(events))
    yield from _section("Sweep", _sweep(events))
    yield from _section("Result", _metrics(events))
    yield from _end(events)


def _head(events: Sequence[Event]) -> Iterator[str]:
    for event in _of(events, "device"):
        threads = event["details"].get("threads")
        kind = f"{event['kind']}, threads: {threads}" if threads else event["kind"]
        versions = (f"{name} {value}" for name, value in event["versions"].items() if value)
        yield f"{event['name']} ({kind}) · " + " · ".join(versions)
    for event in _of(events, "started"):
        params = ", ".join(f"{name}={value}" for name, value in event["params"].items())
        yield f"{event['title']} · {params} · seed {event['seed']}".replace(" ·  ·", " ·")


def _ceilings(events: Sequence[Event]) -> list[list[str]]:
    return [
        [event["name"], quantity(event["value"], event["unit"]), _compared(event)]
        for event in _of(events, "ceiling")
    ]


def _compared(ceiling: Event) -> str:
    """Something is amiss where a device has done much better before."""
    best = ceiling.get("best") or ceiling["value"]
    gap = max(best / ceiling["value"], ceiling["value"] / best) - 1
    if gap < FAR:
        return ""
    unit, day = ceiling["unit"], ceiling["best_at"][:10]
    return f"{quantity(best, unit)} on {day}: is something else using this device?"


def _chains(events: Sequence[Event]) -> list[list[str]]:
    """A row for each chain, as it was told last."""
    rows = []
    for one in {event["name"]: event for event in _of(events, "chain")}.values():
        measured = "" if one["measured"] is None else f"measured {quantity(one['measured'], 's')}"
        rows.append(
            [
                one["name"],
                quantity(one["seconds"], "s"),
                quantity(one["bytes_in"], "B"),
                quantity(one["bytes_out"], "B"),
                f"saves {quantity(one['gain'], 's')}",
                f"{one['share']:.1%}",
                measured,
                f"{one['repeats']} ×" if one["repeats"] > 1 else "",
                one["place"],
                ", ".join(one["operators"]),
                one["note"],
            ]
        )
    head = ["", "now", "in", "out", "foretold", "of the module"]
    return [[*head, "", "", "where", "operators", ""], *rows] if rows else []


def _checks(events: Sequence[Event]) -> list[list[str]]:
    """A row for each check; those that say the same, e.g. at every size of a sweep, as one."""
    counts = Counter(
        ("ok" if good(event) else "WRONG", event["variant"], event["name"], _detail(event))
        for event in _of(events, "check")
    )
    return [
        [*told, f"{detail} ({count} times)" if count > 1 else detail]
        for (*told, detail), count in counts.items()
    ]


def good(check: Event) -> bool:
    """Whether a check came out as it should: a control is meant not to pass."""
    return bool(check["passed"]) != bool(check["control"])


def _detail(check: Event) -> str:
    share = f" ({check['differing'] / check['of']:.2%})" if check["differing"] else ""
    control = "; this is the control and has to differ" if check["control"] else ""
    return f"{check['detail']}{share}{control}"


def _kernels(events: Sequence[Event]) -> list[list[str]]:
    return [
        [event["variant"], f"{event['launches']} ×", _short(event["name"]), _occupied(event)]
        for event in _of(events, "kernel")
    ]


def _occupied(kernel: Event) -> str:
    if not kernel["registers"]:
        return ""
    spills = f", {kernel['spills']} B spilled" if kernel["spills"] else ""
    return f"{kernel['registers']} registers{spills}, occupancy {kernel['occupancy']:.0%}"


def _times(events: Sequence[Event]) -> list[list[str]]:
    found = [m for m in _of(events, "measurement") if m["final"] and not m["point"]]
    foretold = {p["metric"]: p for p in _of(events, "prediction")}
    rows = []
    for number, clock in enumerate(dict.fromkeys(m["clock"] for m in found)):
        timed = [m for m in found if m["clock"] == clock]
        longest = max(m["seconds"] for m in timed)
        head = "" if number else "predicted"
        rows.append([f"{clock} clock", "measured", "", head, "bandwidth", ""])
        for one in timed:  # what is predicted is the time by the first clock
            prediction = None if number else foretold.get(f"time:{one['variant']}")
            rate = quantity(one["bytes"] / one["seconds"], "B/s") if one["bytes"] else ""
            rows.append(
                [
                    f"  {one['variant']}",
                    quantity(one["seconds"], "s"),
                    between(one["low"], one["high"], "s"),
                    quantity(prediction["value"], "s") if prediction else "",
                    rate,
                    "█" * max(1, round(BAR * one["seconds"] / longest)),
                ]
            )
    return rows


def _sweep(events: Sequence[Event]) -> list[list[str]]:
    found = [m for m in _of(events, "measurement") if m["final"] and m["point"]]
    names = list(dict.fromkeys(m["variant"] for m in found))
    places: dict[tuple[str, str], dict[str, Event]] = {}
    for one in found:
        where = ", ".join(f"{name} {figures(value)}" for name, value in one["point"].items())
        places.setdefault((where, one["clock"]), {})[one["variant"]] = one
    rows = [["", "clock", *names]] if places else []
    for (where, clock), by_name in sorted(places.items(), key=lambda item: item[0][1] == "call"):
        cells = (quantity(by_name[n]["seconds"], "s") if n in by_name else "" for n in names)
        rows.append([where, clock, *cells])
    return rows


def _metrics(events: Sequence[Event]) -> list[list[str]]:
    foretold = {p["metric"]: p for p in _of(events, "prediction")}
    rows = []
    for one in _of(events, "metric"):
        prediction = foretold.get(one["name"])
        rows.append(
            [
                one["name"],
                quantity(one["value"], one["unit"]),
                between(one["low"], one["high"]),
                f"predicted {figures(prediction['value'])}" if prediction else "",
                "" if one["control"] is None else f"control {figures(one['control'])}",
                one["note"],
            ]
        )
    return [["", "measured", "95 % interval", "", "", ""], *rows] if rows else []


def _end(events: Sequence[Event]) -> Iterator[str]:
    for event in _of(events, "done"):
        yield ""
        yield f"done in {event['seconds']:.1f} s"


def _section(title: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A heading and its table; nothing where there are no rows."""
    if rows:
        yield ""
        yield title
        yield from (f"  {line}" for line in table(rows))


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows with their columns aligned, numbers not distinguished."""
    count = max(len(row) for row in rows)
    full = [[*row, *[""] * (count - len(row))] for row in rows]
    widths = [max(len(row[i]) for row in full) for i in range(count)]
    shown = [i for i in range(count) if widths[i]]
    for row in full:
        yield "  ".join(row[i].ljust(widths[i]) for i in shown).rstrip()


def _short(name: str, width: int = 44) -> str:
    return name if len(name) <= width else name[: width - 1] + "…"


def _of(events: Iterable[Event], kind: str) -> list[Event]:
    return [event for event in events if event["type"] == kind]

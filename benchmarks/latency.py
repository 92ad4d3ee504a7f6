"""From a key to the changed screen, in a real terminal, against two bare programs in turns.

* tick and reveal: at most twice the time of a screen with header, list, card and footer that
  changes one line;
* the next prompt, its predecessor's rating on disk: at most 1.5 times the time of that screen
  with its whole card replaced, the card being one widget.

The bare programs are beside this file.  Gaps between keys are random, so that no side is in
step with the screen's refresh.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.terminal import Terminal

HERE = Path(__file__).parent
SIZE = {"columns": 120, "rows": 40}
GAP = (0.04, 0.12)


def percentile(values: list[float], share: float) -> float:
    """The value under which that share lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


def timed(terminal: Terminal, key: str, needle: bytes) -> float:
    """Milliseconds from a key to ``needle`` on the terminal."""
    pause = time.perf_counter() + random.uniform(*GAP)
    while (left := pause - time.perf_counter()) > 0:
        terminal.pump(left)
    start = len(terminal.chunks)
    sent = terminal.send(key)
    return (terminal.wait_bytes(needle, start) - sent) * 1e3


def bare(program: str, key: str, rounds: int) -> list[float]:
    """Key times of a bare program that counts its keys."""
    argv = [sys.executable, "-m", f"benchmarks.{program}"]
    with Terminal(argv, cwd=str(HERE.parent), **SIZE) as terminal:
        terminal.wait_bytes(b"READY")
        terminal.settle(0.3)
        return [timed(terminal, key, b"count=%05d" % n) for n in range(1, rounds + 1)]


def review(home: str, rounds: int) -> dict[str, list[float]]:
    """Times of reveal, tick and next in the review of the shipped deck."""
    found: dict[str, list[float]] = {"reveal": [], "tick": [], "next": []}
    argv = [sys.executable, "-m", "quizapp", "review"]
    with Terminal(argv, env={"QUIZAPP_HOME": home}, **SIZE) as terminal:
        terminal.wait_for("Type the answer")
        terminal.settle(0.3)
        for _ in range(rounds):
            read(terminal)
            found["reveal"].append(timed(terminal, "\x13", b"Recall score"))
            terminal.settle(0.15)
            found["tick"].append(timed(terminal, "1", b"Recall score"))
            found["tick"].append(timed(terminal, "1", b"Recall score"))
            found["next"].append(timed(terminal, "\r", b"target"))
    return found


def read(terminal: Terminal) -> None:
    """Let a second pass, the least that anybody takes to read a question."""
    until = time.perf_counter() + 1.0
    while (left := until - time.perf_counter()) > 0:
        terminal.pump(left)


def report(name: str, ours: list[float], base: list[float], bound: float, at: float) -> None:
    """Print one line: ours, the baseline, their ratio and the bound."""
    mine, theirs = percentile(ours, at), percentile(base, at)
    print(
        f"{name:8} median {statistics.median(ours):6.1f}  p95 {percentile(ours, 0.95):6.1f} ms   "
        f"bare median {statistics.median(base):6.1f}  p95 {percentile(base, 0.95):6.1f} ms   "
        f"ratio of p{round(at * 100)} {mine / theirs:5.2f}  bound {bound}"
    )


def main(rounds: int = 40) -> None:
    """Measure both sides in turns and print the ratios."""
    full: list[float] = []
    card: list[float] = []
    ours: dict[str, list[float]] = {"reveal": [], "tick": [], "next": []}
    turns: list[Callable[[], None]] = []
    with tempfile.TemporaryDirectory() as home:
        for _ in range(2):
            turns += [
                lambda: full.extend(bare("bare_screen", "3", rounds)),
                lambda: card.extend(bare("bare_card", "n", rounds // 2)),
                lambda: [ours[k].extend(v) for k, v in review(home, rounds // 2).items()] and None,
            ]
        for turn in turns:
            turn()
    report("tick", ours["tick"], full, 2.0, 0.95)
    report("reveal", ours["reveal"], full, 2.0, 0.95)
    report("next", ours["next"], card, 1.5, 0.95)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)

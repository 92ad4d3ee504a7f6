"""A worker without torch that behaves as its first argument says.

It is run by path and imports nothing of the project.  A second argument is a file that it
appends a line to at each start.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

MODE = sys.argv[1] if len(sys.argv) > 1 else "good"


def say(kind: str, /, **fields: object) -> None:
    sys.stdout.write(json.dumps({"v": 1, "type": kind, **fields}) + "\n")
    sys.stdout.flush()


def hello() -> None:
    demo = {"name": "chain", "title": "A chain", "devices": ["cpu"], "metrics": ["answer"]}
    say("hello", demos=[{**demo, "digest": "d1"}], pid=os.getpid(), python="3")
    say("device", kind="cpu", name="a fake", versions={"torch": "0"}, details={})


def started(run: str, asked: dict[str, object]) -> None:
    say(
        "started",
        run=run,
        demo=asked["demo"],
        title="A chain",
        variants=[],
        params=asked["params"],
        seed=asked["seed"],
        at="2026-03-02T12:00:00Z",
        digest="d1",
    )


def good_end(run: str) -> None:
    say("metric", run=run, name="answer", value=42, low=42, high=42, unit="")
    say("done", run=run, seconds=0.1)


def crash(run: str) -> None:
    print("about to crash", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGKILL if MODE == "killed" else signal.SIGSEGV)


def hang(run: str) -> None:
    while True:
        time.sleep(60)


def stubborn(run: str) -> None:
    """Neither hear the end of the input nor SIGTERM, and have a child that does not either."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL)
    say("progress", run=run, stage=f"child {child.pid}", fraction=0)
    hang(run)


def slow(run: str) -> None:
    """Go on until cancelled; the cancel request is read between two steps."""
    os.set_blocking(0, False)
    number = 0
    while True:
        number += 1
        say("progress", run=run, stage=f"step {number}", fraction=0.5)
        try:
            line = os.read(0, 65536)
        except BlockingIOError:
            time.sleep(0.01)
            continue
        if not line:
            sys.exit(0)
        if b'"cancel"' in line:
            os.set_blocking(0, True)
            say("error", run=run, kind="cancelled", message="stopped", remedy="")
            return


def exit_with_words(run: str) -> None:
    print("Traceback (most recent call last):", file=sys.stderr)
    print("RuntimeError: [red]no luck[/red]\n\n", file=sys.stderr, flush=True)
    sys.exit(3)


def huge_line(run: str) -> None:
    sys.stdout.write('{"v": 1, "type": "progress", "stage": "' + "x" * 3_000_000 + "\n")
    good_end(run)


def endless_line(run: str) -> None:
    while True:
        sys.stdout.write("x" * 65536)


def garbage(run: str) -> None:
    sys.stdout.write('{"v": 1, "type": "metric", "run": 3}\n')
    good_end(run)


def noise(run: str) -> None:
    print("a print that nobody redirected\n\n\x1b[31mred")
    os.write(1, b"\xff\xfe\x00 bytes\n[1, 2]\n")
    good_end(run)


def endless_noise(run: str) -> None:
    while True:
        print("noise", flush=True)


def stale(run: str) -> None:
    say("metric", run="r0", name="answer", value=1, low=1, high=1, unit="")
    say("done", run="r0", seconds=1)
    say("error", run="r0", kind="failed", message="of an earlier run", remedy="")
    good_end(run)


def cut_off(run: str) -> None:
    sys.stdout.write('{"v": 1, "type": "metric", "ru')
    sys.stdout.flush()
    os._exit(4)


def flood(run: str) -> None:
    for number in range(2000):
        say("progress", run=run, stage=str(number), fraction=number / 2000)
    good_end(run)


def failing(run: str) -> None:
    say("error", run=run, kind="failed", message="CUDA error", remedy="")


def unsupported(run: str) -> None:
    say("error", run=run, kind="unsupported", message="not here", remedy="")


def no_torch(run: str) -> None:
    say("error", run=run, kind="missing", message="torch is not installed", remedy="get it")


def no_compiler(run: str) -> None:
    say("error", run=run, kind="missing", message="no C++ compiler", remedy="install g++")


def closed_output(run: str) -> None:
    """End the output, and nothing else."""
    sys.stdout.flush()
    os.close(1)
    hang(run)


def chatty(run: str) -> None:
    for number in range(5000):
        print(f"line {number} " + "y" * 5000, file=sys.stderr)
    sys.stderr.flush()
    sys.exit(5)


MODES = {
    "good": good_end,
    "killed": crash,
    "exit": exit_with_words,
    "late-hello": good_end,
    "no-hello": hang,
    "deaf": hang,
}


def main() -> None:
    if len(sys.argv) > 2:
        with open(sys.argv[2], "a") as starts:
            starts.write(f"{os.getpid()}\n")
    if MODE == "no-start":
        print("ImportError: broken installation", file=sys.stderr, flush=True)
        sys.exit(1)
    if MODE != "no-hello":
        hello()
    act = MODES.get(MODE) or globals()[MODE.replace("-", "_")]
    while line := sys.stdin.readline():
        asked = json.loads(line)
        if asked["type"] == "run":
            started(asked["run"], asked)
            act(asked["run"])
    if MODE in ("stubborn", "deaf"):
        hang("")


if __name__ == "__main__":
    main()

"""Sent to another machine and run there: takes the demos in once, then guards their worker.

The worker gets what comes over the connection.  When that ends, so does the worker, even one
that hangs: nobody could end it later.

It needs no more than Python 3.6 to say that a newer one is wanted.
"""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import zlib
from io import BytesIO
from typing import Any

OLDEST = (3, 11)
"""Python that the demos need."""
WORKER = """
import sys
sys.path[0] = sys.argv.pop()
from demos.cli import main
sys.exit(main(["worker"]))
"""
CHUNK = 65536
GRACE = 1.0
"""Seconds between the end of the connection, SIGTERM and SIGKILL."""
SIGNALLED = 128
"""The exit code for a signal is this and its number, as shells have it."""


def main() -> None:
    """Say whether the demos are needed, take them, and run the worker."""
    if sys.version_info < OLDEST:
        version = ".".join(map(str, sys.version_info[:3]))
        wanted = ".".join(map(str, OLDEST))
        refuse("missing", f"its Python is {version}, and the demos need {wanted} or newer")
    wanted = json.loads(sys.stdin.buffer.readline())
    folder = os.path.join(cache(), "demos-" + wanted["version"][:16])
    if not os.path.isdir(folder):
        say("need")
        try:
            unpack(folder, sys.stdin.buffer.read(wanted["bytes"]), wanted["version"])
        except (OSError, zlib.error) as error:
            refuse("failed", f"the demos cannot be kept there: {error}")
    say("have")
    guard(folder)


def cache() -> str:
    """Return the folder for what can be sent again."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(home, "quizapp")


def unpack(folder: str, packed: bytes, version: str) -> None:
    """Put the package into the folder, whole or not at all."""
    parcel = zlib.decompress(packed)
    if hashlib.sha256(parcel).hexdigest() != version:
        refuse("protocol", "the demos arrived damaged")
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    partial = tempfile.mkdtemp(prefix="partial-", dir=os.path.dirname(folder))
    try:
        with tarfile.open(fileobj=BytesIO(parcel)) as archive:
            for entry in archive:
                content = archive.extractfile(entry)
                if content is not None:
                    path = os.path.join(partial, entry.name)
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    with open(path, "wb") as file:
                        file.write(content.read())
        os.rename(partial, folder)
    except OSError:
        shutil.rmtree(partial, ignore_errors=True)
        if not os.path.isdir(folder):  # nobody else was quicker
            raise


def guard(folder: str) -> None:
    """Run the worker to its end, or to that of the connection."""
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, folder], stdin=subprocess.PIPE, start_new_session=True
    )
    threading.Thread(target=relay, args=(worker,), daemon=True).start()
    code = worker.wait()
    os._exit(SIGNALLED - code if code < 0 else code)


def relay(worker: "subprocess.Popen[bytes]") -> None:
    """Hand on what comes, and the end of it; what does not hear that is ended."""
    assert worker.stdin is not None
    try:
        # Nothing comes before the "have", so nothing is left in Python's own buffer.
        chunk = os.read(0, CHUNK)
        while chunk:
            worker.stdin.write(chunk)
            worker.stdin.flush()
            chunk = os.read(0, CHUNK)
        worker.stdin.close()
    except OSError:  # the worker has ended, and its exit code will be told
        pass
    for number in (signal.SIGTERM, signal.SIGKILL):
        time.sleep(GRACE)
        os.killpg(worker.pid, number)


def say(name: str, **fields: Any) -> None:
    """Write one line of the protocol."""
    sys.stdout.write(json.dumps(dict(fields, v=1, type=name)) + "\n")
    sys.stdout.flush()


def refuse(kind: str, message: str) -> None:
    """Say why there will be no worker, and end."""
    say("error", run="", kind=kind, message=message, remedy="")
    sys.exit(0)


if __name__ == "__main__":
    main()

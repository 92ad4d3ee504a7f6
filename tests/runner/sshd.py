"""An sshd of the test's own on a free port of loopback, with keys of its own."""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

HOST = "box"
SSHD = shutil.which("sshd") or shutil.which("sshd", path="/usr/sbin:/usr/local/sbin")


class Sshd:
    """A running sshd, and the ssh options that reach it as :data:`HOST`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self.port = free_port()
        self._key("host_key")
        self._key("user_key")
        self._key("other_key")
        shutil.copy(folder / "user_key.pub", folder / "authorized_keys")
        self.options = self._client("config", "user_key", self.port)
        self._server()
        with (folder / "log").open("w") as log:
            self.process = subprocess.Popen(
                [str(SSHD), "-D", "-e", "-f", str(folder / "sshd_config")],
                stdin=subprocess.DEVNULL,
                stderr=log,
            )
        self._wait()

    def options_with(self, key: str = "user_key", port: int = 0, known: str = "known") -> list[str]:
        """Return options that reach it with something changed."""
        return self._client(f"config-{key}-{port}-{known}", key, port or self.port, known)

    def cut(self) -> None:
        """Cut every connection, as a network does that fails."""
        for pid in children(self.process.pid):
            for inner in (*children(pid), pid):
                if b"sshd" in cmdline(inner):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(inner, signal.SIGKILL)

    def stop(self) -> None:
        """End it."""
        self.cut()
        self.process.terminate()
        self.process.wait(10)

    def _key(self, name: str) -> None:
        path = str(self.folder / name)
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)

    def _client(self, name: str, key: str, port: int, known: str = "known") -> list[str]:
        host_key = (self.folder / "host_key.pub").read_text()
        (self.folder / "known").write_text(f"[127.0.0.1]:{port} {host_key}")
        (self.folder / "unknown").write_text("")
        (self.folder / name).write_text(
            f"Host {HOST}\n HostName 127.0.0.1\n Port {port}\n User {getpass.getuser()}\n"
            f" IdentityFile {self.folder / key}\n IdentitiesOnly yes\n IdentityAgent none\n"
            f" UserKnownHostsFile {self.folder / known}\n GlobalKnownHostsFile none\n"
            " StrictHostKeyChecking yes\n"
        )
        return ["-F", str(self.folder / name)]

    def _server(self) -> None:
        (self.folder / "sshd_config").write_text(
            f"ListenAddress 127.0.0.1:{self.port}\nHostKey {self.folder / 'host_key'}\n"
            f"AuthorizedKeysFile {self.folder / 'authorized_keys'}\nStrictModes no\n"
            f"PidFile none\nUsePAM no\nPasswordAuthentication no\n"
            f"KbdInteractiveAuthentication no\nSetEnv XDG_CACHE_HOME={self.cache}\n"
        )

    def _wait(self) -> None:
        for _ in range(1000):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        pytest.skip(f"sshd does not start: {(self.folder / 'log').read_text().strip()}")


def running(folder: Path) -> Iterator[Sshd]:
    """Yield an sshd; skip, with the reason, where there can be none."""
    for tool in ("ssh", "ssh-keygen"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    if SSHD is None:
        pytest.skip("sshd is not installed (apt install openssh-server)")
    if not sys.platform.startswith("linux"):
        pytest.skip("connections are cut by way of /proc")
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    server = Sshd(folder)
    try:
        yield server
    finally:
        server.stop()


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    with contextlib.suppress(FileNotFoundError):
        return [
            int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        ]
    return []


def cmdline(pid: int) -> bytes:
    """Return a process's command, empty for one that is gone."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""

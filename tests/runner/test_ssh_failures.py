"""The end of an ssh process, told plainly."""

from __future__ import annotations

import pytest

from quizapp.runner.ssh_failures import ended


@pytest.mark.parametrize(
    ("code", "said", "arrived", "kind", "message", "remedy"),
    [
        (
            255,
            "ssh: Could not resolve hostname box: Name or service not known",
            False,
            "lost",
            "box cannot be reached",
            "check its name",
        ),
        (
            255,
            "ssh: connect to host box port 22: Connection refused",
            False,
            "lost",
            "box cannot be reached",
            "sshd",
        ),
        (
            255,
            "me@box: Permission denied (publickey,password).",
            False,
            "lost",
            "box refuses the login: me@box: Permission denied",
            "ssh-copy-id box",
        ),
        (255, "Host key verification failed.", False, "lost", "the key of box", "run `ssh box`"),
        (
            255,
            "kex_exchange_identification: reset",
            False,
            "lost",
            "ssh box failed: kex",
            "by hand",
        ),
        (
            255,
            "Timeout, server box not responding.",
            True,
            "lost",
            "the connection to box was lost: Timeout",
            "run it again",
        ),
        (255, "", True, "lost", "the connection to box was lost", "run it again"),
        (127, "sh: 1: py3: not found", False, "missing", "box has no py3: sh: 1:", "of box"),
        (126, "sh: 1: py3: Permission denied", False, "missing", "box has no py3", "of box"),
        (139, "", True, "crashed", "the demo process on box ended by SIGSEGV", "again"),
        (137, "Killed", True, "crashed", "ended by SIGKILL: Killed", "memory"),
        (1, "ImportError: x", True, "crashed", "box ended with code 1: ImportError: x", "again"),
        (-9, "", True, "crashed", "box ended by SIGKILL", "memory"),
        (127, "no such file", True, "crashed", "box ended with code 127", "again"),
    ],
)
def test_a_code_and_last_words_say_what_happened(
    code: int, said: str, arrived: bool, kind: str, message: str, remedy: str
) -> None:
    failed = ended("r1", "box", "py3", code, ["a banner", said, ""], arrived)
    assert failed.run == "r1"
    assert failed.kind == kind
    assert message in failed.message
    assert remedy in failed.remedy

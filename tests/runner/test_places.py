"""Where a demo runs, as people write it."""

from __future__ import annotations

import pytest

from quizapp.runner.local import LocalRunner
from quizapp.runner.places import runner_at
from quizapp.runner.replay import ReplayRunner
from quizapp.runner.ssh import SshRunner
from tests.runner.test_replay import record


@pytest.mark.parametrize(
    ("place", "kind", "name"),
    [
        ("local", LocalRunner, "local"),
        ("ssh:me@box", SshRunner, "ssh:me@box"),
        ("ssh: box ", SshRunner, "ssh:box"),
        ("record", ReplayRunner, "record"),
    ],
)
def test_a_place_has_its_runner(place: str, kind: type[object], name: str) -> None:
    runner = runner_at(place, record=record())
    assert isinstance(runner, kind)
    assert runner.name == name


@pytest.mark.parametrize("place", ["", "ssh", "ssh:", "ssh: ", "remote:box", "Local", "record:x"])
def test_what_is_no_place_is_told_with_the_places_there_are(place: str) -> None:
    with pytest.raises(ValueError, match="local, ssh:HOST or record"):
        runner_at(place, record=record())


def test_a_demo_without_a_record_cannot_be_replayed() -> None:
    with pytest.raises(ValueError, match="there is no record"):
        runner_at("record")

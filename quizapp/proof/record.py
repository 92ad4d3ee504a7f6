"""Recorded runs: a header that says where, when and how, then the events, one a line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from quizapp.proof.codec import ProtocolError, decode, decode_object, encode, encode_request
from quizapp.proof.protocol import Event
from quizapp.proof.run import RunResult, folded


@dataclass(frozen=True, slots=True)
class Record:
    """A run on a named device, kept for people without that device."""

    command: str
    """What made it."""
    date: datetime
    device: str
    versions: Mapping[str, str]
    digest: str
    """Of the demo's sources as they were."""
    events: tuple[Event, ...]

    @property
    def result(self) -> RunResult:
        """What the run came to."""
        return folded(self.events)

    def describe(self) -> str:
        """Return where, when and with what it was made, in one line."""
        versions = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        return f"{self.device}, {self.date:%Y-%m-%d}, {versions}"


def parse(text: str) -> Record:
    """Read a record; :class:`~quizapp.proof.codec.ProtocolError` names the line that is wrong."""
    header: dict[str, object] = {}
    events: list[Event] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        try:
            if number == 1:
                header = decode_object(line)
            elif line.strip() and (event := decode(line)) is not None:
                events.append(event)
        except ProtocolError as error:
            raise ProtocolError(f"line {number}: {error}") from None
    if header.get("type") != "record":
        raise ProtocolError("line 1: a record begins with its header")
    try:
        return Record(
            command=str(header["command"]),
            date=_instant(str(header["date"])),
            device=str(header["device"]),
            versions={str(k): str(v) for k, v in _mapping(header["versions"]).items()},
            digest=str(header["digest"]),
            events=tuple(events),
        )
    except KeyError as error:
        raise ProtocolError(f"line 1: a record's header has {error}") from None
    except (TypeError, ValueError) as error:
        raise ProtocolError(f"line 1: {error}") from None


def write(record: Record) -> str:
    """Return a record as the text that :func:`parse` reads."""
    head = encode_request(
        "record",
        command=record.command,
        date=record.date.isoformat(),
        device=record.device,
        versions=dict(record.versions),
        digest=record.digest,
    )
    return "".join(f"{line}\n" for line in (head, *map(encode, record.events)))


def _instant(text: str) -> datetime:
    """Read a date or a time; without a zone it is UTC, so that it compares with any other."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _mapping(value: object) -> Mapping[object, object]:
    if not isinstance(value, Mapping):
        raise TypeError("versions is no object")
    return value

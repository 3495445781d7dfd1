"""What a run's journal has of the wires: the bytes of each device in both directions, and the messages in them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from feltrig.errors import JournalError, RigError, RunError
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.folder import JOURNAL, journal_path
from feltrig.harness.journal.reader import Record, is_a
from feltrig.harness.journal.records import (
    Body,
    BytesPassed,
    DeviceConnected,
    HandsRefused,
    PowerSwitched,
    Recovered,
    Trouble,
)
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.wires import WIRES
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.messages import Identity
from feltrig.protocols.profiles import profilefile
from feltrig.protocols.profiles.profile import Profile
from feltrig.protocols.sniffing import Broke, Message, OpaqueSniffer, Sniffer, Switched
from feltrig.protocols.vocabulary import Kind


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes as they passed, or, when there are none, the loss of the line or a hand at the power."""

    at: float
    """Seconds since the run began."""
    time: str
    """Time of day, UTC."""
    outgoing: bool
    data: bytes
    lost: str = ""
    """Why the line was lost."""
    came_back: bool = False
    """Whether the line could be opened again."""
    switched: bool | None = None
    """Whether hands switched the device on, or off; None if they did neither."""


@dataclass(frozen=True, slots=True)
class RecordedDevice:
    """One device of a recorded run."""

    name: str
    kind: Kind
    wire: str
    where: str
    """Where it was; on MQTT its topic."""
    identity: Identity
    chunks: tuple[Chunk, ...]
    profile: str | None = None
    """The profile by which it talked; None for the open protocol of its wire."""
    digest: str | None = None
    """The digest of the submitted firmware."""
    told_by: Profile | None = None
    """The profile itself, if it is one of the package and has not changed since."""

    def sniffer(self) -> Sniffer:
        if self.profile is not None and self.told_by is None:
            return OpaqueSniffer(f"profile {self.profile}")
        return WIRES[self.wire].sniffer(self.kind, self.told_by, self.where, None)

    def messages(self, sniffer: Sniffer) -> Iterator[tuple[Chunk, Message]]:
        """Everything that was said, each with the bytes that completed it."""
        chunk: Chunk | None = None
        for chunk in self.chunks:
            if chunk.lost:
                yield chunk, Broke(chunk.lost)
            if chunk.switched is not None:
                yield chunk, Switched(chunk.switched)
            for message in sniffer.hear(chunk.outgoing, chunk.data):
                yield chunk, message
        if chunk is not None:
            for message in sniffer.end():
                yield chunk, message


@dataclass(frozen=True, slots=True)
class Recording:
    """A recorded run."""

    folder: Path
    seed: int
    rounds: int
    drilled: bool
    """Whether drills followed the rounds, or would have."""
    devices: Mapping[str, RecordedDevice]
    buttons: tuple[int, ...]
    """Where the button was seen, each time that it was looked for."""
    spins: tuple[tuple[str, int], ...]
    """Where the wheel came to rest, and after how many turns."""
    refused: frozenset[tuple[str, str]]
    """What hands could not do: the kind of device, and what it was."""
    evidence: Evidence
    torn: bool = False
    """Whether the last line of its journal is not whole, as when the run was killed, and was left out."""

    @property
    def warnings(self) -> list[str]:
        """What whoever uses it should know, in a line each."""
        return [f"{self.folder / JOURNAL}: ends in the middle of a record, which is left out"] if self.torn else []


def load(folder: Path) -> Recording:
    """Read the journal of a run; a torn last line is left out. Raises RigError unless the rest verifies and has devices
    in it."""
    try:
        reading = journals.read(journal_path(folder))
    except (RunError, JournalError) as error:
        raise RigError(str(error)) from error
    evidence = Evidence(reading.records)
    if evidence.begun is None or not evidence.devices:
        raise RigError(f"{folder}: {JOURNAL} contains no device that identified itself")
    chunks = _chunks(evidence.every)
    ended = evidence.end.reason if evidence.end else "cut off"
    return Recording(
        folder,
        evidence.run.seed,
        evidence.run.rounds,
        bool(evidence.drills) or ended != "finished",
        {name: _device(folder, device, chunks.get(name, [])) for name, device in evidence.devices.items()},
        tuple(tell["position"] for tell in evidence.tells("ButtonSeen")),
        tuple((tell["result"], tell["turns"]) for tell in evidence.tells("WheelSpun")),
        frozenset(_refused(evidence)),
        evidence,
        reading.torn is not None,
    )


def _refused(evidence: Evidence) -> Iterator[tuple[str, str]]:
    for record in evidence.every:
        if is_a(record, HandsRefused) and record.body.device in evidence.devices:
            yield evidence.devices[record.body.device].kind, record.body.what


def chosen(recording: Recording, name: str | None) -> list[RecordedDevice]:
    """The device of a name, or all. Raises RigError when there is none of that name."""
    if name is None:
        return list(recording.devices.values())
    if name not in recording.devices:
        known = ", ".join(recording.devices)
        raise RigError(f"{recording.folder}: there is no device {name!r} in it: expected one of {known}")
    return [recording.devices[name]]


def _device(folder: Path, device: DeviceConnected, chunks: list[Chunk]) -> RecordedDevice:
    if device.wire not in WIRES or device.kind not in KINDS:
        raise RigError(f"{folder}: {device.name}: a {device.kind} on {device.wire} is not known here")
    profile = device.profile or {}
    return RecordedDevice(
        device.name,
        KINDS[device.kind],
        device.wire,
        device.where,
        Identity(**device.identity),
        tuple(chunks),
        profile.get("name"),
        device.submitted.get("digest"),
        _profile(profile),
    )


def _profile(record: Mapping[str, Any]) -> Profile | None:
    """The profile of the package that the journal names; one that was changed since then would read it wrongly."""
    if record.get("name") not in profilefile.names():
        return None
    profile = profilefile.builtin(record["name"])
    return profile if profile.digest == record.get("digest") else None


def _chunks(records: list[Record[Body]]) -> dict[str, list[Chunk]]:
    found: dict[str, list[Chunk]] = {}
    for record in records:
        match record.body:
            case BytesPassed(device, outgoing, passed):
                found.setdefault(device, []).append(Chunk(record.m, record.t, outgoing, bytes.fromhex(passed)))
            case Trouble(device, "line lost", detail):
                found.setdefault(device, []).append(Chunk(record.m, record.t, False, b"", detail))
            case PowerSwitched(device, on):
                found.setdefault(device, []).append(Chunk(record.m, record.t, False, b"", switched=on))
            case Recovered(device):
                mine = found.get(device, [])
                breaks = [place for place, chunk in enumerate(mine) if chunk.lost]
                if breaks:
                    mine[breaks[-1]] = replace(mine[breaks[-1]], came_back=True)
    return found

"""The journal of a run, arranged for the checks: who was there, and round by round what was asked, seen and ruled."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any, TypeVar, cast

from feltrig.errors import JournalError
from feltrig.harness.journal.reader import Record, is_a
from feltrig.harness.journal.records import (
    Attested,
    Body,
    Checkpoint,
    DeviceChanged,
    DeviceConnected,
    DrillBegun,
    DrillEnded,
    EventSeen,
    Redone,
    Resumed,
    RoundBegun,
    RoundEnded,
    RunBegun,
    RunEnded,
    SegmentBegun,
    SessionOpened,
    Told,
)
from feltrig.harness.journal.segments import Completed, completed

JUMP = 1.0
"""Seconds between two records by which the time of day may be off: no clock that is merely corrected is so."""
_SECOND = len("2026-01-01T00:00:00")
"""Characters of a time of day that tell its second: most records share it with the one before, and cannot be a jump."""


B = TypeVar("B", bound=Body)


@dataclass(slots=True)
class RoundEvidence:
    """One round's records, from its `round` record to its `result`."""

    begun: Record[RoundBegun]
    session: int
    records: list[Record[Body]] = field(default_factory=list)

    @property
    def number(self) -> int:
        """The number of the round."""
        return self.begun.body.number

    @property
    def result(self) -> Record[RoundEnded] | None:
        """The record of the result; None when the round was not finished."""
        return next((record for record in reversed(self.records) if is_a(record, RoundEnded)), None)


@dataclass(frozen=True, slots=True)
class DrillEvidence:
    """One drill's records, from its `drill` record to its `drilled`."""

    name: str
    records: list[Record[Body]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ClockJump:
    """The computer's clock was set, before a record."""

    record: Record[Body]
    ahead: float
    """Seconds; below 0 it went back."""

    @property
    def words(self) -> str:
        """What happened."""
        return f"the computer's clock went {'ahead' if self.ahead > 0 else 'back'} by {abs(self.ahead):.0f} s"


class Evidence:
    """A run as its journal tells it."""

    def __init__(self, records: Iterable[Record[Body]]) -> None:
        self.all = list(records)
        """The whole journal."""
        self.every = counted(self.all)
        """What counts: not what was begun again after the run was interrupted."""
        self.records: list[Record[Body]] = []
        """Of that, all but those of the drills."""
        self.drills: list[DrillEvidence] = []
        self.begun: RunBegun | None = None
        """The first record; None when the journal does not begin with a run."""
        self.devices: dict[str, DeviceConnected] = {}
        self.sessions: list[SessionOpened] = []
        self.rounds: list[RoundEvidence] = []
        self.end: RunEnded | None = None
        self._kinds: dict[type, list[Record[Body]]] = {}
        current: RoundEvidence | None = None
        drilling = False
        for record in self.every:
            body = record.body
            if isinstance(body, DrillBegun):
                drilling = True
                self.drills.append(DrillEvidence(body.name))
            if drilling:
                self.drills[-1].records.append(record)
                drilling = not isinstance(body, DrillEnded | RunEnded)
                if not isinstance(body, RunEnded):
                    continue
            self.records.append(record)
            self._kinds.setdefault(type(body), []).append(record)
            match body:
                case RunBegun():
                    self.begun = body
                case DeviceConnected(name=name):
                    self.devices[name] = body
                case SessionOpened():
                    self.sessions.append(body)
                case RoundBegun():
                    current = RoundEvidence(cast("Record[RoundBegun]", record), len(self.sessions) - 1)
                    self.rounds.append(current)
                case RunEnded():
                    self.end = body
            if current is not None:
                current.records.append(record)
            if isinstance(body, RoundEnded):
                current = None

    @property
    def run(self) -> RunBegun:
        """The first record. Raises JournalError when the journal does not begin with a run."""
        if self.begun is None:
            raise JournalError("the journal does not begin with a run")
        return self.begun

    @property
    def segments(self) -> list[Completed]:
        """The segments that are done."""
        return completed(self.every)

    def broken_off(self) -> Iterator["Evidence"]:
        """The run as it stood each time that it was resumed."""
        for place, record in enumerate(self.all):
            if isinstance(record.body, Resumed):
                yield Evidence(self.all[:place])

    def redone(self) -> Iterator["Evidence"]:
        """The run as it stood each time that whoever has hands did something again."""
        for place, record in enumerate(self.all):
            if isinstance(record.body, Redone):
                yield Evidence(self.all[:place])

    def clock_jumps(self) -> Iterator[ClockJump]:
        """Where the time of day has left the run's own clock."""
        for before, record in pairwise(self.all):
            if not isinstance(record.body, Resumed) and before.t[:_SECOND] != record.t[:_SECOND]:
                day = datetime.fromisoformat(record.t) - datetime.fromisoformat(before.t)
                ahead = day.total_seconds() - (record.m - before.m)
                if abs(ahead) > JUMP:
                    yield ClockJump(record, ahead)

    def of(self, kind: type[B], device: str | None = None) -> Iterator[Record[B]]:
        """The records of a kind, of one device if it is named."""
        for record in self._kinds.get(kind, ()):
            if device is None or record.device == device:
                yield cast("Record[B]", record)

    def throughout(self, kind: type[B], device: str) -> Iterator[Record[B]]:
        """The records of a kind and a device, those of the drills too."""
        for record in self.every:
            if record.device == device and is_a(record, kind):
                yield record

    def events(self, device: str, *names: str) -> Iterator[Record[EventSeen]]:
        """The events of a device, of these names if any are given."""
        for record in self.of(EventSeen, device):
            if not names or record.body.event in names:
                yield record

    def tells(self, *names: str) -> Iterator[Mapping[str, Any]]:
        """What was told to the engine, of these kinds."""
        for record in self.of(Told):
            if record.body.tell["is"] in names:
                yield record.body.tell

    def name_of(self, kind: str) -> str | None:
        """The device of a kind, by name."""
        return next((name for name, device in self.devices.items() if device.kind == kind), None)


def counted(records: Sequence[Record[Body]]) -> list[Record[Body]]:
    """The records that count. A run that was interrupted and resumed has begun a segment twice, opened its wires
    twice, and may have ended twice: the first beginning, the first opening and the first end are superseded. An
    opening that found another device than before counts for nothing, nor does what was done again."""
    kept: list[Record[Body]] = []
    before: list[Record[Body]] = []
    opening: list[Record[Body]] = []
    segment: list[Record[Body]] = []
    """Of the opening before, of the last one, and of the segment under way."""
    started = False
    for record in records:
        match record.body:
            case Resumed():
                before, opening, segment, started = opening, [], [], False
                continue
            case DeviceChanged():
                opening = before
                continue
            case RunBegun() | Attested():
                kept.append(record)
                continue
            case Redone(since=since):
                segment = [each for each in segment if each.seq < since]
                continue
            case SegmentBegun():
                started = True
                kept += segment
                segment = []
        if started:
            segment.append(record)
            if isinstance(record.body, Checkpoint):
                kept += segment
                segment, started = [], True
        else:
            opening.append(record)
    at = next((i for i, r in enumerate(kept) if not isinstance(r.body, RunBegun | Attested)), len(kept))
    return [*kept[:at], *opening, *kept[at:], *segment]

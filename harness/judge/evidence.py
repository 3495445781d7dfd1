"""The journal of a run, arranged for the checks: who was there, and round by round what was asked, seen and ruled."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any

from feltrig.harness.journal.journal import Record
from feltrig.harness.journal.segments import Completed, completed

JUMP = 1.0
"""Seconds between two records by which the time of day may be off: no clock that is merely corrected is so."""
_SECOND = len("2026-01-01T00:00:00")
"""Characters of a time of day that tell its second: most records share it with the one before, and cannot be a jump."""


@dataclass(slots=True)
class RoundEvidence:
    """One round's records, from its `round` record to its `result`."""

    number: int
    session: int
    records: list[Record] = field(default_factory=list)

    @property
    def result(self) -> Record | None:
        """The record of the result; None when the round was not finished."""
        return next((r for r in reversed(self.records) if r.kind == "result"), None)


@dataclass(frozen=True, slots=True)
class ClockJump:
    """The computer's clock was set, before a record."""

    record: Record
    ahead: float
    """Seconds; below 0 it went back."""

    @property
    def words(self) -> str:
        """What happened."""
        return f"the computer's clock went {'ahead' if self.ahead > 0 else 'back'} by {abs(self.ahead):.0f} s"


class Evidence:
    """A run as its journal tells it."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.all = list(records)
        """The whole journal."""
        self.every = counted(self.all)
        """What counts: not what was begun again after the run was broken off."""
        self.records: list[Record] = []
        """Of that, all but those of the drills."""
        self.drills: list[list[Record]] = []
        """The records of each drill, from `drill` to `drilled`."""
        self.run: Mapping[str, Any] = {}
        self.devices: dict[str, Mapping[str, Any]] = {}
        self.sessions: list[Mapping[str, Any]] = []
        self.rounds: list[RoundEvidence] = []
        self.end: Mapping[str, Any] | None = None
        self._kinds: dict[str, list[Record]] = {}
        current: RoundEvidence | None = None
        drilling = False
        for record in self.every:
            if record.kind == "drill":
                drilling = True
                self.drills.append([])
            if drilling:
                self.drills[-1].append(record)
                drilling = record.kind not in ("drilled", "end")
                if record.kind != "end":
                    continue
            self.records.append(record)
            self._kinds.setdefault(record.kind, []).append(record)
            match record.kind:
                case "run":
                    self.run = record.data
                case "device":
                    self.devices[record.data["name"]] = record.data
                case "session":
                    self.sessions.append(record.data)
                case "round":
                    current = RoundEvidence(record.data["number"], len(self.sessions) - 1)
                    self.rounds.append(current)
                case "end":
                    self.end = record.data
            if current is not None:
                current.records.append(record)
            if record.kind == "result":
                current = None

    @property
    def segments(self) -> list[Completed]:
        """The segments that are done."""
        return completed(self.every)

    def broken_off(self) -> Iterator["Evidence"]:
        """The run as it stood each time that it was taken up again."""
        for place, record in enumerate(self.all):
            if record.kind == "resumed":
                yield Evidence(self.all[:place])

    def clock_jumps(self) -> Iterator[ClockJump]:
        """Where the time of day has left the run's own clock."""
        for before, record in pairwise(self.all):
            if record.kind != "resumed" and before.t[:_SECOND] != record.t[:_SECOND]:
                day = datetime.fromisoformat(record.t) - datetime.fromisoformat(before.t)
                ahead = day.total_seconds() - (record.m - before.m)
                if abs(ahead) > JUMP:
                    yield ClockJump(record, ahead)

    def of(self, kind: str, device: str | None = None) -> Iterator[Record]:
        """The records of a kind, of one device if it is named."""
        for record in self._kinds.get(kind, ()):
            if device is None or record.data.get("device") == device:
                yield record

    def throughout(self, kind: str, device: str) -> Iterator[Record]:
        """The records of a kind and a device, those of the drills too."""
        for record in self.every:
            if record.kind == kind and record.data["device"] == device:
                yield record

    def events(self, device: str, *names: str) -> Iterator[Record]:
        """The events of a device, of these names if any are given."""
        for record in self.of("event", device):
            if not names or record.data["event"] in names:
                yield record

    def tells(self, *names: str) -> Iterator[Record]:
        """What was told to the engine, of these kinds."""
        for record in self.of("tell"):
            if record.data["is"] in names:
                yield record

    def name_of(self, kind: str) -> str | None:
        """The device of a kind, by name."""
        return next((name for name, data in self.devices.items() if data["kind"] == kind), None)


def counted(records: Sequence[Record]) -> list[Record]:
    """The records that count. A run that was broken off and taken up again has begun a segment twice, opened its wires
    twice, and may have ended twice: the first beginning, the first opening and the first end are superseded. An
    opening that found another device than before counts for nothing."""
    kept: list[Record] = []
    before: list[Record] = []
    opening: list[Record] = []
    segment: list[Record] = []
    """Of the opening before, of the last one, and of the segment under way."""
    started = False
    for record in records:
        match record.kind:
            case "resumed":
                before, opening, segment, started = opening, [], [], False
                continue
            case "changed":
                opening = before
                continue
            case "run" | "attested":
                kept.append(record)
                continue
            case "segment":
                started = True
                kept += segment
                segment = []
        if started:
            segment.append(record)
            if record.kind == "checkpoint":
                kept += segment
                segment, started = [], True
        else:
            opening.append(record)
    at = next((i for i, r in enumerate(kept) if r.kind not in ("run", "attested")), len(kept))
    return [*kept[:at], *opening, *kept[at:], *segment]

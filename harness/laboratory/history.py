"""What a register says about runs: how each of them went, and whether a journal is the one that it knows."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import (
    RESUMABLE,
    Attested,
    Body,
    BytesPassed,
    Checkpoint,
    HostLate,
    NoiseEnded,
    Resumed,
    RunBegun,
    RunEnded,
)
from feltrig.harness.laboratory.register import (
    BEGUN,
    BROKEN_OFF,
    CHECKPOINT,
    DEVICE,
    ENDED,
    FAILURE,
    JUDGED,
    RESUMED,
    SIGNED,
    Entry,
)

TOLD_LIVE = (BEGUN, DEVICE, CHECKPOINT, FAILURE, ENDED, RESUMED, JUDGED, SIGNED)
"""Entries about records that were registered as the run wrote them. What a run wrote before it broke off was read from
the disk afterwards, when anybody may have written there."""

COUNTS_FOR_GOOD = (Checkpoint, Attested, RunBegun)
"""Records that can help a device when a run is resumed. Whatever else came after the last checkpoint is done again."""

AFTER_THE_END = (BytesPassed, NoiseEnded, HostLate)
"""Records that are still written while the wires are closed."""


@dataclass(slots=True)
class RegisteredRun:
    """One run, by its entries."""

    begun: Entry
    entries: list[Entry] = field(default_factory=list)
    attempt: int = 1
    """Which run of its device by its plan it is: a device that is run until it passes shows here."""
    attempts: int = 1
    """How many there are."""

    @property
    def id(self) -> str:
        """The hash of its journal's first record."""
        return str(self.begun.data["run"])

    def last(self, kind: str) -> Entry | None:
        """Its last entry of a kind."""
        return next((entry for entry in reversed(self.entries) if entry.kind == kind), None)

    @property
    def failures(self) -> list[Entry]:
        """What went wrong, as it was seen."""
        return [entry for entry in self.entries if entry.kind == FAILURE]

    @property
    def state(self) -> str:
        """`never ended`, or why it ended."""
        end = next((e for e in reversed(self.entries) if e.kind in (ENDED, BROKEN_OFF, RESUMED)), None)
        return str(end.data["reason"]) if end is not None and end.kind == ENDED else "never ended"

    @property
    def verdict(self) -> str | None:
        """Its verdict; None when it was not judged since it went on last."""
        judged, resumed = self.last(JUDGED), self.last(RESUMED)
        if judged is None or (resumed is not None and resumed.seq > judged.seq):
            return None
        return str(judged.data["verdict"])

    @property
    def device(self) -> str:
        """The device under test, by what it said of itself; else by its name in the rig file."""
        entry = self.last(DEVICE)
        if entry is None:
            return str(self.begun.data["device"])
        said = entry.data["identity"]
        return " ".join(str(said.get(name, "")) for name in ("vendor", "model", "serial", "firmware")).strip()


def runs(entries: Iterable[Entry]) -> dict[str, RegisteredRun]:
    """The runs of a register by their ids, in the order in which they began."""
    found: dict[str, RegisteredRun] = {}
    for entry in entries:
        if entry.kind == BEGUN:
            found[entry.data["run"]] = RegisteredRun(entry)
        if (run := found.get(entry.data.get("run", ""))) is not None:
            run.entries.append(entry)
    of_device = Counter[tuple[str, str]]()
    for run in found.values():
        if run.begun.data["plan"]:
            of_device[_what(run)] += 1
            run.attempt = of_device[_what(run)]
    for run in found.values():
        run.attempts = of_device.get(_what(run), 1)
    return found


def _what(run: RegisteredRun) -> tuple[str, str]:
    return run.begun.data["plan"], run.device


def strange(run: RegisteredRun | None, records: Sequence[Record[Body]]) -> Iterator[str]:
    """Why a journal is not the one that the register knows."""
    if run is None:
        yield "this laboratory's register does not know the run: it was begun without the key, or by another laboratory"
        return
    for entry in run.entries:
        number, known = entry.data["records"], entry.data["journal"]
        if number > len(records):
            yield f"the register knows {number} records of it, and the journal has {len(records)}: it was cut"
        elif records[number - 1].hash != known:
            yield f"record {number} is not the one that the register knows: the journal was edited and chained anew"
    if any(isinstance(record.body, RunBegun) for record in records[1:]):
        yield "the journal has a second run in it"


def not_resumable(run: RegisteredRun, records: Sequence[Record[Body]]) -> Iterator[str]:
    """Why a run cannot go on under the laboratory's key: nobody registered what its journal has since."""
    for record in records[_told(run) :]:
        if isinstance(record.body, COUNTS_FOR_GOOD):
            yield f"record {record.seq} ({record.kind}) was written without the laboratory's key"


def not_signable(run: RegisteredRun, records: Sequence[Record[Body]]) -> Iterator[str]:
    """Why a run cannot be signed: its end is not registered, or the journal has gone on since."""
    told = _told(run)
    if not any(isinstance(record.body, RunEnded) for record in records[:told]):
        yield "the register does not know its end"
    for record in records[told:]:
        if not isinstance(record.body, AFTER_THE_END):
            yield f"record {record.seq} ({record.kind}) was written without the laboratory's key"


def over(records: Sequence[Record[Body]]) -> bool:
    """Whether a run has ended for good, and can only be judged."""
    last = next((r.body for r in reversed(records) if isinstance(r.body, RunEnded | Resumed)), None)
    return isinstance(last, RunEnded) and last.reason not in RESUMABLE


def _told(run: RegisteredRun) -> int:
    """How many records were registered as the run wrote them."""
    return max(int(entry.data["records"]) for entry in run.entries if entry.kind in TOLD_LIVE)

"""The segments of a run that are done, as its journal has them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import Body, Checkpoint, SegmentBegun


@dataclass(frozen=True, slots=True)
class Completed:
    """A segment that is done, as the journal has it."""

    name: str
    digest: str
    records: tuple[Record[Body], ...]
    memory: Mapping[str, Any]
    """What the emulated devices remembered at its end."""


def completed(records: Iterable[Record[Body]]) -> list[Completed]:
    """The segments of a journal that are done, in their order."""
    found: list[Completed] = []
    begun: list[Record[Body]] = []
    for record in records:
        if isinstance(record.body, SegmentBegun):
            begun = []
        begun.append(record)
        if isinstance(record.body, Checkpoint) and isinstance(segment := begun[0].body, SegmentBegun):
            found.append(Completed(segment.name, segment.digest, tuple(begun), record.body.memory))
            begun = []
    return found

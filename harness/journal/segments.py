"""The segments of a run that are done, as its journal has them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from feltrig.harness.journal.journal import Record


@dataclass(frozen=True, slots=True)
class Completed:
    """A segment that is done, as the journal has it."""

    name: str
    digest: str
    records: tuple[Record, ...]
    memory: Mapping[str, Any]
    """What the emulated devices remembered at its end."""


def completed(records: Iterable[Record]) -> list[Completed]:
    """The segments of a journal that are done, in their order."""
    found: list[Completed] = []
    begun: list[Record] = []
    for record in records:
        if record.kind == "segment":
            begun = []
        begun.append(record)
        if record.kind == "checkpoint":
            segment = begun[0]
            found.append(Completed(segment.data["name"], segment.data["digest"], tuple(begun), record.data["memory"]))
            begun = []
    return found

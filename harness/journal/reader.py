"""Reads a journal, and verifies every byte of it on the way."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeGuard, TypeVar

from feltrig.errors import JournalError
from feltrig.harness.journal.chain import GENESIS, canonical, sealed
from feltrig.harness.journal.records import Body
from feltrig.harness.journal.schema import from_plain, to_plain

B = TypeVar("B", bound=Body)
B_co = TypeVar("B_co", bound=Body, covariant=True)

MEMBERS: Mapping[str, type] = {"data": dict, "hash": str, "kind": str, "m": float, "prev": str, "seq": int, "t": str}

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Record(Generic[B_co]):
    """One line of a journal."""

    seq: int
    """1 for the first."""
    t: str
    """Time of day, UTC."""
    m: float
    """Seconds since the run began. The pause between an interruption and its resumption does not count."""
    body: B_co
    """What the record says."""
    prev: str = ""
    hash: str = ""

    @property
    def kind(self) -> str:
        """The name of the kind of record."""
        return self.body.KIND

    @property
    def device(self) -> str | None:
        """The device that the record is about, if it is about one."""
        return getattr(self.body, "device", None)

    @property
    def data(self) -> Mapping[str, Any]:
        """The body as the file has it."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in to_plain(self.body).items()}


def is_a(record: Record[Body], kind: type[B]) -> TypeGuard[Record[B]]:
    """Whether a record is of a kind."""
    return isinstance(record.body, kind)


@dataclass(frozen=True, slots=True)
class Torn:
    """A last line without its end: what remains when the writer is killed or the power fails."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Reading:
    """A journal read to its end and verified."""

    records: tuple[Record[Body], ...]
    torn: Torn | None


def scan(path: Path) -> Iterator[Record[Body] | Torn]:
    """The records of a journal, each verified as it is read; a torn last line comes last. Raises JournalError."""
    last = GENESIS
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.endswith(b"\n"):
                    yield Torn(line)
                    return
                try:
                    record = _record(line[:-1], number, last)
                except ValueError as error:
                    raise JournalError(f"{path}: line {number}: {error}") from error
                last = record.hash
                yield record
    except OSError as error:
        raise JournalError(f"{path}: cannot be read: {error.strerror or error}") from error


def read(path: Path) -> Reading:
    """A whole journal. Raises JournalError, naming the line, unless every byte is as it was written."""
    items = tuple(scan(path))
    return Reading(
        records=tuple(item for item in items if isinstance(item, Record)),
        torn=next((item for item in items if isinstance(item, Torn)), None),
    )


def _record(line: bytes, number: int, last: str) -> Record[Body]:
    """Parse one line, without its end: it must be what writing its record again gives. Raises ValueError with the
    reason."""
    try:
        value = json.loads(line.decode("ascii"))
        if not isinstance(value, dict) or {name: type(member) for name, member in value.items()} != MEMBERS:
            raise TypeError
        data = canonical(value["data"])
    except TypeError as error:
        raise ValueError("is not a record") from error
    except (ValueError, RecursionError) as error:
        raise ValueError("is not canonical JSON") from error
    seq, prev, when = value["seq"], value["prev"], value["t"]
    written, digest = sealed(data, value["kind"], value["m"], prev, seq, when)
    if value["hash"] != digest:
        raise ValueError("was changed: its hash does not match its contents")
    if written != line or not _TIME.fullmatch(when):
        raise ValueError("is not in the form that feltrig writes")
    if seq != number:
        raise ValueError(f"has the number {seq}: lines were added or removed before it")
    if prev != last:
        raise ValueError("does not follow the line before it")
    return Record(seq, when, value["m"], from_plain(value["kind"], value["data"]), prev, digest)

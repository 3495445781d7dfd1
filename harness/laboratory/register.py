"""The register of a laboratory's runs: JSON Lines, appended only, chained, every entry signed by the laboratory's key.

An entry's `hash` is the SHA-256 of its line without the members `hash` and `sig`; `sig` is the signature over the same
bytes. As `prev` is the hash of the entry before, the signature of the last entry vouches for all of them.
"""

import base64
import fcntl
import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from feltrig.errors import CertificateError, KeyFileError, RegisterError
from feltrig.harness.journal.chain import GENESIS, canonical
from feltrig.harness.judge import dsse
from feltrig.harness.judge.keys import key_id, known_by

NAME = "register.jsonl"
"""The file, beside the key, unless the laboratory names another."""

TYPE = "application/vnd.feltrig.register+json"
"""What is signed is a payload of this type, so that no other signature of the key can stand in an entry."""

OPENED, KEY, BEGUN, DEVICE, CHECKPOINT, FAILURE, ENDED, BROKEN_OFF, RESUMED, JUDGED, SIGNED = (
    "opened",
    "key",
    "begun",
    "device",
    "checkpoint",
    "failure",
    "ended",
    "broken off",
    "resumed",
    "judged",
    "signed",
)

_POSITION: dict[str, type] = {"run": str, "records": int, "journal": str}

FIELDS: Mapping[str, Mapping[str, type]] = {
    OPENED: {"version": str},
    KEY: {"key": str},
    BEGUN: {**_POSITION, "folder": str, "rig": str, "rig_digest": str, "plan": str, "plan_digest": str, "device": str},
    DEVICE: {**_POSITION, "identity": dict, "emulated": bool},
    CHECKPOINT: {**_POSITION, "name": str},
    FAILURE: {**_POSITION, "device": str, "what": str},
    ENDED: {**_POSITION, "reason": str},
    BROKEN_OFF: _POSITION,
    RESUMED: _POSITION,
    JUDGED: {**_POSITION, "verdict": str, "digest": str, "failed": int},
    SIGNED: {**_POSITION, "statement": str},
}
"""What an entry of each kind says. A run is known by the hash of its journal's first record; `records` and `journal`
are how many records the journal had, and the hash of the last."""

LONGEST = 400
"""Characters of a text in an entry: what a device says of itself has no say in how long the register gets."""

SLACK = 1.0
"""Seconds by which the clock may be behind the last entry: one that is merely corrected is."""

_MEMBERS = {"at": str, "data": dict, "hash": str, "key": str, "kind": str, "prev": str, "seq": int, "sig": str}
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the register."""

    seq: int
    """1 for the first."""
    at: str
    """Time of day by the clock of whoever signed, UTC."""
    kind: str
    data: Mapping[str, Any]
    key: str
    """The id of the key that signed."""
    prev: str
    hash: str
    sig: bytes

    @property
    def payload(self) -> bytes:
        """What is hashed and signed."""
        return canonical(
            {
                "at": self.at,
                "data": self.data,
                "key": self.key,
                "kind": self.kind,
                "prev": self.prev,
                "seq": self.seq,
            }
        ).encode()

    @property
    def line(self) -> bytes:
        """The line, with its end."""
        sealed = {"hash": self.hash, "sig": base64.b64encode(self.sig).decode()}
        return canonical(json.loads(self.payload) | sealed).encode() + b"\n"

    def check(self) -> None:
        """Raise RegisterError unless the key that it names has signed it."""
        try:
            dsse.check(TYPE, self.payload, self.sig, known_by(self.key))
        except (CertificateError, KeyFileError) as error:
            raise RegisterError(f"entry {self.seq}: {error}") from error


@dataclass(frozen=True, slots=True)
class Reading:
    """A register that was read: what stands in it, and how much of a last line that is not whole."""

    entries: tuple[Entry, ...]
    torn: bytes = b""


class _Chain:
    """Reads lines, each of which must continue the ones before."""

    def __init__(self) -> None:
        self.last: Entry | None = None
        self.keys: set[str] = set()

    def take(self, line: bytes) -> Entry:
        """The entry in a line. Raises ValueError with the reason."""
        entry = _parsed(line)
        seq, prev = (self.last.seq, self.last.hash) if self.last else (0, GENESIS)
        if entry.seq != seq + 1:
            raise ValueError(f"has the number {entry.seq}: lines were added or removed before it")
        if entry.prev != prev:
            raise ValueError("does not follow the line before it")
        if entry.seq == 1:
            if entry.kind != OPENED:
                raise ValueError("does not open a register")
            self.keys.add(entry.key)
        elif entry.key not in self.keys or entry.kind == OPENED:
            raise ValueError(f"the key {entry.key[:16]}… is not one that this register has named before")
        if entry.kind == KEY:
            self.keys.add(entry.data["key"])
        self.last = entry
        return entry


def read(path: Path) -> Reading:
    """A whole register, its chain checked and every signature. Raises RegisterError."""
    reading, _ = _read(path, _content(path))
    for entry in reading.entries:
        try:
            entry.check()
        except RegisterError as error:
            raise RegisterError(f"{path}: {error}") from error
    return reading


def clock_set_back(entries: Sequence[Entry]) -> Iterator[Entry]:
    """The entries that are earlier than the one before them: somebody has set the laboratory's clock."""
    for before, entry in pairwise(entries):
        if _seconds(before.at) - _seconds(entry.at) > SLACK:
            yield entry


class Register:
    """A register to which entries are added. Several processes of one laboratory can use it at once."""

    def __init__(self, path: Path, key: Ed25519PrivateKey, clock: Callable[[], int] = time.time_ns) -> None:
        self.path = path
        self.entries: list[Entry] = []
        self._key = key
        self._keyid = key_id(key.public_key())
        self._clock = clock
        self._chain = _Chain()
        self._size = 0
        with self._locked() as file:
            self._catch_up(file)

    def open(self, version: str) -> None:
        """Begin the register, unless it was begun. Raises RegisterError when it is of another laboratory."""
        with self._locked() as file:
            self._catch_up(file)
            if not self.entries:
                self._append(file, OPENED, {"version": version})
        if self._keyid not in self._chain.keys:
            raise RegisterError(
                f"{self.path}: is the register of another key; `feltrig register key` makes a new key known in it"
            )

    @property
    def behind(self) -> float:
        """Seconds by which the clock is behind the last entry; 0 for the usual."""
        late = _seconds(self.entries[-1].at) - self._clock() / 1e9 if self.entries else 0.0
        return late if late > SLACK else 0.0

    def append(self, kind: str, data: Mapping[str, Any]) -> Entry:
        """Sign an entry and add it; the disk has it when this returns. Raises RegisterError."""
        with self._locked() as file:
            self._catch_up(file)
            return self._append(file, kind, data)

    def add_key(self, key: Ed25519PublicKey) -> Entry:
        """Let another key of the laboratory sign entries from now on."""
        return self.append(KEY, {"key": key_id(key)})

    def refresh(self) -> list[Entry]:
        """All entries, those of other processes too."""
        with self._locked() as file:
            self._catch_up(file)
        return self.entries

    @contextmanager
    def _locked(self) -> Iterator[int]:
        try:
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW
            file = os.open(self.path, flags, 0o644)
        except OSError as error:
            raise _cannot("be opened", self.path, error) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
        except OSError as error:
            raise _cannot("be written", self.path, error) from error
        finally:
            os.close(file)

    def _catch_up(self, file: int) -> None:
        """Read what was added since, by whomever. A torn line was never acknowledged, and goes."""
        size = os.fstat(file).st_size
        if size < self._size:
            raise RegisterError(f"{self.path}: was cut while it was in use")
        if size == self._size:
            return
        content = os.pread(file, size - self._size, self._size)
        reading, whole = _read(self.path, content, self._chain)
        self.entries += reading.entries
        if reading.entries:
            reading.entries[-1].check()  # which vouches for all before it
        self._size += whole
        if reading.torn:
            os.ftruncate(file, self._size)

    def _append(self, file: int, kind: str, data: Mapping[str, Any]) -> Entry:
        last = self._chain.last
        seq, prev = (last.seq + 1, last.hash) if last else (1, GENESIS)
        draft = Entry(seq, _utc(self._clock()), kind, shaped(kind, data), self._keyid, prev, "", b"")
        payload = draft.payload
        signature = dsse.sign(TYPE, payload, self._key)
        entry = Entry(seq, draft.at, kind, draft.data, self._keyid, prev, sha256(payload).hexdigest(), signature.data)
        line = entry.line
        self._chain.take(line[:-1])  # what could not be read again is not written
        rest = line
        while rest:
            rest = rest[os.write(file, rest) :]
        os.fsync(file)
        self._size += len(line)
        self.entries.append(entry)
        return entry


def shaped(kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an entry of a kind, with long texts cut short. Raises RegisterError when they are others."""
    expected = FIELDS.get(kind)
    if expected is None or {name: type(value) for name, value in data.items()} != dict(expected):
        raise RegisterError(f"is not an entry of the kind {kind!r}")
    return {name: _short(value) for name, value in data.items()}


def _short(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()[:LONGEST]
    return (
        {str(name)[:LONGEST]: _short(str(each)) for name, each in value.items()} if isinstance(value, dict) else value
    )


def _read(path: Path, content: bytes, chain: _Chain | None = None) -> tuple[Reading, int]:
    """The entries in the bytes, and how many of the bytes are whole lines."""
    chain = chain or _Chain()
    *lines, torn = content.split(b"\n")
    entries = []
    for line in lines:
        try:
            entries.append(chain.take(line))
        except ValueError as error:
            number = (chain.last.seq if chain.last else 0) + 1
            raise RegisterError(f"{path}: line {number}: {error}") from error
    return Reading(tuple(entries), torn), len(content) - len(torn)


def _parsed(line: bytes) -> Entry:
    """The entry in a line, which must be what writing it again gives. Raises ValueError."""
    try:
        value = json.loads(line.decode("ascii"))
        if not isinstance(value, dict) or {name: type(member) for name, member in value.items()} != _MEMBERS:
            raise TypeError
        given = {name: value[name] for name in ("seq", "at", "kind", "data", "key", "prev", "hash")}
        entry = Entry(**given, sig=base64.b64decode(value["sig"], validate=True))
        shaped(entry.kind, entry.data)
        same = entry.line == line + b"\n"
    except (TypeError, RegisterError) as error:
        raise ValueError("is not an entry") from error
    except (ValueError, RecursionError) as error:
        raise ValueError("is not canonical JSON") from error
    if sha256(entry.payload).hexdigest() != entry.hash:
        raise ValueError("was changed: its hash does not match its contents")
    if not same or not _TIME.fullmatch(entry.at):
        raise ValueError("is not in the form that feltrig writes")
    return entry


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _cannot("be read", path, error) from error


def _utc(nanoseconds: int) -> str:
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{rest // 1000:06}Z"


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


def _cannot(what: str, path: Path, error: OSError) -> RegisterError:
    return RegisterError(f"{path}: cannot {what}: {error.strerror or error}")

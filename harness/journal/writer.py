"""Writes the journal of a run: JSON Lines, appended only."""

import fcntl
import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from types import TracebackType
from typing import Self

from feltrig.errors import JournalError
from feltrig.harness.journal.chain import GENESIS, canonical, sealed, text
from feltrig.harness.journal.folder import sync_folder
from feltrig.harness.journal.reader import Torn, scan
from feltrig.harness.journal.records import Body, BytesPassed, Resumed
from feltrig.harness.journal.schema import to_plain, written_kind
from feltrig.protocols.messages import Tap

LONGEST_QUEUE = 512
"""So many observations of wires are written out even if no other record comes."""

Clock = Callable[[], tuple[int, int]]
"""The time of day and a time that never runs backwards, both in nanoseconds."""


def system_clock() -> tuple[int, int]:
    """The clock of the computer."""
    return time.time_ns(), time.monotonic_ns()


class Journal:
    """Writes a journal: a new one, or with `resume` the rest of one whose writer died.

    After a failed write every further one fails too, and the file holds the whole records that came before it.
    """

    def __init__(
        self, path: Path, clock: Clock = system_clock, *, resume: bool = False, written: "Written | None" = None
    ) -> None:
        self.path = path
        self._clock = clock
        self._on_written = written
        self._seq, self._last = self._written = 0, GENESIS
        self._queue: list[tuple[int, int, str, bool, bytes]] = []
        self._failed: JournalError | None = None
        self._file = _open(path, 0 if resume else os.O_CREAT | os.O_EXCL)
        try:
            elapsed, torn = self._catch_up() if resume else (0.0, None)
            self._size = os.fstat(self._file).st_size
            self._origin = clock()[1] - round(elapsed * 1e9)
            sync_folder(path.parent)
            if resume:
                self.append(Resumed(torn.data.hex() if torn else ""))
        except OSError as error:
            os.close(self._file)
            raise _cannot("be opened", path, error) from error
        except JournalError:
            os.close(self._file)
            raise

    @property
    def seq(self) -> int:
        """The number of the last record written."""
        return self._written[0]

    @property
    def last(self) -> str:
        """The hash of the last record written: it seals everything before it."""
        return self._written[1]

    def append(self, body: Body) -> int:
        """Write a record, after what was seen on the wires before it; returns its number.

        The operating system has the line when this returns: a killed process loses nothing.
        """
        data = to_plain(body)
        _require_text_keys(data)
        plain = canonical(data)
        now = self._clock()
        lines = self._observed()
        lines.append(self._line(now, written_kind(type(body)), plain))
        self._write(lines)
        number = self._seq
        if self._on_written is not None:
            self._on_written(self, body)
        return number

    def wire(self, device: str, outgoing: bool, data: bytes) -> None:
        """Note bytes that pass on a wire. Never fails: they are written with the next record, or when they are many."""
        self._queue.append((*self._clock(), device, outgoing, bytes(data)))
        if len(self._queue) >= LONGEST_QUEUE:
            # The caller is a wire in the midst of its work: a failure is told to whoever writes next.
            with suppress(JournalError):
                self.flush()

    def tap(self, device: str) -> Tap:
        """What a wire calls with the bytes of one device."""
        return partial(self.wire, device)

    def flush(self) -> None:
        """Write what was seen on the wires."""
        self._write(self._observed())

    def sync(self) -> None:
        """Flush, and wait until the disk has everything: a power cut loses nothing."""
        self.flush()
        try:
            os.fsync(self._file)
        except OSError as error:
            self._failed = _cannot("be written", self.path, error)
            raise self._failed from error

    def close(self) -> None:
        """Sync and close; may be called twice. A failure that was already told is not told again."""
        if self._file < 0:
            return
        try:
            if self._failed is None:
                self.sync()
        finally:
            os.close(self._file)
            self._file = -1
            self._failed = self._failed or JournalError(f"{self.path}: is closed")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _catch_up(self) -> tuple[float, Torn | None]:
        """Verify the journal and cut off a torn line, so that the next record begins a line of its own."""
        elapsed, torn = 0.0, None
        for item in scan(self.path):
            if isinstance(item, Torn):
                torn = item
                os.ftruncate(self._file, os.fstat(self._file).st_size - len(item.data))
            else:
                self._seq, self._last = self._written = item.seq, item.hash
                elapsed = item.m
        return elapsed, torn

    def _observed(self) -> list[bytes]:
        queue, self._queue = self._queue, []
        return [
            self._line((wall, now), BytesPassed.KIND, _wire_body(device, outgoing, data))
            for wall, now, device, outgoing, data in queue
        ]

    def _line(self, now: tuple[int, int], kind: str, data: str) -> bytes:
        """The next line of the chain."""
        wall, monotonic = now
        self._seq += 1
        elapsed = round((monotonic - self._origin) / 1e9, 6)
        line, self._last = sealed(data, kind, elapsed, self._last, self._seq, _utc(wall))
        return line + b"\n"

    def _write(self, lines: list[bytes]) -> None:
        if self._failed is not None:
            raise self._failed
        rest = b"".join(lines)
        size = self._size + len(rest)
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, self._size)
            self._failed = _cannot("be written", self.path, error)
            raise self._failed from error
        self._size = size
        self._written = self._seq, self._last


Written = Callable[[Journal, Body], None]
"""Told each record that is not of a wire, when the operating system has it."""


def _wire_body(device: str, outgoing: bool, data: bytes) -> str:
    """The canonical JSON of what passed on a wire: most records are these."""
    return f'{{"bytes":"{data.hex()}","device":{text(device)},"outgoing":{"true" if outgoing else "false"}}}'


def _require_text_keys(value: object) -> None:
    """Other keys would be turned into text after they were sorted, and the line would not be canonical."""
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise TypeError(f"{key!r} is not text, and cannot be a key in a journal")
            _require_text_keys(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _require_text_keys(item)


def _utc(nanoseconds: int) -> str:
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    return f"{_second(seconds)}.{rest // 1000:06}Z"


@lru_cache(maxsize=2)
def _second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def _open(path: Path, flags: int) -> int:
    """Open for appending, as the only writer."""
    try:
        file = os.open(path, os.O_RDWR | os.O_APPEND | flags, 0o644)
    except FileExistsError as error:
        raise JournalError(f"{path}: already exists, and a journal is never overwritten") from error
    except OSError as error:
        raise _cannot("be opened", path, error) from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(file)
        raise JournalError(f"{path}: another process is writing to it") from error
    return file


def _cannot(what: str, path: Path, error: OSError) -> JournalError:
    return JournalError(f"{path}: cannot {what}: {error.strerror or error}")

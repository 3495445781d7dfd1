"""The runs in a folder, told from the ends of their journals: quick, and without checking every byte."""

import fcntl
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from feltrig.errors import RunError
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal.records import RESUMABLE, Body, BytesPassed, RunBegun, RunEnded
from feltrig.harness.journal.schema import from_plain

CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Listed:
    """One run. What its files do not say is None."""

    folder: str
    state: str
    """`finished`, `running`, `resumable`, `ended early`, or `unreadable`."""
    when: str | None = None
    rig: str | None = None
    game: str | None = None
    device: str | None = None
    """The device that the plan judges."""
    plan: str | None = None
    verdict: str | None = None
    rounds: int | None = None
    signed: bool = False


def listed(out: Path) -> list[Listed]:
    """The runs in a folder, or the folder itself if it is one; the oldest first. Raises RunError."""
    if (out / runs.JOURNAL).is_file():
        return [_listed(out)]
    try:
        folders = sorted(path for path in out.iterdir() if (path / runs.JOURNAL).is_file())
    except OSError as error:
        raise RunError(f"{out}: cannot be read: {error.strerror or error}") from error
    return sorted(map(_listed, folders), key=lambda run: (run.when or "", run.folder))


def _listed(folder: Path) -> Listed:
    try:
        when, run, last, busy = _ends(folder / runs.JOURNAL)
        plan = run.plan or {}
        written = _verdict(folder)
        return Listed(
            folder=str(folder),
            state=_state(last, busy),
            when=when,
            rig=run.rig,
            game=run.game,
            device=plan.get("device"),
            plan=plan["plan"]["name"] if plan else None,
            verdict=written.get("verdict"),
            rounds=written.get("rounds", {}).get("played"),
            signed=(folder / runs.CERTIFICATE).is_file(),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Listed(str(folder), "unreadable")


def _verdict(folder: Path) -> Mapping[str, Any]:
    try:
        written: Mapping[str, Any] = json.loads((folder / runs.VERDICT).read_bytes())
    except FileNotFoundError:
        return {}
    return written


def _state(last: Body | None, busy: bool) -> str:
    if busy:
        return "running"
    if not isinstance(last, RunEnded) or last.reason in RESUMABLE:
        return "resumable"
    return "finished" if last.reason == "finished" else "ended early"


def _ends(path: Path) -> tuple[str, RunBegun, Body | None, bool]:
    """When the run began, its first record, its last one that is not of a wire (None when there is none), and whether
    a run is writing."""
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            busy = False
        except BlockingIOError:
            busy = True
        when, first = _parsed(file.readline())
        if not isinstance(first, RunBegun):
            raise ValueError("does not begin with a run")
        return when, first, _last(file), busy


def _parsed(line: bytes) -> tuple[str, Body]:
    record = json.loads(line)
    return record["t"], from_plain(record["kind"], record["data"])


def _last(file: BinaryIO) -> Body | None:
    """Read from the end, so that a long journal costs no more than a short one. Wires are closed after the run's end,
    and what passes on them then is recorded too."""
    size = file.seek(0, os.SEEK_END)
    length = 0
    while length < size:
        length = min(size, length * 2 or CHUNK)
        file.seek(size - length)
        lines = file.read(length).splitlines(keepends=True)
        whole = lines if length == size else lines[1:]
        if whole and not whole[-1].endswith(b"\n"):
            return None
        for line in reversed(whole):
            _, body = _parsed(line)
            if not isinstance(body, BytesPassed):
                return body
    return None

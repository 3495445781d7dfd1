"""The folder of a run, and the verdict in it."""

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from feltrig.errors import RunError

JOURNAL = "journal.jsonl"
VERDICT = "verdict.json"
CERTIFICATE = "certificate.json"
REPORTS = HTML, PDF, JUNIT = "report.html", "report.pdf", "junit.xml"


def create(out: Path, rig_name: str, when: datetime | None = None) -> Path:
    """Make the folder of a new run, `<out>/<time>-<rig>`; a name that is taken gets -2, -3, and so on."""
    name = f"{(when or datetime.now(UTC)).astimezone(UTC):%Y%m%dT%H%M%SZ}-{rig_name}"
    folder, number = out / name, 1
    try:
        out.mkdir(parents=True, exist_ok=True)
        while True:
            try:
                folder.mkdir()
            except FileExistsError:
                number += 1
                folder = out / f"{name}-{number}"
            else:
                return folder
    except FileExistsError as error:
        raise RunError(f"{out}: is not a folder, so it cannot contain runs") from error
    except OSError as error:
        raise RunError(f"{out}: cannot hold a run: {error.strerror or error}") from error


def journal_path(folder: Path) -> Path:
    """The journal of the run in a folder. Raises RunError when there is none."""
    path = folder / JOURNAL
    if not path.is_file():
        raise RunError(f"{folder}: is not the folder of a run: it has no {JOURNAL}")
    return path


def discard(folder: Path) -> None:
    """Remove the folder and the journal of a run that never began; if anything else lies there, the folder stays."""
    try:
        (folder / JOURNAL).unlink(missing_ok=True)
        if not any(folder.iterdir()):
            folder.rmdir()
    except OSError as error:
        raise RunError(f"{folder}: cannot be removed: {error.strerror or error}") from error


def verdict_bytes(verdict: Mapping[str, Any]) -> bytes:
    """The verdict as its file has it."""
    return (json.dumps(dict(verdict), indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def write_verdict(path: Path, verdict: Mapping[str, Any]) -> None:
    """Write the verdict as JSON."""
    write_whole(path, verdict_bytes(verdict))


def write_whole(path: Path, data: bytes) -> None:
    """Write a file. Whoever opens it sees all of it or none, even after a power cut."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            with draft.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
        sync_folder(path.parent)
    except OSError as error:
        raise RunError(f"{path}: cannot be written: {error.strerror or error}") from error


def sync_folder(folder: Path) -> None:
    """Make the names in a folder as durable as the bytes of its files. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

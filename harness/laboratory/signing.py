"""A run's end of the line to the process that holds the laboratory's key."""

import base64
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from feltrig.errors import RegisterError
from feltrig.harness.journal.records import (
    Body,
    Checkpoint,
    DeviceConnected,
    GapSeen,
    Looked,
    Probed,
    Ruled,
    RunEnded,
    Trouble,
    UnreadSeen,
)
from feltrig.harness.journal.writer import Journal
from feltrig.harness.laboratory.register import CHECKPOINT, DEVICE, ENDED, FAILURE, NAME
from feltrig.harness.laboratory.signer import ERRORS

MOST = 3
"""How often the same failure of a device is registered on its own; the journal's hash at the next checkpoint covers the
rest."""


@dataclass(frozen=True, slots=True)
class Laboratory:
    """Where a laboratory's key and register are, or the command that starts its signing process."""

    key: Path | None = None
    register: Path | None = None
    """None for the usual file, beside the key."""
    signer: tuple[str, ...] = ()

    @property
    def command(self) -> Sequence[str]:
        """What starts the signing process. Nothing of the folder that it is started in is imported."""
        if self.signer or self.key is None:
            return self.signer
        register = self.register or self.key.parent / NAME
        return [sys.executable, "-P", "-m", "feltrig.harness.laboratory.signer", str(self.key), str(register)]


class Signing:
    """The signing process, for one run."""

    def __init__(self, laboratory: Laboratory, device: str | None = None) -> None:
        self._device = device
        self._seen = Counter[tuple[str, str]]()
        try:
            self._process = subprocess.Popen(laboratory.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise RegisterError(f"{laboratory.command[0]}: cannot be started: {error.strerror or error}") from error
        try:
            self.key = str(self._answer()["key"])
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leave: the process registers how far a run has come that has not ended, and ends. May be called twice."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None and not pipe.closed:
                pipe.close()
        self._process.wait()

    def begin(self, journal: Journal, device: str | None) -> None:
        """Register a run whose journal has its first records."""
        self._device = device
        journal.sync()
        self._ask("begin", folder=str(journal.path.parent.resolve()), records=journal.seq)

    def resume(self, folder: Path, device: str | None) -> None:
        """Take a run up again. Raises RunError unless its journal is the one that the register knows."""
        self._device = device
        self._ask("resume", folder=str(folder.resolve()))

    def judge(self, folder: Path) -> tuple[bytes | None, str]:
        """The certificate of a run that has ended, or None and why there is none. Raises RunError for a journal that
        the register does not know, or knows otherwise."""
        answer = self._ask("judge", folder=str(folder.resolve()))
        sealed = answer.get("certificate")
        return None if sealed is None else base64.b64decode(sealed), str(answer.get("why", ""))

    def written(self, journal: Journal, body: Body) -> None:
        """Register what a record means to the laboratory; the disk has the record before. A journal calls this."""
        if (told := self._told(body)) is not None:
            kind, said = told
            journal.sync()
            self._ask("tell", kind=kind, records=journal.seq, journal=journal.last, **said)

    def discard(self, journal: Journal) -> None:
        """Register the end of a run that never began: its folder goes."""
        journal.sync()
        self._ask("tell", kind=ENDED, records=journal.seq, journal=journal.last, reason="never began")

    def _told(self, body: Body) -> tuple[str, dict[str, Any]] | None:
        match body:
            case Checkpoint(name=name):
                return CHECKPOINT, {"name": name}
            case RunEnded(reason=reason):
                return ENDED, {"reason": reason}
            case DeviceConnected(name=name, identity=identity, emulated=emulated) if name == self._device:
                return DEVICE, {"identity": dict(identity), "emulated": emulated}
        failed = failure(body)
        if failed is None or self._seen[failed] >= MOST:
            return None
        self._seen[failed] += 1
        return FAILURE, {"device": failed[0], "what": failed[1]}

    def _ask(self, do: str, **request: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"do": do, **request}).encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise RegisterError("the signing process has ended: nothing more can be registered") from error
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        try:
            answer = json.loads(line)
            if "error" in answer:
                raise ERRORS.get(answer["error"], RegisterError)(answer["why"])
            answered: dict[str, Any] = answer["ok"]
        except (ValueError, KeyError, TypeError) as error:
            raise RegisterError("the signing process gave no answer") from error
        return answered


class NoLaboratory:
    """Stands where a run is neither registered nor signed."""

    key = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is to be left."""

    def begin(self, journal: Journal, device: str | None) -> None:
        """Nobody is told."""

    def resume(self, folder: Path, device: str | None) -> None:
        """Nobody is asked."""

    def written(self, journal: Journal, body: Body) -> None:
        """Nobody is told."""

    def discard(self, journal: Journal) -> None:
        """Nobody is told."""

    def judge(self, folder: Path) -> tuple[bytes | None, str]:
        """Nobody signs."""
        return None, "there is no laboratory"


NOBODY = NoLaboratory()


def failure(body: Body) -> tuple[str, str] | None:
    """The device and the words, if a record says that something is wrong; what it means for the verdict, the judge
    decides."""
    match body:
        case Trouble(device=device, what=what):
            return device, what
        case Probed(device=device, command=command, fault=str(fault)):
            return device, f"{command}: {fault}"
        case Ruled(ruling={"device": str(device), "why": why}):
            return device, str(why)
        case GapSeen(device=device):
            return device, "a gap in the numbers of its events"
        case UnreadSeen(device=device):
            return device, "bytes of which no message could be made"
        case Looked(device=device, what=what, shown=str(shown), claimed=claimed) if shown != claimed:
            return device, f"{what}: shows something else than it says"
    return None

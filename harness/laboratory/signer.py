"""The process that holds a laboratory's key and its register: it registers what a run tells it, and signs.

A run tells one JSON object on each line of standard input, and reads one answer on each line of standard output. The
process runs no code of a rig file. It judges a journal itself before it signs, and signs nothing else.
"""

import base64
import ctypes
import json
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from feltrig.errors import FeltrigError, JournalError, KeyFileError, RegisterError, RunError
from feltrig.harness.journal import folder as runs
from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.reader import Record, Torn
from feltrig.harness.journal.records import Body, RunBegun
from feltrig.harness.judge import keys
from feltrig.harness.laboratory import history
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
    Register,
)

ERRORS = {error.__name__: error for error in (JournalError, KeyFileError, RegisterError, RunError)}
"""The errors that an answer can name."""

LIVE = (DEVICE, CHECKPOINT, FAILURE, ENDED)
"""The entries that a run may tell while it runs."""

NOT_DUMPABLE = 4
"""Of prctl: with the value 0 no other process of the user can read the memory of this one."""


class SigningDesk:
    """Answers the requests of one run."""

    def __init__(self, key: Path, register: Path) -> None:
        self._key = keys.private(key)
        self._register = Register(register, self._key)
        self._register.open(version("feltrig"))
        self._run: str | None = None
        """The run that is under way."""
        self._folder: Path | None = None
        self._records = 0
        self._requests: Mapping[str, Callable[..., Mapping[str, Any]]] = {
            "begin": self.begin,
            "tell": self.tell,
            "resume": self.resume,
            "judge": self.judge,
        }

    @property
    def key(self) -> str:
        """The id of the key."""
        return keys.key_id(self._key.public_key())

    def answer(self, line: bytes) -> dict[str, Any]:
        """The answer to one line."""
        try:
            request = json.loads(line)
            answered = self._requests[request.pop("do")](**request)
        except FeltrigError as error:
            return {"error": type(error).__name__, "why": str(error)}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            return {"error": RegisterError.__name__, "why": f"is not a request: {error!r}"}
        return {"ok": answered}

    def begin(self, folder: str, records: int) -> Mapping[str, Any]:
        """A run has begun, and its journal has so many records."""
        self._require_clock(folder)
        read = _read(Path(folder), records)
        begun, position = _begun(read), _position(read)
        if begun is None or len(read) != records or position["run"] in history.runs(self._register.refresh()):
            raise RunError(f"{folder}: is not a run that begins")
        plan = begun.plan or {"device": "", "plan": {"name": ""}}
        entry = {
            "folder": Path(folder).name,
            "rig": begun.rig,
            "rig_digest": begun.digest,
            "plan": plan["plan"]["name"],
            "plan_digest": _plan_digest(begun),
            "device": plan["device"],
        }
        self._register.append(BEGUN, position | entry)
        self._run, self._folder, self._records = position["run"], Path(folder), records
        return {}

    def tell(self, kind: str, records: int, journal: str, **said: Any) -> Mapping[str, Any]:
        """Something has happened in the run that is under way."""
        if self._run is None or kind not in LIVE or records < self._records:
            raise RegisterError(f"{kind!r} at record {records} is not to be told now")
        self._register.append(kind, {"run": self._run, "records": records, "journal": journal} | said)
        self._records = records
        if kind == ENDED:
            self._run = None
        return {}

    def resume(self, folder: str) -> Mapping[str, Any]:
        """A run is taken up again, to be judged if it is over, else to go on."""
        self._require_clock(folder)
        read, run = self._known(folder)
        if history.over(read):
            _refuse(folder, history.not_signable(run, read))
            return {}
        _refuse(folder, history.not_resumable(run, read))
        self._register.append(RESUMED, position := _position(read))
        self._run, self._folder, self._records = position["run"], Path(folder), position["records"]
        return {}

    def judge(self, folder: str) -> Mapping[str, Any]:
        """Judge a run that has ended, and sign what can be signed; the certificate, or why there is none."""
        from feltrig.harness.judge.certificate import envelope, statement, unsigned  # noqa: PLC0415
        from feltrig.harness.judge.evidence import Evidence  # noqa: PLC0415 - what judges takes a while to load
        from feltrig.harness.judge.judgement import judge  # noqa: PLC0415

        self._require_clock(folder)
        read, run = self._known(folder)
        _refuse(folder, history.not_signable(run, read))
        _refuse(folder, _other_plan(read))
        verdict = judge(Evidence(read)).verdict
        written = runs.verdict_bytes(verdict)
        position = _position(read)
        failed = sum(finding["verdict"] == "fail" for finding in verdict["findings"])
        said = {"verdict": verdict["verdict"], "digest": sha256(written).hexdigest(), "failed": failed}
        self._register.append(JUDGED, position | said)
        if (why := unsigned(verdict)) is not None:
            return {"why": why}
        sealed = envelope(statement(verdict, written), self._key)
        self._register.append(SIGNED, position | {"statement": sha256(sealed).hexdigest()})
        return {"certificate": base64.b64encode(sealed).decode()}

    def leave(self) -> None:
        """The run has gone. If it has not ended, what it wrote to the end is registered, so that none of it can be cut
        off later."""
        if self._run is None or self._folder is None:
            return
        read = _read(self._folder)
        position = _position(read)
        if position["run"] == self._run:
            self._register.append(BROKEN_OFF, position)
        self._run = None

    def _known(self, folder: str) -> tuple[list[Record[Body]], history.RegisteredRun]:
        read = _read(Path(folder))
        if not read:
            raise RunError(f"{folder}: the journal of this run is empty")
        run = history.runs(self._register.refresh()).get(read[0].hash)
        _refuse(folder, history.strange(run, read))
        assert run is not None, "the register knows the run"
        return read, run

    def _require_clock(self, folder: str) -> None:
        if late := self._register.behind:
            behind = f"the computer's clock is {late:.0f} s behind the last entry of the register; set it right"
            raise RunError(f"{folder}: cannot be registered: {behind}")


def _read(folder: Path, most: int | None = None) -> list[Record[Body]]:
    """The records of a run, the first ones only if so many are wanted; a torn last line is left out."""
    path = folder / runs.JOURNAL
    if path.is_symlink():
        raise RunError(f"{path}: is a symbolic link; a journal must lie in the folder of its run")
    items = islice(journals.scan(runs.journal_path(folder)), most)
    return [item for item in items if not isinstance(item, Torn)]


def _begun(read: list[Record[Body]]) -> RunBegun | None:
    first = read[0].body if read else None
    return first if isinstance(first, RunBegun) else None


def _position(read: list[Record[Body]]) -> dict[str, Any]:
    return {"run": read[0].hash, "records": len(read), "journal": read[-1].hash} if read else {"run": ""}


def _plan_digest(begun: RunBegun) -> str:
    from feltrig.harness.plan.plan import from_record  # noqa: PLC0415

    return "" if begun.plan is None else from_record(begun.plan["plan"]).digest


def _other_plan(read: list[Record[Body]]) -> Iterable[str]:
    from feltrig.harness.judge.planned import other_plan  # noqa: PLC0415

    begun = read[0].body
    return other_plan(begun) if isinstance(begun, RunBegun) else ("the journal does not begin with a run",)


def _refuse(folder: str, reasons: Iterable[str]) -> None:
    for reason in reasons:
        raise RunError(f"{folder}: cannot be signed: {reason}")


def serve(desk: Callable[[], SigningDesk], requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer until nobody asks any more. The first line tells whether the key and the register can be used."""

    def say(answer: Mapping[str, Any]) -> None:
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()

    try:
        made = desk()
    except FeltrigError as error:
        say({"error": type(error).__name__, "why": str(error)})
        return
    with suppress(BrokenPipeError):
        say({"ok": {"key": made.key}})
        for line in requests:
            say(made.answer(line))
    with suppress(FeltrigError):
        made.leave()


def keep_to_itself() -> None:
    """Let nobody read the memory of this process, and end it only when the run has gone: Ctrl-C is for the run."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(NOT_DUMPABLE, 0, 0, 0, 0)


def main(key: Path, register: Path) -> None:
    """Serve the run at the other end of the pipes."""
    keep_to_itself()
    serve(lambda: SigningDesk(key, register), sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

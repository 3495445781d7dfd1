"""The user's own functions in emulated devices: how they are found, and what happens when one fails."""

import importlib
import sys
import traceback
from collections.abc import Callable
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, TypeVar

from feltrig.emulators.models import mechanics
from feltrig.emulators.models.device import Device
from feltrig.errors import FeltrigError
from feltrig.protocols.messages import EventBatch, Reply, Request, Status
from feltrig.protocols.vocabulary import Error

T = TypeVar("T")

FAILURES = (Exception, SystemExit)
"""All that a user's function may raise. None of it must end the program, least of all with status 0."""


ZOO = "zoo:"
"""What stands before the name of a machine in the zoo."""


class Breakdown(FeltrigError):
    """A user's function failed inside an emulated device; the message is one line for the user."""

    def __init__(self, device: str, why: str) -> None:
        super().__init__(why)
        self.device = device


def find(reference: str, folder: Path, kind: str) -> Callable[..., Any]:
    """The function that `module:function` names. Its module is looked for in the rig file's folder, then on Python's
    path; `zoo:name` is a machine of that kind in the zoo. Raises ValueError with the reason."""
    if reference.startswith(ZOO):
        from feltrig.emulators.zoo.catalogue import build

        return build(reference.removeprefix(ZOO), kind)
    module = reference.partition(":")[0]
    _look_in(folder, module.partition(".")[0])
    try:
        return mechanics.load(reference)
    except ValueError as error:
        raise ValueError(str(error).removeprefix("mechanics ")) from error
    except FAILURES as error:
        raise ValueError(f"{module} cannot be imported: {failure(reference, error)}") from error


def _look_in(folder: Path, package: str) -> None:
    beside = str(folder.resolve())
    if beside not in sys.path:
        sys.path.insert(0, beside)  # for good: the module may import its neighbours when it is called
    importlib.invalidate_caches()
    meant, loaded = PathFinder.find_spec(package, [beside]), sys.modules.get(package)
    if meant is not None and loaded is not None and getattr(loaded, "__file__", None) != meant.origin:
        raise ValueError(f"{package!r}: {meant.origin} is meant, and another module of that name is loaded already")


def failure(reference: str, error: BaseException) -> str:
    """One line that says what a user's function did wrong, and where in it."""
    said = " ".join(str(error).split())
    frame = traceback.extract_tb(error.__traceback__)[-1]
    if frame.filename == mechanics.__file__:  # it was called wrongly, or returned what no wire could carry
        return said.removeprefix("mechanics ")
    what = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return f"{reference!r} raised {what} ({Path(frame.filename).name}, line {frame.lineno})"


class Guarded:
    """A machine with a user's function inside. When that fails, `failed` is called once; from then on the
    machine refuses every command and nothing happens in it."""

    def __init__(self, machine: Device[Any], failed: Callable[[BaseException], None]) -> None:
        self.kind = machine.kind
        self.identity = machine.identity
        self._machine = machine
        self._failed = failed
        self._broken = False

    def handle(self, request: Request, now: float) -> Reply:
        return self._attempt(lambda: self._machine.handle(request, now), Reply(Error.WRONG_STATE))

    def events(self, after: int, now: float, limit: int) -> EventBatch:
        return self._attempt(lambda: self._machine.events(after, now, limit), EventBatch(self._last(), ()))

    def advance(self, now: float) -> None:
        self._attempt(lambda: self._machine.advance(now), None)

    def due(self) -> float | None:
        return None if self._broken else self._machine.due()

    def status(self, now: float) -> Status:
        return self._attempt(lambda: self._machine.status(now), self._last())

    def _last(self) -> Status:
        return self._machine.board.status()

    def _attempt(self, work: Callable[[], T], otherwise: T) -> T:
        if self._broken:
            return otherwise
        try:
            return work()
        except FAILURES as error:
            self._broken = True
            self._failed(error)
            return otherwise

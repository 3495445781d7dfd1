"""The shell common to all emulated devices: a `Machine` composed of a control board and a mechanism."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Generic, TypeVar

from feltrig.emulators.board import Board
from feltrig.protocols.messages import EventBatch, Identity, Reply, Request, Status, Value, Values
from feltrig.protocols.vocabulary import Command, Error, Field, Kind, State, Type

M = TypeVar("M")
Action = Callable[[M, Values], Reply]
Commands = Mapping[str, tuple[frozenset[State], Action[M]]]
"""What a mechanism does on each command of its kind, and the states in which it does it."""

ANY = frozenset(State)
AT_REST = frozenset({State.IDLE, State.READY})

DONE = Reply()
REFUSALS = {error: Reply(error) for error in Error}

REMEMBERED = 8
"""Acting commands whose answers are kept for repeats."""

LIMITS = {Type.U8: 0xFF, Type.U16: 0xFFFF, Type.U32: 0xFFFFFFFF, Type.BOOL: 1}


@dataclass(frozen=True, slots=True)
class _Step:
    """A command made ready to run."""

    args: tuple[Field, ...]
    acts: bool
    allowed: frozenset[State]
    run: Callable[[Values], Reply]


class Device(Generic[M]):
    """An emulated device. `mechanism` is its inside, for whoever has hands on it."""

    def __init__(
        self, kind: Kind, board: Board, mechanism: M, commands: Commands[M], identity: Identity | None = None
    ) -> None:
        self.kind = kind
        self.identity = identity or emulated(kind, board.name)
        self.board = board
        self.mechanism = mechanism
        self._steps = {
            "identify": self._step("identify", ANY, self._identify),
            "status": self._step("status", ANY, self._report),
            "reset": self._step("reset", ANY, self._reset),
            **{
                name: self._step(name, allowed, partial(action, mechanism))
                for name, (allowed, action) in commands.items()
            },
        }
        self._answered: dict[tuple[int, str], Reply] = {}
        self._reported: tuple[Status, Reply] | None = None

    def handle(self, request: Request, now: float) -> Reply:
        """Act on a command (any but `events`). An acting command is run once per token; token 0 is no token."""
        self.advance(now)
        step = self._steps.get(request.command)
        if step is None:
            return REFUSALS[Error.UNKNOWN_COMMAND]
        if not step.acts:
            return self._run(step, request.values)
        key = (request.token, request.command)
        if key in self._answered:
            return self._answered[key]
        reply = self._run(step, request.values)
        self.board.advance(self.board.now)
        if request.token:
            self._answered[key] = reply
            if len(self._answered) > REMEMBERED:
                del self._answered[next(iter(self._answered))]
        return reply

    def events(self, after: int, now: float, limit: int) -> EventBatch:
        """The status and at most `limit` events after a number."""
        self.advance(now)
        return EventBatch(self.board.status(), self.board.events(after, limit))

    def advance(self, now: float) -> None:
        """Let the time pass: whatever was due by now has happened."""
        board = self.board
        if board.next_due <= now:
            board.advance(now)
        elif now > board.now:
            board.now = now

    def due(self) -> float | None:
        """When something happens by itself, or None."""
        return self.board.next_due if self.board.next_due < float("inf") else None

    def status(self, now: float) -> Status:
        """What the device is doing."""
        self.advance(now)
        return self.board.status()

    def _run(self, step: _Step, values: Values) -> Reply:
        if not _fit(step.args, values):
            return REFUSALS[Error.BAD_ARGUMENT]
        if self.board.state not in step.allowed:
            return REFUSALS[Error.WRONG_STATE]
        return step.run(values)

    def _step(self, name: str, allowed: frozenset[State], run: Callable[[Values], Reply]) -> _Step:
        command: Command = self.kind.commands[name]
        return _Step(command.args, command.acts, allowed, run)

    def _identify(self, _: Values) -> Reply:
        who = self.identity
        return Reply(
            values={
                "kind": self.kind.code,
                "vendor": who.vendor,
                "model": who.model,
                "serial": who.serial,
                "firmware": who.firmware,
                "digest": who.digest,
            }
        )

    def _report(self, _: Values) -> Reply:
        status = self.board.status()
        if self._reported is None or self._reported[0] is not status:
            values: dict[str, Value] = {
                "state": int(status.state),
                "fault": int(status.fault),
                "oldest": status.oldest,
                "latest": status.latest,
            }
            self._reported = (status, Reply(values=values))
        return self._reported[1]

    def _reset(self, _: Values) -> Reply:
        """Works in every state, as the button on a machine does; a lock stays locked."""
        self.board.clear(State.LOCKED if self.board.state is State.LOCKED else State.IDLE)
        return DONE


def refuse(error: Error) -> Reply:
    """The reply that refuses a command."""
    return REFUSALS[error]


def integer(values: Values, name: str) -> int:
    """A numeric argument of a command; the device has already checked that it is one."""
    value = values[name]
    if not isinstance(value, int):
        raise TypeError(f"{name}: {value!r} is not a number")
    return value


def emulated(kind: Kind, name: str) -> Identity:
    """The identity of an emulated device that was given none. Its firmware image is its model and version."""
    model, firmware = f"Emulated {kind.name}", "1.0"
    return Identity(
        kind.name, "feltrig", model, f"EMU-{name}", firmware, sha256(f"{model} {firmware}".encode()).hexdigest()
    )


def _fit(args: tuple[Field, ...], values: Values) -> bool:
    """Whether these are the arguments of a command, no more and no less, each within its type."""
    if len(args) != len(values):
        return False
    for field in args:
        value = values.get(field.name)
        if not isinstance(value, int) or not 0 <= value <= LIMITS.get(field.type, 0):
            return False
    return True

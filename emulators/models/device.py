"""The shell common to all emulated devices: a `Machine` composed of a control board and a mechanism."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Generic, Protocol, TypeVar

from feltrig.emulators.models.board import Board
from feltrig.emulators.models.faults import Fault
from feltrig.protocols.challenge import NONCE_SIZES, proof
from feltrig.protocols.messages import EventBatch, Identity, Reply, Request, Status, Value, Values
from feltrig.protocols.vocabulary import Command, Error, Field, Kind, State, Type


class Mechanism(Protocol):
    """The inside of a device: its moving parts."""

    @property
    def places(self) -> tuple[str, ...]:
        """Where cards can lie in it; none in a device without cards."""


M = TypeVar("M", bound=Mechanism)
Action = Callable[[M, Values], Reply]
Commands = Mapping[str, tuple[frozenset[State], Action[M]]]
"""What a mechanism does on each command of its kind, and the states in which it does it."""

ANY = frozenset(State)
UNLESS_FAULT = ANY - {State.FAULT}
AT_REST = frozenset({State.IDLE, State.READY})

DONE = Reply()
REFUSALS = {error: Reply(error) for error in Error}

FIRMWARE = "1.0"
"""The version of an emulated device that was given none."""

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
    """An emulated device. `mechanism` is its inside, for code that acts as hands on the device."""

    def __init__(
        self, kind: Kind, board: Board, mechanism: M, commands: Commands[M], identity: Identity | None
    ) -> None:
        self.kind = kind
        self.identity = identity or emulated(kind, board.name)
        self.image = made_up_image(kind)
        """Its firmware, which `challenge` proves that it holds."""
        self.board = board
        self.mechanism = mechanism
        self._steps = {
            "identify": self._step("identify", ANY, self._identify),
            "status": self._step("status", ANY, self._report),
            "reset": self._step("reset", ANY, self._reset),
            "challenge": self._step("challenge", ANY, self._prove),
            **{
                name: self._step(name, allowed, partial(action, mechanism))
                for name, (allowed, action) in commands.items()
            },
        }
        self._answered: dict[int, Reply] = {}
        self._reported: tuple[Status, Reply] | None = None
        board.at_boot.append(self._booted)

    def handle(self, request: Request, now: float) -> Reply:
        """Act on a command (any but `events`). An acting command is run once per token; token 0 is no token. Without
        power nothing is acted on, and the station sends no answer."""
        self.advance(now)
        step = self._steps.get(request.command)
        if step is None:
            return REFUSALS[Error.UNKNOWN_COMMAND]
        if not step.acts:
            return self._run(step, request.values)
        if self.board.off:
            return REFUSALS[Error.WRONG_STATE]
        if request.token in self._answered:
            return self._answered[request.token]
        reply = self._run(step, request.values)
        if request.token:
            self._answered[request.token] = reply
            if len(self._answered) > REMEMBERED:
                del self._answered[next(iter(self._answered))]
        self.board.advance(self.board.now)
        return reply

    def events(self, after: int, now: float, limit: int) -> EventBatch:
        self.advance(now)
        return EventBatch(self.board.status(), self.board.events(after, limit))

    def advance(self, now: float) -> None:
        board = self.board
        if board.next_due <= now:
            board.advance(now)
        elif now > board.now:
            board.now = now

    def due(self) -> float | None:
        return self.board.next_due if self.board.next_due < float("inf") else None

    def inject(self, fault: Fault, now: float) -> None:
        """Add a fault; its time and its operations count from now. Raises ValueError for one that it cannot have."""
        self.board.advance(now)
        self.board.inject(fault)

    def status(self, now: float) -> Status:
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

    def _prove(self, values: Values) -> Reply:
        nonce = values["nonce"]
        if not isinstance(nonce, tuple) or len(nonce) not in NONCE_SIZES:
            return REFUSALS[Error.BAD_ARGUMENT]
        return Reply(values={"proof": tuple(proof(self.image, bytes(nonce)))})

    def _report(self, _: Values) -> Reply:
        status = self.board.status()
        if self._reported is None or self._reported[0] is not status:
            self._reported = (status, status.reply())
        return self._reported[1]

    def _reset(self, _: Values) -> Reply:
        """Works in every state, as the button on a machine does."""
        self.board.clear()
        return DONE

    def _booted(self, remembers: bool) -> None:
        if not remembers:
            self._answered.clear()


def refuse(error: Error) -> Reply:
    """The reply that refuses a command."""
    return REFUSALS[error]


def integer(values: Values, name: str) -> int:
    """A numeric argument of a command; the device has already checked that it is one."""
    value = values[name]
    if not isinstance(value, int):
        raise TypeError(f"{name}: {value!r} is not a number")
    return value


def made_up_image(kind: Kind) -> bytes:
    """The firmware image of an emulated device that was given none: the name of its model, and the version."""
    return f"Emulated {kind.name} {FIRMWARE}".encode()


def emulated(kind: Kind, name: str) -> Identity:
    """The identity of an emulated device that was given none."""
    digest = sha256(made_up_image(kind)).hexdigest()
    return Identity(kind.name, "feltrig", f"Emulated {kind.name}", f"EMU-{name}", FIRMWARE, digest)


def _fit(args: tuple[Field, ...], values: Values) -> bool:
    """Whether these are the arguments of a command, no more and no less, each within its type."""
    return len(args) == len(values) and all(
        field.name in values and _within(field.type, values[field.name]) for field in args
    )


def _within(kind: Type, value: Value) -> bool:
    if kind is Type.BYTES:
        return isinstance(value, tuple) and all(0 <= number <= 0xFF for number in value)
    return isinstance(value, int) and 0 <= value <= LIMITS.get(kind, 0)

"""Conformance cases: every command in every state of a device that can be reached without harm, and the answer that the
documents ask for."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from feltrig.harness import demands
from feltrig.harness.devices.failures import Faulted
from feltrig.harness.devices.hands import Hands
from feltrig.protocols.challenge import NONCE_SIZES
from feltrig.protocols.messages import Value
from feltrig.protocols.vocabulary import FaultCode, State

OK, ARGUMENT, STATE, EMPTY = "ok", "bad_argument", "wrong_state", "empty"
"""The expected answers."""


def either(*answers: str) -> str:
    """Where there are several reasons to refuse, a device can give any of them."""
    return " or ".join(answers)


ANY = either(ARGUMENT, STATE, EMPTY)
"""Any reason will do. No command of a device is unknown, and none of these is malformed."""

FAULT = "fault"
"""The name of the state in which a machine has stopped."""

MALFORMED = "malformed messages"
"""What stands in the place of a state where malformed messages are sent."""


@dataclass(frozen=True, slots=True)
class CommandCase:
    """One command and its expected answer."""

    command: str
    expected: str = OK
    values: Mapping[str, Value] = field(default_factory=dict)
    events: tuple[str, ...] = ()
    """The events that follow, in this order."""
    maybe: str = ""
    """One more event in the end, which not every machine has."""
    reply: Mapping[str, Value] = field(default_factory=dict)
    """What must be in the answer."""
    requirements: tuple[str, ...] = ()
    """The ids that its answer tests; without any, those of `demanded`."""

    @property
    def allowed(self) -> tuple[str, ...]:
        """Every answer that will do."""
        return tuple(self.expected.split(" or "))

    def complete(self, events: Sequence[str]) -> bool:
        """Whether these are all events of the command, in their order, and no other."""
        return tuple(events) in (self.events, (*self.events, self.maybe) if self.maybe else self.events)


@dataclass(frozen=True, slots=True)
class StateCases:
    """A state of the device, how it is reached from the state before, and what is tried in it."""

    state: str
    commands: tuple[CommandCase, ...]
    enter: Callable[[Hands], Awaitable[str | None]] | None = None
    """Returns what was wrong when the state was not reached."""
    requirements: tuple[str, ...] = ()
    """The ids that the way there tests."""
    mend: Callable[[Hands], Awaitable[None]] | None = None
    """Removes the cause of a fault. The device is not reset."""

    @property
    def tried(self) -> tuple[CommandCase, ...]:
        """Its commands, before and after them those that every device answers in every state."""
        return (*EVERYWHERE, *self.commands, *EVERYWHERE)


@dataclass(frozen=True, slots=True)
class Work:
    """An act that takes a machine a while, and what is tried while it works."""

    act: CommandCase
    meanwhile: tuple[CommandCase, ...]
    """Every command of the kind, with its answer while the machine works."""
    seconds: float
    """About how long a real machine takes."""
    prepare: Callable[[Hands], Awaitable[None]] | None = None
    """Brings the device to where the command is obeyed."""
    clean: Callable[[Hands], Awaitable[None]] | None = None
    """Takes the cards out again, whether the act has ended or was abandoned."""


@dataclass(frozen=True, slots=True)
class QuietCommand:
    """A command that acts without an event, and the one that undoes it: a repeat shows in the state only."""

    command: str
    undo: str
    undone: str | None
    """The event of the undoing, if it has one."""


@dataclass(frozen=True, slots=True)
class Lock:
    """The command that locks a device, the one that unlocks it, and the requirement that a lock outlasts its power."""

    command: str
    undo: str
    requirement: str


@dataclass(frozen=True, slots=True)
class FirstOutcomes:
    """What a device brings about first after a start: a fixed seed shows when two starts are compared. By chance they
    are the same once in more than a million runs."""

    what: str
    requirement: str
    take: Callable[[Hands], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class LaterRight:
    """A command that is refused now and would be obeyed later: its refusal must be remembered by its token."""

    case: CommandCase
    before: Callable[[Hands], Awaitable[None]]
    """Brings the device to where the command is refused."""
    after: Callable[[Hands], Awaitable[None]]
    """Brings the device to where it would be obeyed."""
    clean: Callable[[Hands], Awaitable[None]] | None = None


NONCES = {
    OK: [tuple(range(size)) for size in (NONCE_SIZES[0], NONCE_SIZES[-1])],
    ARGUMENT: [(), tuple(range(NONCE_SIZES[0] - 1))],
}
EVERYWHERE = (
    CommandCase("identify"),
    CommandCase("status"),
    *(CommandCase("challenge", said, {"nonce": nonce}) for said, nonces in NONCES.items() for nonce in nonces),
)
RESET = CommandCase("reset", events=("cleared",))

BYTES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 127, 128, 255)
"""Values of one byte, around the limits that devices have."""


def each(command: str, name: str, wrong: Sequence[int], expected: str = ARGUMENT) -> tuple[CommandCase, ...]:
    """A command with each of these values, all of which must be refused."""
    return tuple(CommandCase(command, expected, {name: value}) for value in wrong)


def demanded(kind: Mapping[str, Mapping[str, str]], case: CommandCase) -> tuple[str, ...]:
    """The requirement ids that the answer to a command tests; `kind` has those of its own kind, by answer and
    command."""
    if case.requirements:
        return case.requirements
    if case.expected == OK and case.command in demands.OF_COMMON:
        return demands.OF_COMMON[case.command]
    if case.expected == ARGUMENT and case.command == "challenge":
        return (demands.NONCE_LENGTH,)
    own = kind.get(case.expected, {}).get(case.command)
    return (own,) if own is not None else (demands.WRONG_STATE, demands.REASON_APPLIES)


def ends_in(leaves: Mapping[tuple[str, State] | str, State], command: str, before: State) -> tuple[State, ...]:
    """The states in which a device may be after it has obeyed; `leaves` is that of its kind."""
    if command == "reset":
        return {State.LOCKED: (State.LOCKED,), State.FAULT: (State.IDLE, State.LOCKED)}.get(before, (State.IDLE,))
    return (leaves.get((command, before), leaves.get(command, before)),)


JAMMED = (demands.JAM, demands.FAULTED, demands.FAULT_STAYS, demands.FAULT_IN_STATUS)
"""The ids that the way into a jam tests."""


async def jam(hands: Hands, command: str, done: str, **values: Value) -> str | None:
    """Hold a card in the way of the machine; what was wrong unless it then stands in the state fault."""
    await hands.operator.block(hands.driver.kind.name)
    try:
        await hands.driver.perform(command, done, **values)
    except Faulted as stopped:
        status = await hands.driver.status()
        said, shown = stopped.fault.name.lower(), status.fault.name.lower()
        if status.state is not State.FAULT or status.fault is not stopped.fault:
            return f"the event reports the fault {said}, the status says {status.state.name.lower()} and {shown}"
        if stopped.fault is not FaultCode.JAM:
            return f"something is stuck, but the fault is {said}, expected {FaultCode.JAM.name.lower()}"
        return None
    return "something blocked its path, but no fault was reported"


async def unjam(hands: Hands) -> None:
    """Leave the jam in which a run was interrupted, if it was."""
    if (await hands.driver.status()).state is State.FAULT:
        await empty(hands)
        await hands.driver.perform("reset", "cleared")


async def empty(hands: Hands) -> None:
    """Take the cards out of the machine and gather the deck."""
    await hands.operator.clear(hands.driver.kind.name)
    await hands.operator.gather(hands.deck)


async def bring(hands: Hands) -> None:
    """Bring a new deck."""
    await hands.operator.bring_deck(hands.deck)


def gone_through(states: Iterable[StateCases], looks: Collection[str], disturbed: bool) -> list[str]:
    """All that conformance goes through: the states of a kind and the looks of a wire. Where the rig disturbs the wire,
    nobody can say which bytes were wrong on purpose."""
    return [*(cases.state for cases in states), *(() if disturbed else (MALFORMED, *looks))]


def left_out(states: Iterable[StateCases], looks: Collection[str], disturbed: bool) -> str:
    """What a pass does not show, as the end of a sentence; empty when it shows all."""
    reached = any(cases.state == FAULT for cases in states)
    without = [] if reached else ["the state fault, which hands cannot cause"]
    *more, last = (MALFORMED, *looks)
    without += [f"{', '.join(more)} and {last}, as the rig disturbs its wire"] if disturbed else []
    return f"; without {' and without '.join(without)}" if without else ""

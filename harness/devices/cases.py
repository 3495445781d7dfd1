"""Conformance cases: every command in every state of a device that can be reached without harm, and the answer that the
documents ask for."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from feltrig.harness.devices.failures import Faulted
from feltrig.harness.devices.hands import Hands
from feltrig.protocols.challenge import NONCE_SIZES
from feltrig.protocols.messages import Value
from feltrig.protocols.vocabulary import FaultCode, State

OK, ARGUMENT, STATE, ANY = "ok", "bad_argument", "wrong_state", "refused"
"""The expected answers. ANY error will do where there are several reasons to refuse."""

FAULT = "fault"
"""The name of the state in which a machine has stopped."""

MALFORMED = "malformed messages"
"""What stands in the place of a state where malformed messages are sent."""


@dataclass(frozen=True, slots=True)
class CommandCase:
    """One command and its expected answer."""

    command: str
    expected: str = OK
    values: Mapping[str, Value] | None = None
    until: str | None = None
    """The event that ends what the command begins."""
    reply: Mapping[str, Value] | None = None
    """What must be in the answer."""


@dataclass(frozen=True, slots=True)
class StateCases:
    """A state of the device, how it is reached from the state before, and what is tried in it."""

    state: str
    commands: tuple[CommandCase, ...]
    enter: Callable[[Hands], Awaitable[str | None]] | None = None
    """Returns what was wrong when the state was not reached."""

    @property
    def tried(self) -> tuple[CommandCase, ...]:
        """Its commands, before and after them those that every device answers in every state."""
        return (*EVERYWHERE, *self.commands, *EVERYWHERE)


@dataclass(frozen=True, slots=True)
class QuietCommand:
    """A command that acts without an event, and the one that undoes it: a repeat shows in the state only."""

    command: str
    undo: str
    undone: str | None
    """The event of the undoing, if it has one."""


NONCES = {
    OK: [tuple(range(size)) for size in (NONCE_SIZES[0], NONCE_SIZES[-1])],
    ARGUMENT: [(), tuple(range(NONCE_SIZES[0] - 1))],
}
EVERYWHERE = (
    CommandCase("identify"),
    CommandCase("status"),
    *(CommandCase("challenge", said, {"nonce": nonce}) for said, nonces in NONCES.items() for nonce in nonces),
)
RESET = CommandCase("reset", until="cleared")

BYTES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 127, 128, 255)
"""Values of one byte, around the limits that devices have."""


def each(command: str, name: str, wrong: Sequence[int]) -> tuple[CommandCase, ...]:
    """A command with each of these values, all of which must be refused."""
    return tuple(CommandCase(command, ARGUMENT, {name: value}) for value in wrong)


def ends_in(leaves: Mapping[tuple[str, State] | str, State], command: str, before: State) -> tuple[State, ...]:
    """The states in which a device may be after it has obeyed; `leaves` is that of its kind."""
    if command == "reset":
        return {State.LOCKED: (State.LOCKED,), State.FAULT: (State.IDLE, State.LOCKED)}.get(before, (State.IDLE,))
    return (leaves.get((command, before), leaves.get(command, before)),)


async def jam(hands: Hands, command: str, done: str, **values: Value) -> str | None:
    """Hold a card in the way of the machine; what was wrong unless it then stands in the state fault."""
    await hands.operator.block(hands.driver.kind.name)
    try:
        await hands.driver.perform(command, done, **values)
    except Faulted:
        status = await hands.driver.status()
        if status.state is State.FAULT and status.fault is not FaultCode.NONE:
            return None
        return f"the event reports a fault, the status says {status.state.name.lower()} and {status.fault.name.lower()}"
    return "a card blocked its path, but no fault was reported"


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

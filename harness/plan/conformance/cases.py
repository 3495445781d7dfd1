"""What is tried of each kind of device, as data: its states in turn, how each is reached, every command in it, and what
must come of it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from feltrig.engine.decks import DECKS
from feltrig.harness.plan.checkpoints import RunContext
from feltrig.harness.table.driver import Driver, Faulted
from feltrig.harness.table.sessions import COMPARTMENTS
from feltrig.protocols.challenge import NONCE_SIZES
from feltrig.protocols.kinds.shoe import STACK_SIZES
from feltrig.protocols.messages import Value
from feltrig.protocols.vocabulary import FaultCode, State

OK, ARGUMENT, STATE, ANY = "ok", "bad_argument", "wrong_state", "refused"
"""What must be answered; ANY error will do where several reasons to refuse come together."""

DECK = DECKS[0]
FEW = 4
"""Cards of a stack."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One command, what it must be answered, and the event that ends what it begins."""

    command: str
    expected: str = OK
    values: Mapping[str, Value] | None = None
    until: str | None = None
    reply: Mapping[str, Value] | None = None
    """What must be in the answer."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A state of the device, how it is reached from the one before, and what is tried in it."""

    state: str
    probes: tuple[Probe, ...]
    enter: Callable[[RunContext, Driver], Awaitable[str | None]] | None = None
    """Returns what was wrong when the state was not reached."""


NONCES = {
    OK: [tuple(range(size)) for size in (NONCE_SIZES[0], NONCE_SIZES[-1])],
    ARGUMENT: [(), tuple(range(NONCE_SIZES[0] - 1))],
}
EVERYWHERE = (
    Probe("identify"),
    Probe("status"),
    *(Probe("challenge", said, {"nonce": nonce}) for said, nonces in NONCES.items() for nonce in nonces),
)
"""What every device answers in every state."""

WIDE = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 127, 128, 255)
"""Values of one byte, around the limits that devices have."""


async def _bring(context: RunContext, _: Driver) -> None:
    await context.wired.operator.bring_deck(DECK)


async def _load_shuffler(context: RunContext, _: Driver) -> None:
    await context.wired.operator.bring_deck(DECK)
    await context.wired.operator.load_shuffler(DECK)


async def _unload_shuffler(context: RunContext, _: Driver) -> None:
    await context.wired.operator.unload_shuffler(DECK)


async def _load_shoe(context: RunContext, _: Driver) -> None:
    await context.wired.operator.load_shoe(DECK)


async def _gather(context: RunContext, _: Driver) -> None:
    await context.wired.operator.gather(DECK)


async def _jam_shuffler(context: RunContext, shuffler: Driver) -> str | None:
    await _empty(context, shuffler)
    await _load_shuffler(context, shuffler)
    return await _jam(context, shuffler, "shuffle", "shuffled", deck=COMPARTMENTS[DECK])


async def _jam_shoe(context: RunContext, shoe: Driver) -> str | None:
    await _empty(context, shoe)
    await context.wired.operator.bring_deck(DECK)
    await _load_shoe(context, shoe)
    await shoe.call("unlock")
    return await _jam(context, shoe, "dispense", "dispensed", size=FEW)


async def _empty(context: RunContext, driver: Driver) -> None:
    """Leave the jam in which the run was broken off, if it was."""
    if (await driver.status()).state is State.FAULT:
        await _clear(context, driver)
        await driver.perform("reset", "cleared")


async def _jam(context: RunContext, driver: Driver, command: str, done: str, **values: Value) -> str | None:
    """Hold a card in the way of the machine; what was wrong unless it then stands in the state fault."""
    await context.wired.operator.block(driver.kind.name)
    try:
        await driver.perform(command, done, **values)
    except Faulted:
        status = await driver.status()
        if status.state is State.FAULT and status.fault is not FaultCode.NONE:
            return None
        return f"the event says a fault, the status {status.state.name.lower()} and {status.fault.name.lower()}"
    return "a card was held in its way, and no fault was reported"


async def _clear(context: RunContext, driver: Driver) -> None:
    await context.wired.operator.clear(driver.kind.name)
    await context.wired.operator.gather(DECK)


def _each(command: str, name: str, wrong: Sequence[int]) -> tuple[Probe, ...]:
    return tuple(Probe(command, ARGUMENT, {name: value}) for value in wrong)


NO_DECK = _each("shuffle", "deck", [n for n in WIDE if n not in COMPARTMENTS.values()])
NO_STACK = _each("dispense", "size", [n for n in WIDE if n not in STACK_SIZES])
RESET = Probe("reset", until="cleared")
DARK = Probe("display", reply={"number": 0})
FAULT = "fault"

ENDS = {
    "select": State.READY,
    "blank": State.IDLE,
    "shake": State.READY,
    "uncover": State.READY,
    "cover": State.IDLE,
    "shuffle": State.READY,
    "dispense": State.READY,
    "lock": State.LOCKED,
}
"""The state in which a command leaves a device that has obeyed it; others leave it as it was, but see `ends_in`."""

SCENES: Mapping[str, tuple[Scene, ...]] = {
    "rng": (
        Scene("after a reset", (RESET, Probe("display"), Probe("blank"), Probe("blank"), DARK)),
        Scene("a number is shown", (Probe("select", until="selected"), Probe("display"), RESET, Probe("blank"), DARK)),
        Scene("selected again", (Probe("select", until="selected"), Probe("select", until="selected"))),
    ),
    "shaker": (
        Scene("covered", (RESET, Probe("cover", until="covered"), *_each("shake", "times", [0]))),
        Scene("shaken", (Probe("shake", values={"times": 3}, until="shaken"), *_each("shake", "times", [0]))),
        Scene(
            "uncovered",
            (
                Probe("uncover", until="rolled"),
                Probe("shake", STATE, {"times": 3}),
                Probe("shake", ANY, {"times": 0}),
                Probe("uncover", until="rolled"),
                Probe("cover", until="covered"),
            ),
        ),
    ),
    "shuffler": (
        Scene("empty", (RESET, *NO_DECK, *(Probe("shuffle", ANY, {"deck": n}) for n in COMPARTMENTS.values())), _bring),
        Scene("loaded", (*NO_DECK, RESET), _load_shuffler),
        Scene(
            "shuffled",
            (
                Probe("shuffle", values={"deck": COMPARTMENTS[DECK]}, until="shuffled"),
                *NO_DECK,
                Probe("shuffle", ANY, {"deck": COMPARTMENTS[DECK]}),
            ),
        ),
        Scene("unloaded", (RESET,), _unload_shuffler),
        Scene(FAULT, tuple(Probe("shuffle", ANY, {"deck": n}) for n in COMPARTMENTS.values()), _jam_shuffler),
        Scene("cleared", (RESET, *NO_DECK), _clear),
    ),
    "shoe": (
        Scene("empty", (Probe("unlock"), RESET, *NO_STACK, Probe("dispense", ANY, {"size": FEW})), _bring),
        Scene("locked and loaded", (Probe("lock"), Probe("lock")), _load_shoe),
        Scene("locked", tuple(Probe("dispense", ANY, {"size": size}) for size in (*STACK_SIZES, 0, 255))),
        Scene("unlocked", (Probe("unlock"), Probe("unlock"), *NO_STACK)),
        Scene("dispensed", tuple(Probe("dispense", OK, {"size": size}, "dispensed") for size in STACK_SIZES)),
        Scene("locked again", (*NO_STACK, Probe("lock"), Probe("dispense", STATE, {"size": FEW}))),
        Scene("unloaded", (Probe("unlock"), RESET, Probe("lock")), _gather),
        Scene(FAULT, (Probe("dispense", ANY, {"size": FEW}), Probe("unlock", STATE), Probe("lock", STATE)), _jam_shoe),
        Scene("cleared", (RESET, Probe("unlock"), *NO_STACK, Probe("lock")), _clear),
    ),
}
"""The states of each kind of device in turn. Every state begins and ends with what every device answers."""


def all_probes(scene: Scene) -> tuple[Probe, ...]:
    """What is tried in a state; it begins and ends with what every device answers."""
    return (*EVERYWHERE, *scene.probes, *EVERYWHERE)


def ends_in(command: str, before: State) -> tuple[State, ...]:
    """The states in which a device may be when it has obeyed."""
    match command:
        case "reset":
            return {State.LOCKED: (State.LOCKED,), State.FAULT: (State.IDLE, State.LOCKED)}.get(before, (State.IDLE,))
        case "unlock" if before is State.LOCKED:
            return (State.IDLE,)
    return (ENDS.get(command, before),)

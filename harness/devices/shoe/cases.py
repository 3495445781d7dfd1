"""Conformance cases of a shoe, state by state, by the sizes of stack that it deals."""

from typing import Any

from feltrig.harness.devices.cases import (
    ANY,
    ARGUMENT,
    BYTES,
    EMPTY,
    FAULT,
    JAMMED,
    OK,
    RESET,
    STATE,
    CommandCase,
    LaterRight,
    Lock,
    StateCases,
    Work,
    bring,
    each,
    either,
    empty,
    jam,
    unjam,
)
from feltrig.harness.devices.hands import Hands
from feltrig.harness.devices.shoe.drills import stack_of
from feltrig.protocols.kinds.shoe import STACK_SIZES


async def _gather(hands: Hands) -> None:
    await hands.operator.gather(hands.deck)


async def _jam(hands: Hands) -> str | None:
    await unjam(hands)
    await _load(hands)
    return await jam(hands, "dispense", "dispensed", size=stack_of(hands.sizes))


async def _load(hands: Hands) -> None:
    await bring(hands)
    await hands.load()
    await hands.driver.call("unlock")


async def _locked(hands: Hands) -> None:
    await _load(hands)
    await hands.driver.call("lock")


async def _unlock(hands: Hands) -> None:
    await hands.driver.call("unlock")


LOCK, UNLOCK = CommandCase("lock"), CommandCase("unlock")
DEMANDS = {
    OK: {"dispense": "DEV-40", "unlock": "DEV-41", "lock": "DEV-42"},
    ARGUMENT: {"dispense": "DEV-85"},
    EMPTY: {"dispense": "DEV-86"},
}
LOCKED = "DEV-23"
LOCKS = Lock("lock", "unlock", LOCKED)


def cases_of(sizes: tuple[int, ...]) -> dict[str, Any]:
    """What of the record of a shoe depends on the sizes of stack for which it was submitted."""
    stack = stack_of(sizes)
    dispensed = [CommandCase("dispense", OK, {"size": size}, ("dispensed",)) for size in sizes]
    dispense = CommandCase("dispense", OK, {"size": stack}, ("dispensed",))
    in_wrong_state = CommandCase("dispense", STATE, {"size": stack})
    no_stack = each("dispense", "size", [n for n in BYTES if n not in sizes])

    def refused(*sizes: int) -> tuple[CommandCase, ...]:
        """Whatever size is asked for, the state is wrong; a size that it does not deal is a bad argument too."""
        return (in_wrong_state, *each("dispense", "size", sizes, either(ARGUMENT, STATE)))

    states = (
        StateCases("empty", (UNLOCK, RESET, *no_stack, CommandCase("dispense", EMPTY, {"size": stack})), bring),
        StateCases("locked and loaded", (LOCK, LOCK), Hands.load),
        StateCases("locked", (*refused(*STACK_SIZES, 0, 255), RESET, *refused(0), LOCK)),
        StateCases("unlocked", (UNLOCK, UNLOCK, RESET, *no_stack)),
        StateCases("dispensed", (*dispensed, UNLOCK, RESET, dispense)),
        StateCases("locked again", (*no_stack, LOCK, *refused(0))),
        StateCases("unloaded", (UNLOCK, RESET, LOCK), _gather),
        StateCases(
            FAULT,
            (
                CommandCase("dispense", either(STATE, EMPTY), {"size": stack}),
                *each("dispense", "size", [0, 255], ANY),
                CommandCase("unlock", STATE),
                CommandCase("lock", STATE),
            ),
            _jam,
            JAMMED,
            empty,
        ),
        StateCases("cleared", (RESET, UNLOCK, *no_stack, LOCK), empty),
    )
    meanwhile = (*refused(0), CommandCase("lock", STATE), CommandCase("unlock", STATE))
    work = Work(dispense, meanwhile, seconds=1.0, prepare=_load, clean=empty)
    return {
        "states": states,
        "works": (work,),
        "bad_arguments": ((work, {"size": 0}),),
        "later_right": (LaterRight(in_wrong_state, _locked, _unlock, empty),),
    }

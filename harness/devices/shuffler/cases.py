"""Conformance cases of a shuffler, state by state."""

from feltrig.engine.decks import DECKS
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
    FirstOutcomes,
    LaterRight,
    StateCases,
    Work,
    bring,
    each,
    either,
    empty,
    jam,
    unjam,
)
from feltrig.harness.devices.hands import COMPARTMENTS, Hands


async def _load(hands: Hands) -> None:
    await bring(hands)
    await hands.load()


async def _jam(hands: Hands) -> str | None:
    await unjam(hands)
    await _load(hands)
    return await jam(hands, "shuffle", "shuffled", deck=hands.compartment)


NO_DECK = each("shuffle", "deck", [n for n in BYTES if n not in COMPARTMENTS.values()])
FIRST = {"deck": COMPARTMENTS[DECKS[0]]}
OTHERS = [number for number in COMPARTMENTS.values() if number not in FIRST.values()]
OTHER = each("shuffle", "deck", OTHERS, ANY)
"""What lies in the other compartment, if there is one, is left alone."""

DEMANDS = {OK: {"shuffle": "DEV-39"}, ARGUMENT: {"shuffle": "DEV-75"}, EMPTY: {"shuffle": "DEV-76"}}
AT_EXIT, NEW_SHUFFLES = "DEV-77", "DEV-84"

SHUFFLE = CommandCase("shuffle", values=FIRST, events=("shuffling", "shuffled"), maybe="counted")
AGAIN = CommandCase("shuffle", either(STATE, EMPTY), FIRST)
AT_THE_EXIT = CommandCase("shuffle", either(STATE, EMPTY), FIRST, requirements=(AT_EXIT, "DEV-76", "DEV-28", "DEV-30"))

STATES = (
    StateCases("empty", (RESET, *NO_DECK, CommandCase("shuffle", EMPTY, FIRST), *OTHER), bring),
    StateCases("loaded", (*NO_DECK, RESET), _load),
    StateCases("shuffled", (SHUFFLE, *NO_DECK, AT_THE_EXIT, RESET, AT_THE_EXIT)),
    StateCases("unloaded", (RESET,), Hands.unload),
    StateCases(FAULT, (AGAIN, *OTHER, *each("shuffle", "deck", [0, 255], ANY)), _jam, JAMMED, empty),
    StateCases("cleared", (RESET, *NO_DECK), empty),
)

WORKS = (
    Work(
        SHUFFLE,
        (AGAIN, *OTHER, *each("shuffle", "deck", [0, 255], ANY)),
        seconds=26.0,
        prepare=_load,
        clean=empty,
    ),
)
LATER_RIGHT = (LaterRight(CommandCase("shuffle", EMPTY, FIRST), bring, Hands.load, empty),)


async def _shuffled(hands: Hands) -> object:
    """The cards in the order into which a new deck is brought."""
    await _load(hands)
    await hands.driver.perform("shuffle", "shuffled", **FIRST)
    await hands.driver.rest()
    await hands.unload()
    seen = await hands.read_deck("deck after the first shuffle of a start")
    await empty(hands)
    return seen.cards


FIRST_SHUFFLE = FirstOutcomes("shuffles", NEW_SHUFFLES, _shuffled)

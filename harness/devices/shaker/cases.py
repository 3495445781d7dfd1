"""Conformance cases of a shaker, state by state."""

from feltrig.harness.devices.cases import (
    ARGUMENT,
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
    each,
    either,
    jam,
)
from feltrig.harness.devices.hands import Hands
from feltrig.harness.devices.shaker.playing import SHAKES
from feltrig.protocols.vocabulary import State

DEMANDS = {OK: {"shake": "DEV-36", "uncover": "DEV-37", "cover": "DEV-38"}, ARGUMENT: {"shake": "DEV-63"}}
LID_OFF, READ_AGAIN, COVERED_AGAIN, NEW_ROLLS = "DEV-64", "DEV-68", "DEV-69", "DEV-74"

SHAKE = CommandCase("shake", values={"times": SHAKES}, events=("shaken",))
UNCOVER = CommandCase("uncover", events=("uncovered", "rolled"))
COVER = CommandCase("cover", events=("covered",))
COVER_AGAIN = CommandCase("cover", events=("covered",), requirements=(COVERED_AGAIN,))
UNCOVER_AGAIN = CommandCase("uncover", events=("rolled",), requirements=(READ_AGAIN,))
COVER_FIRST = CommandCase("cover", events=("covered",), requirements=("DEV-38", COVERED_AGAIN))
"""Nobody knows how the lid was left."""
SHAKE_OPEN = CommandCase("shake", STATE, {"times": SHAKES}, requirements=(LID_OFF,))


async def _cover(hands: Hands) -> None:
    await hands.driver.perform("cover", "covered")


async def _release(hands: Hands) -> None:
    await hands.operator.clear(hands.driver.kind.name)


async def _jam(hands: Hands) -> str | None:
    if (await hands.driver.status()).state is State.FAULT:  # a run was interrupted here
        await hands.recover()
    await _cover(hands)
    return await jam(hands, "uncover", "rolled")


STATES = (
    StateCases("covered", (RESET, COVER_FIRST, COVER_AGAIN, *each("shake", "times", [0]))),
    StateCases("shaken", (SHAKE, SHAKE, *each("shake", "times", [0]))),
    StateCases(
        "uncovered",
        (
            UNCOVER,
            SHAKE_OPEN,
            CommandCase("shake", either(ARGUMENT, STATE), {"times": 0}),
            UNCOVER_AGAIN,
            RESET,
            SHAKE_OPEN,
            UNCOVER_AGAIN,
            COVER,
        ),
    ),
    StateCases(
        FAULT,
        (
            CommandCase("shake", STATE, {"times": SHAKES}),
            CommandCase("shake", either(ARGUMENT, STATE), {"times": 0}),
            CommandCase("uncover", STATE),
            CommandCase("cover", STATE),
        ),
        _jam,
        JAMMED,
        _release,
    ),
    StateCases("cleared", (RESET, COVER_FIRST), _release),
)


async def _uncover(hands: Hands) -> None:
    await hands.driver.perform("uncover", "rolled")


MEANWHILE = (
    CommandCase("shake", STATE, {"times": SHAKES}),
    CommandCase("shake", either(ARGUMENT, STATE), {"times": 0}),
    CommandCase("uncover", STATE),
    CommandCase("cover", STATE),
)
WORKS = (
    Work(SHAKE, MEANWHILE, seconds=1.5, prepare=_cover),
    Work(UNCOVER, MEANWHILE, seconds=1.0, prepare=_cover, clean=_cover),
    Work(UNCOVER_AGAIN, MEANWHILE, seconds=1.0, prepare=_uncover, clean=_cover),
    Work(COVER, MEANWHILE, seconds=1.0, prepare=_uncover, clean=_cover),
)
LATER_RIGHT = (LaterRight(SHAKE_OPEN, _uncover, _cover),)


async def _rolls(hands: Hands) -> object:
    rolls = []
    await _cover(hands)
    for _ in range(ROLLS):
        await hands.driver.perform("shake", "shaken", times=SHAKES)
        rolls.append((await hands.driver.perform("uncover", "rolled")).values["dice"])
        await _cover(hands)
    return rolls


ROLLS = 4
"""So many rolls of three dice are the same by chance once in two billion times."""

FIRST_ROLLS = FirstOutcomes("rolls", NEW_ROLLS, _rolls)

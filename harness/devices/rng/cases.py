"""Conformance cases of an rng, state by state."""

from feltrig.harness.devices.cases import OK, RESET, STATE, CommandCase, FirstOutcomes, StateCases, Work
from feltrig.harness.devices.hands import Hands

DEMANDS = {OK: {"select": "DEV-33", "display": "DEV-34", "blank": "DEV-35"}}
SHOWS_NOTHING_AT_WORK, SHOWS_NOTHING, NEW_NUMBERS = "DEV-57", "DEV-58", "DEV-60"

SELECT = CommandCase("select", events=("selected",))
DISPLAY = CommandCase("display")
BLANK = CommandCase("blank")
DARK = CommandCase("display", reply={"number": 0}, requirements=(SHOWS_NOTHING,))
DARK_AT_WORK = CommandCase("display", reply={"number": 0}, requirements=(SHOWS_NOTHING_AT_WORK, "DEV-34"))


STATES = (
    StateCases("after a reset", (RESET, DISPLAY, BLANK, BLANK, DARK)),
    StateCases("a number is shown", (SELECT, DISPLAY, RESET, BLANK, DARK)),
    StateCases("selected again", (SELECT, SELECT)),
)

WORKS = (
    Work(SELECT, (CommandCase("select", STATE), DARK_AT_WORK, CommandCase("blank", STATE), DARK_AT_WORK), seconds=2.0),
)


async def _numbers(hands: Hands) -> object:
    return [(await hands.driver.perform("select", "selected")).values["number"] for _ in range(NUMBERS)]


NUMBERS = 10
"""So many numbers from 1 to 7 are the same by chance once in 280 million times."""

FIRST_NUMBERS = FirstOutcomes("numbers", NEW_NUMBERS, _numbers)

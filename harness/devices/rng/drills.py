"""Irregularities of an rng: a stop and a power cut while it selects; and whether its display keeps the number."""

from feltrig.harness.devices.device import Drill
from feltrig.harness.devices.drill_records import (
    Records,
    abandons,
    all_of,
    at_rest_after,
    reports,
    stays_in_fault,
    works_again,
)
from feltrig.harness.devices.drilling import cut_at_work, nothing, recover, stopped_at_work
from feltrig.harness.devices.hands import Hands
from feltrig.harness.journal.records import EventSeen, PowerSwitched, Replied
from feltrig.protocols.vocabulary import FaultCode

LOOKS = 3
"""How often the display is looked at for one number."""
NUMBERS = 4


async def _keep(hands: Hands) -> None:
    """Some numbers, each looked at several times: it must not change by itself, nor may another be selected."""
    for _ in range(NUMBERS):
        await hands.driver.perform("select", "selected")
        for _ in range(LOOKS):
            await hands.driver.call("display")
            await hands.driver.pending()


async def _works(hands: Hands) -> None:
    await hands.driver.perform("select", "selected")
    await hands.driver.call("display")


async def _stop(hands: Hands) -> None:
    if await stopped_at_work(hands, nothing, nothing, "select", "selected"):
        await recover(hands)
    await _works(hands)


async def _cut(hands: Hands) -> None:
    await cut_at_work(hands, nothing, nothing, "select")
    await hands.driver.call("display")
    await _works(hands)


def _keeps_its_number(records: Records, _: int) -> str | None:
    """The display shows the number that was selected last, and nothing after a start; each trigger gives one number."""
    number: int | None = None
    told = 0
    for record in records:
        match record.body:
            case EventSeen(event="selected", values=values):
                number, told = values["number"], told + 1
            case EventSeen(event="started") | PowerSwitched(on=True):
                number = 0
            case Replied(command="select", error="ok"):
                told = 0
            case Replied(command="display", error="ok", values=values) if number is not None:
                if values["number"] != number:
                    return f"{'DEV-56' if number else 'DEV-58'}: {values['number']} is displayed, expected {number}"
        if told > 1:
            return "DEV-31: a second number was selected without a trigger"
    return None


FAULT = ("event faulted",)
AGAIN = works_again("selected")

DRILLS = (
    Drill(
        "keeps its number on the display until the next",
        "display",
        _keep,
        _keeps_its_number,
        ("command display", "selected.number"),
        requirements=("DEV-56", "DEV-59"),
    ),
    Drill(
        "reports that the button stopped its selection, and works again",
        "range",
        _stop,
        all_of(
            reports(FaultCode.STOPPED, "DEV-50", "its stop button was pressed"),
            stays_in_fault("selected"),
            at_rest_after("cleared", "DEV-32"),
            AGAIN,
        ),
        (*FAULT, "fault stopped"),
        requirements=("DEV-46", "DEV-47", "DEV-48", "DEV-50"),
        during="select",
        prompts=3,
    ),
    Drill(
        "gives up its selection when its power is cut, and works again",
        "range",
        _cut,
        all_of(abandons("selected"), at_rest_after("started", "DEV-22"), _keeps_its_number, AGAIN),
        ("event started",),
        requirements=("DEV-18", "DEV-21", "DEV-22", "DEV-58"),
        during="select",
        prompts=2,
    ),
)

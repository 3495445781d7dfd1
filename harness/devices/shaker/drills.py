"""Irregularities of a shaker: a die that does not lie flat or is gone, a lid lifted or held by a hand, a stop, a power
cut."""

from feltrig.harness.devices.device import Drill
from feltrig.harness.devices.drill_records import (
    Judge,
    NotProvoked,
    Records,
    abandons,
    all_of,
    at_rest_after,
    events,
    reports,
    stays_in_fault,
    works_again,
)
from feltrig.harness.devices.drilling import cut_at_work, faults, nothing, recover, stopped_at_work
from feltrig.harness.devices.failures import CannotBeDone
from feltrig.harness.devices.hands import TRIES, Hands
from feltrig.harness.devices.shaker.playing import SHAKES
from feltrig.protocols.vocabulary import FaultCode

DICE = 3


async def _roll(hands: Hands) -> None:
    await hands.driver.perform("shake", "shaken", times=SHAKES)
    await hands.driver.perform("uncover", "rolled")


async def _read_again(hands: Hands) -> None:
    """With the lid off, `uncover` reads the dice again."""
    await hands.driver.perform("uncover", "rolled")


async def _cover(hands: Hands) -> None:
    await hands.driver.perform("cover", "covered")


async def _works(hands: Hands) -> None:
    await _roll(hands)
    await _cover(hands)


async def _tilt(hands: Hands) -> None:
    await _roll(hands)
    await _read_again(hands)
    await hands.operator.tilt_die(hands.kind)
    await _read_again(hands)
    await hands.operator.return_die(hands.kind)
    await _read_again(hands)
    await _cover(hands)


async def _take_out(hands: Hands) -> None:
    await _roll(hands)
    await hands.operator.remove_die(hands.kind)
    await _read_again(hands)
    await hands.operator.return_die(hands.kind)
    await _read_again(hands)
    await _cover(hands)
    await _works(hands)


async def _lift(hands: Hands) -> None:
    await hands.driver.perform("shake", "shaken", times=SHAKES)
    await hands.operator.lift_lid(hands.kind)
    await hands.driver.until("rolled")
    await _cover(hands)
    await _works(hands)


async def _lift_at_work(hands: Hands) -> None:
    for _ in range(TRIES):
        hands.need_time("lift_lid_at_work", "shake")
        await hands.operator.lift_lid_at_work(hands.kind)
        first = await hands.driver.perform("shake", "uncovered", "shaken", times=SHAKES)
        await hands.driver.until("rolled")
        await hands.driver.rest()
        await hands.driver.pending()
        await _cover(hands)
        if first.name == "uncovered":
            await _works(hands)
            return
    raise CannotBeDone(hands.kind, "lift_lid_at_work", "it had shaken the dice each time")


async def _hold_lid(hands: Hands) -> None:
    await hands.driver.perform("shake", "shaken", times=SHAKES)
    await hands.operator.block(hands.kind)
    if await faults(hands, "uncover", "rolled"):
        await recover(hands)
    else:
        await hands.operator.clear(hands.kind)
        await _cover(hands)
    await _works(hands)


async def _stop(hands: Hands) -> None:
    if await stopped_at_work(hands, nothing, nothing, "shake", "shaken", times=SHAKES):
        await recover(hands)
    await _works(hands)


async def _cut(hands: Hands) -> None:
    await cut_at_work(hands, nothing, nothing, "shake", times=SHAKES)
    await _works(hands)


def _rolls(records: Records) -> list[tuple[list[int], list[int]]]:
    return [(list(values["dice"]), list(values["flat"])) for name, values in events(records) if name == "rolled"]


def _same_again(records: Records, _: int) -> str | None:
    """The second look shows what the first one did."""
    rolls = _rolls(records)
    if len(rolls) > 1 and rolls[0] != rolls[1]:
        return f"DEV-68: {rolls[0][0]} was read again as {rolls[1][0]}"
    names = [name for name, _ in events(records)]
    if names.count("uncovered") > names.count("covered"):
        return "DEV-68: `uncovered` came with the lid off already"
    return None


def _not_flat(records: Records, _: int) -> str | None:
    """One of three dice is told not to lie flat, and all are when they do."""
    rolls = _rolls(records)
    if len(rolls) < 4:
        return "DEV-68: the dice were not read again"
    dice, flat = rolls[2]
    if len(dice) != len(flat) or flat.count(0) != 1:
        return f"DEV-73: one die does not lie flat, and `flat` is {flat}"
    if not all(rolls[3][1]):
        return f"DEV-73: all dice lie flat, and `flat` is {rolls[3][1]}"
    return None


def _one_gone(records: Records, _: int) -> str | None:
    """Two dice are read when one is gone, and three when it is back."""
    rolls = _rolls(records)
    if len(rolls) < 3:
        return "DEV-68: the dice were not read again"
    if len(rolls[1][0]) != DICE - 1:
        return f"DEV-72: one die of {DICE} is not inside, and {len(rolls[1][0])} are in `rolled`"
    if len(rolls[2][0]) != DICE:
        return f"DEV-72: all {DICE} dice are inside, and {len(rolls[2][0])} are in `rolled`"
    return None


def _by_hand(records: Records, _: int) -> str | None:
    """The first time that the lid comes off is a hand's, and the dice are read then."""
    names = [name for name, _ in events(records)]
    lifted = [values.get("commanded") for name, values in events(records) if name == "uncovered"]
    if not lifted:
        return "DEV-70: a hand lifted the lid, and no `uncovered` said so"
    if lifted[0]:
        return "DEV-70: a hand lifted the lid, and `commanded` is true"
    return None if "rolled" in names[names.index("uncovered") :] else "DEV-70: `rolled` did not follow"


def _unfinished(records: Records, _: int) -> str | None:
    """No `shaken` follows a lid that was lifted in the middle of a shake."""
    tried: list[str] = []
    for name, _values in events(records):
        if name == "shaken" and "uncovered" in tried:
            return "DEV-71: the shake went on to `shaken`"
        if name == "covered" and "uncovered" in tried and "shaken" not in tried:
            return None
        tried = [] if name == "covered" else [*tried, name]  # each try ends with the lid closed
    raise NotProvoked("the lid was lifted too late each time")


FAULT = ("event faulted",)
DICE_READ = ("rolled.dice", "rolled.flat")
LID = ("event uncovered", "uncovered.commanded")
AGAIN = works_again("rolled")


def _again(*judges: Judge) -> Judge:
    return all_of(*judges, AGAIN)


DRILLS = (
    Drill(
        "says which die does not lie flat, and reads the same dice again",
        "flat",
        _tilt,
        all_of(_same_again, _not_flat),
        DICE_READ,
        requirements=("DEV-61", "DEV-68", "DEV-73"),
        prompts=2,
    ),
    Drill(
        "does not count a die that is not inside",
        "dice",
        _take_out,
        _one_gone,
        DICE_READ,
        requirements=("DEV-72",),
        prompts=2,
    ),
    Drill(
        "says that a hand lifted its lid",
        "lid",
        _lift,
        _by_hand,
        LID,
        requirements=("DEV-70",),
        prompts=1,
    ),
    Drill(
        "ends a shake when a hand lifts its lid",
        "lid",
        _lift_at_work,
        all_of(_unfinished, _by_hand),
        LID,
        requirements=("DEV-70", "DEV-71"),
        during="shake",
        prompts=1,
    ),
    Drill(
        "reports a lid that does not move, and works again",
        "faces",
        _hold_lid,
        _again(
            reports(FaultCode.JAM, "DEV-49", "its lid was held"),
            stays_in_fault("uncovered", "rolled"),
            at_rest_after("cleared", "DEV-32"),
        ),
        (*FAULT, "fault jam"),
        requirements=("DEV-32", "DEV-46", "DEV-47", "DEV-48", "DEV-49"),
        prompts=2,
    ),
    Drill(
        "reports that the button stopped its shake, and works again",
        "shakes",
        _stop,
        _again(
            reports(FaultCode.STOPPED, "DEV-50", "its stop button was pressed"),
            stays_in_fault("shaken"),
            at_rest_after("cleared", "DEV-32"),
        ),
        (*FAULT, "fault stopped"),
        requirements=("DEV-46", "DEV-47", "DEV-48", "DEV-50"),
        during="shake",
        prompts=3,
    ),
    Drill(
        "gives up its shake when its power is cut, and works again",
        "shakes",
        _cut,
        _again(abandons("shaken"), at_rest_after("started", "DEV-22")),
        ("event started",),
        requirements=("DEV-18", "DEV-21", "DEV-22"),
        during="shake",
        prompts=2,
    ),
)

"""Irregularities of a shoe: a jam, a well that runs short, a stop, a power cut; and every size that it deals."""

from functools import partial

from feltrig.harness.devices.device import Drill
from feltrig.harness.devices.drill_records import (
    NotProvoked,
    Records,
    abandons,
    all_of,
    at_rest_after,
    keeps_the_cards,
    reads,
    reports,
    stays_in_fault,
    works_again,
)
from feltrig.harness.devices.drilling import BEFORE, cut_at_work, faults, gather, look, recover, stopped_at_work
from feltrig.harness.devices.hands import Hands
from feltrig.harness.journal.records import Called, CardsRead, EventSeen, Replied
from feltrig.protocols.errors import Refused
from feltrig.protocols.kinds.shoe import STACK_SIZES
from feltrig.protocols.vocabulary import FaultCode

STACK = 4
"""Cards of a stack that shows whether the shoe works, if it deals such stacks."""

LEFT = 3
"""Cards in a well that runs short."""

STACK_READ = "stack of the drill"
"""What the reader looks at when a stack has come out."""


def stack_of(sizes: tuple[int, ...]) -> int:
    """The size that a shoe deals which is nearest to that."""
    return min(sizes or STACK_SIZES, key=lambda size: abs(size - STACK))


async def _load(hands: Hands) -> None:
    """Show the deck to the reader, put it into the shoe, and unlock that."""
    await look(hands, BEFORE)
    await hands.load()
    await hands.driver.call("unlock")


async def _stack(hands: Hands, size: int) -> None:
    """Let the shoe dispense a stack, and show it to the reader."""
    await hands.driver.perform("dispense", "dispensed", size=size)
    await _read_stack(hands)


async def _read_stack(hands: Hands) -> None:
    await hands.operator.show_stack(hands.kind)
    await hands.tray.read(STACK_READ, hands.deck)
    await hands.operator.from_reader("discard")


async def _works(hands: Hands) -> None:
    """Gather and look at the deck, load it again, let the shoe dispense, and take the rest out."""
    await hands.operator.gather(hands.deck)
    await look(hands)
    await hands.load()
    await hands.driver.call("unlock")
    await _stack(hands, stack_of(hands.sizes))
    await hands.driver.call("lock")
    await gather(hands)


async def _jam_a_stack(hands: Hands) -> None:
    """Hold a card in the way of a stack, clear it, and let the shoe dispense again."""
    await _load(hands)
    await hands.operator.block(hands.kind)
    if await faults(hands, "dispense", "dispensed", size=stack_of(hands.sizes)):
        await recover(hands)
    else:
        await hands.operator.clear(hands.kind)
    await _works(hands)


async def _run_short(hands: Hands) -> None:
    """A well with too few cards for a stack, which then is empty."""
    size = max(hands.sizes or STACK_SIZES)
    left = min(LEFT, size - 1)
    seen = await hands.read_deck("deck of the drill")
    await hands.operator.take_cards(hands.deck, len(seen.cards) - left)
    await _load(hands)
    if await faults(hands, "dispense", "dispensed", size=size):
        await _read_stack(hands)
        await hands.driver.perform("reset", "cleared")
        await hands.driver.status()
        await hands.driver.call("unlock")
        try:
            await hands.driver.call("dispense", size=size)
        except Refused:
            await hands.driver.pending()
    await gather(hands)
    await hands.operator.restore_deck(hands.deck)
    await _works(hands)


async def _every_size(hands: Hands) -> None:
    """Every size that was submitted, from one load, and then one stack of a new load."""
    await _load(hands)
    for size in hands.sizes or STACK_SIZES:
        await _stack(hands, size)
    await gather(hands)
    await _works(hands)


async def _stop(hands: Hands) -> None:
    size = stack_of(hands.sizes)
    if await stopped_at_work(hands, partial(_load, hands), partial(gather, hands), "dispense", "dispensed", size=size):
        await recover(hands)
    await _works(hands)


async def _cut(hands: Hands) -> None:
    size = stack_of(hands.sizes)
    await cut_at_work(hands, partial(_load, hands), partial(gather, hands), "dispense", size=size)
    await gather(hands)
    await _works(hands)


def _comes_out_short(records: Records, _: int) -> str | None:
    """Those that were in the well come out in their order, and then it is empty."""
    loaded = next((read.cards for read in reads(records, BEFORE)), ())
    calls = (r.body for r in records if isinstance(r.body, Called) and r.body.command == "dispense")
    asked = next((call.values["size"] for call in calls), 0)
    if len(loaded) >= asked:
        raise NotProvoked(f"{len(loaded)} cards were in the well, enough for a stack of {asked}")
    came = reads(records, STACK_READ)
    if not came or tuple(came[0].cards) != tuple(loaded):
        return f"DEV-87: {len(loaded)} cards were in the well, and {len(came[0].cards) if came else 0} of them came out"
    answers = [r.body.error for r in records if isinstance(r.body, Replied) and r.body.command == "dispense"]
    if len(answers) < 2 or answers[1] != "empty":
        said = answers[1] if len(answers) > 1 else "nothing"
        return f"DEV-86: dispensing from an empty well was answered {said}, expected empty"
    return None


def _stacks(records: Records, _: int) -> str | None:
    """Each stack has the size that was asked for, is the next of the deck, face down, and has the next number."""
    left: list[int] = []
    number, asked = 0, 0
    for record in records:
        match record.body:
            case CardsRead(what, _, cards) if what.startswith("deck "):
                left, number = list(cards), 0
            case Called(command="dispense", values=values):
                asked = values["size"]
            case EventSeen(event="dispensed", values=values):
                number += 1
                if values["stack"] != number:
                    return f"DEV-88: stack {values['stack']} was reported, expected {number}"
                if values["size"] != asked:
                    return f"DEV-89: a stack of {values['size']} was reported, asked for {asked}"
            case CardsRead(what, _, cards, face_up) if what == STACK_READ and number:
                if len(cards) != asked:
                    return f"DEV-89: a stack of {len(cards)} came out, asked for {asked}"
                if list(cards) != left[: len(cards)]:
                    return "DEV-90: a stack was not the next cards of the deck"
                if face_up:
                    return "DEV-90: a card came out face up"
                del left[: len(cards)]
    return None


FAULT = ("event faulted",)
STACKS = ("dispensed.size", "dispensed.stack")
AGAIN = all_of(keeps_the_cards, works_again("dispensed"))
WELL = all_of(stays_in_fault("dispensed"), at_rest_after("cleared", "DEV-32"), AGAIN)

DRILLS = (
    Drill(
        "reports a jam of its stacks, and works again",
        "shoe fails",
        _jam_a_stack,
        all_of(reports(FaultCode.JAM, "DEV-49", "a card blocked its path"), WELL, _stacks),
        (*FAULT, "fault jam"),
        requirements=("DEV-32", "DEV-46", "DEV-47", "DEV-48", "DEV-49"),
        prompts=14,
    ),
    Drill(
        "reports a well that runs short, and works again",
        "shoe fails",
        _run_short,
        all_of(
            reports(FaultCode.INCOMPLETE, "DEV-87, DEV-51", "the well held too few cards for the stack"),
            _comes_out_short,
            works_again("dispensed"),
        ),
        (*FAULT, "fault incomplete"),
        requirements=("DEV-51", "DEV-86", "DEV-87"),
        prompts=22,
    ),
    Drill(
        "deals every size of stack, and numbers them from 1 for each load",
        "stack",
        _every_size,
        _stacks,
        STACKS,
        requirements=("DEV-88", "DEV-89", "DEV-90"),
        prompts=26,
    ),
    Drill(
        "reports that the button stopped its stack, and works again",
        "shoe fails",
        _stop,
        all_of(reports(FaultCode.STOPPED, "DEV-50", "its stop button was pressed"), WELL),
        (*FAULT, "fault stopped"),
        requirements=("DEV-46", "DEV-47", "DEV-48", "DEV-50"),
        during="dispense",
        prompts=15,
    ),
    Drill(
        "gives up its stack when its power is cut, and works again",
        "shoe fails",
        _cut,
        all_of(abandons("dispensed"), at_rest_after("started", "DEV-22"), AGAIN),
        ("event started",),
        requirements=("DEV-18", "DEV-21", "DEV-22", "DEV-23"),
        during="dispense",
        prompts=16,
    ),
)

"""Irregularities of a shuffler: cards missing, too many or wrong, a jam, a stop, a power cut, cards taken away."""

from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial

from feltrig.harness.devices.device import Drill
from feltrig.harness.devices.drill_records import (
    Judge,
    NotProvoked,
    Records,
    abandons,
    all_of,
    at_rest_after,
    each_time,
    events,
    keeps_the_cards,
    reads,
    reports,
    stays_in_fault,
    works_again,
)
from feltrig.harness.devices.drilling import (
    AFTER,
    BEFORE,
    cut_at_work,
    faults,
    gather,
    look,
    recover,
    stopped_at_work,
)
from feltrig.harness.devices.failures import Faulted
from feltrig.harness.devices.hands import Hands
from feltrig.protocols.vocabulary import FaultCode

DONE = ("shuffled", "counted")
"""What a shuffler that counts reports at the end."""


async def _counted(change: Callable[[Hands], Awaitable[None]], turn: int, hands: Hands) -> None:
    """A deck that is not whole goes through the compartment whose turn it is; the reader sees it before and after."""
    operator, compartment = hands.operator, 1 + (turn - 1) % hands.compartments
    await change(hands)
    await operator.show_deck(hands.deck)
    await hands.tray.read(BEFORE, hands.deck)
    await operator.load_from_reader(hands.kind, compartment)
    try:
        await hands.driver.perform("shuffle", "counted", deck=compartment)
    except Faulted:
        await hands.driver.status()
        await recover(hands)
        await operator.gather(hands.deck)
    else:
        await operator.unload_to_reader(hands.kind, compartment)
        await hands.tray.read(AFTER, hands.deck)
        await operator.from_reader(f"deck.{hands.deck}")
    await operator.restore_deck(hands.deck)


def _without(count: int) -> Callable[[Hands], Awaitable[None]]:
    return lambda hands: hands.operator.take_cards(hands.deck, count)


def _with(count: int) -> Callable[[Hands], Awaitable[None]]:
    return lambda hands: hands.operator.add_cards(hands.deck, count)


async def _swap(hands: Hands) -> None:
    await hands.operator.swap_card(hands.deck)


def _counts(more: int) -> Judge:
    """Whether the count is that of the cards that were loaded, and is called right only if it is that of a deck. A
    machine that stops with a fault has reported the irregularity too."""

    def fault(records: Records, whole: int) -> str | None:
        loaded = next((len(read.cards) for read in reads(records, BEFORE)), whole + more)
        if (loaded == whole) is not (more == 0):
            raise NotProvoked(f"{loaded} cards were loaded, which is {'not ' if more == 0 else ''}a whole deck")
        names = [name for name, _ in events(records)]
        if "counted" not in names and "faulted" in names:
            return None
        counts = [values for name, values in events(records) if name == "counted"]
        if not counts:
            return "no count was reported"
        if counts[0]["count"] != loaded:
            return f"{counts[0]['count']} cards reported where there were {loaded}"
        if bool(counts[0]["correct"]) is not (loaded == whole):
            said = "complete" if counts[0]["correct"] else "incomplete"
            return f"{loaded} cards were reported as {'a' if said == 'complete' else 'an'} {said} deck"
        return None

    return fault


def _wrong_deck(records: Records, _: int) -> str | None:
    """The reader must have seen that a card is there twice: a machine that only counts cannot."""
    seen = reads(records, BEFORE)
    if seen and max(Counter(seen[0].cards).values()) < 2:
        raise NotProvoked("no card was there twice")
    return None


async def _in_each(act: Callable[[Hands, int], Awaitable[None]], hands: Hands) -> None:
    """Do it in each compartment, and let the machine shuffle there afterwards."""
    for compartment in range(1, hands.compartments + 1):
        await act(hands, compartment)
        await hands.operator.show_deck(hands.deck)
        await hands.tray.read(AFTER, hands.deck)
        await hands.operator.load_from_reader(hands.kind, compartment)
        await hands.driver.perform("shuffle", "shuffled", deck=compartment)
        await hands.driver.rest()
        await hands.operator.unload_to_reader(hands.kind, compartment)
        await hands.tray.read(AFTER, hands.deck)
        await hands.operator.from_reader(f"deck.{hands.deck}")


async def _load(hands: Hands, compartment: int) -> None:
    await hands.operator.show_deck(hands.deck)
    await hands.tray.read(BEFORE, hands.deck)
    await hands.operator.load_from_reader(hands.kind, compartment)


async def _jam(hands: Hands, compartment: int) -> None:
    await _load(hands, compartment)
    await hands.operator.block(hands.kind)  # last, for a hand that holds a card can do nothing else
    if await faults(hands, "shuffle", DONE[-1], deck=compartment):
        await recover(hands)
    else:
        await hands.operator.clear(hands.kind)
    await hands.operator.gather(hands.deck)


async def _stop(hands: Hands, compartment: int) -> None:
    undo = partial(gather, hands)
    if await stopped_at_work(hands, partial(_load, hands, compartment), undo, "shuffle", DONE[-1], deck=compartment):
        await recover(hands)
        await hands.operator.gather(hands.deck)


async def _cut(hands: Hands, compartment: int) -> None:
    await cut_at_work(hands, partial(_load, hands, compartment), partial(gather, hands), "shuffle", deck=compartment)
    await gather(hands)


async def _emptied(hands: Hands) -> None:
    """Cards are taken away from the entry while it works."""
    hands.need_time("empty_at_work", "shuffle")
    await _load(hands, 1)
    await hands.operator.empty_at_work(hands.kind)
    if await faults(hands, "shuffle", DONE[-1], deck=1):
        await recover(hands)
    else:
        await hands.operator.unload_to_reader(hands.kind, 1)
        await hands.tray.read("cards that came out", hands.deck)
        await hands.operator.from_reader(f"deck.{hands.deck}")
    await gather(hands)
    await look(hands)


def _incomplete(records: Records, whole: int) -> str | None:
    """The machine reports a fault, or the count of what came out and that it is not right."""
    names = [name for name, _ in events(records)]
    came_out = [len(read.cards) for read in reads(records, "cards that came out")]
    if "faulted" in names:
        return None
    if not came_out or came_out[0] == whole:
        raise NotProvoked("no card was taken away while it worked")
    counts = [values for name, values in events(records) if name == "counted"]
    if not counts:
        return "no count was reported"
    if counts[0]["count"] != came_out[0]:
        return f"DEV-82: {counts[0]['count']} cards reported where {came_out[0]} came out"
    return f"DEV-83: {came_out[0]} cards were reported as a complete deck" if counts[0]["correct"] else None


COUNT = ("counted.count", "counted.correct")
FAULT = ("event faulted",)
COUNTED = ("DEV-78", "DEV-81", "DEV-82", "DEV-83")
AGAIN = all_of(keeps_the_cards, works_again("shuffled"))


def _count_drill(name: str, turn: int, change: Callable[[Hands], Awaitable[None]], judge: Judge) -> Drill:
    return Drill(
        name,
        "machine count",
        partial(_counted, change, turn),
        all_of(judge, keeps_the_cards),
        COUNT,
        ("blind_count",) if change is not _swap else (),
        COUNTED,
        prompts=6,
    )


DRILLS = (
    _count_drill("reports a missing card", 1, _without(1), _counts(-1)),
    _count_drill("reports two missing cards", 2, _without(2), _counts(-2)),
    _count_drill("reports ten missing cards", 1, _without(10), _counts(-10)),
    _count_drill("reports an extra card", 2, _with(1), _counts(+1)),
    _count_drill("reports two extra cards", 1, _with(2), _counts(+2)),
    _count_drill("counts a wrong deck of the right number", 2, _swap, all_of(_wrong_deck, _counts(0))),
    Drill(
        "reports a jam, and works again",
        "shuffler fails",
        partial(_in_each, _jam),
        each_time(
            "shuffle",
            "deck",
            all_of(
                reports(FaultCode.JAM, "DEV-49", "a card blocked its path"),
                stays_in_fault(*DONE),
                at_rest_after("cleared", "DEV-32"),
                AGAIN,
            ),
        ),
        (*FAULT, "fault jam"),
        requirements=("DEV-32", "DEV-46", "DEV-47", "DEV-48", "DEV-49", "DEV-79"),
        prompts=9,
    ),
    Drill(
        "reports that its button stopped it, and works again",
        "shuffler fails",
        partial(_in_each, _stop),
        each_time(
            "shuffle",
            "deck",
            all_of(
                reports(FaultCode.STOPPED, "DEV-50", "its stop button was pressed"),
                stays_in_fault(*DONE),
                at_rest_after("cleared", "DEV-32"),
                AGAIN,
            ),
        ),
        (*FAULT, "fault stopped"),
        requirements=("DEV-46", "DEV-47", "DEV-48", "DEV-50"),
        during="shuffle",
        prompts=10,
    ),
    Drill(
        "gives up its shuffle when its power is cut, and works again",
        "shuffler fails",
        partial(_in_each, _cut),
        each_time("shuffle", "deck", all_of(abandons(*DONE), at_rest_after("started", "DEV-22"), AGAIN)),
        ("event started",),
        requirements=("DEV-18", "DEV-21", "DEV-22", "DEV-79"),
        during="shuffle",
        prompts=10,
    ),
    Drill(
        "reports that cards were taken away while it worked",
        "shuffler fails",
        _emptied,
        all_of(_incomplete, keeps_the_cards),
        COUNT,
        requirements=("DEV-82", "DEV-83"),
        during="shuffle",
        required=False,
        prompts=9,
    ),
)

"""Irregularities provoked by hand, as a lab does: a deck that is not whole, a card held in a machine's way.

In the rounds a good machine never meets them, and one that always reports a full deck would pass for one that
counts. What a machine does in a drill is judged by itself and counts for nothing else, except that it stays on and
numbers its events throughout.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass

from feltrig.harness.journal.journal import Journal, Record
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.table.driver import Driver, Faulted
from feltrig.harness.table.operator import Operator

STACK = 4
"""Cards that the shoe dispenses to show that it works again."""


@dataclass(frozen=True, slots=True)
class Hands:
    """What a drill is made with."""

    devices: Mapping[str, Driver]
    operator: Operator
    deck: str
    compartment: int


@dataclass(frozen=True, slots=True)
class Drill:
    """One provoked irregularity, and how the journal shows whether the machine met it well."""

    name: str
    kind: str
    role: str
    provoke: Callable[[Hands], Awaitable[None]]
    fault: Callable[[list[Record], int], str | None]
    """What was wrong, from the records of the drill and the size of a whole deck; None when the machine did well."""


async def run_drills(hands: Hands, journal: Journal, kinds: set[str]) -> None:
    """Go through the drills of these kinds of device. Raises what stops any run."""
    for drill in DRILLS:
        if drill.kind in kinds:
            await hold(hands, journal, drill)


async def hold(hands: Hands, journal: Journal, drill: Drill) -> None:
    """Hold one drill."""
    name = hands.devices[drill.kind].name
    await hands.operator.bring_deck(hands.deck)
    journal.append("drill", {"name": drill.name, "device": name})
    await drill.provoke(hands)
    journal.append("drilled", {"name": drill.name, "device": name})


def drilled(evidence: Evidence) -> Iterator[tuple[Drill, list[Record]]]:
    """Each drill that was begun in the run, and the records of it."""
    by_name = {drill.name: drill for drill in DRILLS}
    for records in evidence.drills:
        yield by_name[records[0].data["name"]], records


async def _shuffle_without_a_card(hands: Hands) -> None:
    await hands.operator.take_card(hands.deck)
    await _shuffle(hands)
    await hands.operator.unload_shuffler(hands.deck)
    await hands.operator.return_card(hands.deck)


async def _shuffle_with_a_strange_card(hands: Hands) -> None:
    await hands.operator.add_card(hands.deck)
    await _shuffle(hands)
    await hands.operator.unload_shuffler(hands.deck)
    await hands.operator.remove_added_card(hands.deck)


async def _jam_the_shuffler(hands: Hands) -> None:
    await hands.operator.load_shuffler(hands.deck)
    await hands.operator.block("shuffler")  # last, for a hand that holds a card can do nothing else
    try:
        await _run_shuffler(hands)
    except Faulted:
        await _recover(hands, "shuffler")
    else:
        await hands.operator.clear("shuffler")
    await hands.operator.gather(hands.deck)
    await _shuffle(hands)
    await hands.operator.unload_shuffler(hands.deck)


async def _jam_the_shoe(hands: Hands) -> None:
    shoe = hands.devices["shoe"]
    await hands.operator.load_shoe(hands.deck)
    await shoe.call("unlock")
    await hands.operator.block("shoe")
    try:
        await shoe.perform("dispense", "dispensed", size=STACK)
    except Faulted:
        await _recover(hands, "shoe")
    else:
        await hands.operator.clear("shoe")
    await hands.operator.gather(hands.deck)
    await hands.operator.load_shoe(hands.deck)
    await shoe.perform("dispense", "dispensed", size=STACK)
    await shoe.call("lock")
    await hands.operator.gather(hands.deck)


async def _shuffle(hands: Hands) -> None:
    await hands.operator.load_shuffler(hands.deck)
    await _run_shuffler(hands)


async def _run_shuffler(hands: Hands) -> None:
    await hands.devices["shuffler"].perform("shuffle", "counted", deck=hands.compartment)


async def _recover(hands: Hands, kind: str) -> None:
    await hands.operator.clear(kind)
    await hands.devices[kind].perform("reset", "cleared")


def _counts(more: int) -> Callable[[list[Record], int], str | None]:
    def fault(records: list[Record], whole: int) -> str | None:
        expected = whole + more
        counts = [r.data["values"] for r in records if r.kind == "event" and r.data["event"] == "counted"]
        if not counts:
            return "no count was reported"
        if counts[0]["count"] != expected:
            return f"{counts[0]['count']} cards reported where there were {expected}"
        return f"{expected} cards were called correct" if counts[0]["correct"] else None

    return fault


def _jams(done: str) -> Callable[[list[Record], int], str | None]:
    def fault(records: list[Record], _: int) -> str | None:
        events = [r.data["event"] for r in records if r.kind == "event"]
        if "faulted" not in events:
            return "a card was held in its way, and no fault was reported"
        if done not in events[events.index("faulted") :]:
            return "it did not work again after the jam was cleared"
        return None

    return fault


DRILLS = (
    Drill("reports a missing card", "shuffler", "machine count", _shuffle_without_a_card, _counts(-1)),
    Drill("reports an extra card", "shuffler", "machine count", _shuffle_with_a_strange_card, _counts(+1)),
    Drill("reports a jam, and works again", "shuffler", "shuffler fails", _jam_the_shuffler, _jams("shuffled")),
    Drill("reports a jam of its stacks, and works again", "shoe", "shoe fails", _jam_the_shoe, _jams("dispensed")),
)

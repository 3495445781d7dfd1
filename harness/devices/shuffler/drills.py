"""Irregularities of a shuffler: a card missing, a card too many, a jam."""

from collections.abc import Callable

from feltrig.harness.devices.device import Drill
from feltrig.harness.devices.failures import Faulted
from feltrig.harness.devices.hands import Hands
from feltrig.harness.devices.patterns import works_again
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import Body, EventSeen


async def _without_a_card(hands: Hands) -> None:
    await hands.operator.take_card(hands.deck)
    await _shuffle(hands)
    await hands.operator.return_card(hands.deck)


async def _with_a_strange_card(hands: Hands) -> None:
    await hands.operator.add_card(hands.deck)
    await _shuffle(hands)
    await hands.operator.remove_added_card(hands.deck)


async def _jam(hands: Hands) -> None:
    kind = hands.driver.kind.name
    await hands.load()
    await hands.operator.block(kind)  # last, for a hand that holds a card can do nothing else
    try:
        await _run(hands)
    except Faulted:
        await hands.recover()
    else:
        await hands.operator.clear(kind)
    await hands.operator.gather(hands.deck)
    await _shuffle(hands)


async def _shuffle(hands: Hands) -> None:
    await hands.load()
    await _run(hands)
    await hands.unload()


async def _run(hands: Hands) -> None:
    await hands.driver.perform("shuffle", "counted", deck=hands.compartment)


def _counts(more: int) -> Callable[[list[Record[Body]], int], str | None]:
    def fault(records: list[Record[Body]], whole: int) -> str | None:
        expected = whole + more
        counts = [r.body.values for r in records if isinstance(r.body, EventSeen) and r.body.event == "counted"]
        if not counts:
            return "no count was reported"
        if counts[0]["count"] != expected:
            return f"{counts[0]['count']} cards reported where there were {expected}"
        return f"{expected} cards were reported as a complete deck" if counts[0]["correct"] else None

    return fault


COUNT = ("counted.count", "counted.correct")
DRILLS = (
    Drill("reports a missing card", "machine count", _without_a_card, _counts(-1), COUNT, ("blind_count",)),
    Drill("reports an extra card", "machine count", _with_a_strange_card, _counts(+1), COUNT, ("blind_count",)),
    Drill("reports a jam, and works again", "shuffler fails", _jam, works_again("shuffled"), ("event faulted",)),
)

"""Shuffles taken as samples, and how reports draw them."""

from collections.abc import Iterator, Mapping
from typing import Any

from feltrig.harness.devices.device import Sampler
from feltrig.harness.devices.hands import Hands
from feltrig.harness.devices.shuffler.checks import shuffles
from feltrig.harness.judge.evidence import Evidence


async def _shuffle(hands: Hands) -> dict[str, Any]:
    """A deck in new-deck order goes through the shuffler: the reader sees it before and after."""
    await hands.operator.bring_deck(hands.deck)
    before = await hands.read_deck("deck before the shuffle")
    await hands.load()
    await hands.driver.perform("shuffle", "shuffled", deck=hands.compartment)
    await hands.unload()
    after = await hands.read_deck("deck after the shuffle")
    return {"before": list(before.cards), "after": list(after.cards), "reads": [before.seq, after.seq]}


def _played(evidence: Evidence) -> Iterator[Mapping[str, Any]]:
    for before, after in shuffles(evidence):
        yield {"before": before.body.cards, "after": after.body.cards}


def _row(sample: Mapping[str, Any]) -> tuple[int, ...]:
    """The shuffle relative to the order of loading."""
    before, after = sample["before"], sample["after"]
    if sorted(before) != sorted(after) or len(set(before)) < max(len(before), 3):
        return ()
    place = {card: index for index, card in enumerate(before)}
    return tuple(place[card] for card in after)


SHUFFLES = Sampler(
    unit="shuffles",
    role="shuffle",
    batch=64,
    attended_batch=2,
    seconds=45.0,
    take=_shuffle,
    samples="shuffles",
    played=_played,
    row=_row,
    pictures=(
        "feltrig.harness.reports.plots:heat_map",
        "feltrig.harness.reports.plots:valleys",
        "feltrig.harness.reports.plots:rising_sequences",
    ),
    caption="Heat map: residuals from equal counts in standard deviations; a fair machine shows no pattern.",
    note="each deck loaded in new-deck order",
)

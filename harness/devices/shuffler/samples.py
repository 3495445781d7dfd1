"""Shuffles taken as samples, and how reports draw them."""

from collections.abc import Iterator, Mapping
from typing import Any

from feltrig.harness.devices.device import Sampler, Turn
from feltrig.harness.devices.hands import Hands
from feltrig.harness.devices.shuffler.checks import shuffles
from feltrig.harness.judge.basis import Basis
from feltrig.harness.judge.evidence import Evidence

NEW = "in new-deck order"
AS_IT_CAME_OUT = "as it came out"
"""How a deck was loaded."""


async def _shuffle(hands: Hands, turn: Turn) -> dict[str, Any]:
    """A deck goes from the reader's tray through the shuffler and back to the tray. What the reader saw of the last
    shuffle is what is loaded for the next. The compartments take turns."""
    operator, driver = hands.operator, hands.driver
    compartment = 1 + (turn.number - 1) % hands.compartments
    if turn.fresh:
        await operator.show_new_deck(hands.deck)
        seen = await hands.tray.read("deck before the shuffle", hands.deck)
        before, read = list(seen.cards), seen.seq
    else:
        assert turn.last is not None
        before, read = turn.last["after"], turn.last["reads"][1]
    await operator.load_from_reader(driver.kind.name, compartment)
    await driver.perform("shuffle", "shuffled", deck=compartment)
    await driver.rest()  # one that counts is busy until it has
    await operator.unload_to_reader(driver.kind.name, compartment)
    after = await hands.tray.read("deck after the shuffle", hands.deck)
    return {
        "before": before,
        "after": list(after.cards),
        "reads": [read, after.seq],
        "compartment": compartment,
        "loaded": NEW if turn.fresh else AS_IT_CAME_OUT,
    }


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
    requirements=("DEV-80",),
    role="shuffle",
    batch=64,
    attended_batch=2,
    seconds=28.0,
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
    basis=Basis.SEEN,
    note="decks loaded as the last one came out, every sixteenth in new-deck order; the compartments take turns",
    anew_every=16,
    prompts=2,
)

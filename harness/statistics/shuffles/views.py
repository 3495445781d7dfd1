"""Two views of a shuffle: relative to what was loaded and, if decks are loaded in different orders, to a new deck."""

from collections.abc import Iterator
from dataclasses import dataclass

from feltrig.harness.statistics.core.sequential import Bettors
from feltrig.harness.statistics.core.tails import Array
from feltrig.harness.statistics.shuffles.faces import Deck
from feltrig.harness.statistics.shuffles.measured import Shuffled
from feltrig.harness.statistics.shuffles.orders import Orders
from feltrig.harness.statistics.shuffles.recorded import Shuffles

FACES = 0.2
"""Share of the level, and of the stake, for the cards as they came out, when decks are loaded in different orders."""
BY_FACES = ", faces"
"""What is added to the name of a test that looks at the cards as they came out, whatever was loaded."""


@dataclass(frozen=True, slots=True)
class View:
    """One view of a sample: its rows, the deck, its part of the level, what is added to the names of tests."""

    orders: Orders
    deck: Deck
    part: float
    suffix: str


@dataclass(frozen=True, slots=True)
class Views:
    """A block of shuffles in both views, as the bettors see it."""

    loaded: Shuffled
    faces: Shuffled | None

    def __len__(self) -> int:
        return len(self.loaded)


class Viewed:
    """Bettors on one of the views."""

    def __init__(self, bettors: Bettors, *, by_faces: bool) -> None:
        self.weights = bettors.weights
        self._bettors, self._by_faces = bettors, by_faces

    def bets(self, block: Views) -> Array:
        """What they bet on their view."""
        return self._bettors.bets(block.faces if self._by_faces else block.loaded)


def views(shuffles: Shuffles) -> Iterator[View]:
    """The views of a sample."""
    n = shuffles.n
    if shuffles.outputs is None:
        yield View(shuffles.orders, Deck(n, shuffles.groups), 1.0, "")
    else:
        yield View(shuffles.orders, Deck(n), 1 - FACES, "")
        yield View(shuffles.outputs, Deck(n, shuffles.groups), FACES, BY_FACES)

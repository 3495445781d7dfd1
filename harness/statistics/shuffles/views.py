"""Two views of a shuffle: relative to what was loaded and, if decks are loaded in different orders, to a new deck."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from feltrig.harness.statistics.core.rows import stakes
from feltrig.harness.statistics.core.sequential import Bettors, StakedBettors
from feltrig.harness.statistics.core.tails import Array
from feltrig.harness.statistics.shuffles.faces import Deck, Faces
from feltrig.harness.statistics.shuffles.measured import ShuffleBlock, measure
from feltrig.harness.statistics.shuffles.orders import CHUNK, Orders
from feltrig.harness.statistics.shuffles.recorded import LEAST, NoShuffle, Shuffles, relative
from feltrig.harness.statistics.shuffles.table import ROWS

FACES = 0.2
"""Share of the level, and of the stake, for the cards as they came out, when decks are loaded in different orders."""
BY_FACES = ", faces"
"""What is added to the name of a test that looks at the cards as they came out, whatever was loaded."""


@dataclass(frozen=True, slots=True)
class ShuffleView:
    """One view of a sample: its rows, the deck, its part of the level, what is added to the names of tests."""

    orders: Orders
    deck: Deck
    part: float
    suffix: str


def views(shuffles: Shuffles) -> Iterator[ShuffleView]:
    """The views of a sample."""
    n = shuffles.n
    if shuffles.outputs is None:
        yield ShuffleView(shuffles.orders, Deck(n, shuffles.groups), 1.0, "")
    else:
        yield ShuffleView(shuffles.orders, Deck(n), 1 - FACES, "")
        yield ShuffleView(shuffles.outputs, Deck(n, shuffles.groups), FACES, BY_FACES)


@dataclass(frozen=True, slots=True)
class ShuffleViews:
    """A block of shuffles in both views, as the bettors see it."""

    block: Shuffles
    loaded: ShuffleBlock
    faces: ShuffleBlock | None = None

    def __len__(self) -> int:
        return len(self.loaded)


class Viewed:
    """Bettors on one of the views."""

    def __init__(self, bettors: Bettors, *, by_faces: bool) -> None:
        self.weights = bettors.weights
        self._bettors, self._by_faces = bettors, by_faces

    def bets(self, block: ShuffleViews) -> Array:
        """What they bet on their view."""
        return self._bettors.bets(block.faces if self._by_faces else block.loaded)


def viewed_stakes(first: ShuffleViews) -> list[StakedBettors]:
    """All bettors against the machine that made these shuffles."""
    return [
        StakedBettors(name + view.suffix, looks_for, share * view.part, Viewed(own, by_faces=bool(view.suffix)))
        for view in views(first.block)
        for name, looks_for, share, own in stakes(ROWS, view.deck)
    ]


class ShuffleHistory:
    """The last shuffles of a machine, against which the next ones are measured."""

    def __init__(self) -> None:
        self.n = 0
        self._orders: Orders | None = None
        self._outputs: Orders | None = None

    def views(self, shuffles: Shuffles | Orders) -> Iterator[ShuffleViews]:
        """Shuffles in blocks for the bettors. All must be of one deck, and all loaded alike or none."""
        sample = judged(shuffles)
        if self._orders is not None and (sample.n, sample.outputs is None) != (self.n, self._outputs is None):
            raise NoShuffle(f"expected shuffles of {self.n} cards, loaded as before")
        self.n = sample.n
        for start in range(0, len(sample), CHUNK):
            block = sample[start : start + CHUNK]
            loaded = _measured(block.orders, self._orders, None if block.outputs is not None else block.groups)
            self._orders = _last(self._orders, block.orders)
            faces = None
            if block.outputs is not None:
                faces = _measured(block.outputs, self._outputs, block.groups)
                self._outputs = _last(self._outputs, block.outputs)
            yield ShuffleViews(block, loaded, faces)


def judged(shuffles: Shuffles | Orders) -> Shuffles:
    """A sample whose deck is large enough for the tests."""
    sample = shuffles if isinstance(shuffles, Shuffles) else relative(shuffles)
    if sample.n < LEAST:
        raise NoShuffle(f"a deck of {sample.n} cards: expected {LEAST} or more")
    return sample


def _measured(orders: Orders, earlier: Orders | None, groups: Faces | None) -> ShuffleBlock:
    return ShuffleBlock(orders, measure(orders, earlier=earlier, groups=groups))


def _last(earlier: Orders | None, orders: Orders) -> Orders:
    """The last two shuffles."""
    return orders[-2:] if earlier is None else np.concatenate([earlier, orders])[-2:]

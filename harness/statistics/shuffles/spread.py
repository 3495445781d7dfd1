"""Decks that are too alike: a machine that throws away what looks odd, or that swings from one extreme to the other.

The sums of the other tests do not move when both ends of a law are cut off. What does is how many decks lie in the
middle of it.
"""

from functools import lru_cache

import numpy as np

from feltrig.harness.statistics.core.fixed_result import NOTHING, FixedResult, either
from feltrig.harness.statistics.core.law import Law
from feltrig.harness.statistics.core.tails import Array, binomial_either
from feltrig.harness.statistics.shuffles.faces import Deck
from feltrig.harness.statistics.shuffles.measured import STATISTICS, Measured, ShuffleBlock

LOOKED_AT = ("rising sequences", "turning points", "inversions")
LEAST = 32
"""The fewest decks that are tested."""
MIDDLE = 0.7
"""Standard deviations to either side of the mean that are the middle."""
SHARES = (-0.2, -0.08, 0.08, 0.2, 0.4)
"""Parts of the decks that are moved into the middle, or out of it."""


@lru_cache(maxsize=16)
def middle(law: Law) -> tuple[Array, float]:
    """Marks the values in the middle, from the lowest value on, and tells the chance of all of them."""
    inside = (np.abs(law.values - law.mean) <= max(0.5, MIDDLE * law.variance**0.5)).astype(float)
    return inside, float(inside @ law.probabilities)


def in_the_middle(measured: Measured) -> FixedResult:
    """Decks in the middle of the law of a statistic, too many or too few."""
    if len(measured) < LEAST:
        return NOTHING
    found = []
    for name in LOOKED_AT:
        law = measured.law(name)
        inside, chance = middle(law)
        count = int(inside[measured.values[name] - law.low].sum())
        found.append((float(count), float(binomial_either(len(measured), chance, count))))
    return either(*found)


class Spread:
    """Bets that too many decks, or too few, lie in the middle of a law."""

    def __init__(self, deck: Deck) -> None:
        self._logs = {}
        for name in LOOKED_AT:
            law = STATISTICS[name].law(deck.n)
            inside, chance = middle(law)
            moved = np.array([share * (1 - chance if share > 0 else chance) for share in SHARES])
            self._logs[name] = law.low, np.log1p(np.where(inside[:, None] > 0, moved / chance, -moved / (1 - chance)))
        count = len(LOOKED_AT) * len(SHARES)
        self.weights = np.full(count, 1 / count)

    def bets(self, block: ShuffleBlock) -> Array:
        """One column for each statistic and share."""
        values = block.measured.values
        return np.concatenate([logs[values[name] - low] for name, (low, logs) in self._logs.items()], axis=1)

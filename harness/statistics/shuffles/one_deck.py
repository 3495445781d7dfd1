"""One statistic of each deck: its sum against the exact law, decks in the middle of that law, and bettors on both.

The sums do not move when both ends of a law are cut off, by a machine that throws away what looks odd. The middle does.
"""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from feltrig.harness.statistics.core.law import LEAN, Law, leaning
from feltrig.harness.statistics.core.p_values import NOTHING, Array, FixedResult, either
from feltrig.harness.statistics.core.tails import binomial_either
from feltrig.harness.statistics.shuffles.deck import Deck
from feltrig.harness.statistics.shuffles.measured import STATISTICS, UNKNOWN, Measured, ShuffleBlock, ShuffleSample

LOOKED_AT = ("rising sequences", "turning points", "inversions")
LEAST = 32
"""The fewest decks that are tested."""
MIDDLE = 0.7
"""Standard deviations to either side of the mean that are the middle."""
SHARES = (-0.2, -0.08, 0.08, 0.2, 0.4)
"""Parts of the decks that are moved into the middle, or out of it."""
DEVIATIONS = (0.12, 0.2, 0.32, 0.5, 0.8, 1.3, 2.1, 3.3, 5.3)
"""Tilts, in standard deviations by which they move the mean of a normal law."""
NOW_AND_THEN = ((0.1, 1.3), (0.1, 3.3), (0.02, 5.3), (0.002, 5.3))
"""Tilts of machines that fail with this chance, and work well otherwise."""


def summed(name: str) -> Callable[[ShuffleSample], FixedResult]:
    """A test of the sum of a statistic of one deck, against its exact law."""
    lean = STATISTICS[name].lean if name in STATISTICS else 1

    def see(sample: ShuffleSample) -> FixedResult:
        column = sample.measured.known(name)
        if not len(column):
            return NOTHING
        value = int(column.sum())
        return FixedResult(float(value), leaning(sample.measured.law(name), len(column), value, lean))

    return see


def strongest(*tests: Callable[[ShuffleSample], FixedResult]) -> Callable[[ShuffleSample], FixedResult]:
    """The test with the smallest p-value, corrected for their number."""

    def see(sample: ShuffleSample) -> FixedResult:
        return either(*(seen for seen in (test(sample) for test in tests) if seen is not NOTHING))

    return see


class Tilts:
    """Bets that a statistic of one deck is larger, or smaller, than chance has it; always, or now and then."""

    def __init__(self, name: str, law: Law, lean: int) -> None:
        """`lean` is 1 or -1 for the side to which known defects move the statistic, 0 for neither."""
        self._name = name
        self.weights = _weights(lean)
        self._low = law.low
        self._factors = _factors(law)

    def bets(self, block: ShuffleBlock) -> Array:
        """One factor per bettor for each deck; 1 where there is no earlier deck to compare with."""
        values = block.measured.values[self._name]
        known = (values != UNKNOWN)[:, None]
        return np.where(known, self._factors[np.maximum(values - self._low, 0)], 0.0)


def tilts(name: str) -> Callable[[Deck], Tilts | None]:
    """Bettors on a statistic of one deck; none on faces that are not known."""

    def against(deck: Deck) -> Tilts | None:
        if name in STATISTICS:
            return Tilts(name, STATISTICS[name].law(deck.n), STATISTICS[name].lean)
        known = deck.faces is not None and name in deck.faces.groups
        return Tilts(name, deck.faces.law(name), 1) if deck.faces is not None and known else None

    return against


def _weights(lean: int) -> Array:
    """Stakes of the bettors of one statistic."""
    weights = []
    for side in (1, -1):
        stake = 0.5 if not lean else LEAN if side == lean else 1 - LEAN
        weights += [stake * 0.75 / len(DEVIATIONS)] * len(DEVIATIONS)
        weights += [stake * 0.25 / len(NOW_AND_THEN)] * len(NOW_AND_THEN)
    return np.array(weights)


@lru_cache(maxsize=64)
def _factors(law: Law) -> Array:
    """Log factors of the bettors of one statistic: one row per value, one column per bettor."""
    bettors = (*((1.0, deviation) for deviation in DEVIATIONS), *NOW_AND_THEN)
    return np.array([tilt(law, side * deviation, chance) for side in (1, -1) for chance, deviation in bettors]).T


@lru_cache(maxsize=1024)
def tilt(law: Law, deviations: float, chance: float) -> Array:
    """Log of 1 - q + q exp(t x) / E exp(t X) for each value x of the law."""
    slope = deviations / math.sqrt(law.variance) if law.variance > 1e-9 else 0.0
    log_ratio = slope * law.values - law.log_moment(slope)
    return log_ratio if chance == 1 else np.logaddexp(math.log1p(-chance), math.log(chance) + log_ratio)


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

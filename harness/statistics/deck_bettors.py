"""Bettors against a shuffler: exponential tilts of the exact one-deck laws."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from feltrig.harness.statistics.deckwise import STATISTICS, UNKNOWN, Measured, Orders
from feltrig.harness.statistics.laws import LEAN, Law

Array = NDArray[np.float64]

DEVIATIONS = (0.12, 0.2, 0.32, 0.5, 0.8, 1.3, 2.1, 3.3, 5.3)
"""Tilts, in standard deviations by which they move the mean of a normal law."""
NOW_AND_THEN = ((0.1, 1.3), (0.1, 3.3), (0.02, 5.3), (0.002, 5.3))
"""Tilts of machines that fail with this chance, and work well otherwise."""
WORN, WORSE = ("RIS", "TPO", "AD+", "INV", "FIX"), (0.5, 1.3, 3.3)
"""Statistics, and tilts, by which a machine that fails later is known."""
HAZARD = 0.01
"""Chance per deck with which a bettor on later failure expects it to begin."""


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A block of shuffles, measured against those before it."""

    orders: Orders
    measured: Measured

    def __len__(self) -> int:
        return len(self.orders)


class Tilts:
    """Bets that a statistic of one deck is larger, or smaller, than chance has it; always, or now and then."""

    def __init__(self, name: str, looks_for: str, law: Law, lean: int) -> None:
        """`lean` is 1 or -1 for the side to which known defects move the statistic, 0 for neither."""
        self.name, self.looks_for = name, looks_for
        self.weights = _weights(lean)
        self._low = law.low
        self._factors = _factors(law)

    def bets(self, block: Shuffled) -> Array:
        """One factor per bettor for each deck; 1 where there is no earlier deck to compare with."""
        values = block.measured.values[self.name]
        known = (values != UNKNOWN)[:, None]
        return np.where(known, self._factors[np.maximum(values - self._low, 0)], 0.0)


class Late:
    """Bets that a machine starts to fail some time after the first deck."""

    name, looks_for = "later failure", "a machine that was good when the test began"

    def __init__(self, n: int) -> None:
        self._tilts = {}
        for name in WORN:
            law, lean = STATISTICS[name].law(n), STATISTICS[name].lean
            self._tilts[name] = np.array([tilt(law, lean * deviations, 1.0) for deviations in WORSE]).T
        count = len(WORN) * len(WORSE)
        self.weights = np.full(count, 1 / count)
        self._waiting = 0.0
        self._failing = np.full(count, -math.inf)

    def bets(self, block: Shuffled) -> Array:
        """The stake that waits for the failure stays; the part that expects it now bets on it from now on."""
        factors = np.concatenate([logs[block.measured.values[name]] for name, logs in self._tilts.items()], axis=1)
        logs = np.empty_like(factors)
        for row, factor in enumerate(factors):
            before = np.logaddexp(self._waiting, self._failing)
            self._failing = np.logaddexp(self._failing, self._waiting + math.log(HAZARD)) + factor
            self._waiting += math.log1p(-HAZARD)
            logs[row] = np.logaddexp(self._waiting, self._failing) - before
        return logs


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

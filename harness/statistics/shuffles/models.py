"""Machines whose law is known exactly: riffles (Bayer, Diaconis 1992), shelves (Diaconis, Fulman, Holmes 2013)."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from feltrig.harness.statistics.core.law import Law
from feltrig.harness.statistics.core.p_values import Array
from feltrig.harness.statistics.shuffles.laws import descents, valleys


@dataclass(frozen=True, slots=True, eq=False)
class ShuffleModel:
    """A machine that prefers some shuffles: log likelihood ratio against a fair one, by the value of one statistic."""

    log_ratio: Array
    fair: Law

    @property
    def law(self) -> Law:
        """The law of the statistic under this machine."""
        with np.errstate(divide="ignore"):  # a ratio may be too large for a float where the probability is too small
            return Law(self.fair.low, np.exp(np.log(self.fair.probabilities) + self.log_ratio))


@lru_cache(maxsize=64)
def riffled(n: int, piles: int) -> ShuffleModel:
    """A riffle of so many piles, 2^k for k riffles of two; by descents of the inverse."""
    weights = [math.comb(piles + n - 1 - falls, n) for falls in range(n)]
    return ShuffleModel(_log_ratio(weights, n, piles**n), descents(n))


@lru_cache(maxsize=64)
def shelved(n: int, shelves: int) -> ShuffleModel:
    """A machine of so many shelves, cards going above or below the pile on each; by valleys."""
    fair = valleys(n)
    weights = []
    piles = [math.comb(n + shelves - a - 1, n) for a in range(shelves)]
    for v in range(len(fair.probabilities)):
        ways = sum(piles[a] * math.comb(n - 1 - 2 * v, a - v) for a in range(v, min(shelves, n - v)))
        weights.append(4 ** (v + 1) * ways)
    return ShuffleModel(_log_ratio(weights, n, 2 * (2 * shelves) ** n), fair)


def _log_ratio(weights: list[int], n: int, total: int) -> Array:
    """Log of n! weight / total, which no float could hold."""
    scale = math.lgamma(n + 1) - _log(total)
    return np.array([_log(weight) + scale if weight else -math.inf for weight in weights])


def _log(whole: int) -> float:
    """Natural logarithm of a whole number of any size."""
    extra = max(whole.bit_length() - 1000, 0)
    return math.log(whole >> extra) + extra * math.log(2)

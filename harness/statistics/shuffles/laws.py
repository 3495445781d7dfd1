"""Exact laws of statistics of one fair shuffle of n cards; and machines whose law is known exactly: riffles (Bayer,
Diaconis 1992) and shelves (Diaconis, Fulman, Holmes 2013)."""

import math
from dataclasses import dataclass
from functools import lru_cache, reduce

import numpy as np
from scipy import special

from feltrig.harness.statistics.core.law import Law
from feltrig.harness.statistics.core.p_values import Array


@lru_cache(maxsize=64)
def descents(n: int) -> Law:
    """Descents, or rising sequences - 1 of the inverse: Eulerian numbers."""
    row = np.ones(1)
    for m in range(2, n + 1):
        k = np.arange(m)
        row = ((k + 1) * np.append(row, 0.0) + (m - k) * np.append(0.0, row)) / m
    return Law(0, row)


@lru_cache(maxsize=64)
def turning_points(n: int) -> Law:
    """Peaks and valleys together: permutations by alternating runs, of which there is one more."""
    row = np.array([0.0, 1.0])
    for m in range(3, n + 1):
        k = np.arange(m)
        stay = k * np.append(row, 0.0)
        one = 2 * np.append(0.0, row)
        two = (m - k) * np.append([0.0, 0.0], row[: m - 2])
        row = (stay + one + two) / m
    return Law(0, row[1:])


@lru_cache(maxsize=64)
def valleys(n: int) -> Law:
    """Interior local minima."""
    row = np.ones(1)
    for m in range(2, n + 1):
        k = np.arange((m + 1) // 2)
        longer = np.append(row, np.zeros(len(k) - len(row)))
        row = ((2 * k + 2) * longer + (m - 2 * k) * np.append(0.0, longer[:-1])) / m
    return Law(0, row)


@lru_cache(maxsize=64)
def adjacencies(n: int) -> Law:
    """Neighbours in loaded order that come out as neighbours in the same order."""
    share = _derangements(n)
    k = np.arange(n)
    return Law(0, ((n - k) * share[n - k] + share[n - k - 1]) / n * np.exp(-special.gammaln(k + 1)))


@lru_cache(maxsize=64)
def fixed_points(n: int) -> Law:
    """Cards that come out where they were loaded, or all displaced by any one given number of places."""
    k = np.arange(n + 1)
    return Law(0, _derangements(n)[n - k] * np.exp(-special.gammaln(k + 1)))


@lru_cache(maxsize=64)
def inversions(n: int) -> Law:
    """Pairs of cards that come out in the opposite order: a sum of uniforms on 0..i-1."""
    row = np.ones(1)
    for i in range(2, n + 1):
        size = len(row) + i - 1
        # The law is symmetric. Each window is a difference of sums from the left, which loses nothing on that half.
        half = (size + 1) // 2
        sums = np.append(0.0, np.cumsum(row))
        x = np.arange(half)
        left = (sums[np.minimum(x + 1, len(row))] - sums[np.maximum(x + 1 - i, 0)]) / i
        row = np.append(left, left[: size - half][::-1])
    return Law(0, row)


@lru_cache(maxsize=64)
def cycles(n: int) -> Law:
    """Cycles; also right guesses with feedback, whatever the strategy: a sum of independent coins of 1/i."""
    row = np.ones(1)
    for i in range(1, n + 1):
        row = np.append(row, 0.0) * (1 - 1 / i) + np.append(0.0, row) / i
    return Law(0, row)


@lru_cache(maxsize=1)
def parity() -> Law:
    """Odd or even: a fair coin."""
    return Law(0, np.array([0.5, 0.5]))


@lru_cache(maxsize=16)
def coins(n: int) -> Law:
    """Heads of n fair coins."""
    k = np.arange(n + 1)
    logs = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1) - n * math.log(2)
    return Law(0, np.exp(logs))


@lru_cache(maxsize=16)
def next_faces(kinds: int, copies: int) -> Law:
    """Cards followed by one of the next face, in a deck of this many faces, each with this many copies."""
    # Cards of one face can be glued to r of the next face in C(c, r)^2 r! ways, for each face but the last.
    glued = [math.comb(copies, r) ** 2 * math.factorial(r) for r in range(copies + 1)]
    return _from_glued([glued] * (kinds - 1), kinds * copies)


@lru_cache(maxsize=16)
def same_neighbours(sizes: tuple[int, ...]) -> Law:
    """Neighbours of one group, when the cards fall into groups of these sizes: colours, suits, ranks."""
    # A group of s can be glued at r places in C(s-1, r) s!/(s-r)! ways: first put in order, then glued into s-r blocks.
    return _from_glued([[math.comb(s - 1, r) * math.perm(s, r) for r in range(s)] for s in sizes], sum(sizes))


def _from_glued(groups: list[list[int]], n: int) -> Law:
    """The law of a number of pairs, when r of a group can be glued together in `group[r]` ways and the blocks may then
    stand in any order. That gives its factorial moments; sum m[r] (y - 1)^r, multiplied out, needs whole numbers."""
    ways = reduce(np.convolve, (np.array(group, dtype=object) for group in groups), np.array([1], dtype=object))
    counts: list[int] = []
    for r in reversed(range(len(ways))):
        counts = [above - here for above, here in zip([0, *counts], [*counts, 0], strict=True)]
        counts[0] += ways[r] * math.factorial(n - r)
    return Law(0, np.array([count / math.factorial(n) for count in counts[: len(ways)]]))


@lru_cache(maxsize=64)
def _derangements(n: int) -> Array:
    """Share of permutations of 0..n things that move every one of them."""
    return np.cumsum([(-1.0) ** k / math.factorial(min(k, 170)) for k in range(n + 1)])


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
    """A riffle of this many piles, 2^k for k riffles of two; by descents of the inverse."""
    weights = [math.comb(piles + n - 1 - falls, n) for falls in range(n)]
    return ShuffleModel(_log_ratio(weights, n, piles**n), descents(n))


@lru_cache(maxsize=64)
def shelved(n: int, shelves: int) -> ShuffleModel:
    """A machine of this many shelves, cards going above or below the pile on each; by valleys."""
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

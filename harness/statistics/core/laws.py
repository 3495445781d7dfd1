"""Exact laws of statistics of one fair shuffle of n cards, and of their sums over many."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

Array = NDArray[np.float64]

CONVOLVED = 1 << 14
"""Up to so many values the law of a sum is convolved; beyond, its tails are taken by saddlepoint (Lugannani, Rice)."""
LEAN = 0.8
"""Part of a level, or of a stake, on the side where defects are expected."""
SMALL = 1e-9
"""The FFT knows probabilities to about 1e-13; tails below this are taken by saddlepoint as well."""


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """Probabilities of the whole numbers from `low` on."""

    low: int
    probabilities: Array

    @property
    def values(self) -> Array:
        """The whole numbers that have a probability."""
        return self.low + np.arange(len(self.probabilities), dtype=float)

    @property
    def mean(self) -> float:
        """The expectation."""
        return float(self.values @ self.probabilities)

    @property
    def variance(self) -> float:
        """The variance."""
        return float((self.values - self.mean) ** 2 @ self.probabilities)

    def below(self) -> Array:
        """P(X <= x) for each value."""
        return np.minimum(np.cumsum(self.probabilities), 1.0)

    def above(self) -> Array:
        """P(X >= x) for each value, summed from the small end."""
        return np.minimum(np.cumsum(self.probabilities[::-1])[::-1], 1.0)

    def log_moment(self, tilt: float) -> float:
        """Log of E[exp(tilt X)]."""
        with np.errstate(divide="ignore"):
            return float(special.logsumexp(tilt * self.values + np.log(self.probabilities)))


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
    return Law(
        0, np.exp(special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1) - n * math.log(2))
    )


@lru_cache(maxsize=16)
def next_faces(kinds: int, copies: int) -> Law:
    """Cards followed by one of the next face, in a deck of so many faces that each come in so many copies."""
    # Cards of one face can be glued to r of the next face in C(c, r)^2 r! ways, for each face but the last.
    glued = [math.comb(copies, r) ** 2 * math.factorial(r) for r in range(copies + 1)]
    ways = [1]
    for _ in range(kinds - 1):
        ways = _product(ways, glued)
    return _from_glued(ways, kinds * copies)


@lru_cache(maxsize=16)
def same_neighbours(sizes: tuple[int, ...]) -> Law:
    """Neighbours of one group, when the cards fall into groups of these sizes: colours, suits, ranks."""
    # A group of s can be glued at r places in C(s-1, r) s!/(s-r)! ways: first put in order, then glued into s-r blocks.
    ways = [1]
    for size in sizes:
        ways = _product(ways, [math.comb(size - 1, r) * math.perm(size, r) for r in range(size)])
    return _from_glued(ways, sum(sizes))


def _product(left: list[int], right: list[int]) -> list[int]:
    """Product of two polynomials."""
    product = [0] * (len(left) + len(right) - 1)
    for a, x in enumerate(left):
        for b, y in enumerate(right):
            product[a + b] += x * y
    return product


def _from_glued(ways: list[int], n: int) -> Law:
    """The law of a number of pairs, when r of them can be glued together in `ways[r]` ways and the blocks may then
    stand in any order. That gives its factorial moments; sum m[r] (y - 1)^r, multiplied out, needs whole numbers."""
    counts: list[int] = []
    for r in reversed(range(len(ways))):
        counts = [above - here for above, here in zip([0, *counts], [*counts, 0], strict=True)]
        counts[0] += ways[r] * math.factorial(n - r)
    return Law(0, np.array([count / math.factorial(n) for count in counts[: len(ways)]]))


@lru_cache(maxsize=256)
def total(law: Law, times: int) -> Law:
    """The law of the sum of independent copies, by FFT; for sums of at most CONVOLVED values."""
    if times == 1:
        return law
    size = (len(law.probabilities) - 1) * times + 1
    length = 1 << (size - 1).bit_length()
    spectrum = np.fft.rfft(law.probabilities, length) ** times
    return Law(law.low * times, np.maximum(np.fft.irfft(spectrum, length)[:size], 0.0))


def tails(law: Law, times: int, value: int) -> tuple[float, float]:
    """P(sum <= value) and P(sum >= value) for the sum of so many independent copies."""
    below = above = 0.0
    if times == 1 or (len(law.probabilities) - 1) * times < CONVOLVED:
        summed = total(law, times)
        at = value - summed.low
        below = float(summed.probabilities[: max(at + 1, 0)].sum())
        above = float(summed.probabilities[max(at, 0) :].sum())
    if times > 1 and below < SMALL:
        mirrored = Law(-law.low - len(law.probabilities) + 1, law.probabilities[::-1])
        below = _upper(mirrored, times, -value)
    if times > 1 and above < SMALL:
        above = _upper(law, times, value)
    return min(below, 1.0), min(above, 1.0)


def leaning(law: Law, times: int, value: int, lean: int) -> float:
    """The p-value of a sum, most of whose level lies on the side (1 above, -1 below) where defects are expected."""
    below, above = tails(law, times, value)
    part = LEAN if lean else 0.5
    expected, other = (above, below) if lean > 0 else (below, above)
    return min(1.0, expected / part, other / (1 - part))


def _upper(law: Law, times: int, value: int) -> float:
    """P(sum >= value) for a sum of many, by saddlepoint with the correction for whole numbers."""
    x, p, target = law.values, law.probabilities, value / times
    if target <= law.low:
        return 1.0
    if target > x[-1]:
        return 0.0
    tilt, mean, variance, log_moment = 0.0, law.mean, law.variance, 0.0
    for _ in range(100):
        step = max(-1.0, min(1.0, (target - mean) / variance))
        tilt += step
        highest = float(max(tilt * x[0], tilt * x[-1]))
        weights = p * np.exp(tilt * x - highest)
        whole = float(weights.sum())
        log_moment = highest + math.log(whole)
        mean = float(x @ weights) / whole
        variance = max(float((x - mean) ** 2 @ weights) / whole, 1e-12)
        if abs(step) < 1e-9 * max(1.0, abs(tilt)):
            break
    deviance = 2 * times * (tilt * target - log_moment)
    root = math.copysign(math.sqrt(max(deviance, 0.0)), tilt)
    if abs(root) < 1e-3:  # at the centre the formula divides by zero, and the normal law is as good
        return float(special.ndtr((times * law.mean + 0.5 - value) / math.sqrt(times * law.variance)))
    slope = -math.expm1(-tilt) * math.sqrt(times * variance)
    density = math.exp(-root * root / 2) / math.sqrt(2 * math.pi)
    return max(0.0, float(special.ndtr(-root)) + density * (1 / slope - 1 / root))


@lru_cache(maxsize=64)
def _derangements(n: int) -> Array:
    """Share of permutations of 0..n things that move every one of them."""
    return np.cumsum([(-1.0) ** k / math.factorial(min(k, 170)) for k in range(n + 1)])

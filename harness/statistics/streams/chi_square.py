"""The chi-square of equally likely cells, as what it is: the number of pairs of draws that agree.

With Y pairs among n draws of k cells, chi-square = k (2Y + n) / n - n. Y has simple moments at every n, and for few
draws a law that can be computed, so neither tail needs the asymptotic law, which is wrong for both on small samples.
"""

import math
from functools import lru_cache

import numpy as np

from feltrig.harness.statistics.core.p_values import Array, FixedResult, Ints, strongest
from feltrig.harness.statistics.core.tails import log_factorial, pearson_above, pearson_below

EXACT = 128
"""Up to this many draws the law is computed; above, Pearson III is right within a tenth at p = 0.0005."""

SMALL = 0.05
"""Nor is it needed where Pearson III says that nothing is amiss."""
BEYOND = 1e-8
"""What the table of that law leaves out above is less than this."""


def pairs(counts: Ints) -> Ints:
    """Pairs of draws in the same cell, by rows of the last axis."""
    found: Ints = (counts * (counts - 1) // 2).sum(axis=-1)
    return found


def chi_square(counts: Ints) -> Array:
    """Pearson's chi-square against equal cells, by rows of the last axis; 0 where there are no draws."""
    n, k = counts.sum(axis=-1), counts.shape[-1]
    return np.where(n > 0, k * (2 * pairs(counts) + n) / np.maximum(n, 1) - n, 0.0)


def uneven(counts: Ints) -> Array:
    """P(cells at least as uneven as these), by rows of the last axis."""
    return _tails(counts, upper=True)


def even(counts: Ints) -> Array:
    """P(cells at least as even as these), by rows of the last axis."""
    return _tails(counts, upper=False)


def most_uneven(counts: Ints) -> FixedResult:
    """The row of the last axis that is the most uneven."""
    return strongest(chi_square(counts), uneven(counts))


def table_of(known: Ints, outcome: Ints, k: int) -> Ints:
    """Counts of each of k outcomes, one row for each thing that was known before."""
    return np.bincount(known * k + outcome, minlength=(int(known.max()) + 1) * k).reshape(-1, k)


def uneven_together(counts: Ints) -> FixedResult:
    """The rows of a table taken together; they are independent of each other."""
    return most_uneven_table(counts[None])


def most_uneven_table(counts: Ints) -> FixedResult:
    """The table, by the last two axes, whose rows are the most uneven if taken together."""
    mean, spread, third = (moment.sum(axis=-1) for moment in _moments(counts.sum(axis=-1), counts.shape[-1]))
    some, seen = third > 0, pairs(counts).sum(axis=-1)
    p = np.where(some, pearson_above(seen - 0.5, mean, np.where(some, spread, 1.0), np.where(some, third, 1.0)), 1.0)
    return strongest(chi_square(counts).sum(axis=-1), p)


def _tails(counts: Ints, *, upper: bool) -> Array:
    n, k, seen = np.atleast_1d(counts.sum(axis=-1)), counts.shape[-1], np.atleast_1d(pairs(counts))
    found = np.ones(n.shape)
    some = n > 1
    if some.any():
        # The pairs are lattice points in a ball: half a point is the right correction above, a whole one below.
        tail, step = (pearson_above, -0.5) if upper else (pearson_below, 1.0)
        found[some] = tail(seen[some] + step, *_moments(n[some], k))
    doubtful = some & (n <= EXACT) & (found < SMALL)
    for draws in np.unique(n[doubtful]):
        here = doubtful & (n == draws)
        found[here] = _exact(_law(int(draws), k), seen[here], upper=upper)
    return found


def _exact(law: Array, seen: Ints, *, upper: bool) -> Array:
    at = np.minimum(seen, len(law) - 1)
    if upper:
        return np.maximum(np.cumsum(law[::-1])[::-1][at], BEYOND)
    return np.minimum(np.cumsum(law)[at], 1.0)


def _moments(n: Ints, k: int) -> tuple[Array, Array, Array]:
    """Mean, variance and third central moment of the pairs: only triangles of draws are not independent."""
    p = 1 / k
    m = n * (n - 1) / 2
    spread = m * p * (1 - p)
    return m * p, spread, spread * (1 - 2 * p) + n * (n - 1) * (n - 2) * p * p * (1 - p)


@lru_cache(maxsize=512)
def _law(n: int, k: int) -> Array:
    """Probabilities of 0, 1, 2, ... pairs: Poisson cells given their total, both transformed."""
    mean, variance, _ = (float(moment) for moment in _moments(np.array(n), k))
    highest = min(n * (n - 1) // 2, int(mean + 16 * math.sqrt(variance) + 64))
    values, totals = _power_of_two(highest + 1), _power_of_two(max(n + 1, int(20 + 12 * math.sqrt(n))))
    c = np.arange(n + 1)
    c = c[c * (c - 1) // 2 <= highest]
    cell = np.exp(c * math.log(n / k) - n / k - log_factorial(c))
    frequencies = np.arange(values // 2 + 1)
    turned = cell * np.exp(-2j * np.pi * (np.outer(frequencies, c * (c - 1) // 2) % values) / values)
    ends = np.exp(2j * np.pi * n * np.arange(totals) / totals) / totals
    spectrum = np.fft.fft(turned, totals, axis=1) ** k @ ends
    total = math.exp(n * math.log(n) - n - float(log_factorial(n)))
    law: Array = np.maximum(np.fft.irfft(spectrum, values)[: highest + 1], 0.0) / total
    return law


def _power_of_two(least: int) -> int:
    return 1 << (least - 1).bit_length()

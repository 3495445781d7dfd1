"""Runs: of rising and falling symbols, of low and high ones, of one symbol; and symbols that stay away for long."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from feltrig.harness.statistics.core.p_values import Array, FixedResult, either
from feltrig.harness.statistics.core.tails import binomial_either, log_factorial, pearson_above
from feltrig.harness.statistics.streams.symbols import Symbols

EXACT = 64
"""Up to this many draws the law of the turning points is computed in full."""
SELDOM = 1e-5
"""Runs are counted up to the length of which fewer than this are expected."""


def turning_points(streams: Iterable[Symbols]) -> FixedResult:
    """Draws above both neighbours, or below both; equal neighbours make none."""
    found = []
    for stream in streams:
        step = np.sign(np.diff(stream.x))
        turns = int((step[1:] * step[:-1] < 0).sum())
        found.append((turns, turning_law(len(stream), stream.k, turns)))
    return either(*found)


def turning_law(n: int, k: int, turns: int) -> float:
    """Twice the smaller tail of the number of turning points of n draws of k symbols."""
    if n <= EXACT:
        law = _turning_law(n, k)
        tails = law[: turns + 1].sum(), law[turns:].sum()
    else:
        mean, variance, third = _cumulants(n, k)
        tails = _below(turns, mean, variance, third), _below(-turns, -mean, variance, -third)
    return min(1.0, 2 * float(min(tails)))


def _below(value: float, mean: float, variance: float, third: float) -> float:
    """P(at most `value`), of a law that is nearly normal and may lean either way."""
    lean = max(abs(third), 1e-3 * variance**1.5)
    if third < 0:
        return float(pearson_above(-value - 0.5, -mean, variance, lean))
    return 1 - float(pearson_above(value + 0.5, mean, variance, lean))


@lru_cache(maxsize=128)
def _turning_law(n: int, k: int) -> Array:
    """Probabilities of 0, 1, 2, ... turning points, by the last symbol and whether it rose, fell or stayed."""
    state = np.zeros((3, k, n + 1))
    state[1, :, 0] = 1 / k
    for _ in range(n - 1):
        following = np.zeros_like(state)
        for symbol in range(k):
            for moved, others in ((0, slice(symbol + 1, k)), (2, slice(0, symbol)), (1, slice(symbol, symbol + 1))):
                reached = state[:, others].sum(axis=1) / k
                following[moved, symbol] += reached[1] + reached[moved] * (moved != 1)
                if moved == 1:
                    following[1, symbol] += reached[0] + reached[2]
                else:
                    following[moved, symbol, 1:] += reached[2 - moved, :-1]
        state = following
    law: Array = state.sum(axis=(0, 1))
    return law


@lru_cache(maxsize=128)
def _cumulants(n: int, k: int) -> tuple[float, float, float]:
    """Mean, variance and third cumulant: all grow by the same amount with every draw, once dependence has died out."""
    first, second = (_cumulants_of(_turning_law(size, k)) for size in (15, 16))
    return tuple(a + (n - 15) * (b - a) for a, b in zip(first, second, strict=True))  # type: ignore[return-value]


def _cumulants_of(law: Array) -> tuple[float, float, float]:
    values = np.arange(len(law))
    mean = float(values @ law)
    return mean, float((values - mean) ** 2 @ law), float((values - mean) ** 3 @ law)


def low_high_runs(streams: Iterable[Symbols]) -> FixedResult:
    """Runs of low and of high symbols, given how many there are of each (Wald, Wolfowitz)."""
    found = []
    for stream in streams:
        high = stream.x >= stream.k // 2
        runs = 1 + int((high[1:] != high[:-1]).sum())
        found.append((runs, runs_law(int((~high).sum()), int(high.sum()), runs)))
    return either(*found)


def runs_law(low: int, high: int, runs: int) -> float:
    """Twice the smaller tail of the number of runs in a random order of so many low and high ones."""
    if min(low, high) == 0:
        return 1.0
    half = np.arange(1, min(low, high) + 1)
    even = 2 * np.exp(_log_choose(low - 1, half - 1) + _log_choose(high - 1, half - 1) - _log_choose(low + high, low))
    odd = np.zeros(len(half))
    for a, b in ((low, high), (high, low)):
        odd += np.exp(_log_choose(a - 1, half) + _log_choose(b - 1, half - 1) - _log_choose(low + high, low))
    below = even[2 * half <= runs].sum() + odd[2 * half + 1 <= runs].sum()
    above = even[2 * half >= runs].sum() + odd[2 * half + 1 >= runs].sum()
    return min(1.0, 2 * float(min(below, above)))


def _log_choose(n: int, chosen: np.ndarray | int) -> Array:
    """ln of the binomial coefficient, -inf where there is none."""
    c = np.asarray(chosen)
    inside = (c >= 0) & (c <= n)
    c = np.where(inside, c, 0)
    return np.where(inside, log_factorial(n) - log_factorial(c) - log_factorial(n - c), -np.inf)


def runs_and_gaps(streams: Iterable[Symbols]) -> FixedResult:
    """Runs of one symbol, too many or too few; the longest time without a symbol."""
    return either(*(seen for stream in streams for seen in (runs(stream), absence(stream))))


def runs(stream: Symbols) -> FixedResult:
    """How many runs have 3, 4, 5, ... draws or more.

    Two runs cannot begin near each other, so their number varies a little less than the binomial that is its law here.
    """
    n, k = len(stream), stream.k
    ends = np.flatnonzero(stream.x[1:] != stream.x[:-1])
    repeats = np.diff(ends, prepend=-1, append=n - 1) - 1
    found = []
    for least in range(2, n - 1):
        expected = (1 + (n - 1 - least) * (1 - 1 / k)) * float(k) ** -least
        if expected < SELDOM:
            break
        count = int((repeats >= least).sum())
        found.append((count, float(binomial_either(n - least, expected / (n - least), count))))
    return either(*found)


def absence(stream: Symbols) -> FixedResult:
    """The longest time without some symbol; a bound on P(one as long), since it must begin somewhere."""
    n, k = len(stream), stream.k
    gaps = [np.diff(np.flatnonzero(stream.x == symbol), prepend=-1, append=n).max() for symbol in range(k)]
    longest = int(max(gaps)) - 1
    return FixedResult(longest, min(1.0, k * (1 - 1 / k) ** longest * (1 + (n - longest) / k)))

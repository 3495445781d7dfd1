"""Draws against earlier draws: agreement at every lag, differences and sums of two or three, tables of serial pairs."""

from collections.abc import Iterable, Sequence
from itertools import combinations, product

import numpy as np
from scipy import fft

from feltrig.harness.statistics.core.p_values import NOTHING, FixedResult, Ints, either, strongest
from feltrig.harness.statistics.core.tails import binomial_either
from feltrig.harness.statistics.streams.chi_square import most_uneven, most_uneven_table, table_of, uneven_together
from feltrig.harness.statistics.streams.symbols import Symbols

NEAR = 32
"""Lags up to here are the likely ones: they share half of the level with all longer ones, and are looked at closely."""
TABLED = 12
"""Lags at which the whole table of pairs is tested."""
CELL = 16
"""A cell of a table at longer lags is expected to hold at least this many pairs."""
FEWEST = 8
"""A lag needs this many pairs to be counted."""

TAPS = (
    *combinations(range(1, 11), 2),
    *((1, 15), (3, 31), (1, 63)),  # additive feedback, as random() of C libraries has it
    *((24, 55), (31, 55), (21, 55), (34, 55)),  # Knuth's subtractive generator and its copies
    *((33, 97), (38, 89), (37, 100), (30, 127), (103, 250), (83, 258), (107, 378), (273, 607), (418, 1279)),
)
"""Pairs of lags of generators that add or subtract two earlier numbers: their carry leaves a trace in any scaling."""
STEPS = ((-1,), (1,))
"""Signs of one earlier number that is added or subtracted,"""
SIGNS = ((-1, -1), (-1, 1), (1, -1))
"""and of two."""


def matches(streams: Iterable[Symbols], lag: int = 1) -> FixedResult:
    """Draws equal to the draw `lag` before, over all streams: a binomial count, since no chain of pairs closes."""
    agreeing = trials = 0
    for stream in streams:
        agreeing += int((stream.x[lag:] == stream.x[:-lag]).sum())
        trials += max(len(stream) - lag, 0)
        chance = 1 / stream.k
    return FixedResult(agreeing, float(binomial_either(trials, chance, agreeing)))


def agreement(streams: Sequence[Symbols]) -> FixedResult:
    """Draws equal to an earlier one at each lag from 2, over all streams: near lags and far ones, with equal weight."""
    n, k = len(streams[0]), streams[0].k
    lags = np.arange(2, n - FEWEST + 1)
    if len(lags) == 0:
        return NOTHING
    agreeing = np.sum([agreements(stream.x, k)[lags] for stream in streams], axis=0)
    trials = len(streams) * (n - lags)
    p = np.ones(len(lags))
    # Only lags that stand out cost a tail: the others could not be the strongest of so many.
    out = np.abs(agreeing - trials / k) > 2.5 * np.sqrt(trials / k * (1 - 1 / k))
    p[out] = binomial_either(trials[out], 1 / k, agreeing[out])
    groups = [group for group in (lags <= NEAR, lags > NEAR) if group.any()]
    return either(*(strongest(lags[group], p[group]) for group in groups))


def agreements(x: Ints, k: int) -> Ints:
    """Draws equal to the one before at lag 0, 1, 2, ...: all by one transform for each character of k."""
    n = len(x)
    length = fft.next_fast_len(2 * n)
    roots = np.exp(2j * np.pi * np.arange(k) / k)
    found = n - np.arange(n, dtype=float)
    for j in range(1, k // 2 + 1):
        spectrum = fft.fft(roots[j * x % k], length)
        # The characters j and k - j are conjugate, so both together give twice the real part.
        found += (1 if 2 * j == k else 2) * fft.ifft(spectrum.real**2 + spectrum.imag**2)[:n].real
    return np.rint(found / k).astype(np.int64)


def neighbours(streams: Iterable[Symbols]) -> FixedResult:
    """Differences and sums mod k of neighbouring draws."""
    return _combined(streams, ((1,),), STEPS)


def distant_pairs(streams: Iterable[Symbols]) -> FixedResult:
    """Differences and sums mod k at each near lag from 2."""
    return _combined(streams, [(lag,) for lag in range(2, NEAR + 1)], STEPS)


def triplets(streams: Iterable[Symbols]) -> FixedResult:
    """Each draw with two earlier ones added or subtracted mod k, at the lags of known generators and all short ones."""
    return _combined(streams, TAPS, SIGNS)


def _counts(stream: Symbols, lags: Sequence[int], signs: Sequence[int]) -> Ints:
    """Counts of the draw with earlier ones added or subtracted: of chance all equally likely, and independent."""
    n, k, longest = len(stream), stream.k, max(lags)
    combined = stream.x[longest:] + k * len(lags)
    for lag, sign in zip(lags, signs, strict=True):
        combined += sign * stream.x[longest - lag : n - lag]
    counts = np.bincount(combined, minlength=(2 * len(lags) + 1) * k)
    folded: Ints = counts.reshape(-1, k).sum(axis=0)
    return folded


def _combined(streams: Iterable[Symbols], taps: Iterable[Sequence[int]], ways: Iterable[Sequence[int]]) -> FixedResult:
    """Each draw with those at some earlier lags added or subtracted in these ways, where there are enough of them."""
    looks = [(stream, lags) for stream in streams for lags in taps if len(stream) - max(lags) >= FEWEST]
    counts = np.array([_counts(stream, lags, signs) for stream, lags in looks for signs in ways])
    return most_uneven(counts) if len(counts) else NOTHING


def serial(streams: Iterable[Symbols], order: int) -> FixedResult:
    """The next symbol after each `order` symbols: chi-square of all these rows together (difference of psi-squares)."""
    found = []
    for stream in streams:
        known = sum(stream.x[i : len(stream) - order + i] * stream.k**i for i in range(order))
        found.append(uneven_together(table_of(known, stream.x[order:], stream.k)))
    return either(*found)


def tables(streams: Iterable[Symbols]) -> FixedResult:
    """The symbol after each symbol, some draws later."""
    lagged = [(stream, lag) for stream in streams for lag in range(2, min(TABLED, len(stream) - 4 * stream.k) + 1)]
    return either(*(uneven_together(table_of(s.x[:-lag], s.x[lag:], s.k)) for s, lag in lagged))


def far_tables(streams: Iterable[Symbols]) -> FixedResult:
    """The symbol after each symbol, at every longer lag up to half of the sample: copies under any other name too."""
    found = []
    for stream in streams:
        lags = np.arange(TABLED + 1, min(len(stream) // 2, len(stream) - CELL * stream.k**2) + 1)
        if len(lags):
            counts = tables_at(stream, lags)
            found.append(most_uneven_table(counts))
    return either(*found)


def tables_at(stream: Symbols, lags: Ints) -> Ints:
    """Counts of each symbol after each at these lags: all by one transform for each pair of symbols."""
    length = fft.next_fast_len(2 * len(stream), real=True)
    spectra = fft.rfft((stream.x == np.arange(stream.k)[:, None]).astype(float), length)
    counts = np.empty((len(lags), stream.k, stream.k), dtype=np.int64)
    for earlier, later in product(range(stream.k), repeat=2):
        counts[:, earlier, later] = np.rint(fft.irfft(spectra[later] * spectra[earlier].conj(), length)[lags])
    return counts

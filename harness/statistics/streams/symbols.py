"""A stream of equally likely symbols, and the tests of how often each comes, when, and how long after it last came."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from feltrig.harness.statistics.core.p_values import NOTHING, Array, FixedResult, Ints, either, strongest
from feltrig.harness.statistics.core.rhythms import greatest, power_of
from feltrig.harness.statistics.core.tails import binomial_either, chi_square_above
from feltrig.harness.statistics.streams.chi_square import chi_square, even, most_uneven, uneven_together

PERIODS = (*range(2, 65), 100, 128, 256)
"""Cycles of positions that are folded: a machine may favour a symbol at every third draw."""
SHORTEST = 16
"""The shortest stretch of draws that is looked at alone."""
HAND = 5
"""Draws that are looked at together, as in a hand of poker."""
WAVES = 3
"""Half-waves over the whole sample against which a drift is measured."""
HARMONICS = (1, 2, 4, 8, 16, 32)
"""Numbers of multiples of a frequency that are added."""
ENOUGH = 192
"""A mark must be expected this often: for fewer the tails are not exponential."""


@dataclass(frozen=True, slots=True)
class SymbolSource:
    """Each sample holds `dice` symbols, each one of k that are equally likely: a number, or the faces of dice."""

    k: int
    dice: int = 1


Least = Callable[[SymbolSource], float]


def samples(count: int) -> Least:
    """This many samples."""
    return lambda _: count


def of_each(count: int) -> Least:
    """This many samples for each symbol."""
    return lambda source: count * source.k


def of_each_pair(count: int) -> Least:
    """This many samples for each pair of symbols."""
    return lambda source: count * source.k**2


@dataclass(frozen=True, slots=True, eq=False)
class Symbols:
    """Draws in the order in which they came, as 0 to k - 1."""

    x: Ints
    k: int

    def __len__(self) -> int:
        return len(self.x)

    @property
    def counts(self) -> Ints:
        """How often each symbol came."""
        return np.bincount(self.x, minlength=self.k)


def frequencies(streams: Iterable[Symbols]) -> FixedResult:
    """Chi-square of the counts of each stream."""
    return most_uneven(np.array([stream.counts for stream in streams]))


def evenness(streams: Iterable[Symbols]) -> FixedResult:
    """Chi-square of the counts of each stream, where too small is the fault: chance is never that even."""
    counts = np.array([stream.counts for stream in streams])
    return strongest(chi_square(counts), even(counts))


def worst_symbol(streams: Iterable[Symbols]) -> FixedResult:
    """The count of the symbol that is furthest from its share."""
    return _worst_cell(np.array([stream.counts for stream in streams]))


def _worst_cell(counts: Ints) -> FixedResult:
    """The cell of equally likely ones, by rows, that is furthest from its share."""
    return strongest(counts, binomial_either(counts.sum(axis=1, keepdims=True), 1 / counts.shape[1], counts))


def recency(streams: Iterable[Symbols]) -> FixedResult:
    """Counts of how many other symbols came since the same one. By chance these are equally likely too."""
    return most_uneven(np.array([np.bincount(last_seen(stream), minlength=stream.k) for stream in streams]))


def last_seen(stream: Symbols) -> Ints:
    """For each draw, how many symbols came more recently than the one drawn; symbols not yet seen wait in order."""
    return recency_ranks(stream.x, np.arange(-1, -1 - stream.k, -1))[0]


def recency_ranks(x: Ints, last: Ints) -> tuple[Ints, Ints]:
    """The ranks of these draws, given when each symbol last came (before the first of them, negative), and when each
    last came after them, counted in the same way."""
    k = len(last)
    seen = np.full((len(x) + 1, k), np.iinfo(np.int64).min)
    seen[0] = last
    seen[np.arange(1, len(x) + 1), x] = np.arange(len(x))
    seen = np.maximum.accumulate(seen, axis=0)
    ranks = (seen[:-1] > np.take_along_axis(seen[:-1], x[:, None], axis=1)).sum(axis=1)
    return ranks, seen[-1] - len(x)


def poker(streams: Iterable[Symbols]) -> FixedResult:
    """How many different symbols there are in each five."""
    return either(*(different(s.x[: len(s) // HAND * HAND].reshape(-1, HAND), s.k) for s in streams))


def kinds(hands: Ints) -> Ints:
    """How many different symbols each row holds."""
    ordered = np.sort(hands, axis=1)
    different: Ints = 1 + (ordered[:, 1:] != ordered[:, :-1]).sum(axis=1)
    return different


def different(hands: Ints, k: int) -> FixedResult:
    """How many rows hold 1, 2, 3, ... different symbols: the count that is furthest from its law."""
    law = different_law(hands.shape[1], k)
    counts = np.bincount(kinds(hands), minlength=len(law))[1:]
    return strongest(counts, binomial_either(len(hands), law[1:], counts))


@lru_cache(maxsize=16)
def different_law(size: int, k: int) -> Array:
    """Chances of 0, 1, 2, ... different symbols among so many draws of k."""
    law = np.ones(1)
    for _ in range(size):
        seen = np.arange(len(law))
        law = np.append(law * seen / k, 0.0) + np.append(0.0, law * (k - seen) / k)
    return law


def periods(streams: Iterable[Symbols]) -> FixedResult:
    """Counts by position in a cycle, for each of the PERIODS of which the sample holds at least two: all together, and
    the one symbol at one position that is furthest from its share."""
    found = []
    for stream in streams:
        for period in PERIODS:
            if 2 * period <= len(stream):
                counts = folded(stream, period)
                found += [(period, uneven_together(counts).p), (period, _worst_cell(counts).p)]
    return either(*found)


def folded(stream: Symbols, period: int) -> Ints:
    """Counts of the symbols, one row for each position in a cycle of this length."""
    positions = np.resize(np.arange(0, period * stream.k, stream.k), len(stream))
    return np.bincount(positions + stream.x, minlength=period * stream.k).reshape(period, stream.k)


def stretches(streams: Iterable[Symbols]) -> FixedResult:
    """Counts of each symbol in stretches of every length 16, 32, 64, ..., each overlapping the next by half."""
    return either(*(_stretches_of(stream, length) for stream in streams for length in _lengths(len(stream))))


def _lengths(n: int) -> list[int]:
    return [SHORTEST << i for i in range(max(n // SHORTEST, 1).bit_length()) if SHORTEST << i <= n // 2]


def _stretches_of(stream: Symbols, length: int) -> FixedResult:
    """The worst count in stretches of one length, and its p-value."""
    half = length // 2
    blocks = len(stream) // half
    cells = np.arange(blocks * half) // half * stream.k + stream.x[: blocks * half]
    counts = np.bincount(cells, minlength=blocks * stream.k).reshape(blocks, stream.k)
    seen = counts[:-1] + counts[1:]
    return strongest(seen, binomial_either(length, 1 / stream.k, np.arange(length + 1))[seen])


def beginning(streams: Iterable[Symbols]) -> FixedResult:
    """Counts of the first 16, 32, 64, ... draws: a machine that has to warm up."""
    beginnings = [(stream, stream.x[:length]) for stream in streams for length in _lengths(len(stream) // 2)]
    counts = np.array([np.bincount(x, minlength=stream.k) for stream, x in beginnings])
    return either(_worst_cell(counts), most_uneven(counts))


def drift(streams: Iterable[Symbols]) -> FixedResult:
    """Energy of the first slow waves in the frequencies: a machine that changes while it warms up or wears."""
    energies = []
    for stream in streams:
        n, k = len(stream), stream.k
        waves = np.cos(np.pi * np.outer(np.arange(1, WAVES + 1), np.arange(n) + 0.5) / n)
        sums = np.array([np.bincount(stream.x, wave, minlength=k) for wave in waves])
        # The waves sum to zero, so equal shares add nothing.
        energies.append(2 * k / n * float((sums**2).sum() - (sums.sum(axis=1) ** 2).sum() / k))
        freedom = WAVES * (k - 1)
    return strongest(energies, chi_square_above(energies, freedom))


def rhythms(streams: Sequence[Symbols]) -> FixedResult:
    """The power of each symbol at every frequency and its multiples."""
    marks = np.concatenate([stream.x == np.arange(stream.k)[:, None] for stream in streams])
    return of_marks(marks, np.repeat([1 / stream.k for stream in streams], [stream.k for stream in streams]))


def of_marks(marks: NDArray[np.bool_], chances: ArrayLike) -> FixedResult:
    """The same of marked times: one row for each kind of mark, beside its chance."""
    p, n = np.asarray(chances, dtype=float), marks.shape[1]
    used = n * np.minimum(p, 1 - p) >= ENOUGH
    if not used.any():
        return NOTHING
    power = power_of(marks[used].astype(float)) / (p[used] * (1 - p[used]))[:, None]
    return either(*(greatest(power, harmonics) for harmonics in HARMONICS))

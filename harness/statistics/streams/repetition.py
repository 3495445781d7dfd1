"""One symbol several times in a row, and one that stays away for long."""

from collections.abc import Iterable

import numpy as np

from feltrig.harness.statistics.core.fixed_result import FixedResult, either
from feltrig.harness.statistics.core.tails import binomial_either
from feltrig.harness.statistics.streams.symbols import Symbols

SELDOM = 1e-5
"""Runs are counted up to the length of which fewer than this are expected."""


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
    longest = max(
        int(np.diff(np.flatnonzero(stream.x == symbol), prepend=-1, append=n).max()) - 1 for symbol in range(k)
    )
    return FixedResult(longest, min(1.0, k * (1 - 1 / k) ** longest * (1 + (n - longest) / k)))

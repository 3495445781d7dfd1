"""Passages that come twice: stale seeds and cycles; and stretches in which a machine is caught in a short loop."""

from collections.abc import Iterable, Sequence

import numpy as np

from feltrig.harness.statistics.coincidences import Ints
from feltrig.harness.statistics.holm import Seen, either, strongest
from feltrig.harness.statistics.symbols import Symbols
from feltrig.harness.statistics.tails import Array, poisson_above

LOOPS = 64
"""The longest loop of which a stretch is looked for."""
FEW = 16.0
"""Repeats of a length are counted when chance makes no more than this many of them,"""
SPARSE = 0.05
"""and when at most this share of all passages was drawn: then hardly any comes three times, and repeats are Poisson."""

POISSON = 1e-9
"""Further out nobody knows how well they are."""


def repeated(streams: Iterable[Symbols]) -> Seen:
    """The longest passage that comes again, and the number of repeats of each length that is seldom by chance."""
    return strongest(*zip(*[_repeated(stream) for stream in streams], strict=True))


def _repeated(stream: Symbols) -> tuple[float, float]:
    n, k = len(stream), stream.k
    agreeing = _agreeing_pairs(stream)
    longest = len(agreeing) - 1
    view = Seen(longest, longest_law(n, k, longest))
    counted = []
    for length in range(2, longest):
        expected = _pairs(n, length) / k**length - _pairs(n, length + 1) / k ** (length + 1)
        if expected <= FEW and n <= SPARSE * k**length:
            # A pair that also agrees one draw earlier is the same repeat seen again.
            repeats = agreeing[length] - agreeing[length + 1]
            counted.append((length, max(POISSON, float(poisson_above(expected, repeats)))))
    seen = either(view, strongest(*zip(*counted, strict=True))) if counted else either(view, Seen(0, 1.0))
    return seen.statistic, seen.p


def _agreeing_pairs(stream: Symbols) -> list[int]:
    """Pairs of places at which the same 0, 1, 2, ... draws follow, up to the longest repeat that a number can hold."""
    n, k = len(stream), stream.k
    agreeing = [_pairs(n, 0)]
    codes = np.zeros(n + 1, dtype=np.int64)
    for length in range(1, int(62 / np.log2(k))):
        codes = codes[: n - length + 1] * k + stream.x[length - 1 :]
        ordered = np.sort(codes)
        edges = np.flatnonzero(np.diff(ordered, prepend=-1, append=-1))
        sizes = np.diff(edges)
        agreeing.append(int((sizes * (sizes - 1) // 2).sum()))
        if agreeing[-1] == 0 or length == n:
            break
    else:
        return agreeing
    return agreeing[:-1] if agreeing[-1] == 0 else agreeing


def _pairs(n: int, length: int) -> int:
    places = max(n - length + 1, 0)
    return places * (places - 1) // 2


def longest_law(n: int, k: int, length: int) -> float:
    """A bound on P(some passage of this length comes again): summed over all distances between the two."""
    if length == 0:
        return 1.0
    trials = np.arange(length, n)
    return min(1.0, float(run_law(trials, k, length).sum()))


def run_law(trials: Ints, k: int, length: int) -> Array:
    """A bound on P(a run of `length` successes of chance 1/k among so many trials)."""
    return np.where(trials >= length, k ** -float(length) * (1 + (trials - length) * (1 - 1 / k)), 0.0)


def loops(streams: Sequence[Symbols]) -> Seen:
    """The longest stretch in which each draw equals the one `lag` before: stuck (1), alternating (2), any short one."""
    found = []
    for stream in streams:
        n = len(stream)
        for lag in range(1, min(LOOPS, n - 1) + 1):
            broken = np.flatnonzero(stream.x[lag:] != stream.x[:-lag])
            length = int(np.diff(broken, prepend=-1, append=n - lag).max()) - 1
            # Shorter loops are likelier faults: weights 1 / lag (lag + 1), which sum to less than 1.
            found.append((length, lag * (lag + 1) * min(1.0, float(run_law(np.array(n - lag), stream.k, length)))))
    if not found:
        return Seen(0, 1.0)
    length, p = min(found, key=lambda pair: pair[1])
    return Seen(length, min(1.0, p * len(streams)))

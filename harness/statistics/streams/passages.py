"""Passages that come twice: stale seeds and cycles; and stretches in which a machine is caught in a short loop."""

from collections.abc import Iterable, Sequence

import numpy as np

from feltrig.harness.statistics.core.p_values import NOTHING, Array, FixedResult, Ints, either
from feltrig.harness.statistics.core.purses import wager
from feltrig.harness.statistics.core.tails import poisson_above
from feltrig.harness.statistics.streams.symbols import Symbols

LOOPS = 64
"""The longest loop that is looked for."""
FEW = 16.0
"""Repeats of a length are counted when chance makes no more than this many of them,"""
SPARSE = 0.05
"""and when at most this share of all passages was drawn. Then hardly any comes three times, and repeats are Poisson."""

POISSON = 1e-9
"""Smaller p-values are not claimed: how good the Poisson law is so far out is not known."""


def repeated(streams: Iterable[Symbols]) -> FixedResult:
    """The longest passage that comes again, and the number of repeats of each length that is seldom by chance."""
    return either(*(_repeated(stream) for stream in streams))


def _repeated(stream: Symbols) -> FixedResult:
    n, k = len(stream), stream.k
    agreeing = _agreeing_pairs(stream)
    longest = len(agreeing) - 1
    view = FixedResult(longest, longest_law(n, k, longest))
    counted = []
    for length in range(2, longest):
        expected = _pairs(n, length) / k**length - _pairs(n, length + 1) / k ** (length + 1)
        if expected <= FEW and n <= SPARSE * k**length:
            # A pair that also agrees one draw earlier is the same repeat seen again.
            repeats = agreeing[length] - agreeing[length + 1]
            counted.append((length, max(POISSON, float(poisson_above(expected, repeats)))))
    return either(view, either(*counted))


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


def loops(streams: Sequence[Symbols]) -> FixedResult:
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
        return NOTHING
    length, p = min(found, key=lambda pair: pair[1])
    return FixedResult(length, min(1.0, p * len(streams)))


class Replays:
    """Bets that what followed the longest earlier passage equal to the latest draws follows again."""

    def __init__(self, k: int, beliefs: Sequence[float]) -> None:
        """`beliefs` are odds that a passage just longer than chance would find is a replay."""
        self._k, self._beliefs = k, beliefs
        self._memory = SuffixAutomaton()
        self.shares = np.ones(len(beliefs))

    def factors(self, x: Ints) -> Array:
        """Of the next draws."""
        memory, k = self._memory, self._k
        factors = []
        for symbol in x.tolist():
            # By chance the longest passage among n draws has a length of about log n to the base k.
            surprise = k ** min(memory.length, 20) / max(len(memory.drawn), 1)
            right = memory.length > 0 and memory.drawn[memory.end + 1] == symbol
            factors.append([wager(belief * surprise, right, k) if memory.length else 1.0 for belief in self._beliefs])
            memory.append(symbol)
        return np.array(factors)


class SuffixAutomaton:
    """All draws so far, and the longest passage at their end that also occurs earlier (a suffix automaton)."""

    def __init__(self) -> None:
        self.drawn: list[int] = []
        self.length = 0
        """Of that passage; 0 if there is none."""
        self.end = -1
        """Where its earlier occurrence ends."""
        self._next: list[dict[int, int]] = [{}]
        self._link, self._size, self._first = [-1], [0], [-1]
        self._last = 0

    def append(self, symbol: int) -> None:
        """One more draw."""
        following, link, size = self._next, self._link, self._size
        state = len(size)
        following.append({})
        size.append(size[self._last] + 1)
        link.append(0)
        self._first.append(len(self.drawn))
        self.drawn.append(symbol)
        back = self._last
        while back != -1 and symbol not in following[back]:
            following[back][symbol] = state
            back = link[back]
        if back != -1:
            target = following[back][symbol]
            if size[back] + 1 != size[target]:
                target = self._split(back, target, symbol)
            link[state] = target
        self._last = state
        self.length, self.end = size[link[state]], self._first[link[state]]

    def _split(self, back: int, target: int, symbol: int) -> int:
        """A state for the shorter of the passages that `target` stands for, of which one now has a new ending."""
        following, link, size = self._next, self._link, self._size
        clone = len(size)
        following.append(dict(following[target]))
        size.append(size[back] + 1)
        link.append(link[target])
        self._first.append(self._first[target])
        while back != -1 and following[back].get(symbol) == target:
            following[back][symbol] = clone
            back = link[back]
        link[target] = clone
        return clone

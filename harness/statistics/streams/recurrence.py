"""Linear complexity: the shortest linear recurrence over GF(q) that makes a sequence (Berlekamp, Massey)."""

import math
from collections.abc import Sequence

import numpy as np

from feltrig.harness.statistics.core.p_values import Array, FixedResult, Ints, either
from feltrig.harness.statistics.core.purses import wager
from feltrig.harness.statistics.streams.symbols import Symbols

BLOCKS = (64, 256)
"""Lengths of the blocks whose complexity is found: a machine may be seeded again, or stumble, now and then."""
SEARCHED = 2048
"""Draws that are looked at; a recurrence shows itself in the first ones or never."""


def complexities(rows: Ints, q: int) -> Ints:
    """The linear complexity over GF(q) of each row, all rows at once."""
    many, n = rows.shape
    at = np.arange(many)
    inverse = np.array([0] + [pow(value, -1, q) for value in range(1, q)])
    connection, earlier = np.zeros((2, many, n + 2), dtype=np.int64)
    connection[:, 0] = earlier[:, 0] = 1
    length, scale = np.zeros(many, dtype=np.int64), np.ones(many, dtype=np.int64)
    backwards = np.ascontiguousarray(rows[:, ::-1])
    for t in range(n):
        wide = min(t + 2, int(length.max()) + 1)
        earlier[:, 1 : t + 2] = earlier[:, : t + 1].copy()
        earlier[:, 0] = 0
        window = backwards[:, n - 1 - t : n - 1 - t + wide]
        gap = np.einsum("ij,ij->i", connection[:, : window.shape[1]], window) % q
        wrong = at[gap != 0]
        if len(wrong) == 0:
            continue
        reach = t + 2
        before = connection[wrong, :reach]
        factor = gap[wrong] * inverse[scale[wrong]] % q
        connection[wrong, :reach] = (before - factor[:, None] * earlier[wrong, :reach]) % q
        grows = 2 * length[wrong] <= t
        grown = wrong[grows]
        earlier[grown, :reach] = before[grows]
        scale[grown] = gap[grown]
        length[grown] = t + 1 - length[grown]
    return length


def complexity_law(n: int, q: int, complexity: int, k: int | None = None) -> float:
    """P(a complexity of at most this) for n draws of k equally likely values among the q of the field; by counting all
    sequences of the field, which is exact for k = q and a bound for k < q."""
    counts = [0.0] + [math.log(q - 1) + min(2 * c - 1, 2 * n - 2 * c) * math.log(q) for c in range(1, complexity + 1)]
    return min(1.0, float(np.exp(np.array(counts) - n * math.log(k or q)).sum()))


def fields(k: int) -> tuple[int, ...]:
    """Primes q whose field is tried for k symbols: those that divide k, and the next one that holds all symbols."""
    factors = [q for q in range(2, k + 1) if k % q == 0 and _is_prime(q)]
    above = next(q for q in range(k, 2 * k + 1) if _is_prime(q))
    return tuple(dict.fromkeys([*factors, above]))


def recurrences(streams: Sequence[Symbols]) -> FixedResult:
    """The lowest linear complexity of streams of the same symbols: of their beginning, and of their blocks."""
    n, k = min(SEARCHED, *map(len, streams)), streams[0].k
    found = []
    for q in fields(k):
        for block in BLOCKS if n >= 2 * BLOCKS[0] else BLOCKS[-1:]:
            size = min(block, n)
            rows = np.concatenate([stream.x[: n // size * size].reshape(-1, size) for stream in streams]) % q
            lowest = int(complexities(rows, q).min())
            p = complexity_law(size, q, lowest, q if k % q == 0 else k)
            found.append((lowest, min(1.0, p * len(rows))))
    return either(*found)


def _is_prime(value: int) -> bool:
    return value > 1 and all(value % q for q in range(2, math.isqrt(value) + 1))


class LinearRule:
    """The shortest linear recurrence of the draws so far, and what it expects next; forgets all after each block."""

    def __init__(self, q: int, block: int, *, once: bool = False) -> None:
        """With `once`, expects nothing more after the first block."""
        self.q = q
        self.expected: int | None = 0
        self.right = 0
        """How many draws in a row were as expected."""
        self._block, self._once = block, once
        self._start()

    def _start(self) -> None:
        self._drawn: Ints = np.zeros(self._block, dtype=np.int64)
        """From the end towards the beginning, so that the latest draws are a slice."""
        self._rule, self._earlier = np.zeros((2, self._block + 2), dtype=np.int64)
        self._rule[0] = self._earlier[0] = 1
        self._n = self.complexity = 0
        self._shift = self._scale = 1

    def append(self, residue: int) -> None:
        """One more draw, as a member of the field."""
        if self.expected is None:
            return
        gap = (residue - self.expected) % self.q
        self.right = self.right + 1 if gap == 0 else 0
        if gap:
            self._correct(gap)
        else:
            self._shift += 1
        self._n += 1
        first = self._block - self._n
        self._drawn[first] = residue
        latest = self._drawn[first : first + self.complexity]
        self.expected = -int(self._rule[1 : self.complexity + 1] @ latest) % self.q
        if self._n == self._block:
            self._start()
            self.expected = None if self._once else 0

    def _correct(self, gap: int) -> None:
        factor = gap * pow(self._scale, -1, self.q)
        grows = 2 * self.complexity <= self._n
        before = self._rule.copy() if grows else self._rule
        reach = self._n + 2
        self._rule[self._shift : reach] -= factor * self._earlier[: reach - self._shift]
        self._rule[:reach] %= self.q
        if grows:
            self._earlier, self._scale, self._shift = before, gap, 1
            self.complexity = self._n + 1 - self.complexity
        else:
            self._shift += 1


class Rules:
    """Bets that the shortest linear rule for the draws of a block makes the next one too."""

    def __init__(self, k: int, belief: float) -> None:
        """`belief` are the odds that there is a rule, before it was right even once."""
        self._k, self._belief = k, belief
        short, long = BLOCKS
        self._rules = [rule for q in fields(k) for rule in (LinearRule(q, short), LinearRule(q, long, once=True))]
        self.shares = np.ones(len(self._rules))

    def factors(self, x: Ints) -> Array:
        """Of the next draws."""
        factors = np.ones((len(x), len(self._rules)))
        for row, symbol in enumerate(x.tolist()):
            for column, rule in enumerate(self._rules):
                values = rule.q if self._k % rule.q == 0 else self._k
                expected, residue = rule.expected, symbol % rule.q
                if expected is not None and expected < values:
                    odds = self._belief * float(values) ** min(rule.right, 20)
                    factors[row, column] = wager(odds, expected == residue, values)
                rule.append(residue)
        return factors

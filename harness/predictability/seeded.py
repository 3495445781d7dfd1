"""Generators that start from a seed, which is small or a time: every seed is tried.

`outputs(seeds, count)` gives the first outputs, one row for each, of many seeds at once."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from typing import Any

import numpy as np

from feltrig.harness.predictability.linear import tempered, twisted
from feltrig.harness.predictability.scalings import Scaling, Uints
from feltrig.harness.predictability.whole_search import Draws, OutOfTime, following

WIDE, HALF = 1 << 32, 1 << 31
M32, M64 = WIDE - 1, (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class SeededGenerator:
    """A generator with all that its seeding does."""

    name: str
    span: int
    outputs: Callable[[Uints, int], Uints]
    chunk: int = 1 << 15
    """Seeds at a time."""
    cost: float = 1.0
    """What a seed costs, beside one of java.util.Random."""

    def following(self, seed: int) -> Iterator[int]:
        """The outputs of one seed."""
        given = 0
        for count in chain((64, 512), (4096 << i for i in range(20))):
            outputs = self.outputs(np.array([seed], dtype=np.uint64), count)[given:, 0]
            yield from (int(output) for output in outputs)
            given = count


def seed_search(
    generator: SeededGenerator, scaling: Scaling, draws: Draws, seeds: range, goes_on: Callable[[], bool]
) -> Iterator[int]:
    """The seeds from whose first outputs the draws follow. Raises OutOfTime."""
    looked, sifted = len(draws.values) + 64 if scaling.rejects else len(draws.values), 8 + 8 * scaling.rejects
    for first in range(seeds.start, seeds.stop, generator.chunk):
        if not goes_on():
            raise OutOfTime
        tried = np.arange(first, min(first + generator.chunk, seeds.stop), dtype=np.uint64)
        for count, most in ((sifted, sifted), (looked, None)):
            rows = generator.outputs(tried, count)
            tried = tried[_kept(rows, scaling, draws, generator.span, most)]
            if not len(tried):
                break
        yield from (int(seed) for seed in tried)


def _kept(rows: Uints, scaling: Scaling, draws: Draws, span: int, most: int | None) -> Uints:
    """The columns of outputs from which the draws follow."""
    width = rows.shape[1]

    def advance(states: Uints) -> tuple[Uints, Uints]:
        row, column = np.divmod(states, width)
        return states + width, rows[np.minimum(row, len(rows) - 1), column]

    return following(advance, scaling, np.arange(width), draws, span, most)


def _step64(step: Callable[[Any, Any], tuple[Any, Any, Any]], start: Callable[[Uints], tuple[Any, Any]]) -> Any:
    """Outputs of a generator with two words of state: `step` gives an output and the next words."""

    def outputs(seeds: Uints, count: int) -> Uints:
        one, other = start(seeds)
        rows = np.empty((count, len(seeds)), dtype=np.uint64)
        for row in range(count):
            rows[row], one, other = step(one, other)
        return rows

    return outputs


def _lcg64(a: int, c: int, mask: int, shift: int, span: int, scramble: int = 0) -> Any:
    def start(seeds: Uints) -> tuple[Any, Any]:
        return (seeds ^ np.uint64(scramble)) & np.uint64(mask), None

    def step(x: Any, _: Any) -> tuple[Any, Any, Any]:
        x = (x * np.uint64(a) + np.uint64(c)) & np.uint64(mask)
        return (x >> np.uint64(shift)) & np.uint64(span - 1), x, None

    return _step64(step, start)


PCG = 6364136223846793005


def _pcg32(increment: int, seeded: bool) -> Any:
    def start(seeds: Uints) -> tuple[Any, Any]:
        if seeded:  # as its library: from 0, a step, the seed added, a step
            return (seeds + np.uint64(increment)) * np.uint64(PCG) + np.uint64(increment), None
        return seeds, None

    def step(x: Any, _: Any) -> tuple[Any, Any, Any]:
        mixed = (((x >> np.uint64(18)) ^ x) >> np.uint64(27)) & np.uint64(M32)
        turn = x >> np.uint64(59)
        out = (mixed >> turn) | (mixed << (np.uint64(32) - turn)) & np.uint64(M32)
        return np.where(turn == 0, mixed, out), x * np.uint64(PCG) + np.uint64(increment), None

    return _step64(step, start)


def _xorshift64(star: bool, high: bool, shifts: tuple[int, int, int]) -> Any:
    """The plain one by shifts left, right, left; the starred one right, left, right."""
    a, b, c = (np.uint64(shift) for shift in shifts)

    def step(x: Any, _: Any) -> tuple[Any, Any, Any]:
        if star:
            x = x ^ (x >> a)
            x = x ^ (x << b)
            x = x ^ (x >> c)
        else:
            x = x ^ (x << a)
            x = x ^ (x >> b)
            x = x ^ (x << c)
        shown = x * np.uint64(2685821657736338717) if star else x
        return (shown >> np.uint64(32) if high else shown & np.uint64(M32)), x, None

    return _step64(step, lambda seeds: (seeds, None))


def splitmix(x: Any) -> Any:
    """The mixing of SplitMix64."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


GOLDEN = 0x9E3779B97F4A7C15


def _splitmix64(high: bool) -> Any:
    def step(x: Any, _: Any) -> tuple[Any, Any, Any]:
        x = x + np.uint64(GOLDEN)
        mixed = splitmix(x)
        return (mixed >> np.uint64(32) if high else mixed & np.uint64(M32)), x, None

    return _step64(step, lambda seeds: (seeds, None))


def _rotated(x: Any, by: int) -> Any:
    return (x << np.uint64(by)) | (x >> np.uint64(64 - by))


def _xoroshiro128(seeds: Uints, count: int) -> Uints:
    """xoroshiro128+, seeded by SplitMix64, its high half."""
    one, other = (splitmix(seeds + np.uint64(GOLDEN * i & M64)) for i in (1, 2))
    rows = np.empty((count, len(seeds)), dtype=np.uint64)
    for row in range(count):
        rows[row] = (one + other) >> np.uint64(32)
        other = other ^ one
        one, other = _rotated(one, 24) ^ other ^ (other << np.uint64(16)), _rotated(other, 37)
    return rows


def _xoshiro256(seeds: Uints, count: int) -> Uints:
    """xoshiro256**, seeded by SplitMix64, its high half."""
    a, b, c, d = (splitmix(seeds + np.uint64(GOLDEN * i & M64)) for i in (1, 2, 3, 4))
    rows = np.empty((count, len(seeds)), dtype=np.uint64)
    for row in range(count):
        rows[row] = (_rotated(b * np.uint64(5), 7) * np.uint64(9)) >> np.uint64(32)
        held = b << np.uint64(17)
        c, d = c ^ a, d ^ b
        b, a = b ^ c, a ^ d
        c, d = c ^ held, _rotated(d, 45)
    return rows


def _xorshift128(seeds: Uints, count: int) -> Uints:
    """Marsaglia's, with its own other three words."""
    x = (seeds & np.uint64(M32)).astype(np.uint32)
    y, z, w = (np.full_like(x, word) for word in (362436069, 521288629, 88675123))
    rows = np.empty((count, len(seeds)), dtype=np.uint32)
    for row in range(count):
        t = x ^ (x << np.uint32(11))
        x, y, z = y, z, w
        w = w ^ (w >> np.uint32(19)) ^ t ^ (t >> np.uint32(8))
        rows[row] = w
    return rows


def _mt_words(seeds: Uints, count: int) -> list[Uints]:
    """The first words of MT19937 from a seed of 32 bits."""
    word = (seeds & np.uint64(M32)).astype(np.uint32)
    words = [word]
    for i in range(1, count):
        word = (word ^ (word >> np.uint32(30))) * np.uint32(1812433253) + np.uint32(i)
        words.append(word)
    return words


def _mt(seeds: Uints, count: int) -> Uints:
    """MT19937 as C++, NumPy's RandomState and most libraries seed it."""
    return _twist(_mt_words(seeds, 624 if count > 227 else 398 + count), count)


def _twist(words: list[Uints], count: int) -> Uints:
    rows = np.empty((count, len(words[0])), dtype=np.uint32)
    if count > 227:
        outputs = twisted(words)
        for row in range(count):
            rows[row] = next(outputs)
        return rows
    one, top, rest, twist = (np.uint32(x) for x in (1, 0x80000000, 0x7FFFFFFF, 0x9908B0DF))
    for i in range(count):
        y = (words[i] & top) | (words[i + 1] & rest)
        rows[i] = tempered(words[i + 397] ^ (y >> one) ^ ((y & one) * twist))
    return rows


def _mt_by_array(seeds: Uints, count: int) -> Uints:
    """MT19937 as Python seeds it with a whole number of at most 32 bits."""
    words = [np.broadcast_to(word, seeds.shape) for word in _mt_words(np.array([19650218], dtype=np.uint64), 624)]
    state = [word.copy() for word in words]
    key = (seeds & np.uint64(M32)).astype(np.uint32)
    i = 1
    for _ in range(624):
        last = state[i - 1]
        state[i] = (state[i] ^ ((last ^ (last >> np.uint32(30))) * np.uint32(1664525))) + key
        i += 1
        if i == 624:
            state[0], i = state[623], 1
    for _ in range(623):
        last = state[i - 1]
        state[i] = (state[i] ^ ((last ^ (last >> np.uint32(30))) * np.uint32(1566083941))) - np.uint32(i)
        i += 1
        if i == 624:
            state[0], i = state[623], 1
    state[0] = np.full(seeds.shape, 0x80000000, dtype=np.uint32)
    return _twist(state, count)


def _doubles(outputs: Callable[[Uints, int], Uints]) -> Callable[[Uints, int], Uints]:
    """Two outputs of 32 bits for a number of 53."""

    def paired(seeds: Uints, count: int) -> Uints:
        rows = outputs(seeds, 2 * count).astype(np.uint64)
        return rows[::2] >> np.uint64(5) << np.uint64(26) | rows[1::2] >> np.uint64(6)

    return paired


@cache
def _glibc_sums(degree: int, back: int, count: int) -> Uints:
    """How often each first word is in each output: glibc's additive generators are linear mod 2^32."""
    begun = degree + back  # the first words are taken over before the first sum
    sums = np.zeros((begun + 10 * degree + count, degree), dtype=np.uint32)
    sums[:degree] = np.eye(degree, dtype=np.uint32)
    sums[degree:begun] = sums[:back]
    for i in range(begun, len(sums)):
        sums[i] = sums[i - degree] + sums[i - back]
    return sums[begun + 10 * degree :]


def _glibc(degree: int, back: int, seeds: Uints, count: int) -> Uints:
    """glibc's random: the first words by MINSTD, ten times as many outputs thrown away."""
    word = seeds & np.uint64(M32)
    word = np.where(word == 0, np.uint64(1), word)
    signed = word.astype(np.uint32).view(np.int32).astype(np.int64)
    rows = np.zeros((count, len(seeds)), dtype=np.uint32)
    sums = _glibc_sums(degree, back, count)
    for i in range(degree):
        value = signed.astype(np.uint32)
        rows += sums[:, i, None] * value
        signed = np.fmod(16807 * signed, 2147483647)
        signed = np.where(signed < 0, signed + 2147483647, signed)
    return rows >> np.uint32(1)


def _dotnet(seeds: Uints, count: int) -> Uints:
    """System.Random of .NET: Knuth's subtractive generator, as that library seeds and steps it."""
    big = 2**31 - 1
    last = 161803398 - (seeds & np.uint64(HALF - 1)).astype(np.int64)
    table = np.zeros((56, len(seeds)), dtype=np.int64)
    table[55], following = last, np.ones(len(seeds), dtype=np.int64)
    for i in range(1, 55):
        at = 21 * i % 55
        table[at] = following
        following, last = last - following, table[at]
        following = np.where(following < 0, following + big, following)
    for _ in range(4):
        for i in range(1, 56):
            table[i] -= table[1 + (i + 30) % 55]
            table[i] = np.where(table[i] < 0, table[i] + big, table[i])
    rows = np.empty((count, len(seeds)), dtype=np.uint64)
    one, other = 0, 21
    for row in range(count):
        one, other = one % 55 + 1, other % 55 + 1
        drawn = table[one] - table[other]
        drawn = np.where(drawn == big, big - 1, drawn)
        table[one] = np.where(drawn < 0, drawn + big, drawn)
        rows[row] = table[one]
    return rows


def _shortened(outputs: Callable[[Uints, int], Uints], shift: int) -> Callable[[Uints, int], Uints]:
    def shown(seeds: Uints, count: int) -> Uints:
        rows = outputs(seeds, count)
        return np.asarray(rows >> rows.dtype.type(shift))

    return shown


MASK48 = (1 << 48) - 1
JAVA = 0x5DEECE66D

SEEDED = (
    SeededGenerator("java.util.Random, seeded", HALF, _lcg64(JAVA, 11, MASK48, 17, HALF, scramble=JAVA)),
    SeededGenerator("newlib rand, seeded", HALF, _lcg64(PCG, 1, M64, 32, HALF)),
    SeededGenerator("glibc rand TYPE_3, seeded", HALF, partial(_glibc, 31, 3), chunk=1 << 14, cost=3),
    SeededGenerator("System.Random of .NET, seeded", HALF - 1, _dotnet, chunk=1 << 12, cost=6),
    SeededGenerator("Python random, seeded", WIDE, _mt_by_array, chunk=1 << 12, cost=20),
    SeededGenerator("Python random.random, seeded", 1 << 53, _doubles(_mt_by_array), chunk=1 << 12, cost=20),
    SeededGenerator("MT19937, seeded", WIDE, _mt, chunk=1 << 13, cost=6),
    SeededGenerator("MT19937, 31 bits, seeded", HALF, _shortened(_mt, 1), chunk=1 << 13, cost=6),
    SeededGenerator("MT19937, 53 bits, seeded", 1 << 53, _doubles(_mt), chunk=1 << 13, cost=6),
    SeededGenerator("PCG32, seeded", WIDE, _pcg32((54 << 1) | 1, seeded=True)),
    SeededGenerator("PCG32, seeded, default stream", WIDE, _pcg32(0xDA3E39CB94B95BDB, seeded=True)),
    SeededGenerator("PCG32, 1442695040888963407, seeded", WIDE, _pcg32(1442695040888963407, seeded=True)),
    SeededGenerator("PCG32, stream 1, seeded", WIDE, _pcg32(3, seeded=True)),
    SeededGenerator("PCG32, the seed is the state", WIDE, _pcg32(1442695040888963407, seeded=False)),
    SeededGenerator("xorshift64* 12 25 27, high half, seeded", WIDE, _xorshift64(True, True, (12, 25, 27))),
    SeededGenerator("xorshift64 13 7 17, high half, seeded", WIDE, _xorshift64(False, True, (13, 7, 17))),
    SeededGenerator("xorshift64 13 7 17, low half, seeded", WIDE, _xorshift64(False, False, (13, 7, 17))),
    SeededGenerator("SplitMix64, high half, seeded", WIDE, _splitmix64(True)),
    SeededGenerator("SplitMix64, low half, seeded", WIDE, _splitmix64(False)),
    SeededGenerator("xoroshiro128+, seeded", WIDE, _xoroshiro128),
    SeededGenerator("xoshiro256**, seeded", WIDE, _xoshiro256),
    SeededGenerator("xorshift128, seeded", WIDE, _xorshift128),
    SeededGenerator("glibc rand TYPE_1, seeded", HALF, partial(_glibc, 7, 3)),
    SeededGenerator("glibc rand TYPE_2, seeded", HALF, partial(_glibc, 15, 1)),
)
"""The likely ones first. A row adds one."""

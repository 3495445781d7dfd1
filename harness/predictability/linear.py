"""Generators that are linear over bits: any state follows from enough known bits of their outputs, by linear algebra.

A linear generator is run from every state with a single bit set, all at once. What it gives from any other state is a
sum of those outputs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from feltrig.harness.predictability.scalings import Uints
from feltrig.harness.predictability.whole_search import OutOfTime

Words = list[Uints]
Packed = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class LinearGenerator:
    """A generator over bits. `run` yields its outputs, for many states at once: one array per word of the state."""

    name: str
    words: int
    kind: type[np.unsignedinteger[Any]]
    span: int
    run: Callable[[Words], Iterator[Uints]]

    @property
    def bits(self) -> int:
        """How many bits a state has."""
        return self.words * np.iinfo(self.kind).bits

    def outputs(self, state: Sequence[int]) -> Iterator[int]:
        """The outputs that follow a state."""
        return (int(output[0]) for output in self.run([np.array([word], dtype=self.kind) for word in state]))


def _xorshift64(shifts: tuple[int, int, int], high: bool) -> Callable[[Words], Iterator[Uints]]:
    a, b, c = (np.uint64(shift) for shift in shifts)

    def run(words: Words) -> Iterator[Uints]:
        x = words[0]
        while True:
            x = x ^ (x << a)
            x = x ^ (x >> b)
            x = x ^ (x << c)
            yield x >> np.uint64(32) if high else x & np.uint64(0xFFFFFFFF)

    return run


def _xorshift128(words: Words) -> Iterator[Uints]:
    x, y, z, w = words
    while True:
        t = x ^ (x << np.uint32(11))
        x, y, z = y, z, w
        w = w ^ (w >> np.uint32(19)) ^ t ^ (t >> np.uint32(8))
        yield w


def _combined(parts: Sequence[tuple[int, int, int, int]]) -> Callable[[Words], Iterator[Uints]]:
    """Tausworthe generators, added: each with its shifts and its mask (L'Ecuyer)."""

    def run(words: Words) -> Iterator[Uints]:
        state = list(words)
        while True:
            for i, (first, back, mask, on) in enumerate(parts):
                b = ((state[i] << np.uint32(first)) ^ state[i]) >> np.uint32(back)
                state[i] = ((state[i] & np.uint32(mask)) << np.uint32(on)) ^ b
            total = state[0]
            for part in state[1:]:
                total = total ^ part
            yield total

    return run


def twisted(words: Words) -> Iterator[Uints]:
    """MT19937: the outputs that follow when all words of the state are used up."""
    state = np.array(words)
    one, top, rest, twist = (np.uint32(x) for x in (1, 0x80000000, 0x7FFFFFFF, 0x9908B0DF))
    while True:
        for i in range(624):
            y = (state[i] & top) | (state[(i + 1) % 624] & rest)
            state[i] = state[(i + 397) % 624] ^ (y >> one) ^ ((y & one) * twist)
            yield tempered(state[i])


def tempered(y: Uints) -> Uints:
    """An output of MT19937 from a word of its state."""
    y = y ^ (y >> np.uint32(11))
    y = y ^ ((y << np.uint32(7)) & np.uint32(0x9D2C5680))
    y = y ^ ((y << np.uint32(15)) & np.uint32(0xEFC60000))
    return np.asarray(y ^ (y >> np.uint32(18)))


def _pairs(run: Callable[[Words], Iterator[Uints]]) -> Callable[[Words], Iterator[Uints]]:
    """Two outputs for a number of 53 bits."""

    def paired(words: Words) -> Iterator[Uints]:
        outputs = run(words)
        for first in outputs:
            second = next(outputs)
            wide, narrow = first.astype(np.uint64) >> np.uint64(5), second.astype(np.uint64) >> np.uint64(6)
            yield wide << np.uint64(26) | narrow

    return paired


TAUS88 = ((13, 19, 0xFFFFFFFE, 12), (2, 25, 0xFFFFFFF8, 4), (3, 11, 0xFFFFFFF0, 17))
LFSR113 = (
    (6, 13, 0xFFFFFFFE, 18),
    (2, 27, 0xFFFFFFF8, 2),
    (13, 21, 0xFFFFFFF0, 7),
    (3, 12, 0xFFFFFF80, 13),
)
FULL = 1 << 32

LINEAR = (
    LinearGenerator("xorshift64 13 7 17, high half", 1, np.uint64, FULL, _xorshift64((13, 7, 17), True)),
    LinearGenerator("xorshift64 13 7 17, low half", 1, np.uint64, FULL, _xorshift64((13, 7, 17), False)),
    LinearGenerator("xorshift128", 4, np.uint32, FULL, _xorshift128),
    LinearGenerator("taus88", 3, np.uint32, FULL, _combined(TAUS88)),
    LinearGenerator("lfsr113", 4, np.uint32, FULL, _combined(LFSR113)),
    LinearGenerator("MT19937", 624, np.uint32, FULL, twisted),
    LinearGenerator("MT19937, 53 bits", 624, np.uint32, 1 << 53, _pairs(twisted)),
)
"""A row adds one."""

Known = Sequence[tuple[int, int, int]]
"""Known bits: the number of the output from 0, the place of the bit from the lowest, its value."""


def solved(generator: LinearGenerator, known: Known, goes_on: Callable[[], bool] = lambda: True) -> list[int] | None:
    """The state from whose outputs these bits follow, None if there is none. Raises OutOfTime."""
    rows, right = _equations(generator, known)
    bits = eliminated(rows, right, generator.bits, goes_on)
    if bits is None:
        return None
    width = np.iinfo(generator.kind).bits
    return [
        sum(int(bit) << place for place, bit in enumerate(bits[word * width : (word + 1) * width]))
        for word in range(generator.words)
    ]


def _equations(generator: LinearGenerator, known: Known) -> tuple[Packed, npt.NDArray[np.uint8]]:
    """One row for each known bit: of which bits of the state it is the sum."""
    width, size = np.iinfo(generator.kind).bits, generator.bits
    basis = []
    for word in range(generator.words):
        column = np.zeros(size, dtype=generator.kind)
        column[word * width : (word + 1) * width] = generator.kind(1) << np.arange(width, dtype=generator.kind)
        basis.append(column)
    padded = -(-size // 64) * 8
    rows = np.zeros((len(known), padded), dtype=np.uint8)
    outputs, at, current = generator.run(basis), -1, basis[0]
    for row, (number, place, _) in enumerate(known):
        while at < number:
            current, at = next(outputs), at + 1
        bits = ((current >> current.dtype.type(place)) & current.dtype.type(1)).astype(np.uint8)
        packed = np.packbits(bits, bitorder="little")
        rows[row, : len(packed)] = packed
    return rows.view(np.uint64), np.array([value for _, _, value in known], dtype=np.uint8)


STRIPE = 8
"""Columns that are eliminated at a time, with a table of all sums of their pivots."""


def eliminated(
    rows: Packed, right: npt.NDArray[np.uint8], unknowns: int, goes_on: Callable[[], bool]
) -> npt.NDArray[np.uint8] | None:
    """A solution of linear equations over bits, free unknowns being 0; None if there is none."""
    table = np.concatenate([rows, right.astype(np.uint64)[:, None]], axis=1)
    pivots: list[int] = []
    top = 0
    for first in range(0, unknowns, STRIPE):
        if not goes_on():
            raise OutOfTime
        columns = range(first, min(first + STRIPE, unknowns))
        found = _stripe(table, top, columns)
        held = table[top : top + len(found)]
        word = first // 64
        if found:
            below = table[top + len(found) :, word:]
            sums = np.zeros((1 << len(found), below.shape[1]), dtype=np.uint64)
            for i in range(len(found)):
                sums[1 << i : 2 << i] = sums[: 1 << i] ^ held[i, word:]
            index = np.zeros(len(below), dtype=np.int64)
            for i, column in enumerate(found):  # pivots are reduced among themselves: each column is in one of them
                index |= ((below[:, 0] >> np.uint64(column % 64)) & np.uint64(1)).astype(np.int64) << i
            below ^= sums[index]
        pivots += found
        top += len(found)
    if np.any(table[top:, -1]):
        return None
    return _back(table, pivots, unknowns)


def _stripe(table: Packed, top: int, columns: range) -> list[int]:
    """Bring pivots of these columns to the top, reduced among themselves; the columns that have one."""
    word = columns[0] // 64
    mask = sum(1 << column % 64 for column in columns)
    found: list[int] = []
    row = top
    while len(found) < len(columns) and row < len(table):
        bits = int(table[row, word]) & mask
        for i, column in enumerate(found):
            if bits >> column % 64 & 1:
                table[row] ^= table[top + i]
                bits = int(table[row, word]) & mask
        if bits:
            column = next(c for c in columns if bits >> c % 64 & 1)
            for i in range(len(found)):
                if int(table[top + i, word]) >> column % 64 & 1:
                    table[top + i] ^= table[row]
            if row != top + len(found):
                table[[row, top + len(found)]] = table[[top + len(found), row]]
            found.append(column)
        row += 1
    return found


def _back(table: Packed, pivots: list[int], unknowns: int) -> npt.NDArray[np.uint8]:
    solution = np.zeros(unknowns, dtype=np.uint8)
    packed = np.zeros(table.shape[1] - 1, dtype=np.uint64)
    for row in range(len(pivots) - 1, -1, -1):
        both = int(np.bitwise_xor.reduce(table[row, :-1] & packed)).bit_count() & 1
        value = both ^ int(table[row, -1])
        column = pivots[row]
        solution[column] = value
        packed[column // 64] |= np.uint64(value << column % 64)
    return solution

"""A sample of shuffles: statistics of each by itself or beside the last ones, and tables counted over all of them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from feltrig.harness.statistics.core.law import Law
from feltrig.harness.statistics.shuffles import laws
from feltrig.harness.statistics.shuffles.deck import CHUNK, ENOUGH, Counts, Faces, Orders, composed, flat, inverse_of

Tally = Callable[[Orders, Orders], None]
"""Counts something over shuffles, which it is given as columns, with the inverse of each."""

UNKNOWN = -1
"""The value of a statistic that was not measured, or that compares with an earlier shuffle where there is none."""
FEW = 32
"""Shuffles of which all pairs of cards are compared at once; of more, it is quicker to count card by card."""


@dataclass(frozen=True, slots=True)
class Statistic:
    """The side (1 more, -1 less, 0 either) to which defects move it; its law for a deck of n; and with which deck
    before this one it compares."""

    lean: int
    law: Callable[[int], Law]
    lag: int = 0


def _first_half(n: int) -> Law:
    """Coins: the even numbers among the upper half of 1 to n."""
    return laws.coins(n // 2 - (n - n // 2) // 2)


STATISTICS: Mapping[str, Statistic] = {
    "rising sequences": Statistic(-1, laws.descents),
    "turning points": Statistic(-1, laws.turning_points),
    "kept neighbours": Statistic(1, laws.adjacencies),
    "inversions": Statistic(-1, laws.inversions),
    "fixed points": Statistic(1, laws.fixed_points),
    "cycles": Statistic(-1, laws.cycles),
    "parity": Statistic(0, lambda _: laws.parity()),
    "rising sequences since last deck": Statistic(-1, laws.descents, 1),
    "kept neighbours since last deck": Statistic(1, laws.adjacencies, 1),
    "descents": Statistic(-1, laws.descents),
    "inverse turning points": Statistic(-1, laws.turning_points),
    "reversed neighbours": Statistic(1, laws.adjacencies),
    "fixed points since last deck": Statistic(1, laws.fixed_points, 1),
    "turning points since last deck": Statistic(-1, laws.turning_points, 1),
    "rising sequences over two decks": Statistic(-1, laws.descents, 2),
    "kept neighbours over two decks": Statistic(1, laws.adjacencies, 2),
    "low bits, swapping down": Statistic(0, lambda n: laws.coins(n // 2)),
    "low bits, swapping up": Statistic(0, _first_half),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """One entry per shuffle: the value of each statistic, and the largest count of one difference of neighbours."""

    n: int
    values: Mapping[str, Counts]
    differences: Counts
    groups: Faces | None

    def __len__(self) -> int:
        return len(self.differences)

    def known(self, name: str) -> Counts:
        """The values of a statistic where it has one; none at all for faces that are not known."""
        column = self.values.get(name, np.zeros(0, np.int32))
        known: Counts = column[column != UNKNOWN]
        return known

    def law(self, name: str) -> Law:
        """The exact law of a statistic that was measured."""
        return self.groups.law(name) if self.groups and name in self.groups.groups else STATISTICS[name].law(self.n)


@dataclass(frozen=True, slots=True)
class ShuffleBlock:
    """A block of shuffles, measured against those before it."""

    orders: Orders
    measured: Measured

    def __len__(self) -> int:
        return len(self.orders)


def measure(
    orders: Orders, *, earlier: Orders | None = None, groups: Faces | None = None, tally: Tally | None = None
) -> Measured:
    """Measures each row; `earlier` holds the shuffles before the first, latest last, as far as they are known. What is
    to be counted over the whole sample is left to `tally`."""
    count, n = orders.shape
    small = np.uint8 if n < 256 else np.uint16
    rows = np.asarray(orders, small)
    known = 0
    if earlier is not None and len(earlier):
        known = min(2, len(earlier))
        rows = np.concatenate([np.asarray(earlier[-known:], small), rows])
    values = {name: np.full(count, UNKNOWN, np.int32) for name in (*STATISTICS, *(groups.groups if groups else ()))}
    differences = np.zeros(count, np.int32)
    for start in range(0, count, CHUNK):
        stop = min(start + CHUNK, count)
        lead = min(2, known + start)
        chunk = np.ascontiguousarray(rows[known + start - lead : known + stop].T)
        inverse = inverse_of(chunk)
        own = np.ascontiguousarray(chunk[:, lead:]), np.ascontiguousarray(inverse[:, lead:])
        found = (*_measured(*own), *_compared(chunk, inverse))
        if start < ENOUGH:
            found += (*_rarer(*own), *_compared_further(chunk, inverse), *_grouped(own[0], groups))
            differences[start:stop] = _differences(own[0])
        for name, column in found:
            at = slice(stop - min(len(column), stop - start), stop)
            values[name][at] = column[-(stop - start) :]
        if tally is not None:
            tally(*own)
    return Measured(n, values, differences, groups)


def _measured(o: Orders, inverse: Orders) -> Iterator[tuple[str, Counts]]:
    """Statistics of each column by itself."""
    n, count = o.shape
    for of, falls, turns in (
        (inverse, "rising sequences", "inverse turning points"),
        (o, "descents", "turning points"),
    ):
        rises = of[1:] > of[:-1]
        yield falls, n - 1 - _count(rises)
        yield turns, _count(rises[1:] != rises[:-1])
    steps = o[1:] - o[:-1]
    yield "kept neighbours", _count(steps == 1)
    yield "reversed neighbours", _count(steps == np.iinfo(o.dtype).max)
    yield "fixed points", _count(o == np.arange(n, dtype=o.dtype)[:, None])
    inversions = np.zeros(count, np.int32)
    for gap in range(1, n):
        inversions += _count(o[gap:] < o[:-gap])
    yield "inversions", inversions
    cycles, low = _cycles(o, inverse, n)
    yield "cycles", cycles
    yield "parity", (n - cycles) & 1
    yield "low bits, swapping down", low


def _rarer(o: Orders, inverse: Orders) -> Iterator[tuple[str, Counts]]:
    """Statistics of each column by itself that are rarely needed."""
    n = len(o)
    yield "low bits, swapping up", _cycles(n - 1 - o[::-1], n - 1 - inverse[::-1], n // 2)[1]


def _compared(o: Orders, inverse: Orders) -> Iterator[tuple[str, Counts]]:
    """Statistics of each column relative to the one before."""
    n, count = o.shape
    if count > 1:
        places = composed(inverse[:, 1:], o[:, :-1])
        yield "rising sequences since last deck", n - 1 - _count(places[1:] > places[:-1])
        yield "kept neighbours since last deck", _count(places[1:] - places[:-1] == 1)
        yield "fixed points since last deck", _count(places == np.arange(n, dtype=o.dtype)[:, None])


def _compared_further(o: Orders, inverse: Orders) -> Iterator[tuple[str, Counts]]:
    """The same with the one before that; and shelves relative to the one before."""
    n, count = o.shape
    if count > 1:
        relative = composed(inverse[:, :-1], o[:, 1:])
        rises = relative[1:] > relative[:-1]
        yield "turning points since last deck", _count(rises[1:] != rises[:-1])
    if count > 2:
        places = composed(inverse[:, 2:], o[:, :-2])
        yield "rising sequences over two decks", n - 1 - _count(places[1:] > places[:-1])
        yield "kept neighbours over two decks", _count(places[1:] - places[:-1] == 1)


def _grouped(o: Orders, groups: Faces | None) -> Iterator[tuple[str, Counts]]:
    """Neighbours of one colour, suit or rank in each column."""
    if groups:
        cards = o.astype(np.intp)
        for name, group in groups.groups.items():
            of = np.array(group, np.uint16).astype(np.uint8 if max(group) < 256 else np.uint16).take(cards)
            yield name, _count(of[1:] == of[:-1] + (name == "next face"))


def _differences(o: Orders) -> Counts:
    """The largest number of neighbours in each column whose places differ by the same number, around the deck."""
    n, count = o.shape
    falls = o[1:] < o[:-1]
    steps = (o[1:] - o[:-1] + falls * o.dtype.type(n)).astype(np.intp)  # wraps around twice where it falls
    steps *= count
    steps += np.arange(count)
    largest: Counts = np.bincount(steps.ravel(), minlength=n * count).reshape(n, count).max(axis=0).astype(np.int32)
    return largest


def _cycles(o: Orders, inverse: Orders, draws: int) -> tuple[Counts, Counts]:
    """Cycles of each column that end at one of the `draws` highest places; and the odd draws among those below an even
    number, if a shuffling program had made as many draws.

    Cutting out the highest place leaves a shuffle of the others. Where that place stood is what a program that swaps
    downwards has drawn: uniform, and independent of the other draws.
    """
    n, count = o.shape
    forth, back = flat(o).ravel(), flat(inverse).ravel()
    itself = np.arange(n * count, dtype=np.int32)
    is_odd = np.repeat(np.arange(n, dtype=o.dtype) & 1, count)
    cycles, odd = np.zeros(count, o.dtype), np.zeros(count, o.dtype)
    for place in range(n - 1, n - 1 - draws, -1):
        here = slice(place * count, (place + 1) * count)
        card, position = forth[here], back[here]
        cycles += card == itself[here]
        if place % 2:
            odd += is_odd[card]
        forth[position] = card
        back[card] = position
    return cycles.astype(np.int32), odd.astype(np.int32)


def _count(marks: NDArray[np.bool_]) -> Counts:
    """How many marks each column has."""
    wide = np.uint8 if len(marks) < 256 else np.uint16
    counted: Counts = np.add.reduce(marks.view(np.uint8), axis=0, dtype=wide).astype(np.int32)
    return counted


Table = NDArray[np.int64]


class Tables:
    """How often each card came at each position, followed each other, and came before each other."""

    def __init__(self, n: int) -> None:
        self.n, self.count, self.compared = n, 0, 0
        self.position: Table = np.zeros((n, n), np.int64)
        self.successor: Table = np.zeros((n, n), np.int64)
        self.before: Table = np.zeros((n, n), np.int64)
        """Of the first `compared` shuffles; above the diagonal."""

    def add(self, o: Orders, places: Orders) -> None:
        """Counts shuffles, given as columns, and their inverses."""
        n = self.n
        self.count += o.shape[1]
        cards = o.astype(np.intp)
        self.position += counted(n * np.arange(n)[:, None] + cards, n)
        self.successor += counted(n * cards[:-1] + cards[1:], n)
        if self.compared < ENOUGH:
            self.compared += o.shape[1]
            self.before += _before(places)


@dataclass(frozen=True, slots=True)
class ShuffleSample:
    """Shuffles, with what was measured of each and counted of all."""

    orders: Orders
    measured: Measured
    tables: Tables


def sample_of(orders: Orders, groups: Faces | None = None) -> ShuffleSample:
    """Measures and counts."""
    tables = Tables(orders.shape[1])
    return ShuffleSample(orders, measure(orders, groups=groups, tally=tables.add), tables)


def counted(cells: NDArray[np.intp], n: int) -> Table:
    """How often each cell of a table of n by n was met."""
    return np.bincount(cells.ravel(), minlength=n * n).reshape(n, n)


def _before(places: Orders) -> Table:
    """How often the card of the row came before that of the column; above the diagonal."""
    n, count = places.shape
    if count < FEW:
        return np.triu((places[:, None] < places).sum(axis=2))
    before = np.zeros((n, n), np.int64)
    for card in range(n - 1):
        before[card, card + 1 :] = [np.count_nonzero(later) for later in places[card] < places[card + 1 :]]
    return before

"""A sample of shuffles, with what was measured of each and counted of all."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from feltrig.harness.statistics.shuffles.deck import ENOUGH, Faces, Orders
from feltrig.harness.statistics.shuffles.measured import Measured, measure

Table = NDArray[np.int64]

FEW = 32
"""Shuffles of which all pairs of cards are compared at once; of more, it is quicker to count card by card."""


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

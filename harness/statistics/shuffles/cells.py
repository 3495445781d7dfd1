"""Which card comes at which position: the table as a whole, its fullest and its emptiest cell, and learners of it."""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from feltrig.harness.statistics.core.law import tails
from feltrig.harness.statistics.core.p_values import NOTHING, Array, FixedResult
from feltrig.harness.statistics.core.tails import binomial_above, binomial_below, pearson_above, pearson_below
from feltrig.harness.statistics.shuffles import laws
from feltrig.harness.statistics.shuffles.deck import Deck
from feltrig.harness.statistics.shuffles.measured import ShuffleBlock, Table, Tables

Ints = NDArray[np.intp]

PSEUDO_COUNTS = (0.25, 2.0, 16.0)
"""How many decks' worth of fairness a learner starts with, for each cell."""
CHANCES = (0.02, 0.05, 0.12, 0.3, 0.7, 0.98)
"""How often a bettor on a single cell expects it."""


def coincidences(tables: Tables) -> FixedResult:
    """Pairs of shuffles with the same card in the same place. Too few are suspicious as well."""
    pairs = tables.count * (tables.count - 1) / 2
    if not pairs:
        return NOTHING
    seen = float((tables.position * (tables.position - 1)).sum()) / 2
    skew = math.sqrt(8 / (tables.n - 1) ** 2 + 1 / pairs)
    return FixedResult(seen, pearson(seen, pairs, pairs, skew * pairs**1.5))


def worst_cell(tables: Tables) -> FixedResult:
    """One card in one place too often: a corner, a card that stays, any cell."""
    t, n, count = tables.position, tables.n, tables.count
    corners = max(t[0, 0], t[0, -1], t[-1, 0], t[-1, -1])
    looks = ((corners, 4), (np.diagonal(t).max(), n), (t.max(), n * n))
    p = min(size * float(binomial_above(count, 1 / n, high)) for high, size in looks)
    return FixedResult(float(t.max()), min(1.0, len(looks) * p))


def empty_cell(tables: Tables) -> FixedResult:
    """One card in one place, or after one other, too seldom."""
    n, count = tables.n, tables.count
    pairs = tables.successor[~np.eye(n, dtype=bool)]
    low = min(int(tables.position.min()), int(pairs.min()))
    return FixedResult(float(low), min(1.0, n * (2 * n - 1) * float(binomial_below(count, 1 / n, low))))


def displacement(tables: Tables) -> FixedResult:
    """One displacement too often or too seldom: each is as likely as staying in place."""
    seen, law = around(tables.position), laws.fixed_points(tables.n)
    low, high = int(seen.min()), int(seen.max())
    tail = min(tails(law, tables.count, low)[0], tails(law, tables.count, high)[1])
    return FixedResult(float(high), min(1.0, 2 * tables.n * tail))


def around(table: Table) -> Table:
    """Sums over the cells whose column lies 0, 1, 2, ... beyond their row, around the deck."""
    n = len(table)
    row, by = np.arange(n), np.arange(n)[:, None]
    sums: Table = table[row, (row + by) % n].sum(axis=1)
    return sums


def pearson(value: float, mean: float, variance: float, third: float) -> float:
    """Two-sided tail of the Pearson III law with these moments."""
    above, below = pearson_above(value, mean, variance, third), pearson_below(value, mean, variance, third)
    return min(1.0, 2 * float(min(above, below)))


class CellLearner:
    """Learns which cells decks hit: a card at a position, or after another."""

    weights = np.full(len(PSEUDO_COUNTS), 1 / len(PSEUDO_COUNTS))

    def __init__(self, cells: int, hits: Callable[[Ints], Ints]) -> None:
        """`hits` of a deck has, in row j and column i, the cell that its i-th card would hit if it came as the j-th."""
        self._seen, self._hits = np.zeros(cells), hits

    def bets(self, block: ShuffleBlock) -> Array:
        """One column per pseudo-count."""
        logs = np.empty((len(block), len(PSEUDO_COUNTS)))
        for t, order in enumerate(block.orders.astype(np.intp)):
            cells = self._hits(order)
            logs[t] = learned(self._seen[cells])
            np.add.at(self._seen, cells.diagonal(), 1)
        return logs


def places(deck: Deck) -> CellLearner:
    """Learns which card comes at which position."""
    rows = deck.n * np.arange(deck.n)[:, None]
    return CellLearner(deck.n**2, lambda order: rows + order)


class Cells:
    """Bets on single cells, all at once: that one thing of many, each with a fair chance of 1/n, happens too often."""

    weights = np.ones(1)

    def __init__(self, stakes: Array, hits: Callable[[Ints], Ints]) -> None:
        """`hits` tells which cells a deck hits, each at most once. The stakes on all of them sum to 1."""
        n, chances = math.isqrt(len(stakes)), np.array(CHANCES)
        # Every cell that is not hit keeps 1 - p. That is left out of the wealth below, so that only hits touch it.
        self._kept = np.log1p(-chances)
        self._odds = np.log(chances * n / (1 - chances))[:, None]
        with np.errstate(divide="ignore"):
            self._wealth = np.tile(np.log(stakes), (len(CHANCES), 1)) - math.log(len(CHANCES))
        self._total = np.full(len(CHANCES), -math.log(len(CHANCES)))
        self._count = 0
        self._hits = hits

    def bets(self, block: ShuffleBlock) -> Array:
        """One column: the stakes of all cells together."""
        logs = np.empty((len(block), 1))
        before = np.logaddexp.reduce(self._total)
        for t, order in enumerate(block.orders.astype(np.intp)):
            cells = self._hits(order)
            gained = self._wealth[:, cells] + self._odds
            self._wealth[:, cells] = np.logaddexp(self._wealth[:, cells], gained)
            # The wealth lacks what was kept so far; the total has it.
            so_far = self._kept * self._count
            self._total = np.logaddexp(self._total, np.logaddexp.reduce(gained, axis=1) + so_far) + self._kept
            self._count += 1
            after = np.logaddexp.reduce(self._total)
            logs[t, 0] = after - before
            before = after
        return logs


class Together:
    """Many bets with equal stakes, as one bettor."""

    weights = np.ones(1)

    def __init__(self, staked: NDArray[np.bool_], factors: Callable[[Ints], Array]) -> None:
        """`factors` tells the logs of the factors that a deck gives to the bets; those marked by `staked` are made."""
        self._wealth = np.where(staked, -math.log(np.count_nonzero(staked)), -math.inf)
        self._factors, self._total = factors, 0.0

    def bets(self, block: ShuffleBlock) -> Array:
        """One column: the stakes of all bets together."""
        logs = np.empty((len(block), 1))
        for t, order in enumerate(block.orders.astype(np.intp)):
            self._wealth += self._factors(order)
            highest = float(self._wealth.max())
            total = highest + math.log(float(np.exp(self._wealth - highest).sum()))
            logs[t, 0] = total - self._total
            self._total = total
        return logs


def one_place(deck: Deck) -> Cells:
    """Bettors on one card in one place."""
    row = np.arange(deck.n) * deck.n
    return Cells(place_stakes(deck.n), lambda order: row + order)


def place_stakes(n: int) -> Array:
    """Stakes on one card in one place: corners and places where a card stays are likelier than others."""
    stakes = np.full((n, n), 0.5 / n**2)
    stakes[np.arange(n), np.arange(n)] += 0.25 / n
    stakes[[0, 0, -1, -1], [0, -1, 0, -1]] += 0.25 / 4
    return stakes.ravel()


def learned(seen: Array) -> Array:
    """Log factors of a learner that has seen these counts, for each pseudo-count.

    `seen[j, i]` tells how often the learner saw what the i-th card of this deck would be, if it came as the j-th.
    """
    left = np.arange(len(seen), 0, -1.0)
    own, rest = seen.diagonal(), np.einsum("ij,ij->i", seen, not_yet_out(len(seen)))
    a = np.array(PSEUDO_COUNTS)[:, None]
    factors: Array = np.log((own + a) * left / (rest + a * left)).sum(axis=1)
    return factors


@lru_cache(maxsize=16)
def not_yet_out(n: int) -> Array:
    """Marks the cards that are not yet out at each position."""
    return np.triu(np.ones((n, n)))

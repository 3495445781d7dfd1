"""What a shuffler keeps of earlier decks: cards in the places that they had in the last one, neighbours of an old one.

Relative to the deck so many before it, each deck of a fair machine is a fair shuffle, independent of the others.
"""

import math

import numpy as np

from feltrig.harness.statistics.core.law import leaning, tails
from feltrig.harness.statistics.core.p_values import NOTHING, Array, FixedResult, either
from feltrig.harness.statistics.core.sequential import Bettors
from feltrig.harness.statistics.shuffles import laws
from feltrig.harness.statistics.shuffles.cells import worst_cell
from feltrig.harness.statistics.shuffles.deck import ENOUGH, Deck, Orders, composed, inverse_of
from feltrig.harness.statistics.shuffles.drift import SMOOTH, smooth
from feltrig.harness.statistics.shuffles.measured import ShuffleBlock
from feltrig.harness.statistics.shuffles.one_deck import tilt
from feltrig.harness.statistics.shuffles.sample import Tables, counted

LEAST = 32
"""The fewest decks that are tested."""
OLDEST = 128
"""How many decks back neighbours are looked for; the last two have tests of their own."""
KEPT = (0.3, 0.8, 2.1)
"""Tilts of the neighbours kept from an old deck, in standard deviations."""


def moves(orders: Orders) -> Orders:
    """Where the card at each place of the last deck is now: one row for each shuffle but the first."""
    o = np.ascontiguousarray(orders.T)
    return np.ascontiguousarray(composed(inverse_of(o)[:, 1:], o[:, :-1]).T)


def kept_places(orders: Orders) -> FixedResult:
    """Cards that stay where they were in the last deck, that go from one place to one other, or that drift."""
    if len(orders) < LEAST:
        return NOTHING
    moved = moves(orders[:ENOUGH])
    tables = Tables(moved.shape[1])
    tables.count = len(moved)
    tables.position = counted(tables.n * np.arange(tables.n) + moved.astype(np.intp), tables.n)
    stayed = int(np.trace(tables.position))
    looks = (
        (float(stayed), leaning(laws.fixed_points(tables.n), tables.count, stayed, 1)),
        worst_cell(tables),
        smooth(tables, SMOOTH),
    )
    return either(*looks)


def kept_neighbours(orders: Orders) -> FixedResult:
    """Neighbours that were neighbours in the deck 3, 4, 5, ... before: how far back, and how likely."""
    rows = orders[:ENOUGH]
    lags = range(3, min(OLDEST, len(rows) // 2) + 1)
    if len(rows) < LEAST:
        return NOTHING
    after = followers(rows)
    ended = after == rows.shape[1]
    kept = [int(np.count_nonzero((after[lag:] == after[:-lag]) & ~ended[lag:])) for lag in lags]
    most = max(range(len(lags)), key=lambda at: (kept[at] - len(rows) + lags[at]) / (len(rows) - lags[at]) ** 0.5)
    above = tails(laws.adjacencies(rows.shape[1]), len(rows) - lags[most], kept[most])[1]
    return FixedResult(float(lags[most]), min(1.0, len(lags) * above))


def followers(rows: Orders) -> Orders:
    """Which card follows each card in each deck; n after the last one."""
    count, n = rows.shape
    after = np.empty((count, n), np.uint8 if n < 255 else np.uint16)
    np.put_along_axis(after, rows[:, :-1].astype(np.intp), rows[:, 1:].astype(after.dtype), axis=1)
    np.put_along_axis(after, rows[:, -1:].astype(np.intp), after.dtype.type(n), axis=1)
    return after


class SinceLast:
    """Bettors on the places of cards, which are shown where those of the last deck have gone."""

    def __init__(self, bettors: Bettors) -> None:
        self.weights = bettors.weights
        self._bettors = bettors
        self._last: Orders | None = None

    def bets(self, block: ShuffleBlock) -> Array:
        """Their bets; none on the first deck of all."""
        rows = block.orders if self._last is None else np.concatenate([self._last, block.orders])
        self._last = rows[-1:]
        logs = np.zeros((len(block), len(self.weights)))
        if len(rows) > 1:
            logs[len(block) - len(rows) + 1 :] = self._bettors.bets(ShuffleBlock(moves(rows), block.measured))
        return logs


class OldNeighbours:
    """Bets that neighbours of the deck 3, 4, 5, ... before are neighbours again, at all these lags at once."""

    weights = np.ones(1)

    def __init__(self, deck: Deck) -> None:
        law = laws.adjacencies(deck.n)
        self._factors = np.array([tilt(law, deviations, 1.0) for deviations in KEPT]).T
        self._wealth = np.full((OLDEST - 2, len(KEPT)), -math.log((OLDEST - 2) * len(KEPT)))
        self._seen: Orders = np.empty((0, deck.n), np.uint16)

    def bets(self, block: ShuffleBlock) -> Array:
        """One column: the stakes of all lags together."""
        n = block.orders.shape[1]
        rows = np.concatenate([self._seen, followers(block.orders)])
        logs = np.empty((len(block), 1))
        before = np.logaddexp.reduce(self._wealth, axis=None)
        for t, at in enumerate(range(len(self._seen), len(rows))):
            old = rows[max(0, at - OLDEST) : max(0, at - 2)][::-1]
            kept = ((old == rows[at]) & (old != n)).sum(axis=1)
            self._wealth[: len(kept)] += self._factors[kept]
            total = np.logaddexp.reduce(self._wealth, axis=None)
            logs[t, 0] = total - before
            before = total
        self._seen = rows[-OLDEST:]
        return logs

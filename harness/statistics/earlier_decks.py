"""What a shuffler keeps of earlier decks: cards in the places that they had in the last one, neighbours of an old one.

Relative to the deck so many before it, each deck of a fair machine is a fair shuffle, independent of the others.
"""

import numpy as np

from feltrig.harness.statistics import laws
from feltrig.harness.statistics.deckwise import ENOUGH, Orders, composed, inverse_of
from feltrig.harness.statistics.wholes import NOTHING, SMOOTH, Found, Tables, counted, smooth, worst_cell

LEAST = 32
"""Decks below which nothing is said."""
OLDEST = 128
"""How many decks back neighbours are looked for; the last two have tests of their own."""


def moves(orders: Orders) -> Orders:
    """Where the card at each place of the last deck is now: one row for each shuffle but the first."""
    o = np.ascontiguousarray(orders.T)
    return np.ascontiguousarray(composed(inverse_of(o)[:, 1:], o[:, :-1]).T)


def kept_places(orders: Orders) -> Found:
    """MOV: cards that stay where they were in the last deck, that go from one place to one other, or that drift."""
    if len(orders) < LEAST:
        return NOTHING
    moved = moves(orders[:ENOUGH])
    tables = Tables(moved.shape[1])
    tables.count = len(moved)
    tables.position = counted(tables.n * np.arange(tables.n) + moved.astype(np.intp), tables.n)
    stayed = int(np.trace(tables.position))
    looks = (
        (float(stayed), laws.leaning(laws.fixed_points(tables.n), tables.count, stayed, 1)),
        worst_cell(tables),
        smooth(tables, SMOOTH),
    )
    statistic, p = min(looks, key=lambda look: look[1])
    return statistic, min(1.0, len(looks) * p)


def kept_neighbours(orders: Orders) -> Found:
    """OLD: neighbours that were neighbours in the deck 3, 4, 5, ... before: how far back, and how likely."""
    rows = orders[:ENOUGH]
    lags = range(3, min(OLDEST, len(rows) // 2) + 1)
    if len(rows) < LEAST:
        return NOTHING
    after = followers(rows)
    ended = after == rows.shape[1]
    kept = [int(np.count_nonzero((after[lag:] == after[:-lag]) & ~ended[lag:])) for lag in lags]
    most = max(range(len(lags)), key=lambda at: (kept[at] - len(rows) + lags[at]) / (len(rows) - lags[at]) ** 0.5)
    above = laws.tails(laws.adjacencies(rows.shape[1]), len(rows) - lags[most], kept[most])[1]
    return float(lags[most]), min(1.0, len(lags) * above)


def followers(rows: Orders) -> Orders:
    """Which card follows each card in each deck; n after the last one."""
    count, n = rows.shape
    after = np.empty((count, n), np.uint8 if n < 255 else np.uint16)
    np.put_along_axis(after, rows[:, :-1].astype(np.intp), rows[:, 1:].astype(after.dtype), axis=1)
    np.put_along_axis(after, rows[:, -1:].astype(np.intp), after.dtype.type(n), axis=1)
    return after

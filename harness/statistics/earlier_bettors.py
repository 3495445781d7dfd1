"""Bettors against a shuffler that remembers earlier decks: their places, or their neighbours."""

import math

import numpy as np
from numpy.typing import NDArray

from feltrig.harness.statistics import laws
from feltrig.harness.statistics.deck_bettors import Shuffled, tilt
from feltrig.harness.statistics.deckwise import Orders
from feltrig.harness.statistics.earlier_decks import OLDEST, followers, moves
from feltrig.harness.statistics.sequential import Family

Array = NDArray[np.float64]

KEPT = (0.3, 0.8, 2.1)
"""Tilts of the neighbours kept from an old deck, in standard deviations."""


class SinceLast:
    """A family that looks at the places of cards, and is shown where those of the last deck have gone."""

    def __init__(self, family: Family) -> None:
        self.name, self.looks_for = f"{family.name} since the last deck", f"{family.looks_for}, since the last deck"
        self.weights = family.weights
        self._family = family
        self._last: Orders | None = None

    def bets(self, block: Shuffled) -> Array:
        """The family's bets; none on the first deck of all."""
        rows = block.orders if self._last is None else np.concatenate([self._last, block.orders])
        self._last = rows[-1:]
        logs = np.zeros((len(block), len(self.weights)))
        if len(rows) > 1:
            logs[len(block) - len(rows) + 1 :] = self._family.bets(Shuffled(moves(rows), block.measured))
        return logs


class OldNeighbours:
    """Bets that neighbours of the deck 3, 4, 5, ... before are neighbours again, at all these lags at once."""

    name, looks_for = "old neighbours", "neighbours kept from an old deck"
    weights = np.ones(1)

    def __init__(self, n: int) -> None:
        law = laws.adjacencies(n)
        self._factors = np.array([tilt(law, deviations, 1.0) for deviations in KEPT]).T
        self._wealth = np.full((OLDEST - 2, len(KEPT)), -math.log((OLDEST - 2) * len(KEPT)))
        self._seen: Orders = np.empty((0, n), np.uint16)

    def bets(self, block: Shuffled) -> Array:
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

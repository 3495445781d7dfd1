"""Bettors on one card or one position: that it prefers a part of the deck; and on two cards: that one comes first."""

import math

import numpy as np
from numpy.typing import NDArray

from feltrig.harness.statistics.deck_bettors import Shuffled
from feltrig.harness.statistics.wholes import WAVES, cosines

Array = NDArray[np.float64]

SLOPES = (0.4, 1.0, 2.2)
"""How strongly a card follows a wave, in standard deviations of its place."""
PARTS = (0.1, 0.35)
"""How often a card is bound to a window of places."""
WIDTHS = (16, 8, 4)
"""Windows: this part of the deck."""
FIRST = (0.2, 0.8)
"""How often the order of two cards is settled beforehand."""


class Profiles:
    """Bets that one card prefers certain positions, or one position certain cards: waves and windows, all at once."""

    name, looks_for = "profiles", "one card, or one position, that prefers a part of the deck"
    weights = np.ones(1)

    def __init__(self, n: int) -> None:
        self._profiles = profiles(n)
        self._wealth = np.full((len(self._profiles), 2 * n), -math.log(len(self._profiles) * 2 * n))
        self._total = 0.0

    def bets(self, block: Shuffled) -> Array:
        """One column: the stakes of all of them together."""
        logs = np.empty((len(block), 1))
        for t, order in enumerate(block.orders.astype(np.intp)):
            self._wealth += self._profiles[:, np.concatenate([np.argsort(order), order])]
            total = _log_sum(self._wealth)
            logs[t, 0] = total - self._total
            self._total = total
        return logs


def profiles(n: int) -> Array:
    """Log densities over the places of a deck, relative to a uniform one."""
    waves = math.sqrt(n) * cosines(n, WAVES)
    densities = [np.exp(sign * slope * wave) for wave in waves for slope in SLOPES for sign in (1, -1)]
    for width in (max(2, n // part) for part in WIDTHS):
        for start in range(0, n - width + 1, max(1, width // 2)):
            window = np.zeros(n)
            window[start : start + width] = n / width
            densities += [1 - part + part * window for part in PARTS]
    return np.log([density / density.mean() for density in densities])


class Precedence:
    """Bets that one card comes before one other, all pairs at once."""

    name, looks_for = "precedence", "one card before another too often"
    weights = np.ones(1)

    def __init__(self, n: int) -> None:
        pairs = n * (n - 1)
        self._wealth = np.full((len(FIRST), n, n), -math.log(pairs * len(FIRST)))
        self._wealth[:, np.arange(n), np.arange(n)] = -math.inf
        self._total = 0.0

    def bets(self, block: Shuffled) -> Array:
        """One column: the stakes of all pairs together."""
        logs = np.empty((len(block), 1))
        for t, order in enumerate(block.orders.astype(np.intp)):
            place = np.argsort(order)
            before = place[:, None] < place
            for row, settled in enumerate(FIRST):
                self._wealth[row] += np.where(before, math.log1p(settled), math.log1p(-settled))
            total = _log_sum(self._wealth)
            logs[t, 0] = total - self._total
            self._total = total
        return logs


def _log_sum(logs: Array) -> float:
    """Log of the sum of exponentials."""
    highest = float(logs.max())
    return highest + math.log(float(np.exp(logs - highest).sum()))

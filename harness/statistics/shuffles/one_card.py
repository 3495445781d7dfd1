"""One card that prefers a part of the deck, or one position that prefers certain cards."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import special

from feltrig.harness.statistics.core.p_values import Array, FixedResult
from feltrig.harness.statistics.core.tails import binomial_above, binomial_below
from feltrig.harness.statistics.shuffles.deck import Deck
from feltrig.harness.statistics.shuffles.drift import cosines
from feltrig.harness.statistics.shuffles.measured import ShuffleBlock
from feltrig.harness.statistics.shuffles.sample import Tables

WAVES = 4
"""Cosine waves of one row or column that are looked at."""
SLOPES = (0.4, 1.0, 2.2)
"""How strongly a card follows a wave, in standard deviations of its place."""
PARTS = (0.1, 0.35)
"""How often a card is bound to a window of places."""
WIDTHS = (16, 8, 4)
"""Windows: this part of the deck."""


def worst_wave(tables: Tables) -> FixedResult:
    """The largest of the first cosine components of any row or column."""
    n = tables.n
    basis = cosines(n, WAVES) * math.sqrt(n / tables.count)
    largest = float(max(np.abs(tables.position @ basis.T).max(), np.abs(basis @ tables.position).max()))
    return FixedResult(largest, min(1.0, 4 * WAVES * n * float(special.ndtr(-largest))))


def worst_window(tables: Tables) -> FixedResult:
    """One card in a stretch of positions, or one position with a stretch of cards, too often or too seldom."""
    n, count = tables.n, tables.count
    looks, worst, extreme = 0, 1.0, 0.0
    for table in (tables.position, tables.position.T):
        sums = np.concatenate([np.zeros((n, 1), np.int64), np.cumsum(table, axis=1)], axis=1)
        for width in sorted({max(2, n // 2), max(2, n // 4), max(2, n // 8), max(2, n // 16)}):
            starts = np.arange(0, n - width + 1, max(1, width // 2))
            seen = sums[:, starts + width] - sums[:, starts]
            looks += 2 * seen.size
            high, low = int(seen.max()), int(seen.min())
            extreme = max(extreme, abs(high - count * width / n), abs(low - count * width / n))
            often, seldom = binomial_above(count, width / n, high), binomial_below(count, width / n, low)
            worst = min(worst, float(often), float(seldom))
    return FixedResult(extreme, min(1.0, looks * worst))


class Together:
    """Many bets with equal stakes, as one bettor."""

    weights = np.ones(1)

    def __init__(self, staked: NDArray[np.bool_], factors: Callable[[NDArray[np.intp]], Array]) -> None:
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


def preferences(deck: Deck) -> Together:
    """Bettors on one card that prefers certain positions, or one position certain cards: waves and windows."""
    logs = profiles(deck.n)
    staked = np.ones((len(logs), 2 * deck.n), dtype=bool)
    return Together(staked, lambda order: logs[:, np.concatenate([np.argsort(order), order])])


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

"""Drift over positions: smooth drift of all cards, one card that prefers a part of the deck, one position that prefers
certain cards."""

import math
from functools import lru_cache

import numpy as np
from scipy import special

from feltrig.harness.statistics.core.p_values import Array, FixedResult
from feltrig.harness.statistics.core.purses import Through
from feltrig.harness.statistics.core.sequential import Bettors
from feltrig.harness.statistics.core.tails import binomial_above, binomial_below
from feltrig.harness.statistics.shuffles.cells import Together, not_yet_out
from feltrig.harness.statistics.shuffles.deck import Deck
from feltrig.harness.statistics.shuffles.measured import ShuffleBlock, Tables

SMOOTH = 3
"""Cosine waves along either side of the table that drift shows in."""
FINE = 10
"""The same for bumps of a few places."""
CAUTIONS = (20.0, 100.0)
"""A learner of drift trusts half of what it sees after this many decks."""
WAVES = 4
"""Cosine waves of one row or column that are looked at."""
SLOPES = (0.4, 1.0, 2.2)
"""How strongly a card follows a wave, in standard deviations of its place."""
PARTS = (0.1, 0.35)
"""How often a card is bound to a window of places."""
WIDTHS = (16, 8, 4)
"""Windows: this part of the deck."""


@lru_cache(maxsize=32)
def cosines(n: int, waves: int) -> Array:
    """Orthonormal cosine waves over n places, without the constant."""
    k, j = np.arange(1, waves + 1)[:, None], np.arange(n)
    basis: Array = math.sqrt(2 / n) * np.cos(math.pi * k * (j + 0.5) / n)
    return basis


def smooth(tables: Tables, waves: int) -> FixedResult:
    """Energy of the first cosine components of the table of cards by positions."""
    basis = cosines(tables.n, waves)
    components = basis @ tables.position @ basis.T
    energy = float((components**2).sum()) * (tables.n - 1) / tables.count
    return FixedResult(energy, float(special.chdtrc(waves * waves, energy)))


class Drift:
    """Learns a smooth preference of cards for positions: a few cosine waves along each."""

    weights = np.full(len(CAUTIONS), 1 / len(CAUTIONS))

    def __init__(self, n: int, waves: int, cards: Array | None = None) -> None:
        """`cards` are waves over the cards, orthonormal as well; those over the positions if None."""
        self._waves = cosines(n, waves)
        self._cards = self._waves if cards is None else cards
        self._sum = np.zeros((waves, len(self._cards)))
        self._count = 0

    def bets(self, block: ShuffleBlock) -> Array:
        """One column per caution."""
        logs = np.empty((len(block), len(CAUTIONS)))
        scale = self._waves.shape[1] - 1
        for t, order in enumerate(block.orders.astype(np.intp)):
            cards = self._cards[:, order]
            field = self._waves.T @ self._sum @ cards * scale
            for column, caution in enumerate(CAUTIONS):
                logs[t, column] = _foretold(np.exp(np.clip(field / (self._count + caution), -20, 20)))
            self._sum += self._waves @ cards.T
            self._count += 1
        return logs


def backwards(bettors: Bettors) -> Bettors:
    """Bettors that are shown each deck from the bottom: a learner gains most where it predicts first."""
    return Through(lambda block: ShuffleBlock(block.orders[:, ::-1], block.measured), bettors)


def drifting(deck: Deck) -> Bettors:
    """Bettors on smooth drift, from the top of the deck."""
    return Drift(deck.n, SMOOTH)


def drifting_backwards(deck: Deck) -> Bettors:
    """The same from the bottom."""
    return backwards(Drift(deck.n, SMOOTH))


def _foretold(weights: Array) -> float:
    """Log factor of a learner that gives these weights, by position and card of this deck, to the cards not yet out."""
    left = np.arange(len(weights), 0, -1.0)
    rest = np.einsum("ij,ij->i", weights, not_yet_out(len(weights)))
    return float(np.log(weights.diagonal() * left / rest).sum())


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

"""Smooth drift of cards over positions: a few cosine waves along each."""

import math
from functools import lru_cache

import numpy as np
from scipy import special

from feltrig.harness.statistics.core.p_values import Array, FixedResult
from feltrig.harness.statistics.core.purses import Through
from feltrig.harness.statistics.core.sequential import Bettors
from feltrig.harness.statistics.shuffles.cells import not_yet_out
from feltrig.harness.statistics.shuffles.deck import Deck
from feltrig.harness.statistics.shuffles.measured import ShuffleBlock
from feltrig.harness.statistics.shuffles.sample import Tables

SMOOTH = 3
"""Cosine waves along either side of the table that drift shows in."""
FINE = 10
"""The same for bumps of a few places."""
CAUTIONS = (20.0, 100.0)
"""A learner of drift trusts half of what it sees after this many decks."""


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

"""Two cards: one that follows another, sticks to it or comes before it too often; clumps at any distance."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from feltrig.harness.statistics.core.p_values import Array, FixedResult
from feltrig.harness.statistics.core.tails import binomial_above
from feltrig.harness.statistics.shuffles.cells import CellLearner, Cells, around, pearson
from feltrig.harness.statistics.shuffles.deck import Deck
from feltrig.harness.statistics.shuffles.one_card import Together
from feltrig.harness.statistics.shuffles.sample import Tables

FIRST = (0.2, 0.8)
"""How often the order of two cards is settled beforehand."""


def worst_pair(tables: Tables) -> FixedResult:
    """One card after one other too often: loaded neighbours, any two."""
    n = tables.n
    looks = ((np.diagonal(tables.successor, 1).max(), n - 1), (tables.successor.max(), n * (n - 1)))
    p = min(size * float(binomial_above(tables.count, 1 / n, high)) for high, size in looks)
    return FixedResult(float(tables.successor.max()), min(1.0, len(looks) * p))


def differences(tables: Tables) -> FixedResult:
    """Uneven differences between neighbours, around the deck: clumps at any distance."""
    n, count = tables.n, tables.count
    seen = around(tables.successor)[1:]
    q = float(((seen - count) ** 2).sum())
    one = _difference_moments(n)
    each = one.mean / (n - 2)  # the differences share the spread, but for one constraint
    pairs = count * (count - 1)
    variance = count * one.variance + 2 * pairs * (n - 2) * each**2
    third = count * one.third + 12 * pairs * each * one.variance + 4 * pairs * one.interplay
    third += 8 * pairs * (count - 2) * (n - 2) * each**3
    return FixedResult(q, pearson(q, count * one.mean, variance, third))


@dataclass(frozen=True, slots=True)
class Moments:
    """Of sum (X_d - 1)^2 in one deck, X_d neighbours that differ by d; and the third moment of the product of two."""

    mean: float
    variance: float
    third: float
    interplay: float


@lru_cache(maxsize=16)
def _difference_moments(n: int) -> Moments:
    """By simulation, from one seed for each size of deck."""
    count = min(20_000, 20_000 * 52 // n)
    decks = np.random.default_rng(n).permuted(np.tile(np.arange(n), (count, 1)), axis=1)
    steps = (decks[:, 1:] - decks[:, :-1]) % n + n * np.arange(len(decks))[:, None]
    x = np.bincount(steps.ravel(), minlength=n * len(decks)).reshape(-1, n)[:, 1:] - 1.0
    squares, products = (x**2).sum(axis=1), (x[1:] * x[:-1]).sum(axis=1)
    centred = squares - squares.mean()
    moments = (squares.mean(), (centred**2).mean(), (centred**3).mean(), (products**3).mean())
    return Moments(*map(float, moments))


def successors(deck: Deck) -> CellLearner:
    """Learns which card follows which."""
    return CellLearner(deck.n**2, lambda order: deck.n * order[:-1, None] + order[1:])


def steps(deck: Deck) -> CellLearner:
    """Learns by how many places, around the deck, a card lies beyond the one before it."""
    return CellLearner(deck.n, lambda order: (order[1:] - order[:-1, None]) % deck.n)


def one_pair(deck: Deck) -> Cells:
    """Bettors on one card after one other."""
    return Cells(pair_stakes(deck.n), lambda order: deck.n * order[:-1] + order[1:])


def pair_stakes(n: int) -> Array:
    """Stakes on one card after one other: loaded neighbours are likelier than others."""
    stakes = np.full((n, n), 0.5 / (n * (n - 1)))
    np.fill_diagonal(stakes, 0.0)
    stakes[np.arange(n - 1), np.arange(1, n)] += 0.4 / (n - 1)
    stakes[np.arange(1, n), np.arange(n - 1)] += 0.1 / (n - 1)
    return stakes.ravel()


def worst_precedence(tables: Tables) -> FixedResult:
    """One card before one other too often."""
    n, count = tables.n, tables.compared
    seen = tables.before[np.triu_indices(n, 1)]
    high = int(max(seen.max(), count - seen.min()))
    return FixedResult(float(high), min(1.0, n * (n - 1) * float(binomial_above(count, 0.5, high))))


def before_another(deck: Deck) -> Together:
    """Bettors on one card that comes before one other."""
    settled = np.array(FIRST)[:, None, None]
    pairs = ~np.eye(deck.n, dtype=bool)

    def factors(order: NDArray[np.intp]) -> Array:
        place = np.argsort(order)
        logs: Array = np.where(place[:, None] < place, np.log1p(settled), np.log1p(-settled))
        return logs

    return Together(np.broadcast_to(pairs, (len(FIRST), *pairs.shape)), factors)

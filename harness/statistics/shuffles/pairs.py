"""Two cards: one that follows another, sticks to it or comes before it too often; cards that clump, keep a distance, or
keep to the same part of the deck."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from feltrig.harness.statistics.core.p_values import NOTHING, Array, FixedResult, either
from feltrig.harness.statistics.core.tails import binomial_above, binomial_below
from feltrig.harness.statistics.shuffles.cells import CellLearner, Cells, Together, around, pearson
from feltrig.harness.statistics.shuffles.deck import Deck, Faces, Orders, inverse_of
from feltrig.harness.statistics.shuffles.drift import cosines
from feltrig.harness.statistics.shuffles.faces import rank_waves
from feltrig.harness.statistics.shuffles.measured import Table, Tables, counted

FIRST = (0.2, 0.8)
"""How often the order of two cards is settled beforehand."""
LEAST = 128
"""The fewest decks that are tested."""
MOST = 4096
"""Of more decks, only the first of them are tested."""
FARTHEST = 13
"""The longest distance, in places: hands of up to thirteen cards, or thirteen players."""
WAVES = 3
"""Cosine waves over the places, in which two cards may move together."""


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


def kept_distances(orders: Orders, faces: Faces | None) -> FixedResult:
    """The distance of two cards, or of two of a kind, too often or too seldom; and two cards that move together."""
    rows = orders[:MOST]
    if len(rows) < LEAST:
        return NOTHING
    o = np.ascontiguousarray(rows.T)
    n, count = o.shape
    cards = o.astype(np.intp)
    apart = {d: counted(n * cards[:-d] + cards[d:], n) for d in range(1, min(FARTHEST, n // 2) + 1)}
    looks = [_pairs(apart, count), _together(inverse_of(o))]
    if faces is not None:
        looks.append(_alike(apart, faces, count))
    return either(*looks)


def _pairs(apart: dict[int, Table], count: int) -> FixedResult:
    """One card at a distance after one other: at most once in a deck. Neighbours have their own test."""
    worst, seen = 1.0, 0
    for distance, table in apart.items():
        n = len(table)
        chance = (n - distance) / (n * (n - 1))
        high, low = int(table.max()), int(table[~np.eye(n, dtype=bool)].min())
        p = min(float(binomial_above(count, chance, high)), float(binomial_below(count, chance, low)))
        if distance > 1 and n * (n - 1) * p < worst:
            worst, seen = n * (n - 1) * p, high
    return FixedResult(float(seen), min(1.0, 2 * (len(apart) - 1) * worst))


def _alike(apart: dict[int, Table], faces: Faces, count: int) -> FixedResult:
    """Cards of one colour, suit or rank, or of near ranks, at each distance. Neighbours also have their own test."""
    kinds = list(_likeness(faces))
    highest = 0.0
    for distance, table in apart.items():
        for likeness in kinds:
            mean, variance = _serial_moments(likeness, distance)
            z = (float((table * likeness).sum()) - count * mean) / math.sqrt(count * variance)
            highest = max(highest, abs(z))
    return FixedResult(highest, min(1.0, 2 * len(apart) * len(kinds) * float(special.ndtr(-highest))))


def _likeness(faces: Faces) -> Iterator[Array]:
    """How like each other two cards are, in several ways; a card is not compared with itself."""
    groups = [np.array(faces.groups[name]) for name in ("colour", "suit", "rank")]
    ways = [np.equal.outer(group, group).astype(float) for group in groups]
    ways += [np.multiply.outer(wave, wave) for wave in rank_waves(faces)[:2] if wave.any()]
    for likeness in ways:
        np.fill_diagonal(likeness, 0.0)
        if likeness.any():
            yield likeness


def _serial_moments(likeness: Array, distance: int) -> tuple[float, float]:
    """Mean and variance, in one fair deck, of the sum of the likeness of cards at this distance."""
    n = len(likeness)
    pairs, chains = n - distance, max(n - 2 * distance, 0)
    rows = likeness.sum(axis=1)
    total, squares, stars = rows.sum(), (likeness**2).sum(), (rows**2).sum()
    one = total / (n * (n - 1))
    same = squares / (n * (n - 1))
    linked = (stars - squares) / (n * (n - 1) * (n - 2))
    loose = (total**2 - 4 * stars + 2 * squares) / (n * (n - 1) * (n - 2) * (n - 3))
    second = pairs * same + 2 * chains * linked + (pairs**2 - pairs - 2 * chains) * loose
    return float(pairs * one), float(second - (pairs * one) ** 2)


def _together(places: Orders) -> FixedResult:
    """Two cards whose places go together, or against each other, in one of the first waves."""
    n, count = places.shape
    highest, looks = 0.0, 0
    for wave in math.sqrt(n) * cosines(n, WAVES):
        moved = wave[places]
        products = (moved @ moved.T)[np.triu_indices(n, 1)]
        mean = -1 / (n - 1)
        variance = (n * n - float((wave**4).sum())) / (n * (n - 1)) - mean**2
        z = (products - count * mean) / math.sqrt(count * variance)
        highest, looks = max(highest, float(np.abs(z).max())), looks + len(z)
    return FixedResult(highest, min(1.0, 2 * looks * float(special.ndtr(-highest))))

"""Cards that keep a distance from each other: two that come so many places apart, ranks or suits that clump or are
dealt too evenly, two that keep to the same part of the deck."""

import math
from collections.abc import Iterator

import numpy as np
from scipy import special

from feltrig.harness.statistics.core.p_values import NOTHING, Array, FixedResult, either
from feltrig.harness.statistics.core.tails import binomial_above, binomial_below
from feltrig.harness.statistics.shuffles.deck import Faces, Orders, inverse_of
from feltrig.harness.statistics.shuffles.drift import cosines
from feltrig.harness.statistics.shuffles.faces import rank_waves
from feltrig.harness.statistics.shuffles.sample import Table, counted

LEAST = 128
"""The fewest decks that are tested."""
MOST = 4096
"""Of more decks, only the first of them are tested."""
FARTHEST = 13
"""The longest distance, in places: hands of up to thirteen cards, or thirteen players."""
WAVES = 3
"""Cosine waves over the places, in which two cards may move together."""


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

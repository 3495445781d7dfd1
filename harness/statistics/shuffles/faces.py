"""Cards that look alike: high ranks that come early, a suit that comes in the middle, aces at one place or one seat."""

import math
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray
from scipy import special

from feltrig.harness.statistics.core.p_values import NOTHING, Array, FixedResult, either
from feltrig.harness.statistics.core.sequential import Bettors
from feltrig.harness.statistics.core.tails import binomial_above, binomial_below
from feltrig.harness.statistics.shuffles.deck import Deck, Faces
from feltrig.harness.statistics.shuffles.drift import SMOOTH, WAVES, Drift, backwards, cosines
from feltrig.harness.statistics.shuffles.measured import Tables

LEAST = 32
"""Decks below which the waves are not near enough to normal."""
RANKS = 13
LEAST_SEATED = 128
"""The fewest decks of which ranks are counted by places."""
SEATS = range(2, 10)
"""Among so many are cards dealt in turn: every so many places are one seat's."""


def rank_waves(faces: Faces) -> Array:
    """Orthonormal cosine waves along the ranks, as weights of the cards at the loaded places; a joker has none."""
    ranks = np.array(faces.groups["rank"])
    known = ranks < RANKS
    weights = np.where(known, cosines(RANKS, SMOOTH)[:, np.where(known, ranks, 0)], 0.0)
    weights -= weights.mean(axis=1, keepdims=True)
    norms = np.sqrt((weights**2).sum(axis=1, keepdims=True))
    waves: Array = weights / np.where(norms > 0, norms, 1.0)
    return waves


def grouped_drift(tables: Tables, faces: Faces | None) -> FixedResult:
    """Energy of the first waves of ranks by positions; the largest wave of some ranks, a suit or a colour."""
    if faces is None or tables.count < LEAST:
        return NOTHING
    n, count = tables.n, tables.count
    components = cosines(n, SMOOTH) @ tables.position @ rank_waves(faces).T
    energy = float((components**2).sum()) * (n - 1) / count
    together = float(special.chdtrc(components.size, energy))
    waves = cosines(n, WAVES) @ tables.position @ _standardised(faces, n, count)
    largest = float(np.abs(waves).max())
    alone = 2 * waves.size * float(special.ndtr(-largest))
    return either((energy, together), (largest, alone))


def _standardised(faces: Faces, n: int, count: int) -> Array:
    """One column per group of cards: marks its cards, so that the sum of their waves over the sample has variance 1."""
    return np.array([marks * math.sqrt(n / count) for marks in _scaled(_ranges(faces), n)]).T


def groups_of(faces: Faces, n: int) -> list[Array]:
    """Marks the cards of each suit, colour and rank; the sum of what has variance 1 for each card then has it too."""
    return list(_scaled((*_suits(faces), *marked_ranks(faces)), n))


def marked_ranks(faces: Faces) -> NDArray[np.bool_]:
    """Marks the cards of each rank."""
    marks: NDArray[np.bool_] = np.equal.outer(np.arange(RANKS), np.array(faces.groups["rank"]))
    return marks


def _scaled(groups: Iterable[NDArray[np.bool_]], n: int) -> Iterator[Array]:
    """The groups that are neither empty nor the whole deck; cards of one deck are not independent of each other."""
    for marks in groups:
        size = int(marks.sum())
        if 0 < size < n:
            yield marks / math.sqrt(size * (n - size) / (n - 1))


def _ranges(faces: Faces) -> Iterator[NDArray[np.bool_]]:
    """Marks the cards of each suit, of each colour, and of each range of ranks."""
    ranks = np.array(faces.groups["rank"])
    yield from _suits(faces)
    yield from ((ranks >= low) & (ranks <= high) for low, high in combinations_with_replacement(range(RANKS), 2))


def _suits(faces: Faces) -> Iterator[NDArray[np.bool_]]:
    """Marks the cards of each suit and of each colour."""
    for name, kinds in (("suit", 4), ("colour", 2)):
        yield from (np.array(faces.groups[name]) == kind for kind in range(kinds))


def rank_drift(deck: Deck) -> Bettors | None:
    """Bettors on drift of ranks: high cards that come early, aces that come late."""
    return None if deck.faces is None else Drift(deck.n, SMOOTH, rank_waves(deck.faces))


def rank_drift_backwards(deck: Deck) -> Bettors | None:
    """The same, shown each deck from the bottom."""
    forwards = rank_drift(deck)
    return None if forwards is None else backwards(forwards)


def seated_ranks(tables: Tables, faces: Faces | None) -> FixedResult:
    """A rank too often or too seldom at one place, or at the places of one seat."""
    if faces is None or tables.count < LEAST_SEATED:
        return NOTHING
    n, count = tables.n, tables.count
    marks = marked_ranks(faces)
    sizes = marks.sum(axis=1)
    marks, sizes = marks[(sizes > 0) & (sizes < n)], sizes[(sizes > 0) & (sizes < n)]
    if not len(sizes):
        return NOTHING
    seen = tables.position @ marks.T
    places = np.minimum(binomial_above(count, sizes / n, seen), binomial_below(count, sizes / n, seen))
    highest, looks = 0.0, 0
    for seats in SEATS:
        dealt = np.equal.outer(np.arange(seats), np.arange(n) % seats)
        share = dealt.sum(axis=1)[:, None] / n
        variance = count * sizes * share * (1 - share) * (n - sizes) / (n - 1)
        z = (dealt @ seen - count * sizes * share) / np.sqrt(variance)
        highest, looks = max(highest, float(np.abs(z).max())), looks + z.size
    one_place, one_seat = 2 * seen.size * float(places.min()), 2 * looks * float(special.ndtr(-highest))
    statistic = highest if one_seat < one_place else float(seen.max())
    return FixedResult(statistic, min(1.0, 2 * min(one_place, one_seat)))

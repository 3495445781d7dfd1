"""Drift of cards that look alike: high ranks that come early, aces that come late, a suit that comes in the middle."""

import math
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray
from scipy import special

from feltrig.harness.statistics.deckwise import Faces
from feltrig.harness.statistics.wholes import NOTHING, SMOOTH, WAVES, Array, Found, Tables, cosines

LEAST = 32
"""Decks below which the waves are not near enough to normal."""
RANKS = 13


def rank_waves(faces: Faces) -> Array:
    """Orthonormal cosine waves along the ranks, as weights of the cards at the loaded places; a joker has none."""
    ranks = np.array(faces.groups["RNK"])
    known = ranks < RANKS
    weights = np.where(known, cosines(RANKS, SMOOTH)[:, np.where(known, ranks, 0)], 0.0)
    weights -= weights.mean(axis=1, keepdims=True)
    norms = np.sqrt((weights**2).sum(axis=1, keepdims=True))
    waves: Array = weights / np.where(norms > 0, norms, 1.0)
    return waves


def grouped_drift(tables: Tables, faces: Faces | None) -> Found:
    """DRG: energy of the first waves of ranks by positions; the largest wave of some ranks, a suit or a colour."""
    if faces is None or tables.count < LEAST:
        return NOTHING
    n, count = tables.n, tables.count
    components = cosines(n, SMOOTH) @ tables.position @ rank_waves(faces).T
    energy = float((components**2).sum()) * (n - 1) / count
    together = float(special.chdtrc(components.size, energy))
    waves = cosines(n, WAVES) @ tables.position @ _standardised(faces, n, count)
    largest = float(np.abs(waves).max())
    alone = 2 * waves.size * float(special.ndtr(-largest))
    statistic, p = min((energy, together), (largest, alone), key=lambda look: look[1])
    return statistic, min(1.0, 2 * p)


def _standardised(faces: Faces, n: int, count: int) -> Array:
    """One column per group of cards: marks its cards, so that the sum of their waves over the sample has variance 1."""
    columns = [marks * math.sqrt(n / count) for marks in _scaled(_ranges(faces), n)]
    return np.array(columns).T


def groups_of(faces: Faces, n: int) -> list[Array]:
    """Marks the cards of each suit, colour and rank; the sum of what has variance 1 for each card then has it too."""
    return list(_scaled((*_suits(faces), *marked_ranks(faces)), n))


def marked_ranks(faces: Faces) -> NDArray[np.bool_]:
    """Marks the cards of each rank."""
    marks: NDArray[np.bool_] = np.equal.outer(np.arange(RANKS), np.array(faces.groups["RNK"]))
    return marks


def _scaled(groups: Iterable[NDArray[np.bool_]], n: int) -> Iterator[Array]:
    """The groups that are neither empty nor the whole deck; cards of one deck are not independent of each other."""
    for marks in groups:
        size = int(marks.sum())
        if 0 < size < n:
            yield marks / math.sqrt(size * (n - size) / (n - 1))


def _ranges(faces: Faces) -> Iterator[NDArray[np.bool_]]:
    """Marks the cards of each suit, of each colour, and of each range of ranks."""
    ranks = np.array(faces.groups["RNK"])
    yield from _suits(faces)
    yield from ((ranks >= low) & (ranks <= high) for low, high in combinations_with_replacement(range(RANKS), 2))


def _suits(faces: Faces) -> Iterator[NDArray[np.bool_]]:
    """Marks the cards of each suit and of each colour."""
    for name, kinds in (("SUI", 4), ("COL", 2)):
        yield from (np.array(faces.groups[name]) == kind for kind in range(kinds))

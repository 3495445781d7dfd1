"""All hands that a deck or a shoe can deal, in blocks of rows, and how many of them are of each category."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from feltrig.engine.ranking import poker
from feltrig.engine.ranking.bulk import categories, strengths
from feltrig.engine.ranking.shape import Ranking

Cards = npt.NDArray[np.uint8]
Weights = npt.NDArray[np.int64]

_INNER = 4
"""So many of a hand's cards vary within a block; the others are the same in all its rows."""


def hands(deck: int, size: int) -> Iterator[Cards]:
    """All hands of a size from a deck of a size, in blocks: each hand once, its cards ascending."""
    inner = _colexicographic(deck, min(size, _INNER))
    width = len(inner)
    for outer in combinations(range(width, deck), size - width):
        columns = np.empty((size, comb(outer[0] if outer else deck, width)), np.uint8)
        columns[:width] = inner[:, : columns.shape[1]]
        columns[width:] = np.array(outer, np.uint8)[:, np.newaxis]
        yield columns.T


def shoe_hands(decks: int, size: int) -> Iterator[tuple[Cards, Weights]]:
    """All hands from a shoe of several decks, cards of one face counted alike, and in how many ways each is dealt."""
    for block in hands(52 + size - 1, size):
        # Hands that ascend strictly become all that ascend with repeats when each card is lowered by its place.
        faces = (block - np.arange(size)).astype(np.uint8)
        ways = np.full(len(faces), decks, np.int64)
        repeats = np.zeros(len(faces), np.int64)
        for place in range(1, size):
            repeats = np.where(faces[:, place] == faces[:, place - 1], repeats + 1, 0)
            ways = ways * (decks - repeats) // (repeats + 1)
        yield faces, ways


def census(size: int, ranking: Ranking = poker.RANKING) -> Counter[int]:
    """How many hands of a size from one deck are in each category. The deck has a joker if the ranking has one."""
    counts = Counter[int]()
    for block in hands(52 + ranking.joker, size):
        found = np.bincount(categories(strengths(block, ranking)))
        counts.update(dict(enumerate(found.tolist())))
    return counts


def shoe_census(decks: int, size: int, ranking: Ranking) -> Counter[int]:
    """How many hands of a size from a shoe of several decks are in each category."""
    counts = Counter[int]()
    for block, ways in shoe_hands(decks, size):
        found = categories(strengths(block, ranking))
        counts.update({category: int(ways[found == category].sum()) for category in np.unique(found).tolist()})
    return counts


def _colexicographic(deck: int, size: int) -> Cards:
    """All hands of a size, one in each column. For every n, the hands of the first n cards of the deck come first."""
    columns = np.zeros((0, 1), np.uint8)
    for width in range(size):
        counts = [comb(card, width) for card in range(deck)]
        last = np.repeat(np.arange(deck, dtype=np.uint8), counts)
        columns = np.vstack([np.hstack([columns[:, :count] for count in counts]), last])
    return columns

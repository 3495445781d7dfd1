"""How many of all C(52,7) hands are in each category. Ranks and suits are counted separately."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from feltrig.engine.ranking import poker, tables
from feltrig.engine.ranking.bulk import Hands, categories, strengths
from feltrig.engine.ranking.poker import Category

SIZE = 7
SUITS = 4


@cache
def counts() -> dict[Category, int]:
    """By category, the highest first."""
    found = _by_ranks()
    for block in _flushes():
        # At most two cards of a suit are no flush: as such these hands were counted above.
        unsuited = block % 13 + 13 * (np.arange(SIZE, dtype=np.uint8) % SUITS)
        found += SUITS * (_census(block) - _census(unsuited))
    return {category: int(found[category]) for category in reversed(Category)}


def _by_ranks() -> npt.NDArray[np.int64]:
    """The census as if no suit mattered."""
    choices = np.array([comb(SUITS, count) for count in range(SIZE + 1)])  # none for more cards than there are suits
    ways = choices[tables.COUNTS].prod(axis=1)
    found = np.zeros(len(Category), np.int64)
    rows = tables.SIZES == SIZE
    np.add.at(found, categories(tables.plain(poker.RANKING)[rows]), ways[rows])
    return found


def _flushes() -> Iterator[npt.NDArray[np.uint8]]:
    """All hands with five or more clubs, in blocks."""
    for clubs in range(poker.RANKING.size, SIZE + 1):
        suited = _sets(range(13), clubs)
        others = _sets(range(13, 52), SIZE - clubs)
        yield np.hstack([np.repeat(suited, len(others), axis=0), np.tile(others, (len(suited), 1))])


def _sets(cards: range, size: int) -> npt.NDArray[np.uint8]:
    return np.array(list(combinations(cards, size)), np.uint8)


def _census(hands: Hands) -> npt.NDArray[np.int64]:
    return np.bincount(categories(strengths(hands)), minlength=len(Category)).astype(np.int64)

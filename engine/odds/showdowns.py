"""For every pair of hole cards beside a board: how many of the dealer's 990 pairs are lower, equal, higher.

Hands are sorted once for the whole board and once for each card. Those of the dealer are all hands but the ones that
hold a card of the player's: lower among all, less lower among the hands with the first card, and with the second.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from feltrig.engine.ranking.bulk import categories, strengths
from feltrig.engine.ranking.census import Cards
from feltrig.engine.ranking.poker import Category
from feltrig.engine.ranking.shape import packed

Counts = npt.NDArray[np.int16]

OTHERS = 47
"""Cards that are not on the board."""
_FIRST, _SECOND = np.triu_indices(OTHERS, 1)
PAIRS = len(_FIRST)
DEALERS = (OTHERS - 2) * (OTHERS - 3) // 2


@dataclass(frozen=True, slots=True)
class Showdowns:
    """For each board in a row and each pair of hole cards in a column."""

    holes: Cards
    """The two cards: the third axis."""
    category: npt.NDArray[np.uint32]
    lower: Counts
    """How many of the dealer's hands are lower than the player's."""
    higher: Counts
    unqualified: Counts
    """How many of the dealer's hands have no pair."""


def showdowns(boards: Cards) -> Showdowns:
    """All showdowns on some boards of five cards."""
    rest = _rest(boards)
    holes = np.stack([rest[:, _FIRST], rest[:, _SECOND]], axis=2)
    shown = np.broadcast_to(boards[:, np.newaxis], (len(boards), PAIRS, boards.shape[1]))
    held = strengths(np.concatenate([holes, shown], axis=2).reshape(len(boards) * PAIRS, 7)).reshape(len(boards), PAIRS)
    lower, equal = _lower_and_equal(held)
    above_all = packed(len(Category), ())  # on the diagonal, where no hand is
    by_card = np.full((len(boards), OTHERS, OTHERS), above_all, np.uint32)
    by_card[:, _FIRST, _SECOND] = by_card[:, _SECOND, _FIRST] = held
    lower_here, equal_here = _lower_and_equal(by_card)
    lower -= lower_here[:, _FIRST, _SECOND] + lower_here[:, _SECOND, _FIRST]
    # The player's own hand is among all, and among those with either card.
    equal -= equal_here[:, _FIRST, _SECOND] + equal_here[:, _SECOND, _FIRST] - 1
    category = categories(held)
    higher = DEALERS - lower - equal
    return Showdowns(holes, category, lower, higher, _disjoint(category < Category.PAIR))


def _rest(boards: Cards) -> Cards:
    """The cards that are not on each board, ascending."""
    free = np.ones((len(boards), 52), np.bool_)
    np.put_along_axis(free, boards.astype(np.int64), False, axis=1)
    return np.nonzero(free)[1].reshape(len(boards), OTHERS).astype(np.uint8)


def _disjoint(which: npt.NDArray[np.bool_]) -> Counts:
    """How many pairs are marked, among those that share no card with each pair."""
    by_card = np.zeros((len(which), OTHERS, OTHERS), np.bool_)
    by_card[:, _FIRST, _SECOND] = by_card[:, _SECOND, _FIRST] = which
    of_card: Counts = by_card.sum(axis=2, dtype=np.int16)
    every: Counts = which.sum(axis=1, keepdims=True, dtype=np.int16)
    return every - of_card[:, _FIRST] - of_card[:, _SECOND] + which


def _lower_and_equal(held: npt.NDArray[Any]) -> tuple[Counts, Counts]:
    """How many in the same row are lower than each, and how many are equal, itself among them."""
    width = held.shape[-1]
    bits = width.bit_length()
    # Beside a card's number, but not beside a pair's, a strength fits into 32 bits.
    wide: npt.NDArray[Any] = held.astype(np.min_scalar_type(int(held.max()) << bits))
    keys = np.sort(wide << bits | np.arange(width, dtype=wide.dtype), axis=-1)
    order = (keys & (1 << bits) - 1).astype(np.int64)
    keys >>= bits
    places = np.arange(1, width, dtype=np.int16)
    changes = keys[..., 1:] != keys[..., :-1]
    starts = np.zeros(held.shape, np.int16)
    np.multiply(changes, places, out=starts[..., 1:])
    np.maximum.accumulate(starts, axis=-1, out=starts)
    ends = np.full(held.shape, width, np.int16)
    ends[..., :-1][changes] = np.broadcast_to(places, changes.shape)[changes]
    ends = np.minimum.accumulate(ends[..., ::-1], axis=-1)[..., ::-1]
    lower, equal = np.empty_like(starts), np.empty_like(starts)
    np.put_along_axis(lower, order, starts, axis=-1)
    np.put_along_axis(equal, order, ends - starts, axis=-1)
    return lower, equal

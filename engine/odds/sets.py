"""Sets of cards as numbers: one bit a card, or the place among all sets of the same size."""

from math import comb

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Rows = npt.NDArray[np.integer]

_CHOOSE: Ints = np.array([[comb(card, size) for card in range(52)] for size in range(6)])


def bits(rows: Rows) -> Ints:
    """The cards of each row, a bit for each."""
    found = np.zeros(len(rows), np.int64)
    for column in rows.T:
        found |= 1 << column.astype(np.int64)
    return found


def numbers(rows: Rows) -> Ints:
    """The number of each row of at most five ascending cards: from 0, without a gap, whatever the size of the deck."""
    found = np.zeros(len(rows), np.int64)
    for place, column in enumerate(rows.T, start=1):
        found += _CHOOSE[place][column]
    return found

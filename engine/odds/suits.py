"""Hands that differ only in the names of their suits: one of each group stands for the others."""

from collections.abc import Sequence
from itertools import permutations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Rows = npt.NDArray[np.integer]

PERMUTATIONS: Ints = np.array(list(permutations(range(4))))
"""All ways to rename the suits."""


def masks(rows: Rows) -> Ints:
    """For each row of cards the set of ranks in each of the four suits, a bit for each."""
    found = np.zeros((len(rows), 4), np.int64)
    for column in rows.T:
        found[np.arange(len(rows)), column // 13] |= 1 << (column % 13).astype(np.int64)
    return found


def orbits(rows: Rows, labels: Sequence[int] = (0, 0, 0, 0)) -> tuple[Ints, Ints]:
    """One row of each group of rows that differ only in the names of their suits: its place, and the size of the group.

    Only suits with the same label, 0 to 3, are renamed into each other.
    """
    labelled = masks(rows) | np.array(labels) << 13
    _, first, counts = np.unique(_key(np.sort(labelled, axis=1)), return_index=True, return_counts=True)
    return first, counts


def standing_for(representatives: Rows, rows: Rows) -> tuple[Ints, Ints]:
    """For each row the representative of its orbit, and the renaming, of PERMUTATIONS, that makes it that row."""
    wanted, held = masks(representatives), masks(rows)
    # Sorted by the ranks they have, the suits of the one are those of the other.
    places, order = np.argsort(wanted, axis=1, kind="stable"), np.argsort(held, axis=1, kind="stable")
    keys = _key(np.take_along_axis(wanted, places, axis=1))
    sorter = np.argsort(keys)
    found = sorter[np.searchsorted(keys[sorter], _key(np.take_along_axis(held, order, axis=1)))]
    renaming = np.empty_like(order)
    np.put_along_axis(renaming, places[found], order, axis=1)
    return found, np.argmax((renaming[:, np.newaxis] == PERMUTATIONS).all(axis=2), axis=1)


def renamed(rows: Rows, permutation: Rows) -> Rows:
    """The cards with their suits renamed."""
    return rows % 13 + 13 * permutation[rows // 13]


def _key(sorted_masks: Ints) -> Ints:
    """One number for the four masks of a row, each of at most thirteen ranks and a label of two bits."""
    key: Ints = np.ravel_multi_index(tuple(sorted_masks.T), (1 << 15,) * 4)
    return key

"""Shuffles as arrays, many at once.

A shuffle is a row `o`: o[j] is the place, in the order in which the deck was loaded, of the card that came out at j.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Orders = NDArray[Any]
Counts = NDArray[np.int32]

CHUNK = 4096
"""Shuffles that are measured together, so that they stay in the processor's cache."""
ENOUGH = 5 * CHUNK
"""Of a larger sample, only the first so many shuffles are measured by the statistics that are rarely needed."""


def inverse_of(o: Orders) -> Orders:
    """The inverse of each column."""
    inverse = np.empty(o.size, o.dtype)
    inverse[flat(o)] = np.arange(len(o), dtype=o.dtype)[:, None]
    return inverse.reshape(o.shape)


def composed(outer: Orders, inner: Orders) -> Orders:
    """outer[inner[j]] in each column."""
    return np.ascontiguousarray(outer).ravel()[flat(inner)]


def flat(o: Orders) -> Counts:
    """Each entry as the index, in the raveled array, of its own column at the row that it names."""
    flat: Counts = o.astype(np.int32)
    flat *= o.shape[1]
    flat += np.arange(o.shape[1], dtype=np.int32)
    return flat

"""Rhythms: symbols that come more often at a time of any cycle, as after every restart or with the hours of a day."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from feltrig.harness.statistics.core.p_values import NOTHING, FixedResult, either
from feltrig.harness.statistics.core.rhythms import greatest, power_of
from feltrig.harness.statistics.streams.symbols import Symbols

HARMONICS = (1, 2, 4, 8, 16, 32)
"""Numbers of multiples of a frequency that are added."""
ENOUGH = 192
"""A mark must be expected this often: for fewer the tails are not exponential."""


def rhythms(streams: Sequence[Symbols]) -> FixedResult:
    """The power of each symbol at every frequency and its multiples."""
    marks = np.concatenate([stream.x == np.arange(stream.k)[:, None] for stream in streams])
    return of_marks(marks, np.repeat([1 / stream.k for stream in streams], [stream.k for stream in streams]))


def of_marks(marks: NDArray[np.bool_], chances: ArrayLike) -> FixedResult:
    """The same of marked times: one row for each kind of mark, beside its chance."""
    p, n = np.asarray(chances, dtype=float), marks.shape[1]
    used = n * np.minimum(p, 1 - p) >= ENOUGH
    if not used.any():
        return NOTHING
    power = power_of(marks[used].astype(float)) / (p[used] * (1 - p[used]))[:, None]
    return either(*(greatest(power, harmonics) for harmonics in HARMONICS))

"""What a test of a fixed sample sees: a statistic and its p-value, and the strongest of several."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


class FixedResult(NamedTuple):
    """A statistic and its p-value."""

    statistic: float
    p: float


NOTHING = FixedResult(0.0, 1.0)
"""What a test sees in a sample that it can say nothing about."""


def strongest(statistics: ArrayLike, p_values: ArrayLike) -> FixedResult:
    """The smallest of several p-values, corrected for their number (Bonferroni), with its statistic."""
    p = np.ravel(p_values)
    at = int(np.argmin(p))
    return FixedResult(float(np.ravel(statistics)[at]), min(1.0, float(p[at]) * len(p)))


def either(*looks: tuple[float, float]) -> FixedResult:
    """The strongest of several looks at the same fault, corrected for their number; NOTHING without any."""
    return strongest(*zip(*looks, strict=True)) if looks else NOTHING

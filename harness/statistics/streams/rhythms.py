"""Rhythms: symbols that come more often at some time of any cycle, as after every restart or with the hours of a day.

The power of a fair stream at each frequency is exponential. A cycle with one wave shows in one of them; a fault in one
draw of each cycle shows a little in all multiples of a frequency, which are added.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import fft, special

from feltrig.harness.statistics.core.p_values import NOTHING, Array, FixedResult, either
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
    waves = fft.rfft(marks[used].astype(float))[:, 1 : (n + 1) // 2]
    power = (waves.real**2 + waves.imag**2) / (n * p[used] * (1 - p[used]))[:, None]
    return either(*(_summed(power, harmonics) for harmonics in HARMONICS))


def _summed(power: Array, harmonics: int) -> FixedResult:
    """The greatest sum over this many multiples. Each is found from the highest, so it errs by half a step at most.
    Slow cycles are the likelier ones: every octave has the same weight, however few frequencies it holds."""
    highest = np.arange(harmonics, power.shape[1] + 1)
    multiples = (np.rint(highest * (i / harmonics)).astype(np.int64) for i in range(1, harmonics + 1))
    sums: Array = sum((power[:, multiple - 1] for multiple in multiples), np.zeros((len(power), len(highest))))
    octave = np.log2(highest).astype(np.int64)
    held = np.bincount(octave)[octave] * len(np.unique(octave))
    p = special.gammaincc(harmonics, sums) * held
    at = np.unravel_index(np.argmin(p), p.shape)
    return FixedResult(float(sums[at]), min(1.0, float(p[at]) * len(power)))

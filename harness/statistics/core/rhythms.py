"""The greatest power of a series at any frequency: slow waves, and what comes once every few samples.

The power of a fair series whose entries have mean 0 and variance 1 is exponential at each frequency. A cycle with one
wave shows in one of them; a fault in one sample of each cycle shows a little in all multiples of a frequency, which are
added.
"""

import numpy as np
from scipy import fft, special

from feltrig.harness.statistics.core.p_values import Array, FixedResult


def power_of(series: Array) -> Array:
    """The power of each row at each frequency, but for the mean and the fastest."""
    count = series.shape[1]
    waves = fft.rfft(series, axis=1)[:, 1 : (count + 1) // 2]
    power: Array = (waves.real**2 + waves.imag**2) / count
    return power


def greatest(power: Array, harmonics: int) -> FixedResult:
    """The greatest sum over so many multiples of a frequency, each found from the highest: it errs by half a step at
    most. Every octave has the same weight: what is slow is likely, and there are few such frequencies."""
    highest = np.arange(harmonics, power.shape[1] + 1)
    sums = power[:, highest - 1]
    for multiple in range(1, harmonics):
        sums += power[:, np.rint(highest * (multiple / harmonics)).astype(np.intp) - 1]
    octaves = np.log2(highest).astype(np.intp)
    starts = np.flatnonzero(np.diff(octaves, prepend=-1))
    most = np.maximum.reduceat(sums.max(axis=0), starts)
    held = np.diff(starts, append=len(highest))
    p = special.gammaincc(harmonics, most) * held * len(starts) * len(power)
    at = int(np.argmin(p))
    return FixedResult(float(most[at]), min(1.0, float(p[at])))

"""The exact law of a statistic that is a whole number, and of its sum over many samples."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import special

from feltrig.harness.statistics.core.p_values import Array

CONVOLVED = 1 << 14
"""Up to this many values the law of a sum is convolved. Beyond, its tails are by saddlepoint (Lugannani, Rice)."""
LEAN = 0.8
"""Part of a level, or of a stake, on the side where defects are expected."""
SMALL = 1e-9
"""The FFT knows probabilities to about 1e-13; tails below this are taken by saddlepoint as well."""


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """Probabilities of the whole numbers from `low` on."""

    low: int
    probabilities: Array

    @property
    def values(self) -> Array:
        """The whole numbers that have a probability."""
        return self.low + np.arange(len(self.probabilities), dtype=float)

    @property
    def mean(self) -> float:
        """The expectation."""
        return float(self.values @ self.probabilities)

    @property
    def variance(self) -> float:
        """The variance."""
        return float((self.values - self.mean) ** 2 @ self.probabilities)

    def log_moment(self, tilt: float) -> float:
        """Log of E[exp(tilt X)]."""
        with np.errstate(divide="ignore"):
            return float(special.logsumexp(tilt * self.values + np.log(self.probabilities)))


@lru_cache(maxsize=256)
def total(law: Law, times: int) -> Law:
    """The law of the sum of independent copies, by FFT; for sums of at most CONVOLVED values."""
    if times == 1:
        return law
    size = (len(law.probabilities) - 1) * times + 1
    length = 1 << (size - 1).bit_length()
    spectrum = np.fft.rfft(law.probabilities, length) ** times
    return Law(law.low * times, np.maximum(np.fft.irfft(spectrum, length)[:size], 0.0))


def tails(law: Law, times: int, value: int) -> tuple[float, float]:
    """P(sum <= value) and P(sum >= value) for the sum of `times` independent copies."""
    below = above = 0.0
    if times == 1 or (len(law.probabilities) - 1) * times < CONVOLVED:
        summed = total(law, times)
        at = value - summed.low
        below = float(summed.probabilities[: max(at + 1, 0)].sum())
        above = float(summed.probabilities[max(at, 0) :].sum())
    if times > 1 and below < SMALL:
        mirrored = Law(-law.low - len(law.probabilities) + 1, law.probabilities[::-1])
        below = _upper(mirrored, times, -value)
    if times > 1 and above < SMALL:
        above = _upper(law, times, value)
    return min(below, 1.0), min(above, 1.0)


def leaning(law: Law, times: int, value: int, lean: int) -> float:
    """The p-value of a sum, most of whose level lies on the side (1 above, -1 below) where defects are expected."""
    below, above = tails(law, times, value)
    part = LEAN if lean else 0.5
    expected, other = (above, below) if lean > 0 else (below, above)
    return min(1.0, expected / part, other / (1 - part))


def _upper(law: Law, times: int, value: int) -> float:
    """P(sum >= value) for a sum of many, by saddlepoint with the correction for whole numbers."""
    x, p, target = law.values, law.probabilities, value / times
    if target <= law.low:
        return 1.0
    if target > x[-1]:
        return 0.0
    tilt, mean, variance, log_moment = 0.0, law.mean, law.variance, 0.0
    for _ in range(100):
        step = max(-1.0, min(1.0, (target - mean) / variance))
        tilt += step
        highest = float(max(tilt * x[0], tilt * x[-1]))
        weights = p * np.exp(tilt * x - highest)
        whole = float(weights.sum())
        log_moment = highest + math.log(whole)
        mean = float(x @ weights) / whole
        variance = max(float((x - mean) ** 2 @ weights) / whole, 1e-12)
        if abs(step) < 1e-9 * max(1.0, abs(tilt)):
            break
    deviance = 2 * times * (tilt * target - log_moment)
    root = math.copysign(math.sqrt(max(deviance, 0.0)), tilt)
    if abs(root) < 1e-3:  # at the centre the formula divides by zero, and the normal law is as good
        return float(special.ndtr((times * law.mean + 0.5 - value) / math.sqrt(times * law.variance)))
    slope = -math.expm1(-tilt) * math.sqrt(times * variance)
    density = math.exp(-root * root / 2) / math.sqrt(2 * math.pi)
    return max(0.0, float(special.ndtr(-root)) + density * (1 / slope - 1 / root))

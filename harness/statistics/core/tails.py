"""Tails of the laws that the tests use, on whole arrays. A p-value includes the observed value itself."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from feltrig.harness.statistics.core.p_values import Array


def binomial_above(trials: ArrayLike, chance: ArrayLike, count: ArrayLike) -> Array:
    """P(at least `count` successes)."""
    n, c, p = (np.asarray(value, dtype=float) for value in (trials, count, chance))
    return _floats(np.where(c <= 0, 1.0, special.betainc(np.maximum(c, 0.5), np.maximum(n - c + 1, 0.5), p)))


def binomial_below(trials: ArrayLike, chance: ArrayLike, count: ArrayLike) -> Array:
    """P(at most `count` successes)."""
    n, c = np.asarray(trials, dtype=float), np.asarray(count, dtype=float)
    return binomial_above(n, 1 - np.asarray(chance, dtype=float), n - c)


def binomial_either(trials: ArrayLike, chance: ArrayLike, count: ArrayLike) -> Array:
    """Twice the smaller tail, at most 1."""
    smaller = np.minimum(binomial_above(trials, chance, count), binomial_below(trials, chance, count))
    return _floats(np.minimum(1.0, 2 * smaller))


def binomial_excess(trials: ArrayLike, chance: ArrayLike, count: ArrayLike, leaning: float = 0.9) -> Array:
    """Both tails, with most of the level on the upper one: for counts that are small by nature."""
    above, below = binomial_above(trials, chance, count), binomial_below(trials, chance, count)
    return _floats(np.minimum(1.0, np.minimum(above / leaning, below / (1 - leaning))))


def poisson_above(mean: ArrayLike, count: ArrayLike) -> Array:
    """P(at least `count` events)."""
    c = np.asarray(count, dtype=float)
    return _floats(np.where(c <= 0, 1.0, special.gammainc(np.maximum(c, 0.5), mean)))


def chi_square_above(value: ArrayLike, freedom: ArrayLike) -> Array:
    """P(a chi-square is at least `value`)."""
    return _floats(special.chdtrc(freedom, np.maximum(value, 0.0)))


def normal_either(z: ArrayLike) -> Array:
    """P(a normal deviate is at least as far from 0 as `z`)."""
    return _floats(2 * special.ndtr(-np.abs(np.asarray(z, dtype=float))))


def normal_point(chance: float) -> float:
    """The deviate that is exceeded with this chance."""
    return float(-special.ndtri(chance))


def pearson_above(value: ArrayLike, mean: ArrayLike, variance: ArrayLike, third: ArrayLike) -> Array:
    """P(at least `value`) under the Pearson III law of this mean, variance and positive third central moment."""
    shape, scaled = _gamma(value, mean, variance, third)
    return _floats(special.gammaincc(shape, scaled))


def pearson_below(value: ArrayLike, mean: ArrayLike, variance: ArrayLike, third: ArrayLike) -> Array:
    """P(at most `value`) under the same law."""
    shape, scaled = _gamma(value, mean, variance, third)
    return _floats(special.gammainc(shape, scaled))


def noncentrality(freedom: int, level: float, power: float) -> float:
    """The noncentrality at which a chi-square test of this level reaches this power."""
    critical = special.chdtri(freedom, level)
    return float(special.chndtrinc(critical, freedom, 1 - power))


def log_factorial(value: ArrayLike) -> Array:
    """ln of the factorial."""
    return _floats(special.gammaln(np.asarray(value, dtype=float) + 1))


def _gamma(value: ArrayLike, mean: ArrayLike, variance: ArrayLike, third: ArrayLike) -> tuple[Array, Array]:
    spread = np.asarray(variance, dtype=float)
    scale = np.asarray(third, dtype=float) / (2 * spread)
    shape = spread / scale**2
    return shape, np.maximum(0.0, shape + (np.asarray(value, dtype=float) - mean) / scale)


def _floats(value: Any) -> Array:
    return np.asarray(value, dtype=np.float64)

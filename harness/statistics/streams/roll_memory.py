"""Whole rolls: one that is preferred, one that an earlier total predicts, an earlier one turned over."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from feltrig.harness.statistics.core.fixed_result import FixedResult, either, strongest
from feltrig.harness.statistics.core.tails import binomial_either, binomial_excess, normal_either
from feltrig.harness.statistics.streams import rhythms
from feltrig.harness.statistics.streams.chi_square import Ints, chi_square, uneven_together
from feltrig.harness.statistics.streams.lags import NEAR
from feltrig.harness.statistics.streams.rolls import Rolls, total_law
from feltrig.harness.statistics.streams.symbols import different_law

AFTER = 4
"""Lags at which a face is looked at beside an earlier total."""


def preferred_rolls(rolls: Rolls) -> FixedResult:
    """The one roll that is furthest from its share, and the one set of faces, in whatever order."""
    n, dice = rolls.faces.shape
    ordered = np.sort(list(product(range(rolls.k), repeat=dice)), axis=1) @ rolls.k ** np.arange(dice)
    ways = np.bincount(ordered)
    faces = np.bincount(np.sort(rolls.faces, axis=1) @ rolls.k ** np.arange(dice), minlength=len(ways))[ways > 0]
    whole = rolls.whole[0].counts
    return either(
        strongest(whole, binomial_either(n, float(rolls.k) ** -dice, whole)),
        strongest(faces, binomial_either(n, ways[ways > 0] / ways.sum(), faces)),
    )


def after_totals(rolls: Rolls) -> FixedResult:
    """The face of each die, and of all, after each total of an earlier roll, and after pairs and triples."""
    ordered = np.sort(rolls.faces, axis=1)
    known = (rolls.totals, (ordered[:, 1:] != ordered[:, :-1]).sum(axis=1))
    found = []
    for earlier, lag in product(known, range(1, AFTER + 1)):
        tables = [_table(earlier[:-lag], die[lag:], rolls.k) for die in rolls.faces.T]
        found += [
            (float(chi_square(table).sum()), uneven_together(table)) for table in (*tables, np.sum(tables, axis=0))
        ]
    return either(*found)


def _table(known: Ints, outcome: Ints, k: int) -> Ints:
    return np.bincount(known * k + outcome, minlength=(int(known.max()) + 1) * k).reshape(-1, k)


def kept_totals(rolls: Rolls) -> FixedResult:
    """Totals equal to the one some rolls before, at each near lag. Totals are not equally likely, so three that agree
    are likelier than two pairs."""
    n, law, totals = len(rolls.faces), total_law(rolls.faces.shape[1], rolls.k), rolls.totals
    pair, triple = float((law**2).sum()), float((law**3).sum())
    lags = np.arange(1, min(NEAR, n // 2) + 1)
    kept = np.array([int((totals[lag:] == totals[:-lag]).sum()) for lag in lags])
    spread = (n - lags) * pair * (1 - pair) + 2 * np.maximum(n - 2 * lags, 0) * (triple - pair**2)
    return strongest(kept, normal_either((kept - (n - lags) * pair) / np.sqrt(spread)))


def turned_rolls(rolls: Rolls) -> FixedResult:
    """Rolls that are an earlier one with every die on its opposite face, at each lag up to half of the sample: near
    lags and far ones, with equal weight."""
    n, dice = rolls.faces.shape
    lags = np.arange(1, n // 2 + 1)
    turned = _distances(rolls.whole[0].x, (rolls.k - 1 - rolls.faces) @ rolls.k ** np.arange(dice))[lags]
    p = binomial_excess(n - lags, float(rolls.k) ** -dice, turned)
    groups = [group for group in (lags <= NEAR, lags > NEAR) if group.any()]
    return either(*(strongest(turned[group], p[group]) for group in groups))


def _distances(x: Ints, earlier: Ints) -> Ints:
    """How often an entry of `x` equals an entry of `earlier` that lies 0, 1, 2, ... places before it."""
    at, before = np.argsort(x, kind="stable"), np.argsort(earlier, kind="stable")
    symbols = np.unique(x)
    starts, ends = (np.searchsorted(x[at], symbols, side) for side in ("left", "right"))
    firsts, lasts = (np.searchsorted(earlier[before], symbols, side) for side in ("left", "right"))
    apart = [
        np.subtract.outer(at[start:end], before[first:last]).ravel()
        for start, end, first, last in zip(starts, ends, firsts, lasts, strict=True)
    ]
    between = np.concatenate(apart)
    return np.bincount(between[between >= 0], minlength=len(x))


def roll_rhythms(rolls: Rolls) -> FixedResult:
    """Rhythms in each die, in how many faces differ, and in high and odd totals."""
    dice = rolls.faces.shape[1]
    ordered = np.sort(rolls.faces, axis=1)
    kinds, law = 1 + (ordered[:, 1:] != ordered[:, :-1]).sum(axis=1), different_law(dice, rolls.k)[1:]
    totals, chances = np.arange(dice * rolls.k + 1), total_law(dice, rolls.k)
    classes = [2 * totals > dice * (rolls.k + 1), totals % 2 > 0]
    marks: list[NDArray[np.bool_]] = [
        *(kinds == different for different in range(1, len(law) + 1)),
        *(of[rolls.totals] for of in classes),
    ]
    return either(
        rhythms.rhythms(rolls.dice),
        rhythms.of_marks(np.array(marks), [*law, *(float(chances[of].sum()) for of in classes)]),
    )

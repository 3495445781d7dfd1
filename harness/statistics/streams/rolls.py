"""Rolls of several dice as streams of equally likely symbols, and the tests that only dice have."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

import numpy as np

from feltrig.harness.statistics.core.p_values import NOTHING, Array, FixedResult, Ints, either, strongest
from feltrig.harness.statistics.core.tails import binomial_either, binomial_excess, chi_square_above, normal_either
from feltrig.harness.statistics.streams import lags, runs, symbols
from feltrig.harness.statistics.streams.chi_square import table_of, uneven_together
from feltrig.harness.statistics.streams.lags import NEAR
from feltrig.harness.statistics.streams.symbols import Symbols

POSITIONS = (7, 8)
"""Positions at a table, one of which the total of the dice chooses."""
EXPECTED = 5.0
"""The least expectation of a cell, where cells are not equally likely; smaller ones are taken together."""
AFTER = 4
"""Lags at which a face is looked at beside an earlier total."""


@dataclass(frozen=True, slots=True, eq=False)
class Rolls:
    """Rolls in order, one row each, faces as 0 to k - 1."""

    faces: Ints
    k: int

    @property
    def dice(self) -> list[Symbols]:
        """Each die by itself."""
        return [Symbols(column, self.k) for column in np.ascontiguousarray(self.faces.T)]

    @property
    def pooled(self) -> list[Symbols]:
        """All faces as one stream, die by die and roll by roll."""
        return [Symbols(self.faces.ravel(), self.k)]

    @property
    def whole(self) -> list[Symbols]:
        """Each roll as one symbol."""
        dice = self.faces.shape[1]
        return [Symbols(self.faces @ self.k ** np.arange(dice), self.k**dice)]

    @property
    def combined(self) -> list[Symbols]:
        """Faces of two or more dice added and subtracted mod k: equally likely as well, if all is fair."""
        signs = [row for row in signs_of(self.faces.shape[1]) if sum(map(abs, row)) > 1]
        return [Symbols(column, self.k) for column in np.ascontiguousarray((self.faces @ np.array(signs).T % self.k).T)]

    @property
    def totals(self) -> Ints:
        """The sum of each roll, as the dice show it."""
        totals: Ints = self.faces.sum(axis=1) + self.faces.shape[1]
        return totals


def signs_of(dice: int) -> list[tuple[int, ...]]:
    """All ways to add and subtract the faces of some of the dice; the first one is added."""
    return [row for row in product((0, 1, -1), repeat=dice) if next((sign for sign in row if sign), 0) == 1]


def opposite_faces(rolls: Rolls) -> FixedResult:
    """A face against the opposite one (a weight), and both together against the others (a shaved die)."""
    counts = np.array([stream.counts for stream in (*rolls.dice, *rolls.pooled)])
    half = rolls.k // 2
    face, opposite = counts[:, :half], counts[:, ::-1][:, :half]
    axis = face + opposite
    weight = binomial_either(axis, 0.5, face)
    shape = binomial_either(counts.sum(axis=1, keepdims=True), 2 / rolls.k, axis)
    return strongest(np.concatenate([face, axis]), np.concatenate([weight, shape]))


def patterns(rolls: Rolls) -> FixedResult:
    """How many different faces a roll shows: triples, pairs."""
    return symbols.different(rolls.faces, rolls.k)


def equal_dice(rolls: Rolls) -> FixedResult:
    """Two dice that show the same face, or faces that make up one more than there are: a die and its opposite."""
    pairs = list(combinations(rolls.faces.T, 2))
    counts = [int((a == b).sum()) for a, b in pairs] + [int((a + b == rolls.k - 1).sum()) for a, b in pairs]
    return strongest(counts, binomial_either(len(rolls.faces), 1 / rolls.k, counts))


def tables_of_dice(rolls: Rolls) -> FixedResult:
    """The face of one die after each face of another, in the same roll or the last one."""
    pairs = []
    for (i, a), (j, b) in product(enumerate(rolls.faces.T), repeat=2):
        pairs += [(a[:-1], b[1:])] + ([(a, b)] if i < j else [])
    return either(*(uneven_together(table_of(known, outcome, rolls.k)) for known, outcome in pairs))


def last_faces(rolls: Rolls) -> FixedResult:
    """Each die against what it, or another, showed in the last roll."""
    faces = rolls.faces.T
    counts = [int((a[1:] == b[:-1]).sum()) for a, b in product(faces, repeat=2)]
    return strongest(counts, binomial_either(len(faces[0]) - 1, 1 / rolls.k, counts))


def equal_rolls(rolls: Rolls) -> FixedResult:
    """Rolls that are the last one again."""
    again = int((rolls.faces[1:] == rolls.faces[:-1]).all(axis=1).sum())
    n, dice = rolls.faces.shape
    return FixedResult(again, float(binomial_excess(n - 1, float(rolls.k) ** -dice, again)))


def kept_combinations(rolls: Rolls) -> FixedResult:
    """Sums and differences of dice that are the same as in the last roll: a shaker that keeps a total."""
    return either(*(lags.matches([stream]) for stream in rolls.combined))


def totals(rolls: Rolls) -> FixedResult:
    """The sums of the rolls against their law."""
    law = total_law(rolls.faces.shape[1], rolls.k)
    return _against(np.bincount(rolls.totals, minlength=len(law)), law)


def starting_position(rolls: Rolls) -> FixedResult:
    """The position that the total chooses, against its law: of 7 positions six have 31/216 and one 30/216."""
    law = total_law(rolls.faces.shape[1], rolls.k)
    counts = [np.bincount((rolls.totals - 1) % m, minlength=m) for m in POSITIONS]
    return either(*(_against(seen, position_law(law, m)) for seen, m in zip(counts, POSITIONS, strict=True)))


def total_runs(rolls: Rolls) -> FixedResult:
    """Runs of low and high totals."""
    high = 2 * rolls.totals > rolls.faces.shape[1] * (rolls.k + 1)
    return runs.low_high_runs([Symbols(high.astype(np.int64), 2)])


@lru_cache(maxsize=16)
def total_law(dice: int, k: int) -> Array:
    """Chances of the totals 0, 1, 2, ... of so many dice."""
    law, die = np.ones(1), np.append(0.0, np.full(k, 1 / k))
    for _ in range(dice):
        law = np.convolve(law, die)
    return law


def position_law(law: Array, positions: int) -> Array:
    """Chances of the positions, counted from 1, that a total with this law chooses."""
    chances: Array = np.bincount((np.arange(len(law)) - 1) % positions, law, minlength=positions).astype(np.float64)
    return chances


def _against(counts: Ints, law: Array) -> FixedResult:
    """Chi-square of cells with these chances, neighbours taken together until enough is expected in each."""
    expected = counts.sum() * law
    groups = list(_grouped(expected))
    if len(groups) < 2:
        return NOTHING
    value = sum(float((counts[group].sum() - expected[group].sum()) ** 2 / expected[group].sum()) for group in groups)
    return FixedResult(value, float(chi_square_above(value, len(groups) - 1)))


def _grouped(expected: Array) -> Iterator[slice]:
    start = 0
    for end in range(1, len(expected) + 1):
        rest = expected[end:].sum()
        if expected[start:end].sum() >= EXPECTED and (rest >= EXPECTED or rest == 0):
            yield slice(start, end)
            start = end


def preferred_rolls(rolls: Rolls) -> FixedResult:
    """The one roll that is furthest from its share, and the one set of faces, in whatever order."""
    n, dice = rolls.faces.shape
    ways = np.bincount(np.sort(list(product(range(rolls.k), repeat=dice)), axis=1) @ rolls.k ** np.arange(dice))
    faces = np.bincount(np.sort(rolls.faces, axis=1) @ rolls.k ** np.arange(dice), minlength=len(ways))[ways > 0]
    whole = rolls.whole[0].counts
    return either(
        strongest(whole, binomial_either(n, float(rolls.k) ** -dice, whole)),
        strongest(faces, binomial_either(n, ways[ways > 0] / ways.sum(), faces)),
    )


def after_totals(rolls: Rolls) -> FixedResult:
    """The face of each die, and of all, after each total of an earlier roll, and after pairs and triples."""
    found = []
    for known, lag in product((rolls.totals, symbols.kinds(rolls.faces)), range(1, AFTER + 1)):
        tables = [table_of(known[:-lag], die[lag:], rolls.k) for die in rolls.faces.T]
        found += [uneven_together(table) for table in (*tables, np.sum(tables, axis=0))]
    return either(*found)


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
    cuts = zip(starts, ends, firsts, lasts, strict=True)
    between = np.concatenate([np.subtract.outer(at[i:j], before[k:m]).ravel() for i, j, k, m in cuts])
    return np.bincount(between[between >= 0], minlength=len(x))


def roll_rhythms(rolls: Rolls) -> FixedResult:
    """Rhythms in each die, in how many faces differ, and in high and odd totals."""
    dice = rolls.faces.shape[1]
    kinds, law = symbols.kinds(rolls.faces), symbols.different_law(dice, rolls.k)[1:]
    totals, chances = np.arange(dice * rolls.k + 1), total_law(dice, rolls.k)
    classes = [2 * totals > dice * (rolls.k + 1), totals % 2 > 0]
    marks = [*(kinds == count for count in range(1, len(law) + 1)), *(of[rolls.totals] for of in classes)]
    rolled = symbols.of_marks(np.array(marks), [*law, *(float(chances[of].sum()) for of in classes)])
    return either(symbols.rhythms(rolls.dice), rolled)

"""From the smallest p-value of all tests to a p-value of the whole family.

Tests of few shuffles are discrete, and some depend on each other, so Bonferroni would waste a part of the level. How
much was found by Monte Carlo (benchmarks/calibrate.py): the table says by what factor the critical value may exceed
Bonferroni's.
"""

import csv
import math
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

TABLE = Path(__file__).with_name("critical.tsv")
LEVELS = (0.001, 0.01, 0.05)


def family_p(smallest: float, n: int, count: int) -> float:
    """The p-value of the family of tests, from the smallest p-value over its share, for `count` shuffles of n cards."""
    knots = [(level * gain, level) for level, gain in zip(LEVELS, gains(n, count), strict=True)]
    if smallest <= knots[0][0]:
        return min(smallest, knots[0][1])
    for (low, under), (high, over) in pairwise(knots):
        if smallest <= high:
            part = math.log(smallest / low) / math.log(high / low)
            return min(smallest, math.exp((1 - part) * math.log(under) + part * math.log(over)))
    return min(1.0, smallest / gains(n, count)[-1])


def gains(n: int, count: int) -> tuple[float, ...]:
    """The factor by which the critical value at each level exceeds Bonferroni's. Between tabled sizes the smaller one
    holds. Beyond them, and for decks that are not in the table, it is 1."""
    sizes = _table().get(n, {})
    below, above = [size for size in sizes if size <= count], [size for size in sizes if size >= count]
    if not below or not above:
        return (1.0,) * len(LEVELS)
    return tuple(map(min, sizes[max(below)], sizes[min(above)]))


@lru_cache(maxsize=1)
def _table() -> dict[int, dict[int, tuple[float, ...]]]:
    """Gains by cards of a deck and number of shuffles."""
    table: dict[int, dict[int, tuple[float, ...]]] = {}
    with TABLE.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            factors = tuple(max(1.0, float(row[f"{level:g}"])) for level in LEVELS)
            table.setdefault(int(row["cards"]), {})[int(row["shuffles"])] = factors
    return table

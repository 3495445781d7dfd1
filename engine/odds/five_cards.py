"""All C(52,5) hands at once: the pay table line of each, and what a player knows who has seen some of its cards."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from feltrig.engine.odds.sets import numbers
from feltrig.engine.odds.wager import Net
from feltrig.engine.ranking import poker
from feltrig.engine.ranking.bulk import strengths
from feltrig.engine.ranking.census import Cards, hands
from feltrig.engine.ranking.poker import Category
from feltrig.engine.ranking.tables import Strengths

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

LineOf = Callable[[Category, int], str]
"""The name of a line, by category and first deciding rank."""

SIZE = 5


@cache
def every_hand() -> Cards:
    """A hand in each row, its cards ascending."""
    return np.concatenate(list(hands(52, SIZE)))


@cache
def _strengths() -> tuple[Strengths, Ints]:
    """The different strengths, and which of them each hand has."""
    return np.unique(strengths(every_hand()), return_inverse=True)


def lines(line_of: LineOf) -> tuple[list[str], Ints]:
    """The names of all lines, and the line of each hand."""
    found, of_hand = _strengths()
    named = [line_of(poker.category(strength), poker.ranks(strength)[0]) for strength in found.tolist()]
    names = list(dict.fromkeys(reversed(named)))
    return names, np.array([names.index(name) for name in named])[of_hand]


def counts(line_of: LineOf) -> dict[str, int]:
    """How many hands are on each line, the highest first."""
    names, of_hand = lines(line_of)
    return dict(zip(names, np.bincount(of_hand, minlength=len(names)).tolist(), strict=True))


def nets(names: list[str], odds: Mapping[str, int]) -> Ints:
    """What a wager gains by line."""
    return np.array([odds.get(name, -1) for name in names])


def parts(size: int) -> Iterator[tuple[tuple[int, ...], Ints]]:
    """Each choice of `size` of a hand's five places, and the number of the cards there among all sets of that size."""
    for places in combinations(range(SIZE), size):
        yield places, numbers(every_hand()[:, places])


def gains(size: int, net: Ints) -> Flags:
    """For each set of `size` cards, whether a wager with these nets by hand gains on average when they are held."""
    total = np.zeros(comb(52, size))
    for _, sets in parts(size):
        total += np.bincount(sets, net, len(total))  # whole numbers far below 2**53, so the sums are exact
    return total > 0


def ends(names: list[str], by_line: Ints, stakes: Mapping[int, str], ways: Ints) -> Iterator[tuple[str, Net, int]]:
    """Line by line and stake by stake, what is gained and in how many ways; `ways` has a row for each line."""
    for name, net, row in zip(names, by_line.tolist(), ways.tolist(), strict=True):
        for stake, suffix in stakes.items():
            if row[stake]:
                yield f"{name}{suffix}", net * stake, row[stake]

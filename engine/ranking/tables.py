"""The strength of every multiset of at most seven ranks, plain and in one suit: where hands are looked up.

The key of a multiset has an octal digit for each rank, the number of cards that hold it, so keys add up card by card.
Its number is a sum too: one part from the ranks two to eight and one from nine to ace.
"""

from collections.abc import Sequence
from functools import cache, reduce
from itertools import combinations_with_replacement
from typing import overload

import numpy as np
import numpy.typing as npt

from feltrig.engine.ranking.lookup import MOST
from feltrig.engine.ranking.shape import ACE, CATEGORY_SHIFT, Ranking

Ints = npt.NDArray[np.int64]
Strengths = npt.NDArray[np.uint32]

RANKS = 13
LOW_RANKS = 7
LOW_BITS = 3 * LOW_RANKS


def _multisets(ranks: int) -> tuple[Ints, Ints]:
    """The keys and sizes of all multisets of at most seven ranks, the smaller ones first."""
    digits = (0, *(1 << 3 * rank for rank in range(ranks)))
    cards = np.array(list(combinations_with_replacement(digits, MOST)))
    sizes = np.count_nonzero(cards, axis=1)
    order = np.argsort(sizes, kind="stable")
    return cards.sum(axis=1)[order], sizes[order]


_LOW, _LOW_SIZES = _multisets(LOW_RANKS)
_HIGH, _HIGH_SIZES = _multisets(RANKS - LOW_RANKS)
_ROOMS = np.searchsorted(_HIGH_SIZES, MOST - _LOW_SIZES, side="right")
"""How many multisets of high ranks fit beside each of the low ones."""
_STARTS = np.cumsum(_ROOMS) - _ROOMS

LOW_PART = np.bincount(_LOW, _STARTS).astype(np.int32)
HIGH_PART = np.bincount(_HIGH, np.arange(len(_HIGH))).astype(np.int32)
"""The number of a multiset is LOW_PART of its low digits plus HIGH_PART of its high digits."""

KEYS: Ints = np.repeat(_LOW, _ROOMS) | _HIGH[np.arange(_ROOMS.sum()) - np.repeat(_STARTS, _ROOMS)] << LOW_BITS
"""The keys of all 77,520 multisets, in the order of their numbers."""
COUNTS: npt.NDArray[np.uint8] = (KEYS[:, np.newaxis] >> 3 * np.arange(RANKS) & 7).astype(np.uint8)
"""How many cards of each rank they hold."""
SIZES: Ints = COUNTS.sum(axis=1, dtype=np.int64)

_ALL = (1 << RANKS) - 1
"""The set of all ranks. A set has a bit for each of its ranks, the two lowest."""
_HIGHEST: Ints = np.array([ranks.bit_length() + 1 if ranks else 0 for ranks in range(_ALL + 1)])
"""The highest rank of each set; 0 of the empty set."""
_ACE = 1 << RANKS - 1


@cache
def plain(ranking: Ranking, joker: bool = False) -> Strengths:
    """The best hand that each multiset forms regardless of suits, with a joker beside it or not; 0 for none."""
    held = ranks_held()
    fewer = (np.full_like(held[0], _ALL), *held)
    with_ace = [ranks | before & _ACE for ranks, before in zip(held, fewer, strict=False)]
    grouped = _grouped(ranking, with_ace if joker else held, one_suit=False)
    return np.maximum(grouped, _named(ranking.straight, _straights(ranking, joker)[held[0]])).astype(np.uint32)


@cache
def suited(ranking: Ranking, joker: bool = False) -> Strengths:
    """The best hand that each multiset forms in one suit, with a joker beside it or not; 0 for none."""
    straights = _straights(ranking, joker)[ranks_held()[0]]
    found = _named(ranking.straight_flush, straights)
    if ranking.royal_flush is not None:
        highest = straights == _first(_place(ranking, ACE))
        found = np.where(highest, _named(ranking.royal_flush, _first(highest * ACE)), found)
    return np.maximum(found, _flushes(ranking, joker)).astype(np.uint32)


def by_key(strengths: Strengths, sizes: Sequence[int]) -> dict[int, int]:
    """The strengths above 0 of the multisets of such sizes, by their keys."""
    rows = np.isin(SIZES, sizes) & (strengths > 0)
    return dict(zip(KEYS[rows].tolist(), strengths[rows].tolist(), strict=True))


def by_sum(strengths: Strengths, sizes: Sequence[int], copies: int, rank_keys: Sequence[int]) -> Strengths:
    """The strengths of multisets of these sizes, with at most `copies` cards of a rank, by the sum of other keys."""
    rows = np.isin(SIZES, sizes) & (COUNTS.max(axis=1) <= copies)
    sums = COUNTS[rows] @ np.array(rank_keys)
    found = np.zeros(sums.max() + 1, np.uint32)
    found[sums] = strengths[rows]
    return found


def _flushes(ranking: Ranking, joker: bool) -> Ints:
    """The best hand of each multiset in one suit, straights aside."""
    held = ranks_held()
    if not joker:
        return _grouped(ranking, held, one_suit=True)
    if ranking.ace_twice:
        others = _best(held, (1,) * (ranking.size - 1))
        flush = ranking.groups[(1,) * ranking.size][1]
        return _named(flush, (others > 0) * (_first(ACE) | others >> 4))
    highest_missing = 1 << _HIGHEST[_ALL & ~held[0]] >> 2
    return _grouped(ranking, [held[0] | highest_missing, *held[1:]], one_suit=True)


def _grouped(ranking: Ranking, held: Sequence[Ints], one_suit: bool) -> Ints:
    """The best hand by groups of equal ranks."""
    candidates = (_named(names[one_suit], _best(held, groups)) for groups, names in ranking.groups.items())
    return reduce(np.maximum, candidates)


def _best(held: Sequence[Ints], groups: Sequence[int]) -> Ints:
    """The highest ranks that form such groups, as deciding ranks; 0 where none do."""
    free = np.full(len(KEYS), _ALL)
    found = np.zeros(len(KEYS), np.int64)
    for place, size in enumerate(groups):
        highest = _HIGHEST[held[size - 1] & free]
        free = np.where(highest > 0, free & ~(1 << highest >> 2), 0)
        found |= _first(highest) >> 4 * place
    found *= highest > 0
    return found


def _straights(ranking: Ranking, joker: bool) -> Ints:
    """The best straight of each set of ranks, as a deciding rank; 0 for none."""
    sets = np.arange(_ALL + 1)
    found = np.zeros(len(sets), np.int64)
    for top in range(ranking.size, ACE + 1):
        run = sum(1 << (rank - 2) % RANKS for rank in range(top - ranking.size + 1, top + 1))  # a 1 is an ace
        missing = np.bitwise_count(run & ~sets)
        found = np.maximum(found, _first(_place(ranking, top)) * (missing <= joker))
    return found


def _place(ranking: Ranking, top: int) -> int:
    return ranking.places.get(top, top)


def _named(category: int | None, ranks: Ints) -> Ints:
    """The strengths of deciding ranks in a category; 0 where there are none, or no such category."""
    if category is None:
        return np.zeros_like(ranks)
    named: Ints = (ranks > 0) * (category << CATEGORY_SHIFT | ranks)
    return named


@overload
def _first(rank: int) -> int: ...
@overload
def _first(rank: Ints) -> Ints: ...
def _first(rank: int | Ints) -> int | Ints:
    """The rank in the place of the first deciding rank."""
    return rank << CATEGORY_SHIFT - 4


@cache
def ranks_held() -> tuple[Ints, ...]:
    """For each multiset the set of ranks of which it has at least one, two, ... five cards."""
    return tuple((size <= COUNTS) @ (1 << np.arange(RANKS)) for size in range(1, 6))

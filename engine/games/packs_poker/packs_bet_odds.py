"""Pack's Poker, the pack's bet: all packs, all hands of the player's and all of the dealer's, C(52,2) C(50,5) C(45,5).

Player and dealer are dealt alike, so of the pairs of hands that differ half are the player's. What has to be counted is
ties, and pairs of hands without a pair. Hands that share no card are counted by inclusion and exclusion: over all sets
of cards that both might hold, with the sign of their number, the pairs of hands that hold them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from feltrig.engine.cards import deck
from feltrig.engine.odds.sets import numbers
from feltrig.engine.odds.suits import masks, orbits
from feltrig.engine.odds.wager import Progress, Wager, gathered, silent
from feltrig.engine.ranking.bulk import strengths
from feltrig.engine.ranking.census import Cards, hands
from feltrig.engine.ranking.poker import Category
from feltrig.engine.ranking.shape import packed
from feltrig.engine.table.result import Outcome

Ints = npt.NDArray[np.int64]
Classes = npt.NDArray[np.uint16]

SIZE = 5
"""The cards of a hand."""
_PAIR = packed(Category.PAIR, ())
_DECK: Cards = np.array(deck(), np.uint8)
_BLOCK = 2_000_000
"""So many places of hands are taken together."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """How many pairs of hands, the player's and the dealer's, there are beside a pack."""

    every: int
    ties: int
    unpaired: int
    """Neither has a pair."""
    unpaired_ties: int

    @property
    def wins(self) -> int:
        """The player is higher, with a pair or better: 43.10(e)."""
        return (self.every - self.ties) // 2 - self.unpaired_wins

    @property
    def unpaired_wins(self) -> int:
        """The player is higher without a pair, so the dealer has none either: 43.10(f)."""
        return (self.unpaired - self.unpaired_ties) // 2

    @property
    def paired_ties(self) -> int:
        """43.10(f)."""
        return self.ties - self.unpaired_ties


def wagers(progress: Progress = silent) -> Iterator[Wager]:
    """The bet on a pack, without and with the election that a higher hand without a pair pushes (PP-06)."""
    every = np.concatenate(list(hands(52, 2)))
    first, weights = orbits(every)
    wins = pushes = unpaired_wins = total = 0
    for done, (pack, weight) in enumerate(zip(every[first], weights.tolist(), strict=True)):
        progress("packs", done, len(first))
        found = pairs(pack)
        total += weight * found.every
        wins += weight * found.wins
        pushes += weight * found.paired_ties
        unpaired_wins += weight * found.unpaired_wins
    for elected, table in enumerate(("13:69F-43.11(a)", "13:69F-43.11(a), with the election of 43.10(f)")):
        moved = unpaired_wins * elected
        ends = (
            (Outcome.WIN.value, 1, wins),
            (Outcome.PUSH.value, 0, pushes + moved),
            (Outcome.LOSE.value, -1, total - wins - pushes - moved),
        )
        yield gathered("packs_bet", table, ends)


def pairs(pack: Cards, deck: Cards = _DECK) -> Pairs:
    """The pairs of hands beside one pack. A smaller deck must have all four cards of each of its ranks."""
    rest = np.setdiff1d(deck, pack)
    classes, unpaired_classes = _classes(pack, rest)
    # Of two hands that share all five cards each is the other.
    ties, unpaired = -len(classes), -int(np.count_nonzero(classes < unpaired_classes))
    unpaired_ties = unpaired
    for size in range(SIZE):
        sign = -1 if size % 2 else 1
        for rows, weights in _shared(pack, rest, size):
            held = np.sort(classes[rows], axis=1)
            lengths, values, of_row = _runs(held)
            squares = lengths * lengths * weights[of_row]
            without = np.count_nonzero(held < unpaired_classes, axis=1)
            ties += sign * int(squares.sum())
            unpaired_ties += sign * int(squares[values < unpaired_classes].sum())
            unpaired += sign * int((without * without * weights).sum())
    return Pairs(len(classes) * comb(len(rest) - SIZE, SIZE), ties, unpaired, unpaired_ties)


def _classes(pack: Cards, rest: Cards) -> tuple[Classes, int]:
    """The place of each hand's strength among all, with the pack; and how many of the lowest have no pair."""
    own = rest[_hands(len(rest))]
    both = np.hstack([own, np.broadcast_to(pack, (len(own), len(pack)))])
    held = strengths(both)
    found = np.unique(held)
    return np.searchsorted(found, held).astype(np.uint16), int(np.searchsorted(found, _PAIR))


@cache
def _hands(rest: int) -> Cards:
    """All hands, by the places of their cards among so many beside the pack."""
    return np.concatenate(list(hands(rest, SIZE)))


def _shared(pack: Cards, rest: Cards, size: int) -> Iterator[tuple[npt.NDArray[np.int32], Ints]]:
    """The hands that hold each set of so many cards, a set in each row, and for how many sets it stands, in blocks.

    Suits that are alike in the pack may be renamed into each other.
    """
    sets = np.concatenate(list(hands(len(rest), size))) if size else np.zeros((1, 0), np.uint8)
    (in_pack,) = masks(pack[np.newaxis])
    labels = np.searchsorted(np.unique(in_pack), in_pack).tolist()
    first, weights = orbits(rest[sets], labels)
    holding = _holding(len(rest), size)
    step = max(1, _BLOCK // holding.shape[1])
    for start in range(0, len(first), step):
        yield holding[first[start : start + step]], weights[start : start + step]


@cache
def _holding(rest: int, size: int) -> npt.NDArray[np.int32]:
    """For each set of `size` cards, the numbers of the hands that hold it."""
    every = _hands(rest)
    found = np.empty((comb(SIZE, size), len(every)), np.int32)
    for row, places in zip(found, combinations(range(SIZE), size), strict=True):
        row[:] = numbers(every[:, places])
    order = np.argsort(found.ravel(), kind="stable") % len(every)
    return order.astype(np.int32).reshape(comb(rest, size), comb(rest - size, SIZE - size))


def _runs(held: Classes) -> tuple[Ints, Classes, Ints]:
    """The lengths of the runs of equal values in sorted rows, their values, and the rows they are in."""
    starts = np.ones(held.shape, np.bool_)
    np.not_equal(held[:, 1:], held[:, :-1], out=starts[:, 1:])
    places = np.flatnonzero(starts)
    lengths = np.diff(places, append=held.size)
    return lengths, held.ravel()[places], places // held.shape[1]

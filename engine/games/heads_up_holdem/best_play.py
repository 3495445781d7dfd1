"""Heads Up Hold'em, ante and odds wager under the best play: all C(52,2) x C(50,3) x C(47,2) x C(45,2) deals.

Boards that differ by their suits' names are dealt once. Amounts are in half units of the ante, since the flush pays 3
to 2. A raise as early as it gains is as large as it may be: what it gains grows with it, and the least raise loses
nothing by waiting for the river.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from feltrig.engine.games.heads_up_holdem.paytables import BAD_BEAT, PayTable
from feltrig.engine.games.heads_up_holdem.settlement import fold, settle_main
from feltrig.engine.games.heads_up_holdem.wagers import MOVES, Street
from feltrig.engine.odds.sets import bits
from feltrig.engine.odds.showdowns import DEALERS, Showdowns, showdowns
from feltrig.engine.odds.suits import PERMUTATIONS, masks, orbits, renamed, standing_for
from feltrig.engine.odds.wager import Progress, Wager, silent
from feltrig.engine.ranking.census import Cards, hands
from feltrig.engine.ranking.poker import Category
from feltrig.engine.ranking.shape import ACE, packed

Ints = npt.NDArray[np.int64]

HALF = 2
"""Half units in the ante."""
BEFORE, ON_FLOP = (max(MOVES[street].multiples) for street in (Street.HOLE_CARDS, Street.FLOP))
"""The most that may be raised before the flop and on it, in antes: 39.10(d), (f)."""

_FOLDED = int(fold(HALF).ante_net + fold(HALF).odds_net)
_HOLES = np.concatenate(list(hands(52, 2)))
_HOLE_OF = np.zeros((52, 52), np.int64)
_HOLE_OF[_HOLES[:, 0], _HOLES[:, 1]] = _HOLE_OF[_HOLES[:, 1], _HOLES[:, 0]] = np.arange(len(_HOLES))
_FLOP_PLACES = tuple(combinations(range(5), 3))
_RUNOUTS = comb(47, 2)
_CHUNK = 128

_SUMS = 4
"""What is summed up for hole cards and flop: ante and odds of one who raised; what a raise of one ante gains; the best
of both on the river; how often that is to raise."""


def wagers(progress: Progress = silent) -> Iterator[Wager]:
    """Ante, raise and odds wager together, by table of bad beats, in units of the ante (HUH-03)."""
    every = np.concatenate(list(hands(52, 5)))
    first, weights = orbits(every)
    flops, flop_weights = _flops()
    sums = flop_sums(every[first], weights, flops, tuple(BAD_BEAT.values()), progress)
    for table, name in enumerate(BAD_BEAT):
        yield _decided(f"39.11(b)(5) with 39.11(f), {name}", flops, flop_weights, sums[:, :, table])


def _flops() -> tuple[Cards, Ints]:
    """One flop of each kind, and how many there are of it."""
    every = np.concatenate(list(hands(52, 3)))
    first, weights = orbits(every)
    return every[first], weights


def flop_sums(boards: Cards, weights: Ints, flops: Cards, bad_beats: Sequence[PayTable], progress: Progress) -> Ints:
    """The four sums by flop, hole cards and table, over all showdowns after that flop.

    Each board stands for `weights` boards, and has a share in its ten flops.
    """
    renamings = _renamed_holes()
    found = np.zeros((len(flops), len(_HOLES), len(bad_beats), _SUMS), np.int64)
    for start in range(0, len(boards), _CHUNK):
        progress("boards", start, len(boards))
        chunk = boards[start : start + _CHUNK]
        values = _values(showdowns(chunk), bad_beats)
        values *= weights[start : start + _CHUNK, np.newaxis, np.newaxis, np.newaxis]
        for places in _FLOP_PLACES:
            of, renaming = standing_for(flops, chunk[:, places])
            for flop, holes, value in zip(of.tolist(), renamings[renaming], values, strict=True):
                found[flop] += value.take(holes, axis=0)
    return _over_symmetries(found, flops, renamings)


def _values(shown: Showdowns, bad_beats: Sequence[PayTable]) -> Ints:
    """The four figures by board, hole cards and table, summed over the dealer's hands."""
    lower, higher = shown.lower.astype(np.int64), shown.higher.astype(np.int64)
    unqualified = shown.unqualified.astype(np.int64)
    # A dealer without a pair makes the ante push, whoever is higher (HUH-09): all of these hands are lower than a
    # pair of the player's, and against a player without one every dealer who has one is higher.
    paired = shown.category >= Category.PAIR
    ante = HALF * np.where(paired, lower - unqualified - higher, unqualified - DEALERS)
    by_one = HALF * (lower - higher)
    found = np.zeros((len(lower), len(_HOLES), len(bad_beats), _SUMS), np.int64)
    boards = np.arange(len(lower))[:, np.newaxis]
    holes = _HOLE_OF[shown.holes[..., 0], shown.holes[..., 1]]
    for table, bad_beat in enumerate(bad_beats):
        won, lost = _odds(bad_beat)
        raised = ante + won[shown.category] * lower + lost[shown.category] * higher
        raises = raised + by_one > _FOLDED * DEALERS
        best = np.where(raises, raised + by_one, _FOLDED * DEALERS)
        found[boards, holes, table] = np.stack([raised, by_one, best, raises], axis=2)
    return found


def _odds(bad_beat: PayTable) -> tuple[Ints, Ints]:
    """What the odds wager gains by the player's category, when the hand wins and when it loses."""
    won, lost = np.zeros(len(Category), np.int64), np.zeros(len(Category), np.int64)
    for held in Category:
        lower, higher = packed(held, ()), packed(held, (ACE,))
        won[held] = settle_main(higher, lower, HALF, 0, bad_beat=bad_beat).odds_net
        if held is not Category.ROYAL_FLUSH:  # it cannot lose
            lost[held] = settle_main(lower, higher, HALF, 0, bad_beat=bad_beat).odds_net
    return won, lost


def _renamed_holes() -> Ints:
    """For each renaming of the suits, what each pair of hole cards becomes."""
    cards = [renamed(_HOLES.astype(np.int64), permutation) for permutation in PERMUTATIONS]
    return np.array([_HOLE_OF[holes[:, 0], holes[:, 1]] for holes in cards])


def _over_symmetries(found: Ints, flops: Cards, renamings: Ints) -> Ints:
    """The sums made alike for hole cards that only a renaming which leaves the flop as it is tells apart."""
    whole = np.zeros_like(found)
    held = masks(flops)
    for permutation, holes in zip(PERMUTATIONS, renamings, strict=True):
        kept = np.flatnonzero((held[:, np.argsort(permutation)] == held).all(axis=1))
        whole[kept] += found[kept[:, np.newaxis], holes]
    return whole // len(PERMUTATIONS)


def _decided(table: str, flops: Cards, weights: Ints, sums: Ints) -> Wager:
    """The best decision before the flop for each of the 169 kinds of hole cards, and after it on each flop."""
    raised, by_one, best, river_raises = np.moveaxis(sums, 2, 0)
    possible = (bits(flops)[:, np.newaxis] & bits(_HOLES)) == 0
    on_flop = raised + ON_FLOP * by_one
    raises = possible & (on_flop > best)
    waits = possible & ~raises
    folds = waits * (_RUNOUTS - river_raises) * DEALERS
    ways = {
        "raise_2_on_the_flop": _by_kind(raises * _RUNOUTS * DEALERS, weights),
        "raise_1_on_the_river": _by_kind(waits * river_raises * DEALERS, weights),
        "fold": _by_kind(folds, weights),
    }
    gained = {
        "raise_2_on_the_flop": _by_kind(raises * on_flop, weights),
        "raise_1_on_the_river": _by_kind(waits * best - folds * _FOLDED, weights),
        "fold": _by_kind(folds * _FOLDED, weights),
    }
    early = _by_kind(possible * (raised + BEFORE * by_one), weights)
    at_once = early > np.sum(list(gained.values()), axis=0)
    in_all = np.sum(list(ways.values()), axis=0)
    totals = {"raise_3_before_the_flop": (int(in_all[at_once].sum()), int(early[at_once].sum()))}
    totals |= {name: (int(ways[name][~at_once].sum()), int(gained[name][~at_once].sum())) for name in ways}
    outcomes = {name: count for name, (count, _) in totals.items() if count}
    means = {name: Fraction(totals[name][1], HALF * count) for name, count in outcomes.items()}
    return Wager("ante_raise_and_odds", table, outcomes, means)


def _by_kind(cells: Ints, weights: Ints) -> Ints:
    """The sums over all flops of what is known for flop and hole cards, for each of the 169 kinds of these."""
    kinds, _ = standing_for(_HOLES[orbits(_HOLES)[0]], _HOLES)
    found = np.zeros(kinds.max() + 1, np.int64)
    np.add.at(found, kinds, weights @ cells)
    return found

"""Heads Up Hold'em, counted in bulk, against its rules hand by hand."""

from itertools import combinations

import numpy as np
import pytest

from feltrig.engine.cards import Card, deck, parse_all
from feltrig.engine.games.heads_up_holdem import best_play as heads_up_play
from feltrig.engine.games.heads_up_holdem.best_play import HALF, flop_sums
from feltrig.engine.games.heads_up_holdem.paytables import BAD_BEAT
from feltrig.engine.games.heads_up_holdem.settlement import fold, settle_main
from feltrig.engine.odds.showdowns import DEALERS, showdowns
from feltrig.engine.odds.suits import PERMUTATIONS, masks, orbits, standing_for
from feltrig.engine.odds.wager import silent
from feltrig.engine.ranking.census import Cards
from feltrig.engine.ranking.poker import strength

BOARDS = ("Ah Kh Qh 7c 2d", "9s 8s 7d 6c 2h", "Tc Td 4d 4s 9h", "As Ks Qs Js 3d")
HOLES = ("Jh Th", "5c 5d", "Kd 3c", "6h 4h", "Ts 2s")


def rows(*texts: str) -> Cards:
    return np.array([parse_all(text.split()) for text in texts], np.uint8)


def dealers(board: tuple[Card, ...], hole: tuple[Card, ...]) -> list[int]:
    """The strengths of all hands that the dealer can have."""
    rest = [card for card in deck() if card not in (*board, *hole)]
    return [strength((*board, *two)) for two in combinations(rest, 2)]


@pytest.mark.parametrize("board", BOARDS)
def test_every_dealer_hand_is_lower_equal_or_higher(board: str) -> None:
    shown = showdowns(rows(board))
    for text in HOLES:
        shared, hole = parse_all(board.split()), parse_all(text.split())
        if set(shared) & set(hole):
            continue
        (place,) = np.flatnonzero((np.sort(shown.holes[0], axis=1) == sorted(hole)).all(axis=1))
        mine, theirs = strength((*shared, *hole)), dealers(shared, hole)
        assert len(theirs) == DEALERS
        assert shown.lower[0, place] == sum(other < mine for other in theirs)
        assert shown.higher[0, place] == sum(other > mine for other in theirs)
        assert shown.unqualified[0, place] == sum(other < 1 << 20 for other in theirs)


@pytest.mark.parametrize("board", BOARDS)
def test_the_wagers_gain_what_their_settlements_add_up_to(board: str) -> None:
    values = heads_up_play._values(showdowns(rows(board)), tuple(BAD_BEAT.values()))[0]
    shared = parse_all(board.split())
    for text in HOLES:
        hole = parse_all(text.split())
        if set(shared) & set(hole):
            continue
        mine, theirs = strength((*shared, *hole)), dealers(shared, hole)
        found = values[heads_up_play._HOLE_OF[hole]]
        for bad_beat, (raised, by_one, best, raises) in zip(BAD_BEAT.values(), found.tolist(), strict=True):
            settled = [settle_main(mine, other, HALF, HALF, bad_beat=bad_beat) for other in theirs]
            assert raised == sum(one.ante_net + one.odds_net for one in settled)
            assert by_one == sum(one.raise_net for one in settled)
            folded = DEALERS * (fold(HALF).ante_net + fold(HALF).odds_net)
            assert best == max(raised + by_one, folded)
            assert raises == (raised + by_one > folded)


def test_boards_dealt_once_make_the_sums_of_all_boards_after_a_flop() -> None:
    """After a pair and a card of a third suit two suits are alike: where renaming could go wrong."""
    flops, _ = heads_up_play._flops()
    (place,) = standing_for(flops, rows("9c 9d 4h"))[0].tolist()
    flop = flops[place]
    rest = np.setdiff1d(np.arange(52, dtype=np.uint8), flop)
    boards = np.array([(*flop, *two) for two in combinations(rest, 2)], np.uint8)
    bad_beats = (BAD_BEAT["example"],)
    apart = [
        heads_up_play._values(showdowns(boards[start : start + 98]), bad_beats).sum(axis=0)
        for start in range(0, len(boards), 98)
    ]
    alike = boards[orbits(boards)[0]]
    weights = np.array([len({tuple(row) for row in masks(board[np.newaxis])[0][PERMUTATIONS]}) for board in alike])
    sums = flop_sums(alike, weights, flops, bad_beats, silent)
    assert (sums[place] == np.sum(apart, axis=0)).all()

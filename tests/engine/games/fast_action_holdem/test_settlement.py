"""Naturals, splits, surrenders and the showdown: 21.8."""

from fractions import Fraction

import pytest

from feltrig.engine.cards import parse_all
from feltrig.engine.games.fast_action_holdem.ranking import HandRank, rank_five
from feltrig.engine.games.fast_action_holdem.settlement import (
    Collection,
    Copies,
    Settlement,
    Showdown,
    check_split,
    dealer_natural,
    natural_net,
    settle,
    surrender_net,
)
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.result import Outcome


def hand(text: str) -> HandRank:
    return rank_five(parse_all(text.split()))


@pytest.mark.clause("fast_action_holdem", "19:47-21.8(b)")
def test_21_8_b_a_players_natural_is_paid_five_to_one() -> None:
    assert natural_net(1000) == 5000
    assert natural_net(0) == 0


@pytest.mark.clause("fast_action_holdem", "19:47-21.8(f)")
def test_21_8_f_a_surrender_costs_half_of_the_wager_to_the_half_cent() -> None:
    assert surrender_net(1000) == -500
    assert isinstance(surrender_net(1000), int)
    assert surrender_net(1001) == Fraction(-1001, 2)


@pytest.mark.clause("fast_action_holdem", "19:47-21.8(c)")
def test_21_8_c_a_second_hand_needs_a_wager_as_large_as_the_first() -> None:
    check_split(1000, 1000)
    check_split(1000, 0)
    for split in (999, 1001, -1000):
        with pytest.raises(Illegal, match=rf"a split wager of {split} on a wager of 1000: expected as much"):
            check_split(1000, split)


@pytest.mark.clause("fast_action_holdem", "19:47-21.8(h)")
def test_21_8_h_a_dealers_natural_collects_the_original_wager_only() -> None:
    assert dealer_natural(1000) == Collection(1000, 0, ("19:47-21.8(h)",))
    assert dealer_natural(1000, 1000) == Collection(1000, 1000, ("19:47-21.8(h)", "19:47-21.8(c)"))
    with pytest.raises(Illegal):
        dealer_natural(1000, 500)


@pytest.mark.clause("fast_action_holdem", "19:47-21.3(c)")
def test_the_last_card_decides_even_by_one_rank() -> None:
    three, two = hand("Ks 9d 5h 4c 3s"), hand("Kd 9s 5c 4h 2d")
    assert settle(three, two, 1000).outcome is Outcome.WIN
    assert settle(two, three, 1000).outcome is Outcome.LOSE


def test_fah_01_the_showdown_is_the_houses() -> None:
    pair, nothing = hand("9s 9d 5h 4c 2s"), hand("Ks 9d 5h 4c 2s")
    rules = ("19:47-21.3(b)16", "19:47-21.3(b)17")
    assert settle(pair, nothing, 1000) == Settlement(Outcome.WIN, 1000, rules)
    assert settle(nothing, pair, 1000) == Settlement(Outcome.LOSE, -1000, rules[::-1])
    assert settle(pair, pair, 1000) == Settlement(Outcome.PUSH, 0, ("19:47-21.3(b)16", "19:47-21.3(c)"))
    hard = Showdown(Copies.DEALER_WINS, Fraction(1, 2))
    assert settle(pair, pair, 1000, hard).outcome is Outcome.LOSE
    assert settle(pair, pair, 1000, hard).net == -1000
    assert settle(pair, nothing, 1001, hard).net == Fraction(1001, 2)

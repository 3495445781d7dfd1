"""Bets as data: each is refused by its own rule, and settled in one order."""

import pytest

from feltrig.engine.rulings import Illegal
from feltrig.engine.table.house import House
from feltrig.engine.table.wagers import Bet, check_bets, in_order

BETS = (
    Bet("main", ("1",), required=True),
    Bet("same", ("2",), equals="main"),
    Bet("dollar", ("3",), fixed=100),
    Bet("small", ("4",), minimum=200, maximum=300),
    Bet("side", ("5",), needs=("same", "small")),
)


@pytest.mark.parametrize(
    ("staked", "rules"),
    [
        ({"main": 500}, None),
        ({"main": 900}, None),
        ({"main": 499}, ("1",)),
        ({"main": 901}, ("1",)),
        ({"main": 0, "dollar": 100}, ("1",)),
        ({}, ("all",)),
        ({"main": 0}, ("all",)),
        ({"main": 500, "other": 500}, ("all",)),
        ({"main": 500, "same": 500}, None),
        ({"main": 500, "same": 600}, ("2",)),
        ({"main": 500, "dollar": 100}, None),
        ({"main": 500, "dollar": 99}, ("3",)),
        ({"main": 500, "dollar": 101}, ("3",)),
        ({"main": 500, "small": 200}, None),
        ({"main": 500, "small": 199}, ("4",)),
        ({"main": 500, "small": 300}, None),
        ({"main": 500, "small": 301}, ("4",)),
        ({"main": 500, "side": 500}, ("5",)),
        ({"main": 500, "small": 200, "side": 500}, None),
        ({"main": 500, "same": 500, "side": 500}, None),
    ],
)
def test_a_bet_is_refused_by_its_own_rule(staked, rules):
    house = House(table_minimum=500, table_maximum=900)
    if rules is None:
        check_bets(BETS, house, 7, ("all",), {1: staked})
        return
    with pytest.raises(Illegal) as refusal:
        check_bets(BETS, house, 7, ("all",), {1: staked})
    assert refusal.value.rules == rules


def test_the_bets_of_a_seat_are_settled_in_one_order_however_they_were_told():
    assert list(in_order({"side": 5, "main": 3, "dollar": 0}).items()) == [("main", 3), ("side", 5)]

"""Our own way to set seven cards: legal, whatever they are."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltrig.engine.cards import Card, deck, names, parse_all
from feltrig.engine.games.pai_gow_poker.houseway import pairs_apart
from feltrig.engine.games.pai_gow_poker.ranking import set_fault


@pytest.mark.parametrize(
    ("dealt", "low"),
    [
        ("As Kd Qh 9c 8d 4c 2c", "Kd Qh"),  # nothing: the second and third highest
        ("As Kd Qh 9c 9d 4c 2c", "As Kd"),  # a pair stays high
        ("As Kd 9h 9c 4d 4c 2c", "4d 4c"),  # two pairs are parted
        ("As Ad Kh Kc 4d 4c 2c", "As Ad"),  # of three the highest is low
        ("9s 9d 9h Kc Qd 4c 2c", "Kc Qd"),  # three of a kind stay together
        ("9s 9d 9h Kc Kd 4c 2c", "Kc Kd"),  # a full house is parted
        ("9s 8d 7h 6c 5d Ac Kc", "Ac Kc"),  # a straight stays
        ("Ts 9s 8d 7h 6c 5d Ac", "Ts Ac"),  # and gives away the card that it does not need
        ("X1 As Kd Qh 9c 4c 2c", "Kd Qh"),
        ("X1 As Kd Kh 9c 4c 2c", "Kd Kh"),
        ("As Ad Ah Ac Kd 4c 2c", "As Ad"),
    ],
)
def test_the_way_of_pairs_apart(dealt: str, low: str) -> None:
    set_as = pairs_apart(parse_all(dealt.split()))
    mine, expected = [card % 13 for card in set_as.low], [card % 13 for card in parse_all(low.split())]
    assert sorted(mine) == sorted(expected)


@settings(max_examples=40)
@given(st.integers(0, 2**32).map(lambda seed: random.Random(seed).sample(deck(jokers=1), 7)))
def test_every_hand_is_set_legally_and_in_whatever_order_it_comes(dealt: list[Card]) -> None:
    set_as = pairs_apart(dealt)
    assert set_fault(set_as.high, set_as.low) is None
    assert sorted((*set_as.high, *set_as.low)) == sorted(dealt)
    assert pairs_apart(dealt[::-1]) == set_as, names(dealt)


@pytest.mark.parametrize("dealt", ["As Kd Qh 9c 8d 4c", "As As Qh 9c 8d 4c 2c", "As Kd Qh 9c 8d 4c 2c 3c"])
def test_seven_different_cards_are_set(dealt: str) -> None:
    with pytest.raises(ValueError, match=r"^cards \(.*\): expected seven different cards to set$"):
        pairs_apart(parse_all(dealt.split()))

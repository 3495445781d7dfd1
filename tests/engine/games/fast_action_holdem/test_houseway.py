"""Which two cards the dealer keeps: 21.8(i)."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.engine.cards import Card, deck, names, parse_all, rank, suit
from feltrig.engine.games.fast_action_holdem.houseway import HOUSE_WAYS, Setting, house_way, is_natural
from feltrig.engine.rulings import Illegal


def cards(text: str) -> tuple[Card, ...]:
    return parse_all(text.split())


NUMBERED = [f"19:47-21.8(i){number}" for number in range(1, 15)]


@pytest.mark.clause("fast_action_holdem", "19:47-21.8(i)", "19:47-21.1[Running cards]", *NUMBERED)
@pytest.mark.parametrize(
    ("dealt", "way", "kept"),
    [
        ("2s 2s Ad Ah", 1, "2s 2s"),  # a suited pair before a higher one
        ("2s 9d 2s 9d", 1, "9d 9d"),  # of two suited pairs the higher
        ("9s 9d 9s Ah", 1, "9s 9s"),
        ("2s 2d 9s 9d", 2, "9s 9d"),
        ("9s 9d 9h Ah", 2, "9s 9d"),
        ("As Ks Kd 2s", 2, "Ks Kd"),
        ("As Ts Kd Qd", 3, "As Ts"),  # before the suited running K-Q
        ("As Ts Ks 2d", 3, "As Ks"),
        ("Qd Jd As 9s", 4, "Qd Jd"),  # before the ace with a queen
        ("Jd Td As Kh", 4, "Jd Td"),
        ("Kd Qd Jd 2s", 4, "Kd Qd"),
        ("As Kd 9s Th", 5, "As Kd"),
        ("As Td 9s 8h", 5, "As Td"),
        ("Kd Qs 9d 8d", 6, "Kd Qs"),
        ("Qd Js Kd 9h", 4, "Kd Qd"),
        ("Qd Js Kh 9h", 6, "Kh Qd"),
        ("Qd Js 9d 8d", 6, "Qd Js"),
        ("As 9s 8d 7d", 7, "As 9s"),
        ("As 3s 9d 5s", 7, "As 5s"),
        ("Kd Jd 9s 8s", 8, "Kd Jd"),
        ("Kd Td Js 2h", 8, "Kd Td"),  # before the higher king and jack
        ("Kd Js 9d 8h", 9, "Kd Js"),
        ("Ks Js 2d 3h", 8, "Ks Js"),
        ("As 9d 8h 7c", 10, "As 9d"),
        ("As 9d 8d 7c", 10, "As 9d"),  # before the suited running 9-8
        ("As 2d 3d 4d", 10, "As 4d"),
        ("9d 8d Ks Th", 11, "9d 8d"),
        ("9d 8d Th Ks", 11, "9d 8d"),
        ("Td 9d 4s 3s", 11, "Td 9d"),
        ("3s 2s Kd Th", 11, "3s 2s"),
        ("Kd 9d Ts 5s", 12, "Kd 9d"),
        ("Kd 9d Ts 9h", 2, "9d 9h"),
        ("9d 5d Ks Th", 12, "9d 5d"),  # before the running cards below
        ("9d 5d Ks 6s", 12, "Ks 6s"),
        ("Kd 2d 9s 7s", 12, "Kd 2d"),  # the highest card decides, not the second
        ("Jd Ts 9h 2c", 13, "Jd Ts"),
        ("Ks 4d 3h 9c", 13, "4d 3h"),
        ("Ks 9d 7h 5c", 14, "Ks 9d"),
        ("Ks Td 7h 5c", 14, "Ks Td"),
        ("Qs Td 8h 6c", 14, "Qs Td"),
    ],
)
def test_21_8_i_the_first_house_way_that_fits_is_taken(dealt: str, way: int, kept: str) -> None:
    assert house_way(cards(dealt)) == Setting(way, cards(kept))
    assert house_way(cards(dealt)).rules == ("19:47-21.8(i)", f"19:47-21.8(i){way}")


@pytest.mark.clause("fast_action_holdem", "19:47-21.8(i)")
def test_21_8_i_there_are_fourteen_ways() -> None:
    assert len(HOUSE_WAYS) == 14


@given(st.integers(0, 2**32).map(lambda seed: random.Random(seed).choices(deck(), k=4)))
def test_fah_03_the_order_of_the_deal_decides_only_between_suits_of_one_rank(dealt: list[Card]) -> None:
    if is_natural(dealt):
        return
    there, back = house_way(dealt), house_way(dealt[::-1])
    assert there.way == back.way
    assert [rank(card) for card in there.kept] == [rank(card) for card in back.kept], names(dealt)
    assert rank(there.kept[0]) >= rank(there.kept[1])
    for card in there.kept:
        assert there.kept.count(card) <= dealt.count(card)


@given(st.integers(0, 2**32).map(lambda seed: random.Random(seed).sample(deck(), 4)))
def test_fah_03_an_ace_is_always_kept_before_running_cards_unless_they_are_high_and_suited(dealt: list[Card]) -> None:
    if len({rank(card) for card in dealt}) < 4 or 12 not in {rank(card) for card in dealt}:
        return
    found = house_way(dealt)
    if found.way == 4:
        assert suit(found.kept[0]) == suit(found.kept[1])
    else:
        assert rank(found.kept[0]) == 12
        assert found.way in (3, 5, 7, 10)


@pytest.mark.clause("fast_action_holdem", "19:47-21.1[Natural]", "19:47-21.8(h)")
def test_21_1_four_of_one_rank_are_a_natural_and_are_not_set() -> None:
    assert is_natural(cards("9s 9d 9s 9h"))
    assert is_natural(cards("9s 9s 9s 9s"))
    assert not is_natural(cards("9s 9d 9s 8h"))
    with pytest.raises(Illegal, match="a natural is not set") as refused:
        house_way(cards("9s 9d 9s 9h"))
    assert refused.value.rules == ("19:47-21.8(h)",)


@pytest.mark.parametrize("dealt", ["9s 9d 9s", "9s 9d 9s 9h 9c"])
def test_four_cards_are_dealt(dealt: str) -> None:
    with pytest.raises(ValueError, match=r"^cards \(.*\): expected four$"):
        is_natural(cards(dealt))

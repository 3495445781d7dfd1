"""All hands of five cards, by the lines of a pay table."""

import numpy as np

from feltrig.engine.odds.five_cards import counts, ends, every_hand, gains, lines, nets, parts
from feltrig.engine.ranking.poker import Category


def line_of(category: Category, rank: int) -> str:
    return f"pair_of_{rank}" if category is Category.PAIR else category.name.lower()


def test_every_hand_is_on_one_line_and_the_highest_comes_first() -> None:
    found = counts(line_of)
    assert sum(found.values()) == len(every_hand()) == 2_598_960
    assert list(found)[:2] == ["royal_flush", "straight_flush"]
    assert (found["royal_flush"], found["straight_flush"], found["pair_of_14"]) == (4, 36, 84_480)


def test_a_line_without_odds_loses() -> None:
    assert nets(["flush", "pair", "none"], {"flush": 5, "pair": 0}).tolist() == [5, 0, -1]


def test_every_choice_of_places_is_a_part_of_each_hand() -> None:
    places = [chosen for chosen, sets in parts(4) if len(sets) == len(every_hand())]
    assert places == [(0, 1, 2, 3), (0, 1, 2, 4), (0, 1, 3, 4), (0, 2, 3, 4), (1, 2, 3, 4)]


def test_a_pair_of_aces_gains_where_aces_are_paid() -> None:
    names, of_hand = lines(line_of)
    found = gains(2, nets(names, {"pair_of_14": 3})[of_hand])
    assert found.sum() == 6, "two of four aces"


def test_the_ends_of_a_wager_are_told_line_by_line_and_stake_by_stake() -> None:
    ways = np.array([[0, 3, 1], [0, 0, 2]])
    assert list(ends(["win", "lose"], np.array([2, -1]), {1: "", 2: "_doubled"}, ways)) == [
        ("win", 2, 3),
        ("win_doubled", 4, 1),
        ("lose_doubled", -2, 2),
    ]

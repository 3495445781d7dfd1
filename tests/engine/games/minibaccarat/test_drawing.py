"""Point counts, and which hand takes a third card."""

import pytest

from feltrig.engine.cards import RANKS, parse, parse_all
from feltrig.engine.games.minibaccarat.drawing import (
    Action,
    banker_action,
    player_action,
    point_count,
    points,
)

BANKER = {
    # what the Banker's Hand does on 0 to 7, by what the third card of the Player's Hand counts
    None: "DDDDDDSS",
    0: "DDDDSSSS",
    1: "DDDDSSSS",
    2: "DDDDDSSS",
    3: "DDDDDSSS",
    4: "DDDDDDSS",
    5: "DDDDDDSS",
    6: "DDDDDDDS",
    7: "DDDDDDDS",
    8: "DDDSSSSS",
    9: "DDDDSSSS",
}


def test_cards_count_their_pips_an_ace_one_and_tens_and_faces_nothing() -> None:
    assert [points(parse(rank + suit)) for rank in RANKS for suit in "cs"] == [
        *(2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1)
    ]


@pytest.mark.parametrize(
    ("cards", "count"), [("9s 9d", 8), ("5s 5d", 0), ("Ks Qd", 0), ("As Td", 1), ("9s 9d 9h", 7), ("4s 5d", 9), ("", 0)]
)
def test_a_hand_counts_the_last_digit_of_the_sum(cards: str, count: int) -> None:
    assert point_count(parse_all(cards.split())) == count


@pytest.mark.clause("minibaccarat", "19:47-7.9(a)")
@pytest.mark.parametrize("natural", [8, 9])
def test_7_9_a_a_natural_of_either_hand_stops_both(natural: int) -> None:
    for other in range(10):
        assert player_action(natural, other) is Action.NATURAL
        assert player_action(other, natural) is Action.NATURAL
        assert banker_action(natural, other, None) is Action.NATURAL
        assert banker_action(other, natural, None) is Action.NATURAL


@pytest.mark.clause("minibaccarat", "19:47-7.9(b)")
@pytest.mark.parametrize("banker", range(8))
def test_7_9_b_table_1_the_player_draws_on_0_to_5_and_stays_on_6_and_7(banker: int) -> None:
    assert [player_action(player, banker).value for player in range(8)] == ["draw"] * 6 + ["stay"] * 2


@pytest.mark.parametrize(("third", "row"), BANKER.items())
def test_the_banker_draws_by_the_table_of_punto_banco(third: int | None, row: str) -> None:
    player = 6 if third is None else 5
    drawn = [banker_action(player, banker, third) for banker in range(8)]
    assert drawn == [Action.DRAW if mark == "D" else Action.STAY for mark in row]


def test_the_bankers_table_can_be_replaced() -> None:
    never = dict.fromkeys(BANKER, ())
    assert banker_action(5, 0, 4, never) is Action.STAY
    assert banker_action(5, 9, 4, never) is Action.NATURAL

"""The pay tables, line by line as they are printed."""

from fractions import Fraction

import pytest

from feltrig.engine.games.heads_up_holdem.paytables import BAD_BEAT, ODDS, POCKET_BONUS, TRIPS_PLUS


@pytest.mark.clause("heads_up_holdem", "13:69F-39.11(b)(5)")
def test_the_odds_wager_of_a_winner() -> None:
    assert list(ODDS.items()) == [
        ("royal_flush", 500),
        ("straight_flush", 50),
        ("four_of_a_kind", 10),
        ("full_house", 3),
        ("flush", Fraction(3, 2)),
        ("straight", 1),
    ]


@pytest.mark.clause("heads_up_holdem", "13:69F-39.11(f)")
def test_the_bad_beat_of_the_text_is_the_first_and_another_may_be_chosen() -> None:
    assert {name: list(table.items()) for name, table in BAD_BEAT.items()} == {
        "example": [
            ("straight_flush", 500),
            ("four_of_a_kind", 25),
            ("full_house", 6),
            ("flush", 5),
            ("straight", 4),
        ],
        "alternative": [
            ("straight_flush", 500),
            ("four_of_a_kind", 50),
            ("full_house", 10),
            ("flush", 8),
            ("straight", 5),
        ],
    }


def transposed(lines: dict[str, tuple[int, ...]]) -> dict[int, list[tuple[str, int]]]:
    tables = range(1, len(next(iter(lines.values()))) + 1)
    return {number: [(hand, cells[number - 1]) for hand, cells in lines.items()] for number in tables}


@pytest.mark.clause("heads_up_holdem", "13:69F-39.11(g)")
def test_trips_plus_has_four_tables() -> None:
    assert {number: list(table.items()) for number, table in TRIPS_PLUS.items()} == transposed(
        {
            "royal_flush": (100, 100, 100, 100),
            "straight_flush": (40, 40, 40, 40),
            "four_of_a_kind": (30, 30, 30, 30),
            "full_house": (9, 8, 8, 7),
            "flush": (7, 6, 7, 6),
            "straight": (4, 5, 4, 5),
            "three_of_a_kind": (3, 3, 3, 3),
        }
    )


@pytest.mark.clause("heads_up_holdem", "13:69F-39.11(i)")
def test_the_pocket_bonus_has_three_tables() -> None:
    assert {number: list(table.items()) for number, table in POCKET_BONUS.items()} == transposed(
        {
            "pair_of_aces": (30, 25, 30),
            "ace_face_suited": (20, 20, 20),
            "ace_face_unsuited": (10, 10, 10),
            "pair_2_to_K": (5, 5, 4),
        }
    )

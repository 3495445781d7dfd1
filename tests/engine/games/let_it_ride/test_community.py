"""Let It Ride: the three cards before the dealer."""

import pytest

from feltrig.engine.cards import parse_all
from feltrig.engine.games.let_it_ride.community import Community, dealt_as_stack, dealt_singly, hand

GAME = "let_it_ride"
TWO, THREE, FOUR = parse_all(["2c", "3c", "4c"])


@pytest.mark.clause(
    GAME,
    "19:47-18.7(c)4",
    "19:47-18.7(c)6",
    "19:47-18.8(c)4",
    "19:47-18.8(c)6",
    "19:47-18.10(c)",
    "19:47-18.10(d)",
    "19:47-18.10(f)",
)
def test_18_7_c_of_single_cards_the_first_dealt_lies_left_and_is_burned() -> None:
    assert dealt_singly([TWO, THREE, FOUR]) == Community(burned=TWO, first=THREE, second=FOUR)


@pytest.mark.clause(GAME, "19:47-18.9(c)", "19:47-18.10(c)", "19:47-18.10(d)", "19:47-18.10(f)")
def test_18_9_c_of_a_stack_the_bottom_card_lies_left_and_is_burned() -> None:
    """LIR-02."""
    assert dealt_as_stack([TWO, THREE, FOUR]) == Community(burned=FOUR, first=THREE, second=TWO)


@pytest.mark.clause(GAME, "19:47-18.10(g)1", "19:47-18.1[Hand]")
def test_18_10_g_1_a_hand_is_three_own_cards_and_the_two_that_turned() -> None:
    own = parse_all(["As", "Ks", "Qs"])
    assert hand(own, Community(TWO, THREE, FOUR)) == (*own, THREE, FOUR)

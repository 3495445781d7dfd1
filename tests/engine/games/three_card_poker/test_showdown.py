"""Three Card Poker: which hand is higher, and when the dealer plays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.engine.cards import Card, deck, parse_all
from feltrig.engine.games.three_card_poker.settlement import TieBreak, compare, qualifies

GAME = "three_card_poker"
LITERAL = TieBreak.LITERAL

six_cards = st.lists(st.sampled_from(deck()), min_size=6, max_size=6, unique=True)


def cards(text: str) -> tuple[Card, ...]:
    return parse_all(text.split())


def sign(player: str, dealer: str, tie_break: TieBreak = TieBreak.GROUP_RANKS_FIRST) -> int:
    higher = compare(cards(player), cards(dealer), tie_break)
    return (higher > 0) - (higher < 0)


@pytest.mark.clause(GAME, "19:47-20.11(a)1")
@pytest.mark.parametrize(
    ("dealer", "plays"),
    [
        ("Qc 3d 2h", True),
        ("Qc Jd 9h", True),
        ("Kc 3d 2h", True),
        ("Ac 3d 4h", True),
        ("Jc Td 8h", False),
        ("Jc 3d 2h", False),
        ("5c 3d 2h", False),
        ("2c 2d 3h", True),
        ("2c 3c 5c", True),
        ("2c 3c 4d", True),
        ("Ac 2d 3h", True),
        ("2c 2d 2h", True),
        ("2c 3c 4c", True),
    ],
)
def test_20_11_a_1_the_dealer_plays_with_queen_high_or_better(dealer: str, plays: bool) -> None:
    assert qualifies(cards(dealer)) is plays


@pytest.mark.clause(
    GAME,
    "19:47-20.3(a)",
    "19:47-20.1[Suit]",
    "19:47-20.3(b)",
    "19:47-20.3(b)1",
    "19:47-20.3(b)2",
    "19:47-20.3(b)3",
    "19:47-20.3(b)4",
    "19:47-20.3(b)5",
    "19:47-20.3(c)",
)
@pytest.mark.parametrize("tie_break", TieBreak)
@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("4c 3c 2c", "Ad Ah As"),
        ("2d 2h 2s", "Ac Kd Qh"),
        ("3c 2d Ah", "Ac Kc Jc"),
        ("5c 3c 2c", "Ad Ah Ks"),
        ("2c 2d 3h", "Ac Kd Jh"),
        ("Ac Kc Qc", "Kd Qd Jd"),
        ("4c 3c 2c", "3d 2d Ad"),
        ("Ac Ad Ah", "Kc Kd Kh"),
        ("3c 3d 3h", "2c 2d 2h"),
        ("Ac Kd Qh", "Kc Qd Jh"),
        ("4c 3d 2h", "3c 2d Ah"),
        ("Kc 9c 8c", "Kd 9d 7d"),
        ("3c 2c Ah", "Kd Jd 9h"),
        ("Ac Ad 2h", "Kc Kd Ah"),
        ("Ac Ad 3h", "Ah As 2h"),
        ("9c 5d 3h", "9d 5h 2h"),
    ],
)
def test_20_3_the_higher_of_two_hands(higher: str, lower: str, tie_break: TieBreak) -> None:
    assert sign(higher, lower, tie_break) == 1
    assert sign(lower, higher, tie_break) == -1


@pytest.mark.clause(GAME, "19:47-20.3(a)", "19:47-20.1[Suit]", "19:47-20.3(c)")
@pytest.mark.parametrize("tie_break", TieBreak)
@pytest.mark.parametrize(
    ("player", "dealer"),
    [("As Ks Qs", "Ad Kd Qd"), ("9c 9d 2h", "9h 9s 2c"), ("Kc 9d 4h", "Kd 9h 4s"), ("Kc 9c 4c", "Kd 9d 4d")],
)
def test_20_3_c_suits_are_equal_and_like_ranks_draw(player: str, dealer: str, tie_break: TieBreak) -> None:
    assert sign(player, dealer, tie_break) == 0


@pytest.mark.parametrize(
    ("player", "dealer", "groups_first", "literal"),
    [
        ("9c 9d Ah", "Tc Td 2h", -1, 1),
        ("Tc Td 2h", "9c 9d Ah", 1, -1),
        ("9c 9d Ah", "Tc Td As", -1, -1),
        ("9c 9d 5h", "9h 5c 5d", 1, 1),
    ],
)
def test_pgp_04_the_literal_reading_lets_a_kicker_beat_a_pair(
    player: str, dealer: str, groups_first: int, literal: int
) -> None:
    assert sign(player, dealer) == groups_first
    assert sign(player, dealer, LITERAL) == literal


@given(six_cards, st.sampled_from(TieBreak))
def test_what_one_hand_wins_the_other_loses(dealt: list[Card], tie_break: TieBreak) -> None:
    one, other = dealt[:3], dealt[3:]
    assert compare(one, other, tie_break) == -compare(other, one, tie_break)

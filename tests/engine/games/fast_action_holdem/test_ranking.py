"""The seventeen ranks of Fast Action Hold'em: 21.3."""

import pytest

from feltrig.engine.cards import Card, parse_all
from feltrig.engine.games.fast_action_holdem.ranking import (
    COMMUNITY,
    DECKS,
    KEPT,
    TieBreak,
    best_of_seven,
    compare,
    rank_five,
)
from feltrig.engine.ranking.many_decks import Category


def cards(text: str) -> tuple[Card, ...]:
    return parse_all(text.split())


def higher(player: str, dealer: str, tie_break: TieBreak = TieBreak.GROUP_RANKS_FIRST) -> str:
    found = compare(rank_five(cards(player)), rank_five(cards(dealer)), tie_break)
    return "player" if found.player_by > 0 else "dealer" if found.player_by < 0 else "copy"


FROM_HIGHEST = [
    ("As As As As As", "flush_with_five_of_a_kind", 1, (14,)),
    ("2s 2s 2s 2s 2s", "flush_with_five_of_a_kind", 1, (2,)),
    ("As Ks Qs Js Ts", "royal_flush", 2, (14,)),
    ("As As As As Ks", "flush_with_four_of_a_kind", 3, (14, 13)),
    ("2s 2s 2s 2s As", "flush_with_four_of_a_kind", 3, (2, 14)),
    ("Ks Qs Js Ts 9s", "straight_flush", 4, (13,)),
    ("5s 4s 3s 2s As", "straight_flush", 4, (5,)),
    ("As As As Ks Ks", "flush_with_full_house", 5, (14, 13)),
    ("2s 2s 2s 3s 3s", "flush_with_full_house", 5, (2, 3)),
    ("As As As As Ad", "five_of_a_kind", 6, (14,)),
    ("2s 2s 2d 2h 2c", "five_of_a_kind", 6, (2,)),
    ("As As As Ks Qs", "flush_with_three_of_a_kind", 7, (14, 13, 12)),
    ("2s 2s 2s 4s 3s", "flush_with_three_of_a_kind", 7, (2, 4, 3)),
    ("As As Ks Ks Qs", "flush_with_two_pairs", 8, (14, 13, 12)),
    ("3s 3s 2s 2s As", "flush_with_two_pairs", 8, (3, 2, 14)),
    ("As As Ks Qs Js", "flush_with_one_pair", 9, (14, 13, 12, 11)),
    ("2s 2s 5s 4s 3s", "flush_with_one_pair", 9, (2, 5, 4, 3)),
    ("As As Ad Ad Kh", "four_of_a_kind", 10, (14, 13)),
    ("2s 2d 2h 2c Ah", "four_of_a_kind", 10, (2, 14)),
    ("As As Ad Kd Kh", "full_house", 11, (14, 13)),
    ("2s 2s 2d 3d 3h", "full_house", 11, (2, 3)),
    ("As Ks Qs Js 9s", "flush", 12, (14, 13, 12, 11, 9)),
    ("7s 5s 4s 3s 2s", "flush", 12, (7, 5, 4, 3, 2)),
    ("As Ks Qs Js Td", "straight", 13, (14,)),
    ("5s 4s 3s 2s Ad", "straight", 13, (5,)),
    ("As As Ad Kd Qh", "three_of_a_kind", 14, (14, 13, 12)),
    ("2s 2s 2d 4d 3h", "three_of_a_kind", 14, (2, 4, 3)),
    ("As As Kd Kd Qh", "two_pairs", 15, (14, 13, 12)),
    ("3s 3s 2d 2d Ah", "two_pairs", 15, (3, 2, 14)),
    ("As As Kd Qd Jh", "pair", 16, (14, 13, 12, 11)),
    ("2s 2s 5d 4d 3h", "pair", 16, (2, 5, 4, 3)),
    ("As Kd Qd Jh 9h", "highest_card", 17, (14, 13, 12, 11, 9)),
    ("7s 5d 4d 3h 2h", "highest_card", 17, (7, 5, 4, 3, 2)),
]
"""The highest and the lowest of each rank as 21.3(b) names them, from the highest hand to the lowest."""

NUMBERED = [f"19:47-21.3(b){number}" for number in range(1, 18)]


@pytest.mark.clause("fast_action_holdem", *NUMBERED, "19:47-21.1[Suit]")
@pytest.mark.parametrize(("hand", "name", "place", "ranks"), FROM_HIGHEST)
def test_21_3_b_hands_are_named(hand: str, name: str, place: int, ranks: tuple[int, ...]) -> None:
    found = rank_five(cards(hand))
    assert (found.category.name.lower(), found.category.place, found.ranks) == (name, place, ranks)
    assert found.rules == (f"19:47-21.3(b){place}",)


@pytest.mark.clause("fast_action_holdem", "19:47-21.3(a)", "19:47-21.3(b)", *NUMBERED)
def test_21_3_b_hands_are_in_order() -> None:
    strengths = [rank_five(cards(hand)).strength for hand, *_ in FROM_HIGHEST]
    assert strengths == sorted(set(strengths), reverse=True)
    assert {rank_five(cards(hand)).category for hand, *_ in FROM_HIGHEST} == set(Category)


@pytest.mark.clause("fast_action_holdem", "19:47-21.3(c)", "19:47-21.1[Copy hand]", "19:47-21.3(a)")
@pytest.mark.parametrize(
    ("player", "dealer", "expected"),
    [
        ("As As As As Ks", "Ks Qs Js Ts 9s", "player"),
        ("As Ks Qs Js Ts", "2s 2s 2s 2s 2s", "dealer"),
        ("As Ks Qs Js Ts", "Ah Kh Qh Jh Th", "copy"),
        ("9s 9s Ad Kh 4c", "9d 9h Ac Kd 3c", "player"),
        ("9s 9s Ad Kh 4c", "9d 9h Ac Kd 4d", "copy"),
        ("9s 9s Ad Kh 4c", "Ts Td 4h 3c 2d", "dealer"),
        ("5s 4s 3s 2s Ad", "6s 5d 4h 3c 2c", "dealer"),
    ],
)
def test_21_3_c_the_highest_card_that_the_other_hand_lacks_decides_after_the_groups(
    player: str, dealer: str, expected: str
) -> None:
    assert higher(player, dealer) == expected
    assert higher(dealer, player) == {"player": "dealer", "dealer": "player", "copy": "copy"}[expected]


def test_a_comparison_cites_both_ranks_and_the_tie_break_when_they_are_one() -> None:
    mine, theirs = rank_five(cards("9s 9s Ad Kh 4c")), rank_five(cards("9d 9h Ac Kd 3c"))
    assert compare(mine, theirs).rules == ("19:47-21.3(b)16", "19:47-21.3(c)")
    lower = rank_five(cards("9s 8s Ad Kh 4c"))
    assert compare(mine, lower).rules == ("19:47-21.3(b)16", "19:47-21.3(b)17")


def test_pgp_04_read_literally_a_kicker_decides_before_the_pair() -> None:
    assert higher("9s 9s Ad Kh 4c", "Ts Td 4h 3c 2d", TieBreak.LITERAL) == "player"
    assert higher("5s 4s 3s 2s Ad", "6s 5d 4h 3c 2c", TieBreak.LITERAL) == "dealer"
    assert higher("9s 9s Ad Kh 4c", "Ts Td 4h 4c 2d", TieBreak.LITERAL) == "dealer"


@pytest.mark.clause("fast_action_holdem", "19:47-21.1[Five-card hand]", "19:47-21.1[Community card]")
@pytest.mark.parametrize(
    ("kept", "community", "name", "ranks"),
    [
        ("6h 2d", "5s 9h Js Kd Kc", "pair", (13, 11, 9, 6)),
        ("As Ks", "As As As As 2d", "flush_with_five_of_a_kind", (14,)),
        ("As Ad", "As As As Ks Qs", "flush_with_four_of_a_kind", (14, 13)),
        ("2s 2d", "As Ks Qs Js Ts", "royal_flush", (14,)),
        ("9s 9s", "9s 9d 9h As Ks", "five_of_a_kind", (9,)),
        ("9s 9s", "9s Ks As 9d 9h", "five_of_a_kind", (9,)),
        ("9s 9s", "9d 9h Ks As 2s", "flush_with_one_pair", (9, 14, 13, 2)),
        ("4s 3s", "As 2d 5h Kc Kd", "straight", (5,)),
    ],
)
def test_21_1_the_best_five_of_two_kept_and_five_shared_cards_play(
    kept: str, community: str, name: str, ranks: tuple[int, ...]
) -> None:
    found = best_of_seven(cards(kept), cards(community))
    assert (found.category.name.lower(), found.ranks) == (name, ranks)


@pytest.mark.clause("fast_action_holdem", "19:47-21.2(a)")
def test_21_2_a_six_or_eight_decks() -> None:
    assert sorted(DECKS) == [6, 8]
    assert (KEPT, COMMUNITY) == (2, 5)


def test_hands_have_five_cards_and_boards_too() -> None:
    with pytest.raises(ValueError, match=r"^hand \(.*\): expected five cards$"):
        rank_five(cards("As As As As"))
    with pytest.raises(ValueError, match=r"^hand \(.*\): expected five cards$"):
        rank_five(cards("As As As As Ks Qs"))
    for kept, community in (("6h", "5s 9h Js Kd Kc 2s"), ("6h 2d", "5s 9h Js Kd"), ("6h 2d 3d", "5s 9h Js Kd")):
        with pytest.raises(ValueError, match=r"^\d cards kept, \d community cards: expected 2 and 5$"):
            best_of_seven(cards(kept), cards(community))

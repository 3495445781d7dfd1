"""Two-card hands: rank, comparison and setting."""

from collections import Counter
from itertools import combinations, pairwise

import pytest

from feltrig.engine.cards import deck, parse_all
from feltrig.engine.games.supreme_pai_gow.ranking import (
    Hand,
    Kind,
    TwoCardRank,
    level,
    player_wins,
    rank_two,
    set_fault,
)

ALL = [rank_two(cards) for cards in combinations(deck(jokers=2), 2)]


def ranked(text: str) -> TwoCardRank:
    return rank_two(parse_all(text.split()))


def beats(player: str, dealer: str, which: Hand = Hand.HIGH) -> bool:
    return player_wins(ranked(player), ranked(dealer), which)


def fault(high: str, low: str, *, equal_is_legal: bool = True) -> str | None:
    return set_fault(parse_all(high.split()), parse_all(low.split()), equal_is_legal)


@pytest.mark.clause("supreme_pai_gow", "34.1 Rank or ranking")
@pytest.mark.clause("supreme_pai_gow", "34.3(c)")
def test_34_3_census_of_all_two_card_hands() -> None:
    assert len(ALL) == 1431
    assert Counter(hand.kind for hand in ALL) == {Kind.PAIR: 79, Kind.NON_MATCHING_FACE: 48, Kind.POINTS: 1304}
    assert {hand.order for hand in ALL} == set(range(1, 93))
    assert {hand.level for hand in ALL} == set(range(1, 28))


def test_34_3_a_census_of_pairs_and_faces() -> None:
    pairs = Counter(hand.pair_rank for hand in ALL if hand.kind is Kind.PAIR)
    assert pairs == {"X": 1, **dict.fromkeys("AKQJT98765432", 6)}
    assert Counter(hand.face for hand in ALL if hand.kind is Kind.NON_MATCHING_FACE) == {"KQ": 16, "KJ": 16, "QJ": 16}


@pytest.mark.clause("supreme_pai_gow", "34.3(a)3")
def test_34_3_a_3_census_of_points() -> None:
    natural = Counter(hand.points for hand in ALL if hand.kind is Kind.POINTS and hand.joker_counted_as is None)
    # Sixteen hands for each two ranks; zero is a ten with a face (48) and two cards that make ten (64).
    assert natural == {9: 128, 8: 112, 7: 128, 6: 112, 5: 128, 4: 112, 3: 128, 2: 112, 1: 128, 0: 112}
    joker = Counter(hand.points for hand in ALL if hand.kind is Kind.POINTS and hand.joker_counted_as is not None)
    assert joker == {9: 16, 8: 16, 7: 16, 6: 32, 5: 8, 4: 8, 3: 8}


@pytest.mark.clause("supreme_pai_gow", "34.3(b)")
def test_34_3_b_the_order_within_points_is_by_the_highest_card_alone() -> None:
    by_order = {hand.order: hand for hand in ALL}
    for higher, lower in pairwise(by_order[place] for place in range(1, 93)):
        assert higher.level <= lower.level
        if higher.level == lower.level:
            highs = "KQJT98765432A"
            assert higher.high_card is not None
            assert lower.high_card is not None
            assert highs.index(higher.high_card) < highs.index(lower.high_card)


def test_classes_are_told_apart_by_what_a_rank_shows() -> None:
    shown = {(hand.kind, hand.pair_rank, hand.face, hand.points, hand.high_card): hand.order for hand in ALL}
    assert len(shown) == 92
    assert len(set(shown.values())) == 92


@pytest.mark.clause("supreme_pai_gow", "34.3(a)1i")
@pytest.mark.clause("supreme_pai_gow", "34.3(a)1")
def test_34_3_a_1_i_pairs_descend_from_jokers_aces_kings_to_twos() -> None:
    pairs = ["X1 X2", *(f"{rank}c {rank}d" for rank in "AKQJT98765432")]
    assert [ranked(pair).order for pair in pairs] == list(range(1, 15))
    assert ranked("X1 X2") == TwoCardRank(Kind.PAIR, "X", None, None, None, None, level=1, order=1)


@pytest.mark.clause("supreme_pai_gow", "34.3(a)1ii")
@pytest.mark.clause("supreme_pai_gow", "34.3(a)1")
def test_34_3_a_1_ii_a_joker_pairs_only_with_the_other_joker() -> None:
    assert all(ranked(f"X1 {rank}{suit}").kind is Kind.POINTS for rank in "23456789TJQKA" for suit in "cdhs")


@pytest.mark.clause("supreme_pai_gow", "34.3(a)2")
def test_34_3_a_2_faces_that_differ_rank_between_pairs_and_points() -> None:
    assert [ranked(faces).order for faces in ("Kc Qd", "Jh Kh", "Qs Jc")] == [15, 16, 17]
    assert ranked("Qd Kc").face == "KQ"
    assert beats("Qs Jc", "9c Kc")
    assert not beats("Kc Qd", "2c 2d")


@pytest.mark.clause("supreme_pai_gow", "34.3(a)3i", "34.3(a)3ii", "34.3(a)3iii", "34.3(a)3v")
@pytest.mark.clause("supreme_pai_gow", "34.3(a)3")
@pytest.mark.parametrize(
    ("cards", "points", "high"),
    [
        ("2c 5d", 7, "5"),
        ("5c 9d", 4, "9"),
        ("Ac 8d", 9, "8"),
        ("Kc 7d", 7, "K"),
        ("Qc Td", 0, "Q"),
        ("Ac 9d", 0, "9"),
        ("Ac Td", 1, "T"),
        ("6c 4d", 0, "6"),
        ("Ac 2d", 3, "2"),
    ],
)
def test_34_3_a_3_points_drop_ten_and_the_ace_is_the_lowest_card(cards: str, points: int, high: str) -> None:
    hand = ranked(cards)
    assert (hand.kind, hand.points, hand.high_card, hand.joker_counted_as) == (Kind.POINTS, points, high, None)


@pytest.mark.clause("supreme_pai_gow", "34.3(a)3iv")
@pytest.mark.clause("supreme_pai_gow", "34.3(a)3")
@pytest.mark.parametrize(
    ("card", "counted", "points", "high"),
    [
        ("A", 6, 7, "6"),
        ("2", 6, 8, "6"),
        ("3", 6, 9, "6"),
        ("4", 3, 7, "4"),
        ("5", 3, 8, "5"),
        ("6", 3, 9, "6"),
        ("7", 6, 3, "7"),
        ("8", 6, 4, "8"),
        ("9", 6, 5, "9"),
        ("T", 6, 6, "T"),
        ("J", 6, 6, "J"),
        ("Q", 6, 6, "Q"),
        ("K", 6, 6, "K"),
    ],
)
def test_34_3_a_3_iv_the_joker_takes_the_better_of_three_and_six(
    card: str, counted: int, points: int, high: str
) -> None:
    for joker in ("X1", "X2"):
        hand = ranked(f"{joker} {card}s")
        assert (hand.joker_counted_as, hand.points, hand.high_card) == (counted, points, high)


@pytest.mark.clause("supreme_pai_gow", "34.3(b)")
def test_34_3_b_a_joker_ranks_as_what_it_counts() -> None:
    """SPG-05: joker and six, joker and three, six and three are one class."""
    assert len({ranked(cards).order for cards in ("X1 6c", "X2 3d", "6h 3s")}) == 1


@pytest.mark.clause("supreme_pai_gow", "34.3(b)")
def test_34_3_b_a_tie_goes_to_the_highest_card_and_a_copy_to_the_dealer() -> None:
    assert beats("Kc 9d", "Tc 9h")
    assert not beats("5c 4d", "Kc 9d")
    assert not beats("Kc 9d", "Kh 9s")
    assert not beats("Kc Qd", "Kh Qs")
    assert not beats("7c 7d", "7h 7s")
    assert not beats("9c Kd", "9h Ks", Hand.LOW)


@pytest.mark.clause("supreme_pai_gow", "34.3(b)")
def test_34_3_b_the_second_card_never_breaks_a_tie() -> None:
    """SPG-05: six points with a king, whether the six is a joker or natural."""
    assert ranked("X1 Kc").order == ranked("6d Ks").order


@pytest.mark.clause("supreme_pai_gow", "34.3(d)")
def test_34_3_d_a_player_s_low_hand_without_points_always_loses() -> None:
    assert not beats("Kc Td", "Ac 9h", Hand.LOW)
    assert beats("Kc Td", "Ac 9h", Hand.HIGH)
    assert sum(hand.points == 0 for hand in ALL) == 112


@pytest.mark.clause("supreme_pai_gow", "34.3(d)")
@pytest.mark.parametrize("low", ["Tc Td", "5c 5d", "Kc Kd", "Kc Qd", "Qc Jd"])
def test_34_3_d_pairs_and_faces_have_no_points_to_be_zero(low: str) -> None:
    """SPG-04."""
    assert beats(low, "9c Kh", Hand.LOW)


def test_compare_hand_of_jokers_and_aces() -> None:
    assert beats("X1 X2", "As Ad")


@pytest.mark.clause("supreme_pai_gow", "34.1 High hand", "34.1 Low hand", "34.1 Set or setting the hands")
@pytest.mark.clause("supreme_pai_gow", "34.12(a)", "34.12(g)2", "34.12(g)3")
@pytest.mark.parametrize(
    ("high", "low", "rule"),
    [
        ("7c 7d", "7h 7s", None),
        ("7c 7d", "8h 8s", "34.12(g)2"),
        ("6c 6d", "7h 7s", "34.12(g)2"),
        ("Kc Qd", "2h 2s", "34.12(g)2"),
        ("Tc 9d", "Kh 9s", None),
        ("5c 4d", "Kh 9s", None),
        ("Kc 8d", "Ah 8s", "34.12(g)2"),
        ("X1 X2", "Ac Ad", None),
        ("7c 7d 7h", "7s", "34.12(g)3"),
        ("7c", "7d 7h 7s", "34.12(g)3"),
        ("7c 7d", "7s", "34.12(g)3"),
    ],
)
def test_34_12_a_the_high_hand_must_not_trail_the_low_hand(high: str, low: str, rule: str | None) -> None:
    """SPG-02 and SPG-03: equal is legal, and only 34.3(a) counts."""
    assert fault(high, low) == rule


@pytest.mark.clause("supreme_pai_gow", "34.12(g)2")
def test_34_12_g_2_read_strictly_fouls_equal_hands() -> None:
    """The other reading of SPG-02."""
    assert fault("7c 7d", "7h 7s", equal_is_legal=False) == "34.12(g)2"
    assert fault("Tc 9d", "Kh 9s", equal_is_legal=False) == "34.12(g)2"
    assert fault("8c 8d", "7h 7s", equal_is_legal=False) is None


def test_levels_by_name_are_those_of_ranked_hands() -> None:
    assert [level(mark) for mark in ("X", "2", "KQ", "QJ", 9, 0)] == [1, 14, 15, 17, 18, 27]
    assert level("7") == ranked("7c 7d").level
    assert level(7) == ranked("Kc 7d").level


@pytest.mark.clause("supreme_pai_gow", "34.3(a)1i", "34.3(a)2", "34.3(a)3", "34.3(a)3iv")
@pytest.mark.parametrize(
    ("cards", "rules"),
    [
        ("X1 X2", ("34.3(a)1i",)),
        ("Kc Qd", ("34.3(a)2",)),
        ("Kc 7d", ("34.3(a)3",)),
        ("X1 7d", ("34.3(a)3", "34.3(a)3iv")),
    ],
)
def test_a_rank_names_its_rules(cards: str, rules: tuple[str, ...]) -> None:
    assert ranked(cards).rules == rules


def test_a_hand_is_two_different_cards() -> None:
    with pytest.raises(ValueError, match="twice"):
        ranked("7c 7c")
    with pytest.raises(ValueError, match="unpack"):
        ranked("7c 7d 7h")

"""How hands of two tiles rank, compare and are set: 10.1, 10.2."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.engine.games.pai_gow.ranking import (
    Comparison,
    Kind,
    SupremeTiles,
    TileRank,
    ZeroZero,
    compare,
    order,
    rank_two,
    set_fault,
    splits,
)
from feltrig.engine.games.pai_gow.tiles import BadTile, Tile, tile_set
from feltrig.engine.rulings import Illegal

ALL = list(combinations(tile_set(), 2))


def hand(text: str) -> tuple[Tile, ...]:
    return tuple(Tile(name) for name in text.split())


def ranked(text: str) -> TileRank:
    return rank_two(hand(text))


def against(player: str, dealer: str, zero_zero: ZeroZero = ZeroZero.HIGHEST_TILE) -> Comparison:
    return compare(ranked(player), ranked(dealer), zero_zero)


@pytest.mark.clause("pai_gow", "19:47-10.2(d)", "19:47-10.2(d)1", "19:47-10.2(d)2", "19:47-10.1[Value]")
@pytest.mark.parametrize(
    ("tiles", "value", "high"),
    [
        ("1-1 3-3", 8, 2),
        ("5-6 1-6", 8, 8),
        ("4-6 5-5", 0, 5),
        ("6-6 5-6", 3, 1),
        ("1-4 3-4", 2, 14),
        ("4-5 5-5", 9, 5),
        ("2-3 1-6", 2, 10),
    ],
)
def test_10_2_d_the_value_is_the_last_digit_of_all_spots(tiles: str, value: int, high: int) -> None:
    assert ranked(tiles) == TileRank(Kind.VALUE, None, value, high, None)
    assert ranked(tiles).rules == ("19:47-10.2(d)", "19:47-10.2(g)")


@pytest.mark.clause("pai_gow", "19:47-10.2(e)")
@pytest.mark.parametrize(
    ("tiles", "value", "high", "counted"),
    [
        ("1-2 6-6", 8, 1, 6),  # 18, not 15
        ("2-4 6-6", 8, 1, 6),
        ("1-2 3-3", 9, 6, 3),  # 9, not 12
        ("2-4 3-3", 9, 6, 3),
        ("1-2 1-4", 8, 16, 3),  # as a 3 it is the lowest tile, and the five is the highest
        ("2-4 2-3", 8, 16, 3),
        ("1-2 1-3", 7, 4, 3),
        ("2-4 3-4", 3, 14, 6),  # 13 beats 10
        ("1-2 2-5", 3, 14, 6),
        ("1-2 4-5", 5, 12, 6),
        ("2-4 2-6", 4, 13, 6),
    ],
)
def test_10_2_e_a_supreme_tile_alone_counts_what_is_better(tiles: str, value: int, high: int, counted: int) -> None:
    assert ranked(tiles) == TileRank(Kind.VALUE, None, value, high, counted)
    assert ranked(tiles).rules == ("19:47-10.2(d)", "19:47-10.2(e)", "19:47-10.2(g)")


@pytest.mark.clause("pai_gow", "19:47-10.2(e)")
def test_10_2_e_the_rank_goes_with_the_count() -> None:
    declared = SupremeTiles.DECLARED
    assert rank_two(hand("1-2 1-4"), declared, 6) == TileRank(Kind.VALUE, None, 1, 15, 6)
    assert rank_two(hand("2-4 1-4"), declared, 3) == TileRank(Kind.VALUE, None, 8, 16, 3)
    assert rank_two(hand("1-2 1-4"), declared) == TileRank(Kind.VALUE, None, 8, 16, 3)
    assert rank_two(hand("2-4 1-4"), declared) == TileRank(Kind.VALUE, None, 1, 15, 6)
    assert rank_two(hand("2-4 1-2"), declared).pair_rank == 1


@pytest.mark.parametrize(
    ("tiles", "supreme", "declared"),
    [
        ("1-2 6-6", SupremeTiles.BEST, 3),
        ("5-5 6-6", SupremeTiles.DECLARED, 3),
        ("1-2 2-4", SupremeTiles.DECLARED, 6),
        ("1-2 6-6", SupremeTiles.DECLARED, 9),
    ],
)
def test_pg_02_only_a_supreme_tile_alone_is_declared_and_only_where_that_is_the_reading(
    tiles: str, supreme: SupremeTiles, declared: int
) -> None:
    with pytest.raises(Illegal, match=r"^\d declared for .*: expected 3 or 6, for 1-2 or 2-4 alone, where"):
        rank_two(hand(tiles), supreme, declared)


def test_two_tiles_of_one_set_are_a_hand() -> None:
    with pytest.raises(ValueError, match=r"^tiles \(.*\): expected two$"):
        rank_two(hand("6-6"))
    with pytest.raises(BadTile, match="2 times"):
        rank_two(hand("1-2 1-2"))


@pytest.mark.clause("pai_gow", "19:47-10.2(b)", "19:47-10.2(d)", "19:47-10.2(e)")
def test_the_496_hands_fall_into_forty_pairs_and_ten_values() -> None:
    assert len(ALL) == 496
    found = [rank_two(tiles) for tiles in ALL]
    pairs = Counter(hand.pair_rank for hand in found if hand.kind is Kind.PAIR)
    assert pairs == {**dict.fromkeys(range(1, 17), 1), 17: 4, 18: 4, 19: 8, 20: 8}
    values = Counter(hand.value for hand in found if hand.kind is Kind.VALUE)
    assert [values[value] for value in range(10)] == [24, 32, 44, 48, 52, 44, 56, 52, 56, 48]


def test_the_496_hands_make_106_classes_in_order() -> None:
    by_order = {order(hand): hand for hand in map(rank_two, ALL)}
    assert sorted(by_order) == list(range(1, 107))
    strengths = [by_order[place].strength for place in range(1, 107)]
    assert strengths == sorted(strengths, reverse=True)
    assert [by_order[place].pair_rank for place in range(1, 21)] == list(range(1, 21))
    assert by_order[21] == ranked("6-6 1-6")
    assert by_order[22] == ranked("1-1 3-4")
    assert by_order[106] == ranked("5-6 4-5")  # nothing, and no tile above the eleven
    assert order(rank_two(hand("1-2 6-6"), SupremeTiles.DECLARED, 3), SupremeTiles.DECLARED) == 58


@pytest.mark.clause("pai_gow", "19:47-10.2(b)")
def test_10_2_b_the_lowest_pair_beats_the_highest_value() -> None:
    assert against("1-1 2-6", "1-6 1-1") == Comparison(True, False, ("19:47-10.2(b)", "19:47-10.2(d)", "19:47-10.2(g)"))
    assert not against("1-6 1-1", "1-1 2-6").player_wins
    assert against("3-6 4-5", "1-4 2-3").player_wins


@pytest.mark.clause("pai_gow", "19:47-10.2(c)", "19:47-10.1[Copy hand]")
@pytest.mark.parametrize(("player", "dealer"), [("6-6 4-5", "6-6 3-6"), ("1-1 4-4", "1-1 3-5")])
def test_10_2_c_equal_pairs_are_a_copy_that_the_dealer_wins(player: str, dealer: str) -> None:
    assert against(player, dealer) == Comparison(False, True, ("19:47-10.2(b)", "19:47-10.2(c)"))


@pytest.mark.clause("pai_gow", "19:47-10.2(f)")
def test_10_2_f_the_highest_tile_decides_between_equal_values() -> None:
    won = against("1-1 3-3", "5-6 1-6")
    assert won == Comparison(True, False, ("19:47-10.2(d)", "19:47-10.2(g)", "19:47-10.2(f)"))
    assert not against("5-6 1-6", "1-1 3-3").player_wins
    assert "19:47-10.2(f)" not in against("1-1 3-3", "5-5 1-6").rules


@pytest.mark.clause("pai_gow", "19:47-10.2(h)", "19:47-10.1[Copy hand]")
def test_10_2_h_equal_values_with_the_same_highest_tile_are_a_copy() -> None:
    copied = against("5-6 1-6", "5-6 3-4")
    assert copied == Comparison(False, True, ("19:47-10.2(d)", "19:47-10.2(g)", "19:47-10.2(h)"))
    assert against("4-5 2-2", "3-6 1-3").copy is False  # nines rank alike, but the fours do not
    assert against("4-5 2-6", "3-6 3-5").copy


def test_pg_03_two_hands_of_no_value_compare_by_their_tiles_unless_the_house_copies_them() -> None:
    assert against("5-5 4-6", "4-5 5-6").player_wins
    assert against("5-5 4-6", "4-5 5-6", ZeroZero.COPY) == Comparison(
        False, True, ("19:47-10.2(d)", "19:47-10.2(g)", "19:47-10.2(h)")
    )
    assert against("5-5 4-6", "4-4 1-2", ZeroZero.COPY).copy is False
    assert against("1-1 3-3", "5-5 4-6", ZeroZero.COPY).player_wins


@given(st.permutations(tile_set()).map(lambda tiles: (tiles[:2], tiles[2:4])))
def test_either_side_wins_unless_it_is_a_copy(hands: tuple[list[Tile], list[Tile]]) -> None:
    one, other = map(rank_two, hands)
    there, back = compare(one, other), compare(other, one)
    assert there.copy == back.copy
    assert there.player_wins + back.player_wins == (0 if there.copy else 1)


@pytest.mark.clause(
    "pai_gow", "19:47-10.1[High hand]", "19:47-10.1[Second highest or low hand]", "19:47-10.1[Setting the hands]"
)
def test_10_1_the_high_hand_ranks_not_below_the_low_hand() -> None:
    assert set_fault(hand("1-1 3-3"), hand("5-6 1-6")) is None
    assert set_fault(hand("5-6 1-6"), hand("1-1 3-3")) == "19:47-10.1[High hand]"
    assert set_fault(hand("6-6 6-6 5-5"), hand("1-2")) == "19:47-10.1[Setting the hands]"
    assert set_fault(hand("6-6 6-6"), hand("1-2")) == "19:47-10.1[Setting the hands]"


def test_pg_01_equal_hands_may_be_set_unless_the_text_is_read_to_forbid_it() -> None:
    wongs = hand("6-6 4-5"), hand("6-6 3-6")
    assert set_fault(*wongs) is None
    assert set_fault(*wongs, equal_is_legal=False) == "19:47-10.1[High hand]"
    assert set_fault(hand("1-1 3-3"), hand("5-6 1-6"), equal_is_legal=False) is None


def test_four_tiles_of_one_set_are_set() -> None:
    with pytest.raises(BadTile):
        set_fault(hand("6-6 4-5"), hand("6-6 4-5"))
    with pytest.raises(ValueError, match=r"^tiles \(.*\): expected four to set$"):
        splits(hand("6-6 4-5 1-1"))

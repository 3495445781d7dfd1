"""The set of tiles and the two printed tables, row by row."""

from collections import Counter

import pytest

from feltrig.engine.games.pai_gow.tiles import (
    COUNTS,
    DESIGNS,
    PAIRINGS,
    RANKS,
    SPREAD,
    STACK_SIZE,
    STACKS,
    BadTile,
    Tile,
    in_one_set,
    pair_rank,
    parse,
    spots,
    tile_set,
)

TILE_RANKS = {
    1: "6-6",
    2: "1-1",
    3: "4-4",
    4: "1-3",
    5: "5-5",
    6: "3-3",
    7: "2-2",
    8: "5-6",
    9: "4-6",
    10: "1-6",
    11: "1-5",
    12: "3-6 4-5",
    13: "2-6 3-5",
    14: "2-5 3-4",
    15: "2-4",
    16: "1-4 2-3",
    17: "1-2",
}
PAIR_RANKS = {
    1: "2-4/1-2",
    2: "6-6/6-6",
    3: "1-1/1-1",
    4: "4-4/4-4",
    5: "1-3/1-3",
    6: "5-5/5-5",
    7: "3-3/3-3",
    8: "2-2/2-2",
    9: "5-6/5-6",
    10: "4-6/4-6",
    11: "1-6/1-6",
    12: "1-5/1-5",
    13: "3-6/4-5",
    14: "3-5/2-6",
    15: "3-4/2-5",
    16: "1-4/2-3",
    17: "6-6/4-5 6-6/3-6",
    18: "1-1/4-5 1-1/3-6",
    19: "6-6/2-6 6-6/3-5 6-6/4-4",
    20: "1-1/2-6 1-1/3-5 1-1/4-4",
}


@pytest.mark.clause("pai_gow", "19:47-10.2(a)", "19:47-10.2(g)")
def test_10_2_a_a_set_has_thirty_two_tiles_of_twenty_one_designs() -> None:
    assert len(tile_set()) == 32
    assert len(DESIGNS) == len(RANKS) == 21
    held = Counter(tile_set())
    assert {tile for tile, count in held.items() if count == 2} == {Tile(TILE_RANKS[rank]) for rank in range(1, 12)}
    assert held == COUNTS


@pytest.mark.clause("pai_gow", "19:47-10.2(g)")
@pytest.mark.parametrize(("rank", "names"), TILE_RANKS.items())
def test_10_2_g_tiles_rank_as_printed(rank: int, names: str) -> None:
    assert {tile for tile, place in RANKS.items() if place == rank} == set(names.split())


@pytest.mark.clause(
    "pai_gow",
    "19:47-10.2(b)",
    "19:47-10.1[Supreme pair]",
    "19:47-10.1[Matched pairs]",
    "19:47-10.1[Mixed or unmatched pairs]",
    "19:47-10.1[Wongs]",
    "19:47-10.1[Gongs]",
)
@pytest.mark.parametrize(("rank", "pairs"), PAIR_RANKS.items())
def test_10_2_b_pairs_rank_as_printed_whichever_tile_comes_first(rank: int, pairs: str) -> None:
    for pair in pairs.split():
        one, other = (Tile(name) for name in pair.split("/"))
        assert pair_rank((one, other)) == pair_rank((other, one)) == rank


@pytest.mark.clause("pai_gow", "19:47-10.2(b)")
def test_10_2_b_twenty_ranks_and_no_other_two_tiles_make_a_pair() -> None:
    assert len(PAIRINGS) == 20
    known = {frozenset(pair.split("/")) for pairs in PAIR_RANKS.values() for pair in pairs.split()}
    for one in RANKS:
        for other in RANKS:
            if one != other:
                assert (pair_rank((one, other)) is not None) == (frozenset((one, other)) in known)


def test_10_4_a_the_first_sixteen_pairs_use_every_tile_of_the_set_once() -> None:
    assert len(SPREAD) == 16
    assert SPREAD[0] == ("2-4 1-2",)
    assert sorted(tile for (pairing,) in SPREAD for tile in pairing.split()) == sorted(tile_set())


@pytest.mark.clause("pai_gow", "19:47-10.4(d)")
def test_10_4_d_the_washed_tiles_stand_in_eight_stacks_of_four() -> None:
    assert (STACKS, STACK_SIZE) == (8, 4)
    assert len(tile_set()) == STACKS * STACK_SIZE


def test_spots_are_those_of_both_halves() -> None:
    assert [spots(Tile(name)) for name in ("6-6", "1-1", "2-4", "1-2", "5-6")] == [12, 2, 6, 3, 11]


def test_a_tile_is_named_as_printed() -> None:
    assert parse("2-4") == "2-4"
    with pytest.raises(BadTile, match=r"^tile '4-2': no such tile; expected one of 6-6, 1-1, "):
        parse("4-2")


def test_a_set_has_two_of_some_tiles_and_one_of_others() -> None:
    in_one_set((Tile("6-6"), Tile("4-5")), (Tile("6-6"), Tile("3-6")))
    with pytest.raises(BadTile, match=r"^tile '6-6': 3 times, and the set has 2$"):
        in_one_set((Tile("6-6"), Tile("6-6")), (Tile("6-6"), Tile("3-6")))
    with pytest.raises(BadTile, match=r"^tile '4-5': 2 times, and the set has 1$"):
        in_one_set((Tile("4-5"), Tile("4-5")))

"""Pai Gow: how the house sets four tiles."""

from hypothesis import given
from hypothesis import strategies as st

from feltrig.engine.games.pai_gow.houseway import strong_low
from feltrig.engine.games.pai_gow.ranking import (
    rank_two,
    set_fault,
    splits,
)
from feltrig.engine.games.pai_gow.tiles import Tile, tile_set


@given(st.permutations(tile_set()).map(lambda tiles: tiles[:4]))
def test_four_tiles_part_in_three_ways_and_the_house_way_takes_one_with_the_best_low_hand(tiles: list[Tile]) -> None:
    parted = splits(tiles)
    assert len(parted) == 3
    for high, low in parted:
        assert sorted((*high, *low)) == sorted(tiles)
        assert set_fault(high, low) is None
    taken = strong_low(tiles)
    assert taken == strong_low(tiles[::-1])
    assert set_fault(taken.high, taken.low) is None
    assert sorted((*taken.high, *taken.low)) == sorted(tiles)
    best = max(rank_two(low).strength for _, low in parted)
    assert rank_two(taken.low).strength == best
    assert rank_two(taken.high).strength == max(
        rank_two(high).strength for high, low in parted if rank_two(low).strength == best
    )

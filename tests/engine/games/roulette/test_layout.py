"""The wheels and the standard layout."""

import pytest

from feltrig.engine.games.roulette import layout
from feltrig.engine.games.roulette.bets import Bet, places, third
from feltrig.engine.games.roulette.layout import COLUMNS, DOZENS, ORDER, STANDARD, Numbers, Wheel, played
from feltrig.engine.rulings import Illegal

DOUBLE, SINGLE, AS_SINGLE = Wheel.DOUBLE_ZERO, Wheel.SINGLE_ZERO, Wheel.DOUBLE_ZERO_USED_AS_SINGLE
ALL_36 = {str(number) for number in range(1, 37)}


def numbers(text: str) -> Numbers:
    return frozenset(text.split())


@pytest.mark.clause("roulette", "19:47-5.1(e)13", "19:47-5.1(e)14", "19:47-5.1(f)")
def test_5_1_the_numbers_that_the_text_gives() -> None:
    assert numbers("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18") == layout.ONE_TO_18
    assert numbers("19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36") == layout.NINETEEN_TO_36
    assert numbers("10 11 12 13 14 15 33") == layout.SEVEN_NUMBERS


def test_colours_and_parities_halve_the_numbers() -> None:
    assert numbers("1 3 5 7 9 12 14 16 18 19 21 23 25 27 30 32 34 36") == layout.RED
    assert len(layout.BLACK) == 18
    assert layout.RED | layout.BLACK == ALL_36
    assert {str(number) for number in range(1, 37) if number % 2} == layout.ODD
    assert layout.EVEN == ALL_36 - layout.ODD
    assert {"0", "00"} == layout.ZEROS
    assert {"0", "00", "1", "2", "3"} == layout.FIRST_FIVE


def test_columns_run_along_the_layout_and_dozens_across() -> None:
    assert numbers("1 4 7 10 13 16 19 22 25 28 31 34") == COLUMNS[0]
    assert numbers("2 5 8 11 14 17 20 23 26 29 32 35") == COLUMNS[1]
    assert numbers("3 6 9 12 15 18 21 24 27 30 33 36") == COLUMNS[2]
    assert [sorted(map(int, dozen)) for dozen in DOZENS] == [
        [*range(1, 13)],
        [*range(13, 25)],
        [*range(25, 37)],
    ]
    assert [third(Bet.COLUMN, which) for which in (1, 2, 3)] == [*COLUMNS]
    assert [third(Bet.DOZEN, which) for which in (1, 2, 3)] == [*DOZENS]
    for which in (0, 4):
        with pytest.raises(Illegal, match=f"column {which}: expected 1 to 3"):
            third(Bet.COLUMN, which)


def test_a_wheel_carries_each_number_once_and_its_zeros() -> None:
    assert sorted(ORDER[DOUBLE]) == sorted((*ALL_36, "0", "00"))
    assert sorted(ORDER[SINGLE]) == sorted((*ALL_36, "0"))
    assert ORDER[AS_SINGLE] == ORDER[DOUBLE] == played(DOUBLE)
    assert played(SINGLE) == ORDER[SINGLE]
    assert played(AS_SINGLE) == tuple(pocket for pocket in ORDER[DOUBLE] if pocket != "00")


def test_colours_alternate_around_the_double_zero_wheel() -> None:
    # The maker's rule of the double zero wheel: red and black alternate, the zeros lie opposite each other.
    order = ORDER[DOUBLE]
    assert order.index("00") - order.index("0") == 19
    halves = order[1:19], order[20:]
    for half in halves:
        assert len({(pocket in layout.RED) == (place % 2 == 0) for place, pocket in enumerate(half)}) == 1


def test_colours_alternate_around_the_single_zero_wheel() -> None:
    assert all((pocket in layout.RED) == (place % 2 == 0) for place, pocket in enumerate(ORDER[SINGLE][1:]))


@pytest.mark.parametrize(
    ("wheel", "splits", "threes", "fours", "neighbours"),
    [(DOUBLE, 57 + 5, 12 + 3, 22, 38), (SINGLE, 57 + 3, 12 + 2, 22 + 1, 37), (AS_SINGLE, 57 + 3, 12 + 2, 22 + 1, 37)],
)
def test_the_layout_has_so_many_places(wheel: Wheel, splits: int, threes: int, fours: int, neighbours: int) -> None:
    here = STANDARD[wheel]
    groups = here.splits, here.threes, here.fours, here.sixes, here.neighbours
    assert [len(group) for group in groups] == [splits, threes, fours, 11, neighbours]
    for size, group in zip((2, 3, 4, 6, 5), groups, strict=True):
        assert {len(place) for place in group} == {size}
        assert frozenset[str]().union(*group) <= {*played(wheel)}


@pytest.mark.parametrize(
    ("bet", "wheel", "there", "not_there"),
    [
        (Bet.STRAIGHT, DOUBLE, ["0", "00", "36"], ["0 00", "37"]),
        (Bet.STRAIGHT, SINGLE, ["0", "1"], ["00"]),
        (Bet.STRAIGHT, AS_SINGLE, ["0", "36"], ["00"]),
        (Bet.SPLIT, DOUBLE, ["1 2", "2 3", "1 4", "33 36", "35 36", "0 00", "0 1", "0 2", "00 2", "00 3"], ["0 3"]),
        (Bet.SPLIT, DOUBLE, ["32 35", "34 35", "31 34"], ["3 4", "33 34", "36 37", "1 5", "00 1", "1 3"]),
        (Bet.SPLIT, SINGLE, ["0 1", "0 2", "0 3"], ["0 4", "0 00"]),
        (Bet.THREE_NUMBERS, DOUBLE, ["1 2 3", "34 35 36", "0 1 2", "0 00 2", "00 2 3"], ["2 3 4", "0 2 3"]),
        (Bet.THREE_NUMBERS, SINGLE, ["0 1 2", "0 2 3", "4 5 6"], ["0 1 3", "1 4 7"]),
        (Bet.FOUR_NUMBERS, DOUBLE, ["1 2 4 5", "2 3 5 6", "32 33 35 36"], ["3 4 6 7", "0 1 2 3", "34 35 37 38"]),
        (Bet.FOUR_NUMBERS, SINGLE, ["0 1 2 3"], ["1 2 3 4"]),
        (Bet.FIRST_FIVE_NUMBERS, DOUBLE, ["0 00 1 2 3"], ["0 1 2 3 4"]),
        (Bet.FIRST_FIVE_NUMBERS, SINGLE, [], ["0 00 1 2 3"]),
        (Bet.FIRST_FIVE_NUMBERS, AS_SINGLE, [], ["0 00 1 2 3"]),
        (Bet.SIX_NUMBERS, SINGLE, ["1 2 3 4 5 6", "31 32 33 34 35 36"], ["2 3 4 5 6 7", "34 35 36 37 38 39"]),
        (Bet.SEVEN_NUMBERS, SINGLE, ["10 11 12 13 14 15 33"], ["10 11 12 13 14 15 16"]),
        (Bet.FIVE_ADJACENT_NUMBERS, DOUBLE, ["0 28 9 26 30", "2 0 28 9 26", "14 2 0 28 9"], ["0 28 9 26 11"]),
        (Bet.FIVE_ADJACENT_NUMBERS, DOUBLE, ["13 1 00 27 10", "35 14 2 0 28", "23 35 14 2 0"], ["13 1 27 10 25"]),
        (Bet.FIVE_ADJACENT_NUMBERS, AS_SINGLE, ["13 1 27 10 25"], ["13 1 00 27 10"]),
        (Bet.FIVE_ADJACENT_NUMBERS, SINGLE, ["3 26 0 32 15"], ["0 28 9 26 30"]),
        (Bet.RED, SINGLE, [" ".join(layout.RED)], [" ".join(layout.BLACK)]),
        (Bet.COLUMN, SINGLE, [" ".join(COLUMNS[2])], [" ".join(DOZENS[2])]),
        (Bet.DOZEN, SINGLE, [" ".join(DOZENS[2])], [" ".join(COLUMNS[2])]),
    ],
)
def test_a_wager_has_its_places_on_the_layout(bet: Bet, wheel: Wheel, there: list[str], not_there: list[str]) -> None:
    found = places(bet, wheel)
    assert [place for place in there if numbers(place) not in found] == []
    assert [place for place in not_there if numbers(place) in found] == []

"""The odds of Roulette: published figures."""

from house_edges import edges

from feltrig.engine.games.roulette import odds as roulette


def test_roulette() -> None:
    found = edges(roulette.wagers())
    assert found["straight", "double_zero"] == "5.2632%"
    assert found["first_five_numbers", "double_zero"] == "7.8947%"
    assert found["red", "double_zero, zero takes half"] == "2.6316%"
    assert found["red", "double_zero, zero takes entire"] == "5.2632%"
    assert found["five_adjacent_numbers", "double_zero"] == "5.2632%"
    assert found["dozen", "single_zero"] == "2.7027%"
    assert found["seven_numbers", "double_zero_used_as_single"] == "5.4054%"
    assert ("first_five_numbers", "single_zero") not in found

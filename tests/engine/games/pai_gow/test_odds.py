"""How often each hand of two tiles comes."""

from feltrig.engine.games.pai_gow import odds as pai_gow


def test_hands_of_tiles() -> None:
    (tiles,) = pai_gow.wagers()
    assert tiles.total == 496
    assert tiles.outcomes["pair_1"] == 1
    assert tiles.outcomes["pair_17"] == 4

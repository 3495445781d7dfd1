"""How often each hand of Pai Gow Poker comes."""

from house_edges import Watched

from feltrig.engine.games.pai_gow_poker import odds as pai_gow_poker


def test_seven_cards_that_are_set() -> None:
    watched = Watched()
    (poker,) = pai_gow_poker.wagers(watched)
    assert watched.goes_from_nothing_to_the_last("hands", 1)
    assert poker.total == 2_869_685
    assert poker.outcomes["five_aces"] == 1

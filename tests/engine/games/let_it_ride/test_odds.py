"""The odds of Let It Ride: published figures."""

from fractions import Fraction

from house_edges import Watched, edges

from feltrig.engine.games.let_it_ride import odds as let_it_ride


def test_let_it_ride() -> None:
    watched = Watched()
    bets, kept, returned = let_it_ride.wagers(watched)
    assert watched.goes_from_nothing_to_the_last("cards of the player", 10)
    assert bets.total == 2_598_960 * 20
    assert bets.returned == Fraction(1_044_937, 1_082_900)
    assert list(edges((bets, kept, returned)).values()) == ["3.5057%", "24.0712%", "21.1997%"]
    assert bets.outcomes["royal_flush_on_3_bets"] > 0

"""The odds of insurance, by number of decks."""

from house_edges import edges

from feltrig.engine.games.blackjack import odds as blackjack


def test_insurance() -> None:
    assert [wager.table for wager in blackjack.wagers()] == ["4 decks", "6 decks", "8 decks"]
    assert list(edges(blackjack.wagers()).values()) == ["7.2464%", "7.3955%", "7.4699%"]

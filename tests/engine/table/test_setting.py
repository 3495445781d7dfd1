"""Two hands are set out of the cards that were dealt, and of no others."""

import pytest
from moments import SHOE, at, out_of_turn

from feltrig.engine import asks, tells
from feltrig.engine.games import GAMES


@pytest.fixture
def table(felt):
    """A table of Pai Gow Poker that waits for a player's hands."""
    return at(felt, asks.SetHands, game=GAMES["pai_gow_poker"], wagers=SHOE)


def test_only_the_holder_of_the_position_sets_its_hands(table):
    cards = table.ask.cards
    assert out_of_turn(table, tells.HandSet(table.ask.position + 1, cards[2:], cards[:2]))


@pytest.mark.parametrize("change", ["one less", "one twice", "a foreign one"])
def test_cards_that_were_not_dealt_there_are_refused(table, change):
    cards = table.ask.cards
    foreign = next(card for card in range(52) if card not in cards)
    high = {"one less": cards[3:], "one twice": (cards[3], *cards[3:]), "a foreign one": (foreign, *cards[3:])}
    assert table.refused(tells.HandSet(table.ask.position, high[change], cards[:2])) == table.ask.rules

"""The state of a round: which cards are left."""

from feltrig.engine import asks
from feltrig.engine.table.house import DEALER


def test_cards_come_from_what_is_left_of_the_deck_and_only_once(hooked):
    table = hooked()
    table.until(asks.Decide)
    play = table.round._play
    a, b, *_ = table.cards
    assert play.holds((a, b))
    assert not play.holds((a, a))
    assert not play.holds((a, play.hand(DEALER)[0]))

"""Cards lie where they were seen, not where they were asked for."""

from moments import AUTOMATED, at

from feltrig.engine import asks, tells
from feltrig.engine.rulings import Order
from feltrig.engine.table.house import DEALER


def test_a_misplaced_card_lies_where_it_was_seen(felt):
    table = at(felt, asks.DealCard)
    assert table.ask.position == 5
    card = table.cards[0]
    (ruling,) = table.tell(tells.CardDealt(card, position=2))
    assert (ruling.order, ruling.position, ruling.policy) == (Order.STANDS, 2, True)
    assert (table.round._play.hand(2), table.round._play.hand(5)) == ((card,), ())
    assert table.tell(tells.CardDealt(table.cards[0], position=table.ask.position)) == (), "as it was asked for"


def test_a_misplaced_stack_lies_where_it_was_seen(felt):
    table = at(felt, asks.Dispense, AUTOMATED)
    place, size = table.ask.position, table.ask.size
    cards = tuple(table.cards[:size])
    (ruling,) = table.tell(tells.StackDispensed(cards, position=DEALER if place else 5))
    assert ruling.order is Order.STANDS
    assert table.round._play.hand(DEALER if place else 5) == cards
    assert table.round._play.hand(place) == ()

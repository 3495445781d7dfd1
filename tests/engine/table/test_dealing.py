"""How cards come out of a shoe or a hand, and from where."""

from moments import BY_HAND, SHOE, WAGERS, at

from feltrig.engine import asks, tells
from feltrig.engine.games import GAMES
from feltrig.engine.rulings import Order
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.ways import Way


def test_a_burned_card_comes_from_the_shoe_and_may_be_the_one_that_was_drawn_in_error(felt):
    table = at(felt, asks.Burn, BY_HAND, GAMES["fast_action_holdem"], SHOE)
    card = table.cards[0]
    table.tell(tells.CardDrawnInError(card))
    left = table.round._play.left
    assert table.tell(tells.CardBurned(card)) == ()
    assert (table.round._play.left, table.round._play.discarded) == (left - 1, [card])
    table.until(asks.DealCard)
    assert table.tell(tells.CardDealt(table.cards[0])) == (), "no card is waiting any more"
    strange = at(felt, asks.Burn, BY_HAND, GAMES["fast_action_holdem"], SHOE)
    (ruling,) = strange.tell(tells.CardBurned(52))
    assert (ruling.order, strange.finish().void) == (Order.VOID_REMOVE_DECK, True)


def test_no_card_comes_out_before_the_betting_is_closed(hooked):
    table = hooked()
    for kind in (asks.StartShuffle, asks.CallNoMoreBets):
        table.until(kind)
        assert table.refused(tells.CardDealt(7)) == table.table.procedure.rules.methods[table.table.house.deal].close


def test_of_two_hands_with_a_wrong_number_of_cards_the_one_that_was_dealt_to_first_is_named(felt):
    table = at(felt, asks.DealCard)
    first = table.ask.position
    table.tell(tells.CardDealt(table.cards[0], position=next(seat for seat in WAGERS if seat != first)))
    while isinstance(table.ask, asks.DealCard):
        table.step()
    ruling = table.rulings[-1]
    assert (ruling.order, ruling.position, ruling.rules) == (Order.VOID, first, ("19:47-20.12(c)",))
    assert table.finish().void


def test_a_stack_that_went_elsewhere_leaves_its_place_to_the_next(hooked):
    table = hooked(Way({"deal": "automated_shoe"}))
    first = table.until(asks.Dispense)
    stacks = {first.position: table.cards[:3]}
    elsewhere = next(place for place in (DEALER, 2, 5) if place != first.position)
    (ruling,) = table.tell(tells.StackDispensed(tuple(stacks[first.position]), position=elsewhere))
    assert ruling.order is Order.STANDS
    assert table.ask.position == first.position
    del table.cards[:3]
    table.until(asks.RackStub)
    assert {place: len(cards) for place, cards in table.round._play.hands.items()} == {DEALER: 3, 2: 3, 5: 3}

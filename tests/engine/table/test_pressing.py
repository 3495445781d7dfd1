"""What comes before anything that a script wants."""

import pytest
from moments import TWO_DECKS

from feltrig.engine import asks, tells
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.irregular import Irregularity, Remedy


def test_a_player_decides_about_an_exposed_card_before_anything_else(hooked):
    table = hooked(remedies={Irregularity.PLAYER_CARD_SEEN: Remedy(Order.OFFER_VOID, ("1",))})
    asked = table.until(asks.Decide)
    for told in (tells.PlayedOn(2), tells.HandVoided(2)):
        (ruling,) = table.tell(tells.CardExposed(2))
        assert ruling.order is Order.OFFER_VOID
        assert table.ask == asks.DecideExposed(2, ("1",))
        assert not table.round.can(tells.PlayedOn(5))
        assert not table.round.can(tells.Decided(asked.seat, "fold"))
        table.tell(told)
        assert table.ask == asked
    assert table.round._play.voided == {2}


def test_a_shuffler_that_fails_during_the_deal_is_cleared_and_shuffles_again(hooked):
    table = hooked(TWO_DECKS)
    asked = table.until(asks.DealCard, 4)
    assert not table.round.can(tells.ShufflerFailed("red", "jam"))
    (ruling,) = table.tell(tells.ShufflerFailed("blue", "jam"))
    assert (ruling.order, ruling.device) == (Order.RESHUFFLE, "shuffler")
    assert table.ask == asks.ClearDevice("shuffler", ruling.rules)
    assert not table.round.can(tells.DeviceCleared("shoe"))
    table.tell(tells.DeviceCleared("shuffler"))
    assert (type(table.ask), table.ask.deck) == (asks.StartShuffle, "blue")
    with pytest.raises(Illegal):
        table.round.tell(tells.ShuffleStarted("red"))
    table.tell(tells.ShuffleStarted("blue"))
    assert table.ask == asked
    assert not table.finish().void


def test_a_shuffler_that_fails_in_a_void_round_is_cleared_and_waits(hooked):
    table = hooked(TWO_DECKS)
    table.until(asks.DealCard)
    table.tell(tells.CardDealt(52))
    assert isinstance(table.ask, asks.CollectCards)
    table.tell(tells.ShufflerFailed("blue", "jam"))
    table.tell(tells.DeviceCleared("shuffler"))
    assert isinstance(table.ask, asks.CollectCards)
    assert table.finish().void

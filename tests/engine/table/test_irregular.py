"""What goes wrong at a table, and what is ordered then."""

import pytest
from moments import AUTOMATED, BY_HAND, SHOE, TWO_DECKS, at, out_of_turn

from feltrig.engine import asks, tells
from feltrig.engine.games import GAMES
from feltrig.engine.rulings import Order
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.irregular import Irregularity, Row


def test_only_a_machine_that_works_on_the_deck_fails(felt):
    table = at(felt, asks.StartShuffle, TWO_DECKS)
    assert out_of_turn(table, tells.ShufflerFailed("blue", "jam"))
    (ruling,) = table.tell(tells.ShufflerFailed("red", "jam"))
    assert (ruling.order, ruling.device) == (Order.RESHUFFLE, "shuffler")
    assert table.ask.device == "shuffler"
    assert out_of_turn(table, tells.DeviceCleared("shoe"))
    table.step()
    assert isinstance(table.ask, asks.StartShuffle)
    for kind in (asks.StartShuffle, asks.FinishShuffle):
        assert out_of_turn(at(felt, kind, BY_HAND), tells.ShufflerFailed("red", "jam"))
    assert out_of_turn(at(felt, asks.LoadShoe), tells.ShoeFailed("jam"))
    assert out_of_turn(at(felt, asks.DealCard), tells.ShoeFailed("jam"))


def test_an_automated_shoe_that_fails_when_it_is_loaded_voids_the_round(felt):
    table = at(felt, asks.LoadShoe, AUTOMATED)
    (ruling,) = table.tell(tells.ShoeFailed("jam"))
    assert (ruling.order, ruling.device) == (Order.VOID, "shoe")
    assert table.ask == asks.ClearDevice("shoe", ruling.rules)
    assert table.finish().void


@pytest.mark.parametrize(("count", "whole"), [(None, True), (52, True), (51, False), (53, False)])
def test_a_deck_that_is_collected_short_is_replaced_and_the_settlement_stands(felt, count, whole):
    table = at(felt, asks.CollectCards)
    assert out_of_turn(table, tells.CardsCollected("blue", count))
    rulings = table.tell(tells.CardsCollected("red", count))
    assert [ruling.order for ruling in rulings] == ([] if whole else [Order.REMOVE_DECK])
    if not whole:
        assert isinstance(table.ask, asks.ReplaceDeck)
        assert out_of_turn(table, tells.DeckReplaced("blue"))
        table.step()
    assert table.ask is None
    assert not table.result.void


def test_a_shoe_is_not_counted_when_the_cards_of_a_round_are_collected(felt):
    table = at(felt, asks.CollectCards, BY_HAND, GAMES["blackjack"], SHOE)
    assert table.ask.keep
    assert table.tell(tells.CardsCollected("red", 9)) == ()
    assert table.ask is None


@pytest.mark.parametrize("change", ["none", "one less", "another", "twice"])
def test_a_stub_of_other_cards_than_those_left_voids_the_round_and_removes_the_deck(felt, change):
    table = at(felt, asks.RackStub)
    left, dealt = tuple(table.cards), table.round._play.hand(DEALER)
    stub = {"none": left, "one less": left[1:], "another": (dealt[0], *left[1:]), "twice": (left[1], *left[1:])}
    rulings = table.tell(tells.StubRacked(None, stub[change]))
    assert [ruling.order for ruling in rulings] == ([] if change == "none" else [Order.VOID_REMOVE_DECK])
    assert table.finish().void is (change != "none")


def test_a_row_of_the_game_stands_in_place_of_the_shared_ones_of_that_observation(hooked):
    rows = (
        Row(Irregularity.STUB_STRANGE, Order.STANDS, ("1",)),
        Row("the stub was not counted", Order.STANDS, lambda play, seen: ("2",), lambda play, seen: seen.count is None),
    )
    table = hooked(irregularities={tells.StubRacked: rows})
    table.until(asks.RackStub)
    strange, uncounted = table.tell(tells.StubRacked(None, ()))
    assert (strange.why, strange.rules) == (Irregularity.STUB_STRANGE.why, ("1",))
    assert (uncounted.why, uncounted.rules, uncounted.device) == ("the stub was not counted", ("2",), None)
    assert not table.finish().void


def test_a_row_that_does_not_say_so_is_no_policy_of_the_rig():
    assert not Row("a card in the tray", Order.STANDS, ("34.2(a)",)).policy

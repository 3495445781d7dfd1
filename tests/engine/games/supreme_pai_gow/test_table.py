"""What a table keeps from round to round, and what it refuses."""

import pytest
from supreme_pai_gow_table import Options, SupremeTable, Wager

from feltrig.engine import asks, tells
from feltrig.engine.games.supreme_pai_gow.options import Start
from feltrig.engine.rulings import Illegal, OutOfTurn
from feltrig.engine.table.house import DEALER, Deal

THREE = {1: Wager(1000), 3: Wager(1000), 5: Wager(1000)}


def test_a_round_is_finished_before_the_next_one(fair_dealer):
    dealer = fair_dealer(Options())
    dealer.open()
    for step in (dealer.open, dealer.table.idle, lambda: dealer.table.remove_device("shoe")):
        with pytest.raises(OutOfTurn):
            step()


@pytest.mark.clause("supreme_pai_gow", "34.2(b)4")
def test_decks_alternate_34_2_b_4(fair_dealer):
    dealer = fair_dealer(Options(decks=("red", "blue")))
    used = []
    for _ in range(5):
        used.append(dealer.table.deck)
        dealer.play()
    assert used == ["red", "blue", "red", "blue", "red"]


@pytest.mark.clause("supreme_pai_gow", "34.2(b)4")
def test_decks_alternate_after_a_void_round_too_34_2_b_4(fair_dealer):
    dealer = fair_dealer(Options(decks=("red", "blue")))
    game = dealer.open()
    dealer.until(game, asks.Dispense)
    game.tell(tells.ShoeFailed("jam"))
    dealer.finish(game)
    assert dealer.table.deck == "blue"
    assert not dealer.play().void


@pytest.mark.clause("supreme_pai_gow", "34.11(d)", "34.4(a)3")
def test_button_starts_at_the_dealer_and_moves_clockwise_34_11_d(fair_dealer):
    dealer = fair_dealer(Options(start=Start.BUTTON))
    assert [dealer.play().start for _ in range(8)] == [0, 6, 5, 4, 3, 2, 1, 0]


def test_button_stays_after_a_void_round(fair_dealer):
    dealer = fair_dealer(Options(start=Start.BUTTON))
    dealer.play()
    game = dealer.open()
    dealer.until(game, asks.Dispense)
    game.tell(tells.ShoeFailed("jam"))
    dealer.finish(game)
    assert dealer.table.button == 6


@pytest.mark.clause("supreme_pai_gow", "34.8(d)")
def test_stub_is_counted_every_fifth_round_34_8_d(fair_dealer):
    dealer = fair_dealer(Options(shuffler_counts=False))
    counted = []
    for _ in range(10):
        dealer.play()
        counted.append(next(ask.count for ask in dealer.asked if isinstance(ask, asks.RackStub)))
    assert counted == [False, False, False, False, True] * 2


@pytest.mark.clause("supreme_pai_gow", "34.8(e)", "34.10(e)")
def test_stub_is_not_counted_when_the_shuffler_counts_34_8_e(fair_dealer):
    dealer = fair_dealer(Options(shuffler_counts=True))
    for _ in range(10):
        dealer.play()
        ask = next(ask for ask in dealer.asked if isinstance(ask, asks.RackStub))
        assert (ask.count, ask.rules) == (False, ("34.10(e)", "34.8(e)"))


@pytest.mark.clause("supreme_pai_gow", "34.8(e)")
def test_a_shuffler_that_does_not_report_its_count_waives_nothing_34_8_e(fair_dealer):
    dealer = fair_dealer(Options(shuffler_counts=True))
    for _ in range(4):
        game = dealer.open()
        dealer.until(game, asks.FinishShuffle)
        dealer.answer(game.ask)
        game.tell(tells.Shuffled("red"))
        dealer.finish(game)
    game = dealer.open()
    dealer.until(game, asks.FinishShuffle)
    dealer.answer(game.ask)
    game.tell(tells.Shuffled("red"))
    assert dealer.until(game, asks.RackStub).count


def offered(dealer, wagers):
    """The seats that were offered the bank in a round."""
    dealer.play(wagers)
    return [ask.seat for ask in dealer.asked if isinstance(ask, asks.OfferBank)]


@pytest.mark.clause("supreme_pai_gow", "34.6(g)")
def test_idle_table_starts_a_new_game_34_6_g(fair_dealer):
    dealer = fair_dealer(Options(banking=True, deal=Deal.HAND, machine_shuffle=False))
    dealer.play(THREE)
    assert not dealer.table.start_of_game
    dealer.table.idle()
    assert dealer.table.start_of_game
    assert offered(dealer, {5: Wager(1000), **THREE}) == []
    assert next(ask.offer for ask in dealer.asked if isinstance(ask, asks.Cut)) == (5,)
    assert offered(dealer, THREE) == [1, 3, 5]


@pytest.mark.clause("supreme_pai_gow", "34.6(a)", "34.6(g)")
def test_idle_table_shuffles_both_decks_again_34_6_g(fair_dealer):
    dealer = fair_dealer(Options(decks=("red", "blue")))
    dealer.play()
    dealer.table.idle()
    assert dealer.open().ask == asks.StartShuffle("blue", "machine", ("34.6(a)",))


@pytest.mark.clause("supreme_pai_gow", "34.13(b)")
def test_a_replaced_deck_starts_a_new_game_34_13_b(fair_dealer):
    dealer = fair_dealer(Options(banking=True))
    dealer.play(THREE)
    game = dealer.open(THREE)
    dealer.until(game, asks.RackStub)
    game.tell(tells.StubRacked(cards=()))
    dealer.finish(game)
    assert offered(dealer, THREE) == []


@pytest.mark.clause("supreme_pai_gow", "34.16(o)")
def test_device_leaves_the_table_before_another_method_34_16_o(fair_dealer):
    dealer = fair_dealer(Options(decks=("red", "blue")))
    dealer.play()
    by_hand = Options(deal=Deal.HAND, machine_shuffle=False)
    for device in ("shoe", "shuffler"):
        with pytest.raises(Illegal, match=r"34\.16\(o\)"):
            dealer.table.change(by_hand)
        dealer.table.remove_device(device)
        with pytest.raises(Illegal, match=r"34\.16\(o\)"):
            dealer.open()
    dealer.table.change(by_hand)
    dealer.options = by_hand
    assert dealer.table.devices == frozenset()
    assert not dealer.play().void
    assert any(isinstance(ask, asks.Cut) for ask in dealer.asked)


def test_devices_can_come_to_the_table(fair_dealer):
    dealer = fair_dealer(Options(deal=Deal.HAND, machine_shuffle=False))
    dealer.play()
    dealer.options = Options(start=Start.BUTTON)
    dealer.table.change(dealer.options)
    assert dealer.table.devices == {"shoe", "shuffler"}
    assert dealer.play().start == 0


def test_only_a_device_at_the_table_can_be_removed():
    with pytest.raises(ValueError, match="shoe"):
        SupremeTable(Options(deal=Deal.HAND)).remove_device("shoe")


def test_other_decks_start_a_new_game_and_what_lay_in_the_shuffler_is_shuffled_by_hand(fair_dealer):
    table = fair_dealer(Options(decks=("red", "blue")))
    table.play()
    assert not table.table.start_of_game
    assert table.table.deck == "blue"
    table.table.change(Options(decks=("green",)))
    assert (table.table.deck, table.table.start_of_game) == ("green", True)
    one = fair_dealer(Options())
    one.play()
    one.table.remove_device("shuffler")
    one.table.change(Options(machine_shuffle=False))
    assert one.table.open_round({3: Wager(1000)}).ask == asks.StartShuffle("red", "hand", ("34.6(a)",))


def test_a_button_that_comes_to_the_table_starts_at_the_dealer(fair_dealer):
    dealer = fair_dealer(Options(start=Start.BUTTON))
    dealer.play()
    assert dealer.table.button == 6
    dealer.table.change(Options(start=Start.BUTTON, table_minimum=600))
    assert dealer.table.button == 6
    dealer.table.change(Options(start=Start.RNG))
    dealer.table.change(Options(start=Start.BUTTON))
    assert dealer.table.button == DEALER

"""Supreme Pai Gow: the bank is offered around the table, 34.13(c)."""

import pytest
from supreme_pai_gow_table import Options, Wager

from feltrig.engine import asks
from feltrig.engine.games.supreme_pai_gow.options import Start

THREE = {1: Wager(1000), 3: Wager(1000), 5: Wager(1000)}


def test_banked_round_with_a_button_starts_at_the_button(fair_dealer):
    dealer = fair_dealer(Options(start=Start.BUTTON, banking=True))
    dealer.play()
    dealer.takes_bank = lambda seat: True
    assert dealer.play().start == 6


def offered(dealer, wagers):
    """The seats that were offered the bank in a round."""
    dealer.play(wagers)
    return [ask.seat for ask in dealer.asked if isinstance(ask, asks.OfferBank)]


@pytest.mark.clause("supreme_pai_gow", "34.13(c)")
def test_bank_offer_rotates_counterclockwise_34_13_c(fair_dealer):
    dealer = fair_dealer(Options(banking=True))
    assert [offered(dealer, THREE) for _ in range(5)] == [[], [1, 3, 5], [3, 5, 1], [5, 1, 3], [1, 3, 5]]


@pytest.mark.clause("supreme_pai_gow", "34.13(c)")
def test_bank_offer_goes_on_after_the_one_who_accepted_and_skips_the_last_bank_34_13_c(fair_dealer):
    dealer = fair_dealer(Options(banking=True))
    dealer.play(THREE)
    dealer.takes_bank = lambda seat: seat == 1
    assert offered(dealer, THREE) == [1]
    dealer.takes_bank = lambda seat: False
    assert offered(dealer, THREE) == [3, 5]
    assert offered(dealer, THREE) == [5, 1, 3]


@pytest.mark.clause("supreme_pai_gow", "34.13(c)")
def test_bank_follows_the_player_not_the_seat_34_13_c(fair_dealer):
    dealer = fair_dealer(Options(banking=True))
    here = {1: Wager(1000, player="ann"), 3: Wager(1000, player="bob")}
    there = {2: Wager(1000, player="ann"), 3: Wager(1000, player="bob")}
    dealer.play(here)
    dealer.takes_bank = lambda seat: seat == 1
    dealer.play(here)
    assert offered(dealer, there) == [3]

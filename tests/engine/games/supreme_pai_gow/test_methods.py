"""Supreme Pai Gow: the clauses of the cut, by who is asked first."""

import pytest
from supreme_pai_gow_table import Options, Wager

from feltrig.engine import asks
from feltrig.engine.table.house import Deal

THREE = {1: Wager(1000), 3: Wager(1000), 5: Wager(1000)}


def cut_offers(dealer, wagers):
    """The seats that were offered the cut in a round."""
    dealer.play(wagers)
    return next(ask.offer for ask in dealer.asked if isinstance(ask, asks.Cut))


@pytest.mark.clause("supreme_pai_gow", "34.6(d)3")
def test_cut_is_offered_to_the_first_player_then_around_34_6_d(fair_dealer):
    dealer = fair_dealer(Options(deal=Deal.HAND, machine_shuffle=False))
    wagers = {5: Wager(1000), 1: Wager(1000), 3: Wager(1000)}
    assert [cut_offers(dealer, wagers) for _ in range(5)] == [(5,), (1,), (3,), (5,), (1,)]


@pytest.mark.clause("supreme_pai_gow", "34.6(d)2")
def test_cut_is_offered_to_the_bank_then_around_34_6_d_2(fair_dealer):
    dealer = fair_dealer(Options(deal=Deal.HAND, machine_shuffle=False, banking=True))
    dealer.play(THREE)
    dealer.play(THREE)
    dealer.takes_bank = lambda seat: seat == 3
    assert cut_offers(dealer, THREE) == (3, 5, 1)
    dealer.takes_bank = lambda seat: False
    assert cut_offers(dealer, THREE) == (1,)

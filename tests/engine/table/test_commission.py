"""Wagers at even money less a commission: against the dealer, and against a bank, where money only changes hands."""

from fractions import Fraction

import pytest

from feltrig.engine.table.commission import Settlement, Stake, VigorishOn, against_bank, less_vigorish, settle_wager
from feltrig.engine.table.result import Outcome

WIN, LOSE, PUSH = Outcome.WIN, Outcome.LOSE, Outcome.PUSH


@pytest.mark.parametrize(
    ("outcome", "net", "vigorish"), [(WIN, 950, 50), (LOSE, -1000, 0), (PUSH, 0, 0), (Outcome.VOID, 0, 0)]
)
def test_only_a_winner_pays_vigorish(outcome: Outcome, net: int, vigorish: int) -> None:
    assert settle_wager(outcome, 1000) == Settlement(outcome, net, vigorish, ())


def test_vigorish_is_exact_or_goes_up_to_a_quarter() -> None:
    assert less_vigorish(Stake(510, WIN), "exact") == (Fraction(969, 2), Fraction(51, 2))
    assert less_vigorish(Stake(510, WIN), "round_up_to_25_cents") == (460, 50)
    assert less_vigorish(Stake(510, WIN), "exact", commission=False) == (510, 0)


def test_a_bank_gets_what_the_losers_leave_less_its_own_vigorish() -> None:
    found = against_bank({1: Stake(3000, LOSE), 2: Stake(1000, WIN)})
    assert (found.surplus, found.shortfall, found.bank_net, found.vigorish) == (2000, 0, 1900, 150)
    assert found.players_net == {1: -3000, 2: 950}


def test_a_bank_pays_what_the_centre_lacks_without_vigorish() -> None:
    found = against_bank({1: Stake(1000, WIN)}, Stake(500, WIN))
    assert (found.surplus, found.shortfall, found.bank_net, found.bank_vigorish) == (0, 1500, -1500, 0)
    assert found.dealer_wager_net == 500


def test_a_co_bank_shares_to_the_half_cent() -> None:
    found = against_bank({1: Stake(1001, LOSE)}, co_bank=True)
    assert (found.house_share_net, found.odd_cent) == (Fraction(1001, 2), 1)


@pytest.mark.parametrize(
    ("paid_by", "players", "bank"), [(VigorishOn.BOTH, 50, 50), (VigorishOn.PLAYERS, 50, 0), (VigorishOn.BANK, 0, 50)]
)
def test_vigorish_may_be_the_players_or_the_banks_alone(paid_by: VigorishOn, players: int, bank: int) -> None:
    found = against_bank({1: Stake(1000, WIN), 2: Stake(2000, LOSE)}, vigorish_on=paid_by)
    assert (sum(found.player_vigorish.values()), found.bank_vigorish) == (players, bank)

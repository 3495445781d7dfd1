"""Every step of a round names the clause that calls for it, for each dealing method and with a bank."""

import pytest
from supreme_pai_gow_table import Options, Wager

from feltrig.engine import asks
from feltrig.engine.games.supreme_pai_gow.options import Start
from feltrig.engine.table.house import Deal

GAME = "supreme_pai_gow"
WAGERS = {2: Wager(1000, 200), 5: Wager(2000)}

STEPS = {
    Deal.MANUAL_SHOE: {
        asks.LoadShoe: ("34.8(a)",),
        asks.CallNoMoreBets: ("34.8(a)",),
        asks.SelectNumber: ("34.11(c)", "34.8(b)"),
        asks.ShakeDice: ("34.11(b)", "34.8(b)"),
        asks.DealCard: ("34.8(c)",),
        asks.RackStub: ("34.8(d)1", "34.8(e)"),
        asks.CollectUnbet: ("34.8(f)",),
        asks.CollectCards: ("34.12(j)",),
    },
    Deal.HAND: {
        asks.CallNoMoreBets: ("34.9(b)2",),
        asks.SelectNumber: ("34.11(c)", "34.9(e)"),
        asks.ShakeDice: ("34.11(b)", "34.9(e)"),
        asks.DealCard: ("34.9(c)",),
        asks.RackStub: ("34.9(d)", "34.8(e)"),
        asks.DeliverStack: ("34.9(f)",),
        asks.CollectUnbet: ("34.9(g)",),
    },
    Deal.AUTOMATED_SHOE: {
        asks.LoadShoe: ("34.10(b)1",),
        asks.CallNoMoreBets: ("34.10(b)2",),
        asks.SelectNumber: ("34.11(c)", "34.10(c)"),
        asks.ShakeDice: ("34.11(b)", "34.10(c)"),
        asks.Dispense: ("34.10(d)",),
        asks.RackStub: ("34.10(e)", "34.8(e)"),
        asks.CollectUnbet: ("34.10(f)",),
    },
}

BANKED = {
    Deal.MANUAL_SHOE: (("34.13(h)2", "34.13(h)3"), ("34.13(h)1", "34.13(h)3")),
    Deal.HAND: (("34.13(i)3", "34.13(i)4"), ("34.13(i)2", "34.13(i)4")),
    Deal.AUTOMATED_SHOE: (("34.13(j)2", "34.13(j)3"), ("34.13(j)1", "34.13(j)3")),
}
"""What a bank adds when the start is found by the generator, and by dice."""


@pytest.mark.clause(GAME, "34.8(b)", "34.8(d)1", "34.8(f)", "34.9(a)", "34.9(d)", "34.9(e)", "34.9(g)", "34.10(a)")
@pytest.mark.clause(
    GAME, "34.10(b)1", "34.10(c)", "34.10(d)", "34.10(f)", "34.4(a)", "34.4(a)1", "34.4(a)2", "34.11(a)"
)
@pytest.mark.clause(GAME, "19:46-1.19(b)1", "19:46-1.19(c)")
@pytest.mark.parametrize("deal", list(Deal))
@pytest.mark.parametrize("start", [Start.RNG, Start.DICE])
def test_the_steps_of_a_dealing_method_are_those_of_its_section(fair_dealer, deal, start):
    dealer = fair_dealer(Options(deal=deal, start=start))
    dealer.play(WAGERS)
    asked = {type(ask): ask for ask in dealer.asked}
    for kind, rules in STEPS[deal].items():
        if kind is not {Start.RNG: asks.ShakeDice, Start.DICE: asks.SelectNumber}[start]:
            assert asked[kind].rules == rules
    assert asked[asks.CollectUnbet].positions == (1, 3, 4, 6)
    if deal is Deal.AUTOMATED_SHOE:
        assert {ask.size for ask in dealer.asked if isinstance(ask, asks.Dispense)} == {4}


@pytest.mark.clause(GAME, "34.13(h)", "34.13(i)", "34.13(i)4", "34.13(j)")
@pytest.mark.clause(GAME, "34.13(j)3", "34.13(p)")
@pytest.mark.parametrize("deal", list(Deal))
@pytest.mark.parametrize(
    ("start", "kind", "which"), [(Start.RNG, asks.SelectNumber, 0), (Start.DICE, asks.ShakeDice, 1)]
)
@pytest.mark.parametrize("co_bank", [False, True])
def test_a_bank_starts_the_count_and_all_else_stays_as_it_is(fair_dealer, deal, start, kind, which, co_bank):
    dealer = fair_dealer(Options(deal=deal, start=start, banking=True, co_banking=co_bank))
    dealer.takes_bank, dealer.co_banks = (lambda seat: True), co_bank
    dealer.play(WAGERS)
    result = dealer.play(WAGERS)
    assert result.bank is not None
    found = next(ask for ask in dealer.asked if isinstance(ask, kind))
    assert found.rules[2:] == BANKED[deal][which]
    assert any(seat.bonus_net != 0 for seat in result.settlements if seat.seat == 2)

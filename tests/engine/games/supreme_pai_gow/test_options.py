"""A licensee's choices and the rules that limit them."""

from dataclasses import replace
from typing import Any

import pytest
from supreme_pai_gow_table import Options

from feltrig.engine import asks
from feltrig.engine.games import GAMES
from feltrig.engine.games.supreme_pai_gow.bonus import LEAST_ODDS, Category
from feltrig.engine.games.supreme_pai_gow.houseway import DEFAULT
from feltrig.engine.games.supreme_pai_gow.options import Start
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.house import Deal

CHOICES = Options()


def test_the_defaults_are_legal_and_follow_the_decided_readings() -> None:
    assert CHOICES.house_way is DEFAULT
    assert CHOICES.equal_is_legal
    assert CHOICES.vigorish_rounding == "exact"
    assert CHOICES.table_maximum is None
    assert CHOICES.odds == LEAST_ODDS


@pytest.mark.clause(
    "supreme_pai_gow",
    "34.2(a)",
    "34.2(b)",
    "34.2(b)2",
    "34.4(a)3",
    "34.6(f)",
    "34.7(d)",
    "34.11(d)",
    "34.12(d)",
    "34.12(i)",
    "34.13(e)",
    "34.13(g)",
    "34.14(a)",
)
@pytest.mark.parametrize(
    ("change", "rules"),
    [
        ({"start": Start.BUTTON, "deal": Deal.MANUAL_SHOE}, ("34.4(a)3", "34.11(d)")),
        ({"start": Start.BUTTON, "deal": Deal.HAND}, ("34.4(a)3", "34.11(d)")),
        ({"start": Start.BUTTON, "machine_shuffle": False}, ("34.4(a)3", "34.11(d)")),
        ({"decks": ("red", "blue"), "machine_shuffle": False}, ("34.2(b)",)),
        ({"decks": ("red", "blue", "green")}, ("34.2(a)", "34.2(b)")),
        ({"decks": ()}, ("34.2(a)", "34.2(b)")),
        ({"decks": ("red", "red")}, ("34.2(b)2",)),
        ({"co_banking": True}, ("34.13(e)",)),
        ({"vigorish_rounding": "nearest"}, ("34.12(i)",)),
        ({"recut_by": "dealer"}, ("34.6(f)",)),
        ({"bonus_minimum": 99}, ("34.7(d)",)),
        ({"odds": {**LEAST_ODDS, Category.FLUSH: 7}}, ("34.14(a)",)),
        ({"odds": {Category.FLUSH: 8}}, ("34.14(a)",)),
        ({"house_way": None}, ("34.12(d)",)),
        ({"dealer_wager": -1}, ("34.13(g)",)),
        ({"table_minimum": 0}, ()),
        ({"table_minimum": 1000, "table_maximum": 999}, ()),
    ],
)
def test_an_illegal_choice_is_refused_with_its_rule(change: dict[str, Any], rules: tuple[str, ...]) -> None:
    with pytest.raises(Illegal) as refused:
        replace(CHOICES, **change)
    assert refused.value.rules == rules
    assert set(rules) <= GAMES["supreme_pai_gow"].clauses.keys()


@pytest.mark.parametrize(
    "change",
    [
        {"start": Start.BUTTON, "deal": Deal.AUTOMATED_SHOE},
        {"decks": ("red", "blue")},
        {"banking": True, "co_banking": True},
        {"vigorish_rounding": "round_up_to_25_cents"},
        {"recut_by": "next"},
        {"odds": {**LEAST_ODDS, Category.FLUSH: 9}},
        {"deal": Deal.HAND, "start": Start.DICE, "machine_shuffle": False},
        {"dealer_wager": 0},
        {"table_maximum": 500},
    ],
)
def test_a_legal_choice_is_taken(change: dict[str, Any]) -> None:
    chosen = replace(CHOICES, **change)
    assert {name: getattr(chosen, name) for name in change} == change


@pytest.mark.clause("supreme_pai_gow", "34.8(e)")
@pytest.mark.parametrize(
    ("machine", "counts", "by_hand"),
    [(True, True, False), (True, False, True), (False, True, True), (False, False, True)],
)
def test_34_8_e_only_a_machine_that_counts_saves_the_count_of_the_stub(
    fair_dealer: Any, machine: bool, counts: bool, by_hand: bool
) -> None:
    dealer = fair_dealer(Options(deal=Deal.HAND, machine_shuffle=machine, shuffler_counts=counts))
    counted = []
    for _ in range(5):
        dealer.play()
        counted += [ask.count for ask in dealer.asked if isinstance(ask, asks.RackStub)]
    assert counted == [False, False, False, False, by_hand]

"""What is Let It Ride's own in a round; what it shares with other games is tested for all of them together."""

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.cards import parse_all
from feltrig.engine.games.let_it_ride import round as game
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.ways import Way

GAME = "let_it_ride"
MANUAL, HAND, AUTOMATED = (Way({"deal": deal}) for deal in ("manual_shoe", "hand", "automated_shoe"))
RIDING = {"bet_1": 500, "bet_2": 500, "bet_3": 500}
WAGERS = {2: RIDING, 5: {**RIDING, "bonus": 100}}


def of(*numbers):
    return tuple(f"19:47-18.{number}" for number in numbers)


@pytest.mark.clause(
    GAME, *(f"19:47-18.7(c){n}" for n in ("", 1, 2, 3, 4, 5, 6)), *(f"19:47-18.8(c){n}" for n in ("", 1, 2, 3, 4, 5, 6))
)
@pytest.mark.parametrize("way", [MANUAL, HAND], ids=str)
def test_single_cards_go_to_each_bettor_clockwise_and_then_to_the_community(felt, way):
    table = felt(game.GAME, way)
    table.open(WAGERS)
    table.finish()
    dealt = [ask.position or ask.area for ask in table.asked if isinstance(ask, asks.DealCard)]
    assert dealt == [5, 2, "community"] * 3


@pytest.mark.clause(GAME, "19:47-18.9(a)", "19:47-18.9(c)", "19:47-18.1[Community card]")
def test_stacks_of_three_go_to_each_bettor_clockwise_and_the_last_to_the_community(felt):
    table = felt(game.GAME, AUTOMATED)
    table.open(WAGERS)
    table.finish()
    stacks = [(ask.position or ask.area, ask.size) for ask in table.asked if isinstance(ask, asks.Dispense)]
    assert stacks == [(5, 3), (2, 3), ("community", 3)]


@pytest.mark.clause(
    GAME,
    *("19:47-18.10(b)", "19:47-18.10(c)", "19:47-18.10(d)", "19:47-18.10(e)", "19:47-18.10(f)", "19:47-18.10(g)"),
    *("19:47-18.10(b)1", "19:47-18.10(b)2", "19:47-18.10(e)1", "19:47-18.10(e)2", "19:47-18.1[Let it ride]"),
    "19:47-18.1[Round of play]",
)
@pytest.mark.parametrize("way", [MANUAL, HAND, AUTOMATED], ids=str)
def test_two_decisions_stand_around_the_first_community_card(felt, way):
    table = felt(game.GAME, way)
    table.choices = {(5, "bet number one"): "withdraw", (2, "bet number two"): "withdraw"}
    table.open(WAGERS)
    result = table.finish()
    after = table.asked[[type(ask) for ask in table.asked].index(asks.RackStub) + 1 :]
    told = [getattr(ask, "what", None) or getattr(ask, "area", None) or getattr(ask, "position", None) for ask in after]
    assert told == [
        *("bet number one", "bet number one", "community.first", "bet number two", "bet number two"),
        *("community.second", 2, 5, None),
    ]
    assert [ask.seat for ask in after if isinstance(ask, asks.Decide)] == [5, 2, 5, 2]
    stakes = {s.seat: s.stake for s in result.settlements if s.bet == "bets"}
    assert stakes == {2: 1000, 5: 1000}


SINGLY = ("Ah", "7c", "2d", "Kh", "8c", "3d", "Qh", "9c", "Th")
"""To seat 5, seat 2 and the community, three times: the burned card is the 2d, the others 3d and Th."""
STACKED = ("Ah", "Kh", "Qh", "7c", "8c", "9c", "Th", "Jh", "2d")
"""The bottom card of the third stack, 2d, is burned; then come Jh and Th."""


@pytest.mark.clause(GAME, "19:47-18.10(g)1", "19:47-18.1[Hand]", "19:47-18.10(c)", "19:47-18.9(c)")
@pytest.mark.parametrize(
    ("way", "cards", "hands"),
    [
        (MANUAL, SINGLY, {5: ("high_card", -1500), 2: ("high_card", -1500)}),
        (AUTOMATED, STACKED, {5: ("royal_flush", 1_500_000), 2: ("straight", 7500)}),
    ],
    ids=["singly", "as stacks"],
)
def test_the_card_at_the_dealers_left_is_burned(felt, way, cards, hands):
    table = felt(game.GAME, way)
    table.open(WAGERS)
    table.until(asks.RackStub if way is None else asks.CallNoMoreBets)
    table.stack(*parse_all(cards))
    result = table.finish()
    assert {s.seat: (s.hand, s.net) for s in result.settlements if s.bet == "bets"} == hands


@pytest.mark.clause(GAME, "19:47-18.10(h)", "19:47-18.10(i)", "19:47-18.10(i)1", "19:47-18.10(g)2", "19:47-18.11(b)")
def test_losers_are_collected_first_and_winners_paid_from_the_right(felt):
    table = felt(game.GAME, AUTOMATED)
    table.open({1: RIDING, 3: RIDING, 6: {**RIDING, "bonus": 100}})
    table.until(asks.CallNoMoreBets)
    table.stack(*parse_all(("Ts", "Td", "2c", "9s", "8d", "3c", "7s", "7d", "7c", "Kh", "4d", "5c")))
    result = table.finish()
    assert [(s.seat, s.bet, s.hand, s.net) for s in result.settlements] == [
        (3, "bets", "high_card", -1500),
        (6, "bonus", "pair", -100),
        (1, "bets", "three_of_a_kind", 4500),
        (6, "bets", "pair", 1500),
    ]


@pytest.mark.clause(GAME, "19:47-18.6A(c)", "19:47-18.6A(d)", "19:47-18.11(d)")
def test_the_bonus_is_paid_whatever_becomes_of_the_bets(felt):
    table = felt(game.GAME, AUTOMATED)
    table.choices = {6: "withdraw"}
    table.open({6: {**RIDING, "bonus": 100}})
    table.until(asks.CallNoMoreBets)
    table.stack(*parse_all(("7s", "7d", "7c", "Kh", "4d", "5c")))
    result = table.finish()
    assert [(s.bet, s.stake, s.net) for s in result.settlements] == [("bets", 500, 1500), ("bonus", 100, 400)]


@pytest.mark.clause(GAME, "19:47-18.6A(b)", "19:47-18.7(b)", "19:47-18.8(b)3", "19:47-18.9(b)2")
@pytest.mark.parametrize("way", [MANUAL, HAND, AUTOMATED], ids=str)
def test_bonus_chips_are_reconciled_with_the_sensors_before_the_deal(felt, way):
    table = felt(game.GAME, way)
    table.open({2: {**RIDING, "bonus": 100}, 5: RIDING, 6: {**RIDING, "bonus": 100}})
    close = table.until(asks.CallNoMoreBets)
    ask = table.until(asks.CountSensors)
    assert (ask.bet, ask.seats, ask.rules) == ("bonus", (6, 2), close.rules)
    (ruling,) = table.tell(tells.SensorsRead((6,)))
    assert (ruling.order, ruling.position, ruling.rules, ruling.policy) == (Order.RETURN_BET, 2, close.rules, True)
    result = table.finish()
    assert [s.seat for s in result.settlements if s.bet == "bonus"] == [6]


@pytest.mark.clause(GAME, "19:47-18.6A(a)")
def test_a_house_without_the_bonus_takes_none_and_reads_no_sensor(felt):
    table = felt(game.GAME, MANUAL, bonus_offered=False)
    with pytest.raises(Illegal) as refusal:
        table.open(WAGERS)
    assert refusal.value.rules == of("6(a)")
    table.open({2: RIDING})
    table.finish()
    assert not [ask for ask in table.asked if isinstance(ask, asks.CountSensors)]


@pytest.mark.clause(GAME, "19:47-18.6(a)", "19:47-18.6(c)", "19:47-18.6(d)", "19:47-18.6A(b)")
@pytest.mark.parametrize(
    ("wagers", "rule"),
    [
        ({}, "5(e)"),
        ({8: RIDING}, "6(a)"),
        ({1: {"bet_1": 500, "bet_2": 500}}, "6(d)"),
        ({1: {**RIDING, "bet_3": 1000}}, "6(d)"),
        ({1: {"bet_1": 400, "bet_2": 400, "bet_3": 400}}, "6(d)"),
        ({1: {**RIDING, "bonus": 200}}, "6A(b)"),
        ({1: {"bonus": 100}}, "6(d)"),
    ],
)
def test_wagers_that_the_rules_forbid_are_refused(felt, wagers, rule):
    with pytest.raises(Illegal) as refusal:
        felt(game.GAME, MANUAL).open(wagers)
    assert refusal.value.rules == of(rule)


@pytest.mark.clause(GAME, "19:47-18.11(c)")
def test_a_payout_limit_holds_for_the_bets_and_not_for_the_bonus(felt):
    with pytest.raises(Illegal) as refusal:
        felt(game.GAME, MANUAL, payout_limit=49_999_99)
    assert refusal.value.rules == of("11(c)")
    table = felt(game.GAME, AUTOMATED, payout_limit=50_000_00)
    table.open({5: {"bet_1": 10_000, "bet_2": 10_000, "bet_3": 10_000, "bonus": 100}})
    table.until(asks.CallNoMoreBets)
    table.stack(*parse_all(STACKED[:3] + STACKED[6:]))
    result = table.finish()
    assert {s.bet: s.net for s in result.settlements} == {"bets": 5_000_000, "bonus": 2_499_900}


@pytest.mark.clause(GAME, "19:47-18.5(b)1", "19:47-18.5(b)2", "19:47-18.5(c)1")
def test_the_dealer_cuts_cards_that_no_machine_has_shuffled(felt):
    by_hand = felt(game.GAME, Way({"machine_shuffle": False}))
    by_hand.open(WAGERS)
    assert by_hand.until(asks.Cut).offer == ()
    by_machine = felt(game.GAME, MANUAL)
    by_machine.open(WAGERS)
    by_machine.finish()
    assert not [ask for ask in by_machine.asked if isinstance(ask, asks.Cut)]
    assert by_machine.asked[0].rules == of("5(a)")


def test_a_community_card_seen_early_stands_for_want_of_a_clause(felt):
    table = felt(game.GAME, MANUAL)
    table.open(WAGERS)
    table.until(asks.Decide)
    (ruling,) = table.tell(tells.CardExposed(None, area="community"))
    assert (ruling.order, ruling.policy) == (Order.STANDS, True)

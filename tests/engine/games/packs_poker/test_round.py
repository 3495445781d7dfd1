"""What is Pack's Poker's own in a round; what it shares with other games is tested for all of them together."""

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.cards import parse_all
from feltrig.engine.games.packs_poker import round as game
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.house import DEALER, House
from feltrig.engine.table.table import Table
from feltrig.engine.table.ways import Way

GAME = "packs_poker"
TWO = ["red", "blue"]
MANUAL, HAND, AUTOMATED = (Way({"deal": deal, "decks": TWO}) for deal in ("manual_shoe", "hand", "automated_shoe"))
WAGERS = {2: {"pack_1": 500}, 5: {"pack_1": 500, "pack_3": 1000, "five_card_1": 100, "seven_card_3": 100}}
PACKS = ["pack.1", "pack.2", "pack.3"]


def of(*numbers):
    return tuple(f"13:69F-43.{number}" for number in numbers)


def dealt(table):
    return [a.area if a.position is None else a.position for a in table.asked if isinstance(a, asks.DealCard)]


@pytest.mark.clause(GAME, "13:69F-43.7(d)", "13:69F-43.8(c)", "13:69F-43.7(e)", "13:69F-43.8(d)", "13:69F-43.1[pack]")
@pytest.mark.parametrize("way", [MANUAL, HAND], ids=str)
@pytest.mark.parametrize("five_consecutive", [False, True])
@pytest.mark.parametrize("packs_singly", [False, True])
def test_hands_and_packs_are_dealt_in_the_elected_pattern(felt, way, five_consecutive, packs_singly):
    table = felt(game.GAME, way, five_consecutive=five_consecutive, packs_singly=packs_singly)
    table.open(WAGERS)
    table.finish()
    hands = [5] * 5 + [2] * 5 + [DEALER] * 5 if five_consecutive else [5, 2, DEALER] * 5
    packs = PACKS * 2 if packs_singly else [pack for pack in PACKS for _ in range(2)]
    assert dealt(table) == hands + packs
    pack = next(ask for ask in table.asked if getattr(ask, "area", None) == "pack.1")
    assert pack.rules == (of("7(e)") if way is MANUAL else of("8(d)"))


@pytest.mark.clause(GAME, "13:69F-43.9(a)", "13:69F-43.9(c)", "13:69F-43.9(d)", "13:69F-43.9(e)")
def test_the_automated_shoe_gives_stacks_of_five_and_the_packs_are_dealt_by_hand(felt):
    table = felt(game.GAME, AUTOMATED)
    table.open(WAGERS)
    table.finish()
    stacks = [(ask.position, ask.size) for ask in table.asked if isinstance(ask, asks.Dispense)]
    assert stacks == [(5, 5), (2, 5), (DEALER, 5)]
    assert dealt(table) == [pack for pack in PACKS for _ in range(2)]
    assert {ask.rules for ask in table.asked if isinstance(ask, asks.DealCard)} == {of("9(d)")}


@pytest.mark.clause(
    GAME,
    *(
        "13:69F-43.10(a)",
        "13:69F-43.10(a)1",
        "13:69F-43.10(a)2",
        "13:69F-43.10(c)",
        "13:69F-43.10(d)",
        "13:69F-43.10(i)",
    ),
    *("13:69F-43.4(b)", "13:69F-43.8(a)", "13:69F-43.1[round-of-play]"),
)
@pytest.mark.parametrize(("players_reveal", "rule"), [(True, "10(a)1"), (False, "10(a)2")])
def test_hands_are_opened_from_the_right_then_the_dealers_then_pack_after_pack(felt, players_reveal, rule):
    table = felt(game.GAME, HAND, players_reveal=players_reveal)
    table.open(WAGERS)
    table.finish()
    turned = [a for a in table.asked if isinstance(a, asks.Expose | asks.Reveal)]
    assert [getattr(a, "area", None) or getattr(a, "position", None) for a in turned] == [2, 5, DEALER, *PACKS]
    assert [a.rules for a in turned] == [
        *(of("10(a)", rule), of("10(a)", rule), of("10(c)"), of("10(d)"), of("10(i)"), of("10(i)"))
    ]


HANDS = ("As", "Ks", "Qs", "Js", "Ts", "2c", "2d", "7h", "8c", "9d", "3c", "4d", "5h", "Jc", "Kd")
"""Stacks for seat 5, seat 2 and the dealer."""


@pytest.mark.clause(
    GAME,
    *("13:69F-43.10(e)", "13:69F-43.10(g)", "13:69F-43.11(a)", "13:69F-43.11(b)1", "13:69F-43.11(c)1"),
    *("13:69F-43.12(b)", "13:69F-43.1[packs-wager]", "13:69F-43.1[five-card-bonus-wager]"),
    *("13:69F-43.1[seven-card-bonus-wager]", "13:69F-43.1[hand]"),
)
def test_all_wagers_of_a_pack_are_settled_before_the_next_pack(felt):
    table = felt(game.GAME, AUTOMATED)
    table.open(WAGERS)
    table.until(asks.CallNoMoreBets)
    table.stack(*parse_all((*HANDS, "9s", "8s", "6c", "6d", "4c", "5c")))
    result = table.finish()
    assert [(s.seat, s.bet, s.hand, s.net) for s in result.settlements] == [
        (2, "pack_1", "two_pair", 500),
        (5, "pack_1", "royal_flush", 500),
        (5, "five_card_1", "royal_flush", 100_000),
        (5, "pack_3", "royal_flush", 1000),
        (5, "seven_card_3", "royal_flush", 50_000),
    ]


@pytest.mark.clause(GAME, "13:69F-43.10(f)", "13:69F-43.1[tie-hand]")
@pytest.mark.parametrize(("pushes", "outcome"), [(False, "lose"), (True, "push")])
def test_a_higher_hand_without_a_pair_loses_unless_the_house_lets_it_push(felt, pushes, outcome):
    table = felt(game.GAME, AUTOMATED, no_pair_higher_pushes=pushes)
    table.open({2: {"pack_1": 500}})
    table.until(asks.CallNoMoreBets)
    cards = ("As", "Kd", "9h", "7c", "2s", "Qs", "Jd", "8h", "6c", "3s", "4d", "Th")
    table.stack(*parse_all(cards))
    (settled,) = table.finish().settlements
    assert (settled.outcome, settled.hand) == (outcome, "high_card")


PROGRESSIVE = {"five_card": "progressive", "seven_card": "progressive"}


@pytest.mark.clause(
    GAME,
    *("13:69F-43.11(b)", "13:69F-43.11(b)2", "13:69F-43.11(c)", "13:69F-43.11(c)2", "13:69F-43.12(a)"),
    *("13:69F-43.12(b)", "13:69F-43.12(c)2", "13:69F-43.12(d)", "13:69F-43.12(e)"),
)
def test_progressive_wagers_are_registered_and_the_meters_grow_by_them(felt):
    table = felt(game.GAME, AUTOMATED, **PROGRESSIVE)
    wagers = {5: {"pack_1": 500, "five_card_1": 1000, "seven_card_1": 1000}, 2: {"pack_1": 500, "seven_card_1": 500}}
    table.open(wagers)
    table.finish()
    sensors = [(a.bet, a.seats) for a in table.asked if isinstance(a, asks.CountSensors)]
    assert sensors == [("five_card_1", (5,)), ("seven_card_1", (5, 2))]
    meters = [(a.expect, a.rules) for a in table.asked if isinstance(a, asks.ReadMeter)]
    rules = of("12(b)", "12(e)")
    assert meters == [(1_000_000 + 10, rules), (5_000_000 + 75, rules)]
    table.open(wagers)
    table.finish()
    assert [a.expect for a in table.asked if isinstance(a, asks.ReadMeter)] == [1_000_020, 5_000_150]


@pytest.mark.clause(GAME, "13:69F-43.12(c)2")
def test_a_progressive_wager_that_the_system_did_not_accept_goes_back(felt):
    table = felt(game.GAME, MANUAL, **PROGRESSIVE)
    table.open({5: {"pack_1": 500, "five_card_1": 1000}})
    table.until(asks.CountSensors)
    (ruling,) = table.tell(tells.SensorsRead(()))
    assert (ruling.order, ruling.position, ruling.rules) == (Order.RETURN_BET, 5, of("12(c)2"))
    assert table.until(asks.ReadMeter).expect == 1_000_000
    assert [s.bet for s in table.finish().settlements] == ["pack_1"]


def test_a_meter_that_shows_less_than_it_must_is_noted_and_does_not_shrink(felt):
    table = felt(game.GAME, MANUAL, **PROGRESSIVE)
    table.open({5: {"pack_1": 500, "five_card_1": 1000}})
    table.until(asks.ReadMeter)
    (ruling,) = table.tell(tells.MeterRead(999_999))
    assert (ruling.order, ruling.rules, ruling.policy) == (Order.STANDS, of("12(e)"), True)


DIAMONDS = ("Ad", "Kd", "Qd", "Jd", "Td")


@pytest.mark.clause(GAME, "13:69F-43.5(c)", "13:69F-43.12(d)3", "13:69F-43.12(c)1")
@pytest.mark.parametrize(
    ("reading", "nets"),
    [("sequential", [1_000_020 - 1000, 1_000_000 - 1000]), ("one_award_per_hand", [1_000_020 - 1000, None])],
)
def test_the_whole_meter_is_paid_and_reset_and_the_next_pack_pays_from_what_it_shows(felt, reading, nets):
    table = felt(game.GAME, AUTOMATED, repeated_jackpot=reading, **PROGRESSIVE)
    table.open({5: {"pack_1": 500, "pack_2": 500, "five_card_1": 1000, "five_card_2": 1000}})
    table.until(asks.CallNoMoreBets)
    table.stack(*parse_all((*DIAMONDS, "2c", "3d", "5h", "7s", "9c", "4c", "4h", "6c", "6h", "8c", "8h")))
    settled = {s.bet: s.net for s in table.finish().settlements}
    assert settled["five_card_1"] == nets[0]
    if nets[1] is not None:
        assert settled["five_card_2"] == nets[1]
    else:
        assert settled["five_card_2"] < nets[0]


@pytest.mark.clause(GAME, "13:69F-43.6(a)", "13:69F-43.6(b)")
@pytest.mark.parametrize(
    ("wagers", "rule"),
    [
        ({}, "4(c)"),
        ({7: {"pack_1": 500}}, "6(a)"),
        ({1: {"pack_4": 500}}, "6(a)"),
        ({1: {"pack_1": 499}}, "6(b)"),
        ({1: {"pack_1": 500, "five_card_2": 100}}, "6(b)"),
        ({1: {"pack_1": 500, "five_card_1": 99}}, "6(b)"),
    ],
)
def test_wagers_that_the_rules_forbid_are_refused(felt, wagers, rule):
    with pytest.raises(Illegal) as refusal:
        felt(game.GAME, MANUAL).open(wagers)
    assert refusal.value.rules == of(rule)


@pytest.mark.clause(GAME, "13:69F-43.11(b)", "13:69F-43.11(c)")
@pytest.mark.parametrize("kind", ["five_card", "seven_card"])
def test_a_bonus_that_is_not_offered_is_not_taken(felt, kind):
    table = felt(game.GAME, MANUAL, **{kind: "none"})
    with pytest.raises(Illegal):
        table.open({1: {"pack_1": 500, f"{kind}_1": 100}})


@pytest.mark.clause(GAME, "13:69F-43.11(b)1", "13:69F-43.11(b)2", "13:69F-43.11(c)1", "13:69F-43.11(c)2")
@pytest.mark.parametrize(
    ("option", "rule"),
    [
        ({"five_card_table": "F"}, "11(b)1"),
        ({"seven_card_table": "X"}, "11(c)1"),
        ({"five_card": "progressive", "five_card_table": "F"}, "11(b)2"),
        ({"seven_card": "progressive", "seven_card_table": "N"}, "11(c)2"),
    ],
)
def test_only_posted_tables_can_be_chosen(option, rule, felt):
    with pytest.raises(Illegal) as refusal:
        felt(game.GAME, MANUAL, **option)
    assert refusal.value.rules == of(rule)


@pytest.mark.clause(GAME, "13:69F-43.2(a)", "13:69F-43.4(a)", "13:69E-1.19(b)1", "13:69E-1.19(c)")
def test_the_game_has_two_decks_and_a_shuffling_machine_with_either_shoe():
    with pytest.raises(Illegal) as refusal:
        Table(game.procedure, game.Options(), House())
    assert refusal.value.rules == of("2(a)")
    with pytest.raises(Illegal) as refusal:
        Table(game.procedure, game.Options(), House(decks=("red", "blue"), machine_shuffle=False))
    assert refusal.value.rules == of("4(a)")
    for way in (MANUAL, HAND, AUTOMATED):
        assert way.house["decks"] == TWO

"""What is Heads Up Hold'em's own in a round; what it shares with other games is tested for all of them together."""

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.cards import parse_all
from feltrig.engine.games.heads_up_holdem import round as game
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.ways import Way

GAME = "heads_up_holdem"
MANUAL, HAND, AUTOMATED = (Way({"deal": deal}) for deal in ("manual_shoe", "hand", "automated_shoe"))
ANTE = {"ante": 500, "odds": 500}
WAGERS = {2: ANTE, 5: {**ANTE, "trips_plus": 500, "pocket_bonus": 500}}


def of(*numbers):
    return tuple(f"13:69F-39.{number}" for number in numbers)


def after_the_deal(table):
    """What is asked, in short, from the first decision on."""
    kinds = [type(ask) for ask in table.asked]
    rest = table.asked[kinds.index(asks.Decide) :]
    return [
        (ask.seat, ask.what)
        if isinstance(ask, asks.Decide)
        else getattr(ask, "area", None) or getattr(ask, "position", None) or type(ask).__name__
        for ask in rest
    ]


@pytest.mark.clause(
    GAME,
    *(f"13:69F-39.7(d){n}" for n in ("", 1, 2, 3, 4)),
    *(f"13:69F-39.8(c){n}" for n in ("", 1, 2, 3, 4)),
    *("13:69F-39.10(c)", "13:69F-39.10(e)", "13:69F-39.10(g)", "13:69F-39.1[flop]", "13:69F-39.1[turn-and-river]"),
)
@pytest.mark.parametrize("way", [MANUAL, HAND], ids=str)
@pytest.mark.parametrize("board_first", [False, True])
def test_single_cards_go_around_twice_and_the_board_comes_when_it_is_needed_or_first(felt, way, board_first):
    table = felt(game.GAME, way, board_first=board_first)
    table.choices = {2: "check", 5: "check", (2, "turn and river"): "raise 1x", (5, "turn and river"): "raise 1x"}
    table.open(WAGERS)
    table.finish()
    dealt = [
        ask.area if ask.position is None else ask.position for ask in table.asked if isinstance(ask, asks.DealCard)
    ]
    hands, board = [5, 2, DEALER] * 2, ["community"] * 5
    assert dealt == (board + hands if board_first else hands + board)
    decisions = [i for i, ask in enumerate(table.asked) if isinstance(ask, asks.Decide)]
    shared = [i for i, ask in enumerate(table.asked) if getattr(ask, "area", None) == "community"]
    if board_first:
        assert max(shared) < min(decisions)
    else:
        assert [sum(i < at for i in shared) for at in decisions] == [0, 0, 3, 3, 5, 5]


@pytest.mark.clause(GAME, "13:69F-39.9(a)", "13:69F-39.9(c)", "13:69F-39.1[community-cards]", "13:69F-39.1[hole-cards]")
def test_the_automated_shoe_gives_the_board_first_and_the_dealer_last(felt):
    table = felt(game.GAME, AUTOMATED)
    table.open(WAGERS)
    table.finish()
    stacks = [
        (ask.area if ask.position is None else ask.position, ask.size)
        for ask in table.asked
        if isinstance(ask, asks.Dispense)
    ]
    assert stacks == [("community", 5), (5, 2), (2, 2), (DEALER, 2)]


@pytest.mark.clause(
    GAME,
    *("13:69F-39.10(d)", "13:69F-39.10(f)", "13:69F-39.10(h)", "13:69F-39.10(i)", "13:69F-39.1[check]"),
    *("13:69F-39.1[fold]", "13:69F-39.1[round-of-play]"),
)
def test_a_player_raises_once_on_some_street_or_folds_on_the_last(felt):
    table = felt(game.GAME, AUTOMATED)
    table.choices = {2: "check", (2, "turn and river"): "fold", 5: "check", (5, "flop"): "raise 2x", 6: "raise 3x"}
    table.open({**WAGERS, 6: ANTE})
    result = table.finish()
    assert after_the_deal(table) == [
        *((6, "hole cards"), (5, "hole cards"), (2, "hole cards"), "community.flop", (5, "flop"), (2, "flop")),
        *("community.turn and river", "RackStub", (2, "turn and river"), "Expose", 5, 6, "CollectCards"),
    ]
    assert {(s.seat, s.stake) for s in result.settlements if s.bet == "raise"} == {(5, 1000), (6, 1500)}
    assert {(s.bet, s.outcome, s.net) for s in result.settlements if s.seat == 2} == {
        ("ante", "fold", -500),
        ("odds", "fold", -500),
    }


@pytest.mark.clause(
    GAME,
    *("13:69F-39.1[raise-wager](a)", "13:69F-39.1[raise-wager](b)", "13:69F-39.1[raise-wager](c)"),
    *("13:69F-39.10(d)", "13:69F-39.10(f)", "13:69F-39.10(h)", "13:69F-39.6(d)"),
)
def test_each_street_offers_its_own_raises(felt):
    table = felt(game.GAME, AUTOMATED)
    table.open({2: ANTE})
    table.until(asks.Decide)
    offered = []
    for _ in range(3):
        ask = table.until(asks.Decide)
        offered.append((ask.choices, ask.rules, len(ask.cards)))
        assert table.refused(tells.Decided(2, "raise 4x")) == ask.rules
        table.tell(tells.Decided(2, ask.choices[-1]))
    assert offered == [
        (("raise 1x", "raise 2x", "raise 3x", "check"), of("10(d)"), 2),
        (("raise 1x", "raise 2x", "check"), of("10(f)"), 5),
        (("raise 1x", "fold"), of("10(h)"), 7),
    ]


BOARD = ("Qs", "Js", "Ts", "9c", "9s")
DEAL = (*BOARD, "As", "Ks", "2c", "2d", "9d", "9h")
"""To the board, seat 5, seat 2 and the dealer."""


@pytest.mark.clause(
    GAME,
    *("13:69F-39.11(b)(2)", "13:69F-39.11(b)(3)", "13:69F-39.11(b)(5)", "13:69F-39.11(e)", "13:69F-39.11(g)"),
    *("13:69F-39.11(i)", "13:69F-39.1[hand]", "13:69F-39.1[odds-wager]", "13:69F-39.1[ante]"),
    *("13:69F-39.10(i)", "13:69F-39.1[trips-plus-wager]", "13:69F-39.1[pocket-bonus-wager]"),
)
def test_every_wager_is_settled_on_the_best_five_of_seven_and_losers_first(felt):
    table = felt(game.GAME, AUTOMATED)
    table.choices = {5: "raise 3x", 2: "raise 1x"}
    table.open(WAGERS)
    table.until(asks.CallNoMoreBets)
    table.stack(*parse_all(DEAL))
    result = table.finish()
    assert [(s.seat, s.bet, s.hand, s.net) for s in result.settlements] == [
        (2, "ante", "two_pair", -500),
        (2, "odds", "two_pair", -500),
        (2, "raise", "two_pair", -500),
        (5, "ante", "royal_flush", 500),
        (5, "odds", "royal_flush", 250_000),
        (5, "raise", "royal_flush", 1500),
        (5, "trips_plus", "royal_flush", 50_000),
        (5, "pocket_bonus", "ace_face_suited", 10_000),
    ]


@pytest.mark.clause(GAME, "13:69F-39.11(h)")
def test_trips_plus_can_be_settled_before_the_others(felt):
    table = felt(game.GAME, AUTOMATED, trips_plus_first=True)
    table.choices = {5: "raise 3x", 2: "raise 1x"}
    table.open(WAGERS)
    table.until(asks.CallNoMoreBets)
    table.stack(*parse_all(DEAL))
    assert [s.bet for s in table.finish().settlements][:2] == ["trips_plus", "ante"]


@pytest.mark.clause(GAME, "13:69F-39.10(h)", "13:69F-39.11(i)")
@pytest.mark.parametrize(("reading", "trips"), [("live", 50_000), ("lose", -500)])
def test_who_folds_keeps_the_pocket_bonus_and_by_our_reading_trips_plus(felt, reading, trips):
    table = felt(game.GAME, AUTOMATED, trips_plus_on_fold=reading)
    table.choices = {5: "check", (5, "turn and river"): "fold"}
    table.open({5: WAGERS[5]})
    table.until(asks.CallNoMoreBets)
    table.stack(*parse_all((*BOARD, "As", "Ks", "9d", "9h")))
    nets = {s.bet: s.net for s in table.finish().settlements}
    assert nets == {"ante": -500, "odds": -500, "trips_plus": trips, "pocket_bonus": 10_000}


@pytest.mark.clause(GAME, "13:69F-39.6(a)", "13:69F-39.6(c)", "13:69F-39.6(d)", "13:69F-39.10(b)")
@pytest.mark.parametrize(
    ("wagers", "rule"),
    [
        ({}, "4(e)"),
        ({7: ANTE}, "6(a)"),
        ({1: {"ante": 500}}, "6(c)"),
        ({1: {"ante": 500, "odds": 600}}, "6(c)"),
        ({1: {"ante": 499, "odds": 499}}, "10(b)"),
        ({1: {"pocket_bonus": 500}}, "10(b)"),
        ({1: {**ANTE, "trips_plus": 100}}, "6(d)"),
    ],
)
def test_wagers_that_the_rules_forbid_are_refused(felt, wagers, rule):
    with pytest.raises(Illegal) as refusal:
        felt(game.GAME, MANUAL).open(wagers)
    assert refusal.value.rules == of(rule)


@pytest.mark.clause(GAME, "13:69F-39.11(f)", "13:69F-39.11(g)", "13:69F-39.11(i)")
@pytest.mark.parametrize(
    ("option", "rule"),
    [
        ({"trips_plus_table": 9}, "11(g)"),
        ({"pocket_bonus_table": 4}, "11(i)"),
        ({"bad_beat_table": "none"}, "11(f)"),
    ],
)
def test_only_posted_tables_can_be_chosen(felt, option, rule):
    with pytest.raises(Illegal) as refusal:
        felt(game.GAME, MANUAL, **option)
    assert refusal.value.rules == of(rule)


@pytest.mark.clause(GAME, "13:69F-39.4(a)", "13:69F-39.4(b)1", "13:69F-39.4(b)2", "13:69F-39.4(c)1", "13:69F-39.2(a)")
def test_the_dealer_cuts_cards_that_no_machine_has_shuffled(felt):
    by_hand = felt(game.GAME, Way({"machine_shuffle": False}))
    by_hand.open(WAGERS)
    cut = by_hand.until(asks.Cut)
    assert (cut.offer, cut.size) == ((), 52)
    by_machine = felt(game.GAME, MANUAL)
    by_machine.open(WAGERS)
    by_machine.finish()
    assert not [ask for ask in by_machine.asked if isinstance(ask, asks.Cut)]
    assert by_machine.asked[0].rules == of("4(a)")

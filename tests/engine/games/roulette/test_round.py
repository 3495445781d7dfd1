"""A round of Roulette as the text orders it, and when a spin is called off."""

import random

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.games.game import Habits, Sample
from feltrig.engine.games.roulette import round as game
from feltrig.engine.games.roulette.bets import Bet
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.house import House
from feltrig.engine.table.ways import Way

GAME = "roulette"
WHEEL = {"deal": "hand", "machine_shuffle": False, "shuffler_counts": False}
SINGLE = Way(WHEEL)
AS_SINGLE = Way(WHEEL, {"wheel": "double_zero_used_as_single", "notice": True})
WAGERS = {2: {"straight 17": 500}, 5: {"split 17-18": 1000, "straight 5": 500}}


def of(*numbers):
    return tuple(f"19:47-5.{number}" for number in numbers)


@pytest.mark.parametrize("way", game.WAYS, ids=str)
def test_good_people_play_round_after_round(felt, way):
    table = felt(game.GAME, way)
    chance = random.Random(1)
    for _ in range(25):
        table.open(game.sample_wagers(Sample(chance, table.table.options, House(), {}, Habits()), range(1, 9)))
        result = table.finish()
        assert not result.void
        assert table.strangers() == set()


@pytest.mark.clause(GAME, "19:47-5.3(a)", "19:47-5.3(b)", "19:47-5.3(e)", "19:47-5.2(a)")
def test_betting_is_closed_while_the_ball_rotates_and_losers_are_collected_first(felt):
    table = felt(game.GAME, SINGLE)
    table.open(WAGERS)
    assert table.ask == asks.SpinBall(of("3(a)"))
    table.step()
    assert table.ask == asks.CallNoMoreBets(of("3(b)"))
    table.step()
    assert table.refused(tells.BetPlaced(2, "straight 3", 500)) == of("3(b)")
    ask = table.ask
    assert (ask.turns, len(ask.results), ask.rules) == (4, 37, of("3(a)"))
    assert table.tell(tells.WheelSpun("17", 4)) == ()
    assert table.ask is None
    assert [(s.seat, s.bet, s.net) for s in table.result.settlements] == [
        (5, "straight 5", -500),
        (2, "straight 17", 17_500),
        (5, "split 17-18", 17_000),
    ]
    assert all("19:47-5.3(e)" in s.rules for s in table.result.settlements)
    assert [(s.outcome, s.stake) for s in table.result.settlements] == [("lose", 500), ("win", 500), ("win", 1000)]


@pytest.mark.clause(GAME, "19:47-5.3(a)", "19:47-5.4(a)", "19:47-5.4(b)", "19:47-5.4(c)", "19:47-5.2(d)2")
@pytest.mark.parametrize(
    ("way", "seen", "rule"),
    [
        (SINGLE, tells.WheelSpun("17", 9, opposite=False), "4(a)"),
        (SINGLE, tells.WheelSpun("17", 3), "4(b)"),
        (SINGLE, tells.WheelSpun("17", 3.99), "4(b)"),
        (SINGLE, tells.WheelSpun("17", 1, opposite=False, foreign=True), "4(a)"),
        (SINGLE, tells.WheelSpun("17", 9, foreign=True), "4(c)"),
        (AS_SINGLE, tells.WheelSpun("00", 9), "2(d)2"),
    ],
)
def test_no_spin_is_called_and_the_wheel_spun_again(felt, way, seen, rule):
    table = felt(game.GAME, way)
    table.open(WAGERS)
    table.until(asks.SpinWheel)
    (ruling,) = table.tell(seen)
    assert (ruling.order, ruling.rules, ruling.policy) == (Order.NO_SPIN, of(rule), False)
    assert isinstance(table.ask, asks.SpinWheel)
    table.tell(tells.WheelSpun("1", 5))
    assert {s.net for s in table.result.settlements} == {-500, -1000}


def test_a_number_that_the_wheel_does_not_have_is_no_result(felt):
    for result in ("37", "00", None):
        table = felt(game.GAME, SINGLE)
        table.open(WAGERS)
        table.until(asks.SpinWheel)
        (ruling,) = table.tell(tells.WheelSpun(result, 5))
        assert (ruling.order, ruling.policy) == (Order.NO_SPIN, True)


@pytest.mark.parametrize(
    ("wagers", "words"),
    [
        ({9: {"straight 1": 500}}, "no such place"),
        ({1: {}}, "no wager"),
        ({1: {"straight 37": 500}}, "no such place on a layout"),
        ({1: {"straight 1": 499}}, "the least is 500"),
        ({1: {"lucky 7": 500}}, "no wager 'lucky 7'"),
    ],
)
def test_wagers_without_a_place_are_refused(felt, wagers, words):
    with pytest.raises(Illegal, match=words):
        felt(game.GAME, SINGLE).open(wagers)


@pytest.mark.clause(GAME, "19:47-5.1(f)", "19:47-5.3(d)")
def test_optional_wagers_are_taken_where_they_are_offered(felt):
    seven = game.named(Bet.SEVEN_NUMBERS, frozenset(["10", "11", "12", "13", "14", "15", "33"]))
    assert seven == "seven_numbers 10-11-12-13-14-15-33"
    with pytest.raises(Illegal) as refusal:
        felt(game.GAME, SINGLE).open({1: {seven: 500}})
    assert refusal.value.rules == of("1(f)")
    felt(game.GAME, SINGLE, seven_numbers=True).open({1: {seven: 500}})
    with pytest.raises(Illegal) as refusal:
        felt(game.GAME, SINGLE).open({1: {"five_adjacent_numbers 26-0-32-15-3": 500}})
    assert refusal.value.rules == of("3(d)")

"""A round of Big Six as the text orders it, and when a spin is called off."""

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.games.big_six import round as game
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.ways import Way

GAME = "big_six"
WHEEL = Way({"deal": "hand", "machine_shuffle": False, "shuffler_counts": False})
WAGERS = {2: {"1": 500}, 5: {"joker": 500, "20": 1000}}


def of(*numbers):
    return tuple(f"19:47-5.{number}" for number in numbers)


@pytest.mark.parametrize("way", game.WAYS, ids=str)
def test_good_people_play_round_after_round(felt, way):
    table = felt(game.GAME, way)
    for _ in range(25):
        table.open(WAGERS)
        assert not table.finish().void
        assert table.strangers() == set()


@pytest.mark.clause(GAME, "19:47-5.5(a)", "19:47-5.6(a)", "19:47-5.6(b)", "19:47-5.6(e)")
def test_betting_is_closed_then_the_wheel_is_spun_and_losers_collected_first(felt):
    table = felt(game.GAME, WHEEL)
    table.open(WAGERS)
    assert table.ask == asks.CallNoMoreBets(of("6(a)"))
    table.step()
    assert table.refused(tells.BetPlaced(2, "5", 500)) == of("6(a)")
    assert (table.ask.turns, len(table.ask.results), table.ask.rules) == (3, 54, of("6(b)"))
    assert table.tell(tells.WheelSpun("joker", 3)) == ()
    assert table.ask is None
    assert [(s.seat, s.bet, s.net) for s in table.result.settlements] == [
        (2, "1", -500),
        (5, "20", -1000),
        (5, "joker", 22_500),
    ]
    assert all(s.rules[-1] == "19:47-5.6(e)" for s in table.result.settlements)
    assert [(s.outcome, s.stake, s.hand) for s in table.result.settlements] == [
        ("lose", 500, "joker"),
        ("lose", 1000, "joker"),
        ("win", 500, "joker"),
    ]


@pytest.mark.clause(GAME, "19:47-5.6(b)")
def test_fewer_than_three_turns_are_no_spin(felt):
    table = felt(game.GAME, WHEEL)
    table.open(WAGERS)
    table.step()
    (ruling,) = table.tell(tells.WheelSpun("joker", 2))
    assert (ruling.order, ruling.rules, ruling.policy) == (Order.NO_SPIN, of("6(b)"), False)
    assert isinstance(table.ask, asks.SpinWheel)


@pytest.mark.clause(GAME, "19:47-5.6(c)1", "19:47-5.6(c)2")
def test_between_two_stops_the_one_passed_last_counts_or_the_wheel_is_spun_again(felt):
    between = tells.WheelSpun(None, 3, passed="20")
    previous = felt(game.GAME, WHEEL, between_stops="previous")
    previous.open(WAGERS)
    previous.step()
    assert previous.tell(between) == ()
    assert {s.bet: s.net for s in previous.result.settlements} == {"1": -500, "20": 20_000, "joker": -500}
    assert "19:47-5.6(c)1" in previous.result.settlements[0].rules
    respin = felt(game.GAME, WHEEL, between_stops="respin")
    respin.open(WAGERS)
    respin.step()
    (ruling,) = respin.tell(between)
    assert (ruling.order, ruling.rules) == (Order.NO_SPIN, of("6(c)2"))
    assert isinstance(respin.ask, asks.SpinWheel)


def test_what_the_wheel_does_not_show_is_no_result(felt):
    for seen in (tells.WheelSpun("3", 4), tells.WheelSpun(None, 4)):
        table = felt(game.GAME, WHEEL)
        table.open(WAGERS)
        table.step()
        (ruling,) = table.tell(seen)
        assert (ruling.order, ruling.policy) == (Order.NO_SPIN, True)


@pytest.mark.clause(GAME, "19:47-5.5(a)")
def test_a_wager_is_on_a_symbol_of_the_wheel(felt):
    with pytest.raises(Illegal) as refusal:
        felt(game.GAME, WHEEL).open({1: {"7": 500}})
    assert refusal.value.rules == of("5(a)")

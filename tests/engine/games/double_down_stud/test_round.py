"""What is Double Down Stud's own in a round; what it shares with other games is tested for all of them together."""

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.cards import parse_all
from feltrig.engine.games.double_down_stud import round as game
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.ways import Way

GAME = "double_down_stud"
MANUAL, HAND = (Way({"deal": deal}) for deal in ("manual_shoe", "hand"))
WAGERS = {2: {"wager": 500}, 5: {"wager": 1000}, 6: {"wager": 500}}


def of(*numbers):
    return tuple(f"19:47-17.{number}" for number in numbers)


@pytest.mark.clause(GAME, "19:47-17.8(a)", "19:47-17.8(a)1", "19:47-17.8(b)")
@pytest.mark.parametrize("way", [MANUAL, HAND], ids=str)
def test_one_card_goes_to_each_bettor_and_four_to_the_middle(felt, way):
    table = felt(game.GAME, way)
    table.open(WAGERS)
    table.finish()
    dealt = [ask.position or ask.area for ask in table.asked if isinstance(ask, asks.DealCard)]
    assert dealt == [6, 5, 2, "hole", "shared", "shared", "shared"]


@pytest.mark.clause(GAME, "19:47-17.8(c)", "19:47-17.8(d)", "19:47-17.6(b)")
def test_double_downs_come_before_the_second_closing_call_and_that_before_the_hole_card(felt):
    table = felt(game.GAME, MANUAL)
    table.open(WAGERS)
    table.finish()
    kinds = [type(ask) for ask in table.asked]
    last = max(i for i, kind in enumerate(kinds) if kind is asks.DealCard)
    assert kinds[last + 1 :] == [
        *(asks.Decide, asks.Decide, asks.Decide, asks.CallNoMoreBets, asks.Reveal, asks.CollectCards)
    ]
    assert [ask.seat for ask in table.asked if isinstance(ask, asks.Decide)] == [6, 5, 2]
    assert [ask.rules for ask in table.asked if isinstance(ask, asks.CallNoMoreBets)] == [of("8(a)1"), of("8(d)")]


@pytest.mark.clause(GAME, "19:47-17.8(c)")
@pytest.mark.parametrize(
    ("amount", "reading", "legal"),
    [
        (0, "up_to_equal", False),
        (1, "up_to_equal", True),
        (1000, "up_to_equal", True),
        (1001, "up_to_equal", False),
        (999, "exactly_equal", False),
        (1000, "exactly_equal", True),
    ],
)
def test_a_double_down_is_at_most_as_much_as_the_wager(felt, amount, reading, legal):
    table = felt(game.GAME, MANUAL, double_down=reading)
    table.open({5: {"wager": 1000}})
    table.until(asks.Decide)
    assert table.round.can(tells.Decided(5, "double down", amount)) is legal
    assert table.round.can(tells.Decided(5, "stand"))
    if not legal:
        assert table.refused(tells.Decided(5, "double down", amount)) == of("8(c)")


@pytest.mark.clause(GAME, "19:47-17.9(a)", "19:47-17.9(b)", "19:47-17.9(c)", "19:47-17.10(b)", "19:47-17.8(b)")
def test_losers_go_first_then_pushes_then_winners_are_paid(felt):
    table = felt(game.GAME, MANUAL)
    table.choices = {5: ("double down", 400)}
    table.open(WAGERS)
    table.until(asks.DealCard)
    table.stack(*parse_all(("6c", "Jd", "5h", "6s", "Js", "5s", "2d")))
    result = table.finish()
    assert [(s.seat, s.outcome, s.hand, s.stake, s.net) for s in result.settlements] == [
        (2, "lose", "pair", 500, -500),
        (6, "push", "pair", 500, 0),
        (5, "win", "pair", 1400, 1400),
    ]


@pytest.mark.clause(GAME, "19:47-17.10(c)")
@pytest.mark.parametrize(("reading", "net"), [("aggregate", 10_000_000), ("per_wager", 20_000_000)])
def test_a_hand_is_paid_at_most_a_hundred_thousand_dollars(felt, reading, net):
    table = felt(game.GAME, MANUAL, limit_applies=reading)
    table.choices = {5: ("double down", 20_000)}
    table.open({5: {"wager": 20_000}})
    table.until(asks.DealCard)
    table.stack(*parse_all(("Ts", "As", "Ks", "Qs", "Js")))
    (settled,) = table.finish().settlements
    assert (settled.hand, settled.net) == ("royal_flush", net)


@pytest.mark.clause(GAME, "19:47-17.4(b)1", "19:47-17.4(b)2")
@pytest.mark.parametrize(
    ("way", "feeds_shoe", "cut"),
    [
        (MANUAL, True, False),
        (MANUAL, False, True),
        (HAND, True, True),
        (Way({"machine_shuffle": False}), False, True),
    ],
)
def test_only_cards_that_the_machine_put_into_the_shoe_are_not_cut(felt, way, feeds_shoe, cut):
    table = felt(game.GAME, way, feeds_shoe=feeds_shoe)
    table.open(WAGERS)
    table.finish()
    assert any(isinstance(ask, asks.Cut) for ask in table.asked) is cut


@pytest.mark.clause(GAME, "19:47-17.4(d)1", "19:47-17.4(d)2")
def test_the_cut_is_offered_to_the_first_player_and_then_around_from_the_far_right(felt):
    table = felt(game.GAME, MANUAL)
    offers = []
    for _ in range(5):
        table.open({5: {"wager": 500}, 2: {"wager": 500}, 6: {"wager": 500}})
        offers.append(table.until(asks.Cut).offer)
        table.finish()
    assert offers == [(5,), (2,), (5,), (6,), (2,)]


@pytest.mark.clause(GAME, "19:47-17.6(a)")
@pytest.mark.parametrize(
    ("wagers", "rule"),
    [({}, "4(g)"), ({8: {"wager": 500}}, "6(a)"), ({1: {"double_down": 500}}, "6(a)"), ({1: {"wager": 499}}, "6(a)")],
)
def test_wagers_that_the_rules_forbid_are_refused(felt, wagers, rule):
    with pytest.raises(Illegal) as refusal:
        felt(game.GAME, MANUAL).open(wagers)
    assert refusal.value.rules == of(rule)


@pytest.mark.clause(GAME, "19:47-17.11(a)")
def test_the_hole_card_voids_the_round_only_before_the_second_closing_call(felt):
    table = felt(game.GAME, MANUAL)
    table.open(WAGERS)
    table.until(asks.Decide)
    assert not table.round.can(tells.CardExposed(None, area="shared"))
    assert not table.round.can(tells.CardExposed(5))
    assert table.round.can(tells.CardExposed(None, area="hole"))
    table.until(asks.CollectCards)
    assert not table.round.can(tells.CardExposed(None, area="hole"))

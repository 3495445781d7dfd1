"""A round of Three Card Poker as the text orders it, and what is ordered when something goes wrong."""

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.cards import parse_all
from feltrig.engine.games.three_card_poker import round as game
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.ways import Way

GAME = "three_card_poker"
WAYS = pytest.mark.parametrize("way", game.WAYS, ids=str)
MANUAL = Way({"deal": "manual_shoe"})
HAND = Way({"deal": "hand"})
AUTOMATED = Way({"deal": "automated_shoe"})
TWO = {2: {"ante": 500}, 5: {"ante": 500, "pair_plus": 500}}


def of(number):
    return f"19:47-20.{number}"


@pytest.mark.clause(GAME, "19:47-20.1[Round of play]", "19:47-20.5(a)")
@WAYS
def test_good_people_and_machines_play_round_after_round_without_a_ruling(felt, way):
    table = felt(game.GAME, way)
    for number in range(12):
        table.choices = {seat: ("fold" if (seat + number) % 3 == 0 else "play") for seat in range(1, 8)}
        table.open({seat: {"ante": 500, "pair_plus": 500 * (seat % 2)} for seat in range(1, 8)})
        result = table.finish()
        assert not result.void
        assert table.rulings == []
        kinds = [type(ask) for ask in table.asked]
        assert kinds.index(asks.FinishShuffle) < kinds.index(asks.CallNoMoreBets) < kinds.index(asks.RackStub)
        assert kinds[-1] is asks.CollectCards
        assert table.strangers() == set()


@pytest.mark.clause(GAME, "19:47-20.7(c)", "19:47-20.8(c)", "19:47-20.1[Hand]")
@pytest.mark.parametrize("way", [MANUAL, HAND], ids=str)
def test_three_passes_of_single_cards_go_clockwise_and_to_the_dealer_last(felt, way):
    table = felt(game.GAME, way)
    table.open(TWO)
    table.finish()
    assert [ask.position for ask in table.asked if isinstance(ask, asks.DealCard)] == [5, 2, DEALER] * 3


@pytest.mark.clause(GAME, "19:47-20.9(a)", "19:47-20.9(c)")
def test_the_automated_shoe_dispenses_stacks_of_three_and_the_dealer_gets_the_last(felt):
    table = felt(game.GAME, AUTOMATED)
    table.open(TWO)
    table.finish()
    stacks = [ask for ask in table.asked if isinstance(ask, asks.Dispense)]
    assert [(ask.position, ask.size) for ask in stacks] == [(5, 3), (2, 3), (DEALER, 3)]


@pytest.mark.clause(GAME, "19:47-20.5(b)1", "19:47-20.5(b)2", "19:47-20.5(c)1")
def test_only_cards_shuffled_by_hand_are_cut_and_the_dealer_cuts(felt):
    by_hand = felt(game.GAME, Way({"machine_shuffle": False}))
    by_hand.open(TWO)
    assert by_hand.until(asks.Cut).offer == ()
    by_machine = felt(game.GAME, MANUAL)
    by_machine.open(TWO)
    by_machine.finish()
    assert not [ask for ask in by_machine.asked if isinstance(ask, asks.Cut)]


@pytest.mark.clause(GAME, "19:47-20.10(b)")
def test_who_folds_forfeits_ante_and_pair_plus_and_is_not_opened(felt):
    table = felt(game.GAME, MANUAL)
    table.choices = {5: "fold"}
    table.open(TWO)
    result = table.finish()
    assert [ask.position for ask in table.asked if isinstance(ask, asks.Expose)] == [DEALER, 2]
    lost = {(s.seat, s.bet): (s.outcome, s.net) for s in result.settlements if s.seat == 5}
    assert lost == {(5, "ante"): ("fold", -500), (5, "pair_plus"): ("lose", -500)}


@pytest.mark.clause(GAME, "19:47-20.6(a)2", "19:47-20.10(b)", "19:47-20.1[Ante wager]")
def test_who_plays_against_the_table_only_decides_nothing(felt):
    table = felt(game.GAME, MANUAL)
    table.open({4: {"pair_plus": 500}})
    table.finish()
    assert not [ask for ask in table.asked if isinstance(ask, asks.Decide)]
    assert [s.bet for s in table.result.settlements] == ["pair_plus"]


@pytest.mark.clause(
    GAME, "19:47-20.10(c)", "19:47-20.10(c)1", "19:47-20.11(a)1", "19:47-20.11(a)3", "19:47-20.6(a)1", "19:47-20.6(a)3"
)
def test_losers_are_collected_before_winners_are_paid_from_the_right(felt):
    table = felt(game.GAME, AUTOMATED)
    table.open({1: {"ante": 500}, 2: {"ante": 1000}, 3: {"ante": 500, "pair_plus": 500}})
    table.until(asks.Dispense)
    hands = [("3c", "4d", "9h"), ("As", "Ks", "Qs"), ("2c", "3d", "7h"), ("Qd", "Jd", "8s")]
    table.cards = [card for hand in hands for card in parse_all(hand)] + [
        card for card in table.table.procedure.cards if card not in [c for h in hands for c in parse_all(h)]
    ]
    result = table.finish()
    assert [(s.seat, s.bet, s.net) for s in result.settlements] == [
        (1, "ante", -500),
        (1, "play", -500),
        (3, "ante", -500),
        (3, "play", -500),
        (3, "pair_plus", -500),
        (2, "ante", 1000),
        (2, "play", 1000),
        (2, "ante_bonus", 5000),
    ]


# What is refused


@pytest.mark.clause(GAME, "19:47-20.6(a)1", "19:47-20.6(a)2", "19:47-20.6(b)", "19:47-20.1[Ante wager]")
@pytest.mark.parametrize(
    ("wagers", "rule"),
    [
        ({}, "5(e)"),
        ({8: {"ante": 500}}, "6(b)"),
        ({0: {"ante": 500}}, "6(b)"),
        ({1: {}}, "6(b)"),
        ({1: {"tip": 500}}, "6(b)"),
        ({1: {"ante": 499}}, "6(a)1"),
        ({1: {"pair_plus": 499}}, "6(a)2"),
    ],
)
def test_wagers_that_the_rules_forbid_are_refused(felt, wagers, rule):
    with pytest.raises(Illegal) as refusal:
        felt(game.GAME, MANUAL).open(wagers)
    assert refusal.value.rules == (of(rule),)


@pytest.mark.clause(GAME, "19:47-20.10(b)", "19:47-20.1[Play wager]")
def test_a_decision_is_the_seats_own_and_one_of_two(felt):
    table = felt(game.GAME, MANUAL)
    table.open(TWO)
    ask = table.until(asks.Decide)
    assert (ask.seat, ask.choices) == (5, ("play", "fold"))
    assert table.refused(tells.Decided(5, "raise")) == (of("10(b)"),)
    assert not table.round.can(tells.Decided(2, "play"))
    assert not table.round.can(tells.Decided(5, "play", 500))


@pytest.mark.clause(GAME, "19:47-20.10(b)")
def test_hands_are_opened_in_their_order(felt):
    table = felt(game.GAME, MANUAL)
    table.open(TWO)
    table.until(asks.Expose)
    assert table.refused(tells.Exposed(2)) == (of("10(b)"),)
    assert not table.round.can(tells.Exposed(7))

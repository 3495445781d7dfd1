"""The steps of a whole round of two players, in order: what is asked for in which way to play, and how often."""

from itertools import groupby

import pytest
from moments import BY_HAND, HELD, TWO_DECKS, at, out_of_turn

from feltrig.engine import asks, tells
from feltrig.engine.cards import parse_all
from feltrig.engine.games import GAMES
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.ways import Way

BETS = {
    "let_it_ride": {"bet_1": 500, "bet_2": 500, "bet_3": 500, "bonus": 100},
    "three_card_poker": {"ante": 500, "pair_plus": 500},
    "packs_poker": {"pack_1": 500, "pack_2": 500, "pack_3": 500, "five_card_1": 100, "seven_card_3": 100},
    "heads_up_holdem": {"ante": 500, "odds": 500},
}
"""Of each player; of the games that are not named, one wager."""
SET = "CollectUnbet SetHands*3 Expose*3"
RIDE = "RackStub Decide*2 Reveal Decide*2 Reveal Expose*2"
PACKS = "RackStub Expose*3 Reveal*3"
METERS = "CountSensors ReadMeter CountSensors ReadMeter"
STREETS = "DealCard*6 Decide*2 DealCard*3 Reveal DealCard*2 Reveal RackStub Expose*3"
DOUBLE = "DealCard*6 Decide*2 CallNoMoreBets Reveal"
AFTER = (
    ("pai_gow", 0, f"ShakeDice DeliverStack*7 {SET}"),
    ("pai_gow_poker", 0, f"ShakeDice DealCard*49 RackStub {SET}"),
    ("pai_gow_poker", 1, f"DealCard*49 RackStub SelectNumber DeliverStack*7 {SET}"),
    ("pai_gow_poker", 4, f"DealCard*49 RackStub ShakeDice DeliverStack*7 {SET}"),
    ("pai_gow_poker", 6, f"ShakeDice DealCard*49 RackStub {SET}"),
    ("let_it_ride", 0, f"CountSensors DealCard*9 {RIDE}"),
    ("let_it_ride", 1, f"DealCard*9 {RIDE}"),
    ("let_it_ride", 3, f"CountSensors DealCard*9 {RIDE}"),
    ("let_it_ride", 5, f"CountSensors Dispense*3 {RIDE}"),
    ("three_card_poker", 1, "DealCard*9 RackStub Decide*2 Expose*3"),
    ("three_card_poker", 3, "DealCard*9 RackStub Decide*2 Expose*3"),
    ("three_card_poker", 4, "Dispense*3 RackStub Decide*2 Expose*3"),
    ("double_down_stud", 0, DOUBLE),
    ("double_down_stud", 1, DOUBLE),
    ("double_down_stud", 3, DOUBLE),
    ("packs_poker", 0, f"DealCard*21 {PACKS}"),
    ("packs_poker", 1, f"{METERS} DealCard*21 {PACKS}"),
    ("packs_poker", 4, f"{METERS} Dispense*3 DealCard*6 {PACKS}"),
    ("packs_poker", 5, f"Dispense*3 DealCard*6 {PACKS}"),
    ("heads_up_holdem", 0, "DealCard*11 Decide*2 Reveal*2 RackStub Expose*3"),
    ("heads_up_holdem", 1, STREETS),
    ("heads_up_holdem", 3, STREETS),
    ("heads_up_holdem", 4, "Dispense*4 Decide*2 Reveal*2 RackStub Expose*3"),
)
"""The game, the number of the way, and what follows the closing call up to the collection of the cards."""


def before(game: str, way: Way) -> str:
    """The steps up to the closing call, as the house's choices have them."""
    by_hand = not way.house.get("machine_shuffle", True)
    steps = {
        "StartShuffle FinishShuffle": True,
        "Cut": game != "pai_gow" and (by_hand or (game == "double_down_stud" and "feeds_shoe" not in way.options)),
        "LoadShoe": way.house["deal"] != "hand",
        "StartShuffle": "decks" in way.house,  # the other deck
        "DealCard*32": game == "pai_gow",  # the stacks are built first
        "CallNoMoreBets": True,
    }
    return " ".join(step for step, done in steps.items() if done)


@pytest.mark.parametrize(("game", "number", "after"), AFTER)
def test_the_steps_of_a_round_come_in_this_order(felt, game, number, after):
    way = GAMES[game].ways[number]
    table = felt(GAMES[game], way)
    bets = BETS.get(game, {"wager": 500})
    offered = [bet.name for bet in GAMES[game].bets(table.table.options)] or bets
    bets = {name: bets[name] for name in offered if name in bets}
    table.open({2: bets, 5: bets})
    table.finish()
    runs = [(name, len(list(run))) for name, run in groupby(type(ask).__name__ for ask in table.asked)]
    steps = " ".join(name if count == 1 else f"{name}*{count}" for name, count in runs)
    assert steps == f"{before(game, way)} {after} CollectCards"


@pytest.mark.parametrize(("way", "rule"), [(Way(), "19:47-20.2(a)"), (TWO_DECKS, "19:47-20.2(b)4")])
def test_only_the_deck_that_was_asked_for_is_shuffled_and_loaded(felt, way, rule):
    table = at(felt, asks.StartShuffle, way)
    for seen in (tells.ShuffleStarted("green"), tells.Shuffled("green", 52), tells.ShoeLoaded("green")):
        assert table.refused(seen) == (rule,)
        table.step()


def test_a_decision_is_the_asked_seats_and_one_of_the_choices(felt):
    table = at(felt, asks.Decide)
    assert (table.ask.seat, set(table.ask.choices)) == (5, {"play", "fold"})
    assert out_of_turn(table, tells.Decided(2, "fold"))
    assert out_of_turn(table, tells.Decided(5, "fold", 500))
    assert table.refused(tells.Decided(5, "call")) == table.ask.rules
    table.tell(tells.Decided(5, "fold"))
    assert table.ask.seat == 2


@pytest.mark.parametrize(("amount", "legal"), [(None, False), (0, False), (1, True), (500, True), (501, False)])
def test_an_amount_lies_between_the_limits_of_its_choice(felt, amount, legal):
    table = felt(GAMES["blackjack"], BY_HAND)
    table.open({5: {"wager": 500}})
    table.until(asks.CallNoMoreBets)
    table.stack(*parse_all(("5s", "9d", "6h")))
    ask = table.until(asks.Decide)
    assert ask.amounts == {"double_down": (1, 500)}
    assert table.round.can(tells.Decided(5, "double_down", amount)) is legal


def test_hands_are_turned_over_in_turn_and_only_once(felt):
    table = at(felt, asks.Expose, game=GAMES["heads_up_holdem"], wagers=HELD)
    assert table.ask.position == DEALER
    assert table.refused(tells.Exposed(2)) == table.ask.rules
    assert out_of_turn(table, tells.Exposed(3))
    table.step()
    assert table.ask.position == 2
    assert out_of_turn(table, tells.Exposed(DEALER))
    assert out_of_turn(table, tells.Revealed("community.flop"))

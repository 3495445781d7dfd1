"""Where a deal begins: what makes a roll or a number count, and what is done until one does."""

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.games import GAMES
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.ways import Way

ONE = {3: {"wager": 500}}
FLAT = (True, True, True)

ROLLED = (
    pytest.param(GAMES["pai_gow"], GAMES["pai_gow"].ways[0], ("19:47-10.3(a)",), id="tiles"),
    pytest.param(GAMES["pai_gow_poker"], Way(), ("19:47-11.4(a)", "19:47-11.8(b)"), id="cards from a shoe"),
    pytest.param(
        GAMES["pai_gow_poker"], Way({"deal": "hand"}), ("19:47-11.4(a)", "19:47-11.8A(e)"), id="cards from the hand"
    ),
)
ROLLS = pytest.mark.parametrize(("game", "way", "rules"), ROLLED)


@pytest.mark.clause("pai_gow", "19:47-10.3(a)")
@pytest.mark.clause("pai_gow_poker", "19:47-11.4(a)")
@pytest.mark.parametrize(
    ("seen", "order", "why", "device"),
    [
        (tells.DiceRolled((1, 2), (True, True), 3), Order.NO_ROLL, "a die fell out of the shaker", "shaker"),
        (tells.DiceRolled((), (), 3), Order.NO_ROLL, "a die fell out of the shaker", "shaker"),
        (tells.DiceRolled((1, 2, 3, 4), FLAT, 3), Order.NO_ROLL, "these are not three dice", "shaker"),
        (tells.DiceRolled((1, 2, 7), FLAT, 3), Order.NO_ROLL, "these are not three dice", "shaker"),
        (tells.DiceRolled((0, 2, 6), FLAT, 3), Order.NO_ROLL, "these are not three dice", "shaker"),
        (tells.DiceRolled((1, 2, 3), (True, False, True), 3), Order.NO_ROLL, "a die does not lie flat", "shaker"),
        (tells.DiceRolled((1, 2, 3), (True, True), 3), Order.NO_ROLL, "a die does not lie flat", "shaker"),
        (tells.DiceRolled((1, 2, 3), FLAT, 2), Order.RESHAKE, "shaken too few times", None),
        (tells.DiceRolled((1, 2, 3), FLAT, 3, "hand"), Order.RESHAKE, "the lid was not lifted by the dealer", None),
    ],
)
@ROLLS
def test_what_is_no_roll_is_shaken_again(felt, game, way, rules, seen, order, why, device):
    table = felt(game, way)
    table.open(ONE)
    ask = table.until(asks.ShakeDice)
    assert ask == asks.ShakeDice("dealer", 3, rules)
    (ruling,) = table.tell(seen)
    assert (ruling.order, ruling.rules, ruling.why, ruling.device) == (order, rules, why, device)
    assert ruling.policy
    assert table.ask == ask
    assert not table.finish().void


@ROLLS
@pytest.mark.parametrize(
    ("dice", "start"), [((1, 1, 1), 2), ((1, 2, 4), 6), ((1, 1, 6), 0), ((2, 6, 6), 6), ((3, 6, 6), 0), ((6, 6, 6), 3)]
)
def test_the_count_goes_around_seven_positions_with_the_dealer_as_one(felt, game, way, rules, dice, start):
    table = felt(game, way)
    table.open(ONE)
    table.until(asks.ShakeDice)
    table.tell(tells.DiceRolled(dice, FLAT, 3))
    assert table.ask.position == start


@pytest.mark.clause("pai_gow_poker", "19:47-11.4(b)")
@pytest.mark.parametrize("number", [0, 8, 255])
@pytest.mark.parametrize(("deal", "when"), [("manual_shoe", "11.8(b)"), ("hand", "11.8A(e)")])
def test_a_number_that_is_no_position_is_selected_again(felt, number, deal, when):
    table = felt(GAMES["pai_gow_poker"], Way({"deal": deal}, {"start": "rng"}))
    table.open(ONE)
    ask = table.until(asks.SelectNumber)
    assert ask == asks.SelectNumber(1, 7, ("19:47-11.4(b)", f"19:47-{when}"))
    (ruling,) = table.tell(tells.NumberSelected(number))
    assert (ruling.order, ruling.device, ruling.policy) == (Order.SELECT_AGAIN, "rng", True)
    assert table.ask == ask
    table.tell(tells.NumberSelected(7))
    assert table.ask.position == 6


def test_the_option_says_which_device_is_used():
    for variant in GAMES["pai_gow_poker"].every_variant:
        by_number = variant.way.options.get("start") == "rng"
        assert variant.uses - {"shuffler"} == ({"rng"} if by_number else {"shaker"})
    assert all(variant.uses == {"shaker"} for variant in GAMES["pai_gow"].every_variant)


@pytest.mark.parametrize(
    ("game", "way", "rule"),
    [
        pytest.param(GAMES["pai_gow"], GAMES["pai_gow"].ways[0], "19:47-10.3(c)", id="tiles"),
        pytest.param(GAMES["pai_gow_poker"], Way(), "19:47-11.4(a)2", id="cards"),
    ],
)
def test_dice_stay_for_a_day_at_most(felt, game, way, rule):
    table = felt(game, way)
    table.table.time_passes(23.9)
    table.table.new_cards()
    table.open(ONE)
    table.finish()
    table.table.time_passes(0.1)
    table.table.new_cards()
    with pytest.raises(Illegal) as refusal:
        table.open(ONE)
    assert refusal.value.rules == (rule,)
    table.table.new_dice()
    table.open(ONE)


def test_a_table_without_dice_does_not_mind_their_age(felt):
    table = felt(GAMES["pai_gow_poker"], Way({}, {"start": "rng"}))
    table.table.time_passes(30)
    table.table.new_cards()
    table.open(ONE)
    assert not table.finish().void

"""Where a deal begins: what makes a roll or a number count, and what is done until one does."""

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.games.pai_gow import round as pai_gow
from feltrig.engine.games.pai_gow_poker import round as pai_gow_poker
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.ways import Way

ONE = {3: {"wager": 500}}
FLAT = (True, True, True)

ROLLED = (
    pytest.param(pai_gow, pai_gow.WAYS[0], ("19:47-10.3(a)",), id="tiles"),
    pytest.param(pai_gow_poker, Way(), ("19:47-11.4(a)", "19:47-11.8(b)"), id="cards from a shoe"),
    pytest.param(pai_gow_poker, Way({"deal": "hand"}), ("19:47-11.4(a)", "19:47-11.8A(e)"), id="cards from the hand"),
)
ROLLS = pytest.mark.parametrize(("module", "way", "rules"), ROLLED)


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
def test_what_is_no_roll_is_shaken_again(felt, module, way, rules, seen, order, why, device):
    table = felt(module, way)
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
def test_the_count_goes_around_seven_positions_with_the_dealer_as_one(felt, module, way, rules, dice, start):
    table = felt(module, way)
    table.open(ONE)
    table.until(asks.ShakeDice)
    table.tell(tells.DiceRolled(dice, FLAT, 3))
    assert table.ask.position == start


@pytest.mark.clause("pai_gow_poker", "19:47-11.4(b)")
@pytest.mark.parametrize("number", [0, 8, 255])
@pytest.mark.parametrize(("deal", "when"), [("manual_shoe", "11.8(b)"), ("hand", "11.8A(e)")])
def test_a_number_that_is_no_position_is_selected_again(felt, number, deal, when):
    table = felt(pai_gow_poker, Way({"deal": deal}, {"start": "rng"}))
    table.open(ONE)
    ask = table.until(asks.SelectNumber)
    assert ask == asks.SelectNumber(1, 7, ("19:47-11.4(b)", f"19:47-{when}"))
    (ruling,) = table.tell(tells.NumberSelected(number))
    assert (ruling.order, ruling.device, ruling.policy) == (Order.SELECT_AGAIN, "rng", True)
    assert table.ask == ask
    table.tell(tells.NumberSelected(7))
    assert table.ask.position == 6


def test_the_option_says_which_device_is_used():
    assert pai_gow_poker.devices(pai_gow_poker.Options()) == {"shaker"}
    assert pai_gow_poker.devices(pai_gow_poker.Options(start=pai_gow_poker.Start.RNG)) == {"rng"}
    assert pai_gow.devices(pai_gow.Options()) == {"shaker"}


@pytest.mark.parametrize(
    ("module", "way", "rule"),
    [
        pytest.param(
            pai_gow,
            pai_gow.WAYS[0],
            "19:47-10.3(c)",
            id="tiles",
            marks=pytest.mark.clause("pai_gow", "19:47-10.3(c)"),
        ),
        pytest.param(
            pai_gow_poker,
            Way(),
            "19:47-11.4(a)2",
            id="cards",
            marks=pytest.mark.clause("pai_gow_poker", "19:47-11.4(a)2"),
        ),
    ],
)
def test_dice_stay_for_a_day_at_most(felt, module, way, rule):
    table = felt(module, way)
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
    table = felt(pai_gow_poker, Way({}, {"start": "rng"}))
    table.table.time_passes(30)
    table.table.new_cards()
    table.open(ONE)
    assert not table.finish().void

"""A round of Pai Gow with tiles: the wash and the eight stacks of the text, and custom from there."""

from collections import Counter

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.games.pai_gow import round as game
from feltrig.engine.games.pai_gow.houseway import strong_low
from feltrig.engine.games.pai_gow.settlement import settle
from feltrig.engine.games.pai_gow.tiles import COUNTS
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.house import DEALER, Deal, House
from feltrig.engine.table.setting import Hands
from feltrig.engine.table.table import Table
from feltrig.engine.table.ways import Way

GAME = "pai_gow"
WAYS = pytest.mark.parametrize("way", game.WAYS, ids=str)
WASHED = game.WAYS[0]
TWO = {2: {"wager": 500}, 5: {"wager": 1000}}


def of(number):
    return f"19:47-10.{number}"


def clause(*numbers):
    return pytest.mark.clause(GAME, *map(of, numbers))


def asked(table, kind):
    return [ask for ask in table.asked if isinstance(ask, kind)]


def codes(text):
    """The numbers of these tiles, each of another tile of the set."""
    left = list(range(32))
    found = []
    for tile in text.split():
        found.append(next(code for code in left if game.TILES[code] == tile))
        left.remove(found[-1])
    return tuple(found)


def dealt(table, hands):
    """Play up to the dice with stacks so that these positions get these tiles, when the deal starts at the dealer."""
    table.until(asks.DealCard)
    where = {position: place for place, position in enumerate([0, 6, 5, 4, 3, 2, 1])}
    order = [None] * 32
    found = codes(" ".join(hands.values()))
    for number, position in enumerate(hands):
        order[where[position] * 4 : where[position] * 4 + 4] = found[number * 4 : number * 4 + 4]
    rest = iter(sorted(set(range(32)) - set(order)))
    table.stack(*(next(rest) if code is None else code for code in order))
    table.until(asks.ShakeDice)
    table.tell(tells.DiceRolled((2, 3, 3), (True, True, True), 3))


@clause("3(a)", "2(a)")
@WAYS
def test_good_people_and_machines_play_round_after_round_without_a_ruling(felt, way):
    table = felt(game.GAME, way)
    for _ in range(6):
        table.open({seat: {"wager": 500 * seat} for seat in range(1, 7)})
        result = table.finish()
        assert not result.void
        assert table.rulings == []
        assert table.strangers() == set()
        assert sorted(s.seat for s in result.settlements) == list(range(1, 7))
        assert sorted(tile for tiles in result.hands.values() for tile in tiles) == list(range(32))
        assert {len(tiles) for tiles in result.hands.values()} == {4}


@clause("4(d)", "2(a)")
def test_the_tiles_are_washed_by_hand_and_stand_in_eight_stacks_of_four(felt):
    table = felt(game.GAME, WASHED)
    table.open(TWO)
    table.until(asks.CallNoMoreBets)
    assert table.asked[:2] == [
        asks.StartShuffle("red", "hand", (of("4(d)"),)),
        asks.FinishShuffle("red", "hand", 32, (of("4(d)"),)),
    ]
    built = asked(table, asks.DealCard)
    assert len(table.asked) == 2 + len(built)
    assert [ask.stack for ask in built] == [stack for stack in range(1, 9) for _ in range(4)]
    assert {ask.rules for ask in built} == {(of("4(d)"),)}
    assert Counter(game.tiles(table.table.procedure.cards)) == COUNTS


@clause("4(d)")
def test_no_machine_washes_tiles_and_no_shoe_deals_them():
    with pytest.raises(Illegal, match="by hand") as refusal:
        Table(game.procedure, game.Options(), House(deal=Deal.HAND))
    assert refusal.value.rules == (of("4(d)"),)
    for deal in (Deal.MANUAL_SHOE, Deal.AUTOMATED_SHOE):
        with pytest.raises(Illegal, match="deal"):
            Table(game.procedure, game.Options(), House(deal=deal, machine_shuffle=False))


@pytest.mark.parametrize(
    ("direction", "order"),
    [("clockwise", [0, 6, 5, 4, 3, 2, 1]), ("counterclockwise", [0, 1, 2, 3, 4, 5, 6])],
)
def test_seven_stacks_go_around_from_the_starting_position_and_one_goes_to_nobody(felt, direction, order):
    table = felt(game.GAME, Way(game.WASHED, {"delivery": direction}))
    table.open(TWO)
    table.until(asks.ShakeDice)
    kinds = [type(ask) for ask in table.asked]
    assert kinds.index(asks.CallNoMoreBets) > max(i for i, kind in enumerate(kinds) if kind is asks.DealCard)
    table.tell(tells.DiceRolled((2, 3, 3), (True, True, True), 3))
    result = table.finish()
    assert [(ask.stack, ask.position) for ask in asked(table, asks.DeliverStack)] == list(enumerate(order, start=1))
    assert asked(table, asks.CollectUnbet) == [asks.CollectUnbet((1, 3, 4, 6), ())]
    assert len(result.hands["stack.8"]) == 4


def test_wagers_close_before_the_dice_and_after_the_stacks(felt):
    table = felt(game.GAME, WASHED)
    table.open(TWO)
    table.until(asks.CallNoMoreBets)
    table.tell(tells.BetPlaced(2, "wager", 700))
    table.step()
    table.refused(tells.BetPlaced(2, "wager", 900))
    assert [s.stake for s in table.finish().settlements if s.seat == 2] == [700]


@pytest.mark.parametrize("wagers", [{}, {7: {"wager": 500}}, {1: {"bonus": 500}}, {1: {"wager": 499}}])
def test_wagers_that_nobody_can_make_are_refused(felt, wagers):
    with pytest.raises(Illegal):
        felt(game.GAME, WASHED).open(wagers)


# What goes wrong: outside the rule text


def test_a_tile_seen_while_stacks_are_built_voids_the_round_since_there_is_no_other(felt):
    table = felt(game.GAME, WASHED)
    table.open(TWO)
    table.until(asks.DealCard, 5)
    (ruling,) = table.tell(tells.CardDealt(table.cards[0], face_up=True))
    assert (ruling.order, ruling.rules, ruling.policy) == (Order.VOID, (of("4(d)"),), True)
    result = table.finish()
    assert [(s.seat, s.outcome) for s in result.settlements] == [(2, "void"), (5, "void")]


def test_a_tile_on_a_wrong_stack_and_one_that_was_seen_before_void_the_round(felt):
    table = felt(game.GAME, WASHED)
    table.open(TWO)
    table.until(asks.DealCard)
    table.tell(tells.CardDealt(table.cards[0], stack=2))
    assert table.finish().order is Order.VOID
    table.open(TWO)
    table.until(asks.DealCard)
    card = table.cards[0]
    table.step()
    table.round.tell(tells.CardDealt(card))
    assert table.finish().order is Order.VOID_REMOVE_DECK
    assert [ask.rules for ask in asked(table, asks.ReplaceDeck)] == [(of("2(a)"),)]


# Setting and settlement


@clause("1[Setting the hands]", "1[High hand]", "1[Second highest or low hand]")
def test_the_higher_two_tiles_are_the_high_hand_or_the_setting_is_foul(felt):
    table = felt(game.GAME, WASHED)
    table.open({3: {"wager": 500}})
    dealt(table, {3: "6-6 6-6 1-2 1-4", DEALER: "1-6 1-6 2-2 3-3"})
    table.until(asks.SetHands)
    assert table.ask.rules == (of("1[Setting the hands]"), of("1[High hand]"), of("1[Second highest or low hand]"))
    pair, rest = table.ask.cards[:2], table.ask.cards[2:]
    assert game.tiles(pair) == ("6-6", "6-6")
    assert table.refused(tells.HandSet(3, pair, pair)) == table.ask.rules
    (ruling,) = table.tell(tells.HandSet(3, rest, pair))
    assert (ruling.order, ruling.position) == (Order.WAGER_LOSES, 3)
    (settled,) = table.finish().settlements
    assert (settled.outcome, settled.net, settled.rules) == ("lose", -500, (of("1[High hand]"),))


def test_pg_01_equal_hands_may_be_foul(felt):
    outcomes = []
    for legal in (True, False):
        table = felt(game.GAME, WASHED, equal_is_legal=legal)
        table.open({3: {"wager": 500}})
        dealt(table, {3: "6-6 4-5 6-6 3-6", DEALER: "1-2 1-4 2-3 1-6"})
        table.until(asks.SetHands)
        wongs = table.ask.cards
        outcomes.append([ruling.order for ruling in table.tell(tells.HandSet(3, wongs[:2], wongs[2:]))])
    assert outcomes == [[], [Order.WAGER_LOSES]]


def test_the_dealer_is_set_by_the_house_way_and_like_tiles_are_not_told_apart(felt):
    table = felt(game.GAME, WASHED)
    table.open({3: {"wager": 500}})
    dealt(table, {DEALER: "6-6 6-6 1-1 1-1", 3: "1-2 1-4 2-3 1-6"})
    ask = table.until(asks.SetHands, 2)
    assert (ask.position, ask.house_way) == (DEALER, True)
    a, b, c, d = ask.cards
    (ruling,) = table.tell(tells.HandSet(DEALER, (a, c), (b, d)))
    assert (ruling.order, ruling.policy) == (Order.RESET_HANDS, True)
    assert table.tell(tells.HandSet(DEALER, (b, a), (d, c))) == ()
    assert [ask.position for ask in (table.finish() and asked(table, asks.Expose))] == [DEALER, 3]


@clause("2(c)", "2(h)", "1[Copy hand]")
@pytest.mark.parametrize(
    ("mine", "theirs", "rule"),
    [
        pytest.param("5-6 2-5 4-6 3-6", "5-6 3-4 4-6 4-5", "2(h)", id="equal values, equal highest tiles"),
        pytest.param("6-6 2-6 4-6 4-6", "6-6 3-5 2-2 2-2", "2(c)", id="equal pairs"),
    ],
)
def test_copies_are_the_dealers(felt, mine, theirs, rule):
    table = felt(game.GAME, WASHED)
    table.open({3: {"wager": 500}})
    dealt(table, {3: mine, DEALER: theirs})
    (settled,) = table.finish().settlements
    assert (settled.outcome, settled.net) == ("lose", -500)
    assert of(rule) in settled.rules


@clause("1[Rank or ranking]", "2(f)")
@WAYS
def test_wagers_are_settled_as_the_settlement_says_losers_first(felt, way):
    table = felt(game.GAME, way, seed=3)
    options = table.table.options
    for _ in range(3):
        table.open({seat: {"wager": 1030} for seat in range(1, 7)})
        result = table.finish()
        hands = {place: strong_low(game.tiles(cards)) for place, cards in result.hands.items()}
        for row in result.settlements:
            found = settle(
                hands[str(row.seat)],
                hands["0"],
                1030,
                options.vigorish.value,
                equal_is_legal=options.equal_is_legal,
                zero_zero=options.zero_zero,
            )
            assert (row.outcome, row.net, row.rules) == (found.outcome.value, found.net, found.rules)
        signs = [(row.net > 0) - (row.net < 0) for row in result.settlements]
        assert signs == sorted(signs)


def test_the_house_way_parts_the_numbers_as_it_parts_the_tiles():
    four = codes("6-6 1-1 6-6 1-1")
    high, low = game.house_way(game.Options(), four)
    assert sorted((*high, *low)) == sorted(four)
    assert Hands(game.tiles(high), game.tiles(low)) == strong_low(game.tiles(four))


def test_a_tile_can_be_drawn_in_error_once_the_tiles_are_washed_and_none_is_left_after_the_stacks(felt):
    table = felt(game.GAME, WASHED)
    table.open(TWO)
    for kind in (asks.StartShuffle, asks.FinishShuffle):
        assert isinstance(table.ask, kind)
        assert not table.round.can(tells.CardDrawnInError(0))
        table.step()
    table.until(asks.CallNoMoreBets)
    (ruling,) = table.tell(tells.CardDrawnInError(0))
    assert (ruling.order, ruling.why) == (Order.VOID_REMOVE_DECK, "a card that is not in the deck, or was seen before")
    assert table.finish().void

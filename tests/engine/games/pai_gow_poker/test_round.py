"""A round of Pai Gow Poker as the text orders it, up to where it is cut off, and as custom has it from there."""

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.cards import parse_all
from feltrig.engine.games.pai_gow_poker import round as game
from feltrig.engine.games.pai_gow_poker.settlement import settle
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.house import DEALER, Deal, House
from feltrig.engine.table.setting import Hands
from feltrig.engine.table.table import Table
from feltrig.engine.table.ways import Way

GAME = "pai_gow_poker"
WAYS = pytest.mark.parametrize("way", game.WAYS, ids=str)
MANUAL = Way({"deal": "manual_shoe"})
HAND = Way({"deal": "hand"})
BY_HAND = Way({"machine_shuffle": False})
TWO = {2: {"wager": 500}, 5: {"wager": 1000}}
UNBET = (1, 3, 4, 6)
SERPENTINE = [*range(1, 8), *range(7, 0, -1)] * 3 + [*range(1, 8)]


def of(number):
    return f"19:47-11.{number}"


def clause(*numbers):
    return pytest.mark.clause(GAME, *map(of, numbers))


def asked(table, kind):
    return [ask for ask in table.asked if isinstance(ask, kind)]


def rolled(total):
    dice = {3: (1, 1, 1), 4: (1, 1, 2), 8: (2, 3, 3)}[total]
    return tells.DiceRolled(dice, (True, True, True), 3)


@clause("6(a)", "4(a)", "4(b)", "8(a)", "8A(a)")
@WAYS
def test_good_people_and_machines_play_round_after_round_without_a_ruling(felt, way):
    table = felt(game.GAME, way)
    for _ in range(7):
        table.open({seat: {"wager": 500 * seat} for seat in range(1, 7)})
        result = table.finish()
        assert not result.void
        assert table.rulings == []
        assert table.strangers() == set()
        assert sorted(s.seat for s in result.settlements) == list(range(1, 7))
        assert {place: len(cards) for place, cards in result.hands.items()} == dict.fromkeys("0123456", 7)
        kinds = [type(ask) for ask in table.asked]
        assert kinds.index(asks.FinishShuffle) < kinds.index(asks.CallNoMoreBets) < kinds.index(asks.DealCard)


# The shuffle and the cut


@clause("6(a)", "6(b)1", "6(b)2", "6(c)", "6(e)")
def test_only_cards_shuffled_by_hand_are_cut_ten_cards_from_either_end(felt):
    table = felt(game.GAME, BY_HAND)
    table.open(TWO)
    ask = table.until(asks.Cut)
    assert ask.rules == (of("6(b)2"), of("6(c)"))
    assert ask.size == 53
    for depth, legal in ((9, False), (10, True), (43, True), (44, False)):
        assert table.round.can(tells.DeckCut(DEALER, depth)) is legal
    assert table.refused(tells.DeckCut(DEALER, 9)) == (of("6(e)"),)
    assert table.refused(tells.DeckCut(5, 20)) == ask.rules
    by_machine = felt(game.GAME, MANUAL)
    by_machine.open(TWO)
    by_machine.finish()
    assert asked(by_machine, asks.Cut) == []
    assert [ask.rules for ask in asked(by_machine, asks.StartShuffle)] == [(of("6(a)"),)]


@clause("6(d)1", "6(d)3")
def test_the_cut_is_offered_to_the_first_player_and_then_from_the_far_right_around(felt):
    table = felt(game.GAME, BY_HAND)
    offers = []
    for _ in range(5):
        table.open({seat: {"wager": 500} for seat in (4, 2, 5)})
        offers.append(table.until(asks.Cut).offer)
        table.finish()
    assert offers == [(4,), (2,), (4,), (5,), (2,)]


@clause("6(f)")
@pytest.mark.parametrize(("by", "offer"), [("last", (5,)), ("next", (2,))])
def test_a_supervisor_can_order_a_recut_until_the_first_card(felt, by, offer):
    table = felt(game.GAME, Way({"machine_shuffle": False, "recut_by": by}))
    table.open({5: {"wager": 500}, 2: {"wager": 500}})
    assert table.refused(tells.RecutOrdered()) == (of("6(f)"),)
    assert table.until(asks.Cut).offer == (5,)
    table.tell(tells.DeckCut(5, 20))
    (ruling,) = table.tell(tells.RecutOrdered())
    assert (ruling.order, ruling.rules) == (Order.RECUT, (of("6(f)"),))
    assert table.ask == asks.Cut(offer, 53, (of("6(f)"),))
    table.until(asks.DealCard)
    assert table.refused(tells.RecutOrdered()) == (of("6(f)"),)


@clause("2(b)", "2(b)3", "2(b)4")
def test_two_decks_alternate_and_the_idle_one_is_shuffled(felt):
    table = felt(game.GAME, Way({"decks": ["red", "blue"]}))
    used = []
    for number in range(4):
        table.open(TWO)
        table.finish()
        used.append(asked(table, asks.CollectCards)[0].deck)
        waiting = [ask for ask in asked(table, asks.StartShuffle) if ask.rules == (of("2(b)3"),)]
        assert [ask.deck for ask in waiting] == [("blue", "red")[number % 2]]
    assert used == ["red", "blue", "red", "blue"]
    table.open(TWO)
    table.until(asks.LoadShoe)
    assert table.refused(tells.ShoeLoaded("blue")) == (of("2(b)4"),)


@clause("2(b)", "2(b)2")
def test_a_table_that_the_rules_forbid_is_not_opened():
    for house, rules in (
        (House(decks=("red", "blue"), machine_shuffle=False), (of("2(b)"),)),
        (House(decks=("red", "red")), (of("2(b)2"),)),
        (House(deal=Deal.AUTOMATED_SHOE), ()),
    ):
        with pytest.raises(Illegal) as refusal:
            Table(game.procedure, game.Options(), house)
        assert refusal.value.rules == rules
    Table(game.procedure, game.Options(), House(deal=Deal.HAND, machine_shuffle=False))


@pytest.mark.parametrize(("way", "hours"), [(MANUAL, 8), (HAND, 4)], ids=str)
def test_cards_are_changed_after_some_hours(felt, way, hours):
    table = felt(game.GAME, way)
    table.table.time_passes(hours - 0.1)
    table.open(TWO)
    table.finish()
    table.table.time_passes(0.1)
    with pytest.raises(Illegal) as refusal:
        table.open(TWO)
    assert refusal.value.rules == (of("5(e)"),)
    table.table.new_cards()
    table.open(TWO)


# The wagers


@clause("7(c)", "8(a)", "8A(b)2")
@pytest.mark.parametrize(("way", "rule"), [(MANUAL, "8(a)"), (HAND, "8A(b)2")], ids=str)
def test_no_wager_changes_after_the_closing_call_which_comes_before_any_card(felt, way, rule):
    table = felt(game.GAME, way)
    table.open(TWO)
    close = table.until(asks.CallNoMoreBets)
    assert close.rules == (of(rule),)
    assert not asked(table, asks.DealCard)
    table.tell(tells.BetPlaced(2, "wager", 700))
    table.step()
    for amount in (900, 0):
        assert table.refused(tells.BetPlaced(2, "wager", amount)) == (of(rule),)
    assert [s.stake for s in table.finish().settlements if s.seat == 2] == [700]


@pytest.mark.parametrize(
    ("wagers", "rule"),
    [({}, "6(g)"), ({7: {"wager": 500}}, "7(a)"), ({1: {"bonus": 500}}, "7(a)"), ({1: {"wager": 499}}, "7(a)")],
)
def test_wagers_that_the_rules_forbid_are_refused(felt, wagers, rule):
    with pytest.raises(Illegal) as refusal:
        felt(game.GAME, MANUAL).open(wagers)
    assert refusal.value.rules == (of(rule),)


# The deals


@clause("8(a)", "8(b)", "8(c)", "8(d)", "8(d)1")
def test_from_the_shoe_seven_cards_go_to_every_position_and_four_are_left(felt):
    table = felt(game.GAME, MANUAL)
    table.open(TWO)
    load = table.until(asks.LoadShoe)
    assert (load.automated, load.rules) == (False, (of("8(a)"),))
    table.until(asks.ShakeDice)
    assert not asked(table, asks.DealCard)
    table.tell(rolled(4))
    table.finish()
    dealt = asked(table, asks.DealCard)
    assert [ask.position for ask in dealt] == [3, 2, 1, 0, 6, 5, 4] * 7
    assert {ask.rules for ask in dealt} == {(of("8(c)"),)}
    assert asked(table, asks.RackStub) == [asks.RackStub(4, True, (of("8(d)"), of("8(d)1")))]
    assert asked(table, asks.CollectUnbet) == [asks.CollectUnbet(UNBET, (of("8(d)1"),))]
    kinds = [type(ask) for ask in table.asked]
    assert kinds.index(asks.RackStub) < kinds.index(asks.CollectUnbet) < kinds.index(asks.SetHands)


@clause("8A(b)2", "8A(c)", "8A(d)", "8A(d)1", "8A(e)", "8A(f)")
def test_from_the_hand_seven_stacks_are_built_there_and_back_and_delivered_from_the_left(felt):
    table = felt(game.GAME, HAND)
    table.open(TWO)
    table.until(asks.DealCard)
    cards = table.cards[:49]
    built = {number: tuple(c for c, s in zip(cards, SERPENTINE, strict=True) if s == number) for number in range(1, 8)}
    table.until(asks.ShakeDice)
    assert not asked(table, asks.LoadShoe)
    assert [ask.stack for ask in asked(table, asks.DealCard)] == SERPENTINE
    assert {(ask.position, ask.area) for ask in asked(table, asks.DealCard)} == {(None, None)}
    assert table.asked[-1] == asks.RackStub(4, True, (of("8A(d)"), of("8A(d)1")))
    table.tell(rolled(3))
    table.finish()
    delivered = [(ask.stack, ask.position) for ask in asked(table, asks.DeliverStack)]
    assert delivered == [(1, 2), (2, 1), (3, 0), (4, 6), (5, 5), (6, 4), (7, 3)]
    assert {ask.rules for ask in asked(table, asks.DeliverStack)} == {(of("8A(f)"),)}
    for stack, position in delivered:
        assert table.result.hands[str(position)] == built[stack]


@clause("8(d)", "8A(d)")
@WAYS
def test_the_remainder_is_counted_in_every_round_whether_or_not_the_shuffler_counts(felt, way):
    table = felt(game.GAME, way)
    for _ in range(2):
        table.open(TWO)
        assert table.until(asks.RackStub).count
        assert table.refused(tells.StubRacked()) == table.ask.rules
        table.finish()


@clause("8(d)2", "8A(d)2")
@pytest.mark.parametrize("left", [3, 5])
@pytest.mark.parametrize(("way", "rule"), [(MANUAL, "8(d)2"), (HAND, "8A(d)2")], ids=str)
def test_a_wrong_remainder_after_a_good_deal_voids_the_round_and_removes_the_deck(felt, way, rule, left):
    table = felt(game.GAME, way)
    table.open(TWO)
    table.until(asks.RackStub)
    (ruling,) = table.tell(tells.StubRacked(left))
    assert (ruling.order, ruling.rules, ruling.policy) == (Order.VOID_REMOVE_DECK, (of(rule),), False)
    result = table.finish()
    assert [(s.seat, s.outcome, s.net) for s in result.settlements] == [(2, "void", 0), (5, "void", 0)]
    assert asked(table, asks.ReplaceDeck) == [asks.ReplaceDeck("red", (of(rule),))]
    assert not asked(table, asks.SetHands)


@clause("8(d)2")
def test_from_the_shoe_a_hand_without_seven_cards_voids_the_round(felt):
    table = felt(game.GAME, MANUAL)
    table.open(TWO)
    table.until(asks.DealCard)
    table.tell(tells.CardDealt(table.cards[0], position=(table.ask.position + 1) % 7))
    result = table.finish()
    assert (result.order, result.rules) == (Order.VOID, (of("8(d)2"),))
    assert not asked(table, asks.ReplaceDeck)


@clause("8A(d)2")
def test_from_the_hand_a_stack_without_seven_cards_voids_the_round(felt):
    table = felt(game.GAME, HAND)
    table.open(TWO)
    table.until(asks.DealCard, 3)
    (noted,) = table.tell(tells.CardDealt(table.cards[0], stack=4))
    assert (noted.order, noted.policy) == (Order.STANDS, True)
    result = table.finish()
    assert (result.order, result.rules) == (Order.VOID, (of("8A(d)2"),))
    assert not asked(table, asks.ReplaceDeck)
    table.open(TWO)
    assert isinstance(table.ask, asks.StartShuffle)


def test_stacks_may_be_told_to_go_only_where_stacks_can(felt):
    table = felt(game.GAME, HAND)
    table.open(TWO)
    table.until(asks.DeliverStack)
    first = table.ask
    for stack, position in ((8, first.position), (first.stack, 7)):
        assert not table.round.can(tells.StackDelivered(stack, position))
    other = (first.position + 3) % 7
    (noted,) = table.tell(tells.StackDelivered(2, other))
    assert (noted.order, noted.position, noted.policy) == (Order.STANDS, other, True)
    assert (table.ask.stack, table.ask.position) == (1, first.position)
    table.step()
    (ruling,) = table.tell(tells.StackDelivered(3, other))
    assert (ruling.order, ruling.rules) == (Order.VOID, (of("8A(d)2"),))
    assert table.finish().void


def test_cards_from_a_shoe_do_not_go_onto_stacks(felt):
    table = felt(game.GAME, MANUAL)
    table.open(TWO)
    table.until(asks.DealCard)
    assert not table.round.can(tells.CardDealt(table.cards[0], stack=1))


def test_a_jam_of_the_shuffler_and_a_strange_card_are_met_by_the_rigs_policy(felt):
    table = felt(game.GAME, MANUAL)
    table.open(TWO)
    table.until(asks.FinishShuffle)
    (ruling,) = table.tell(tells.ShufflerFailed("red", "jam"))
    assert (ruling.order, ruling.policy, ruling.device) == (Order.RESHUFFLE, True, "shuffler")
    table.until(asks.DealCard)
    (ruling,) = table.round.tell(tells.CardDealt(53))  # one joker only
    assert (ruling.order, ruling.rules, ruling.policy) == (Order.VOID_REMOVE_DECK, (of("5(a)"),), True)


# Setting and settlement: outside the rule text


def test_hands_are_set_clockwise_and_the_dealers_by_the_house_way_after_them(felt):
    table = felt(game.GAME, MANUAL)
    table.open(TWO)
    table.until(asks.SetHands)
    assert (table.ask.position, table.ask.house_way) == (5, False)
    cards = table.ask.cards
    assert len(cards) == 7
    assert table.refused(tells.HandSet(5, cards[:5], cards[4:6])) == table.ask.rules
    assert not table.round.can(tells.Surrendered(5))
    ask = table.until(asks.SetHands, 3)
    assert (ask.position, ask.house_way) == (DEALER, True)
    high, low = game.house_way(table.table.options, ask.cards)
    (ruling,) = table.tell(tells.HandSet(DEALER, (*high[:4], low[0]), (high[4], low[1])))
    assert (ruling.order, ruling.policy) == (Order.RESET_HANDS, True)
    assert table.ask == ask
    table.finish()
    assert [e.position for e in asked(table, asks.Expose)] == [DEALER, 2, 5]


@clause("3(c)", "3(b)")
def test_a_foul_hand_loses(felt):
    table = felt(game.GAME, MANUAL)
    table.open({3: {"wager": 500}})
    table.until(asks.ShakeDice)
    hand = parse_all(["Ac", "Ad", "Kh", "Qs", "9d", "7c", "5h"])
    rest = [card for card in table.table.procedure.cards if card not in hand]
    stacked = [hand[place // 7] if place % 7 == 0 else rest.pop() for place in range(49)]
    table.stack(*stacked)
    table.tell(rolled(4))
    table.until(asks.SetHands)
    assert sorted(table.ask.cards) == sorted(hand)
    (ruling,) = table.tell(tells.HandSet(3, hand[2:], hand[:2]))
    assert (ruling.order, ruling.rules) == (Order.WAGER_LOSES, (of("3(b)"), of("3(c)")))
    (settled,) = table.finish().settlements
    assert (settled.outcome, settled.net, settled.rules) == ("lose", -500, ())


@clause("3(d)", "3(e)")
@WAYS
def test_wagers_are_settled_as_the_settlement_says_losers_first(felt, way):
    table = felt(game.GAME, way, seed=5)
    options = table.table.options
    for _ in range(3):
        table.open({seat: {"wager": 1030} for seat in range(1, 7)})
        result = table.finish()
        hands = {place: Hands(*game.house_way(options, cards)) for place, cards in result.hands.items()}
        for row in result.settlements:
            mine, theirs, rounding = hands[str(row.seat)], hands["0"], options.vigorish.value
            found = settle(mine, theirs, 1030, rounding, copies=options.copies, readings=options)
            assert (row.outcome, row.net, row.rules) == (found.outcome.value, found.net, found.rules)
        signs = [(row.net > 0) - (row.net < 0) for row in result.settlements]
        assert signs == sorted(signs)


def test_every_option_is_used_in_some_way():
    used = {(name, value) for way in game.WAYS for name, value in way.options.items()}
    for option in ("start rng", "wheel lowest", "flush_joker ace", "tie_break literal", "copies player"):
        assert tuple(option.split()) in used
    assert ("vigorish", "round_up_to_25_cents") in used

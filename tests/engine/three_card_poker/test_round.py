"""A round of Three Card Poker as the text orders it, and what is ordered when something goes wrong."""

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.cards import parse_all
from feltrig.engine.rounds.house import DEALER, Deal, House
from feltrig.engine.rounds.table import Table
from feltrig.engine.rounds.ways import Way
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.three_card_poker import round as game

GAME = "three_card_poker"
WAYS = pytest.mark.parametrize("way", game.WAYS, ids=str)
MANUAL = Way({"deal": "manual_shoe"})
HAND = Way({"deal": "hand"})
AUTOMATED = Way({"deal": "automated_shoe"})
TWO = {2: {"ante": 500}, 5: {"ante": 500, "pair_plus": 500}}


def of(number):
    return f"19:47-20.{number}"


@pytest.mark.clause(GAME, "19:47-20.1[Round of play]", "19:47-20.5(a)", "19:47-20.5(c)2", "19:47-20.8(a)")
@WAYS
def test_good_people_and_machines_play_round_after_round_without_a_ruling(felt, way):
    table = felt(game, way)
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
    table = felt(game, way)
    table.open(TWO)
    table.finish()
    assert [ask.position for ask in table.asked if isinstance(ask, asks.DealCard)] == [5, 2, DEALER] * 3


@pytest.mark.clause(GAME, "19:47-20.9(a)", "19:47-20.9(c)")
def test_the_automated_shoe_dispenses_stacks_of_three_and_the_dealer_gets_the_last(felt):
    table = felt(game, AUTOMATED)
    table.open(TWO)
    table.finish()
    stacks = [ask for ask in table.asked if isinstance(ask, asks.Dispense)]
    assert [(ask.position, ask.size) for ask in stacks] == [(5, 3), (2, 3), (DEALER, 3)]


@pytest.mark.clause(GAME, "19:47-20.7(b)", "19:47-20.8(b)3", "19:47-20.9(b)2", "19:47-20.6(d)")
@WAYS
def test_no_card_comes_before_the_betting_is_closed_and_no_bet_after(felt, way):
    table = felt(game, way)
    table.open(TWO)
    close = table.until(asks.CallNoMoreBets)
    table.tell(tells.BetPlaced(2, "pair_plus", 500))
    assert close.rules == game.RULES.methods[Deal(way.house["deal"])].close
    table.step()
    assert table.refused(tells.BetPlaced(2, "pair_plus", 1000)) == close.rules


@pytest.mark.clause(GAME, "19:47-20.5(b)1", "19:47-20.5(b)2", "19:47-20.5(c)1")
def test_only_cards_shuffled_by_hand_are_cut_and_the_dealer_cuts(felt):
    by_hand = felt(game, Way({"machine_shuffle": False}))
    by_hand.open(TWO)
    assert by_hand.until(asks.Cut).offer == ()
    by_machine = felt(game, MANUAL)
    by_machine.open(TWO)
    by_machine.finish()
    assert not [ask for ask in by_machine.asked if isinstance(ask, asks.Cut)]


@pytest.mark.clause(GAME, "19:47-20.5(c)1ii")
@pytest.mark.parametrize(("depth", "legal"), [(9, False), (10, True), (42, True), (43, False)])
def test_a_cut_leaves_ten_cards_on_either_side(felt, depth, legal):
    table = felt(game, Way({"machine_shuffle": False}))
    table.open(TWO)
    table.until(asks.Cut)
    assert table.round.can(tells.DeckCut(DEALER, depth)) is legal
    if not legal:
        assert table.refused(tells.DeckCut(DEALER, depth)) == (of("5(c)1ii"),)


@pytest.mark.clause(GAME, "19:47-20.5(d)")
def test_a_supervisor_can_order_a_recut_until_the_first_card(felt):
    table = felt(game, Way({"machine_shuffle": False}))
    table.open(TWO)
    assert table.refused(tells.RecutOrdered()) == (of("5(d)"),)
    table.until(asks.LoadShoe)
    (ruling,) = table.tell(tells.RecutOrdered())
    assert (ruling.order, ruling.rules) == (Order.RECUT, (of("5(d)"),))
    assert isinstance(table.ask, asks.Cut)
    assert table.ask.rules == (of("5(d)"),)
    table.until(asks.DealCard, 2)
    assert table.refused(tells.RecutOrdered()) == (of("5(d)"),)


@pytest.mark.clause(GAME, "19:47-20.7(a)", "19:47-20.9(b)1", "19:47-20.7(d)", "19:47-20.8(d)", "19:47-20.9(d)")
@pytest.mark.clause(GAME, "19:47-20.1[Stub]", "19:47-20.10(c)2")
@pytest.mark.parametrize(
    ("way", "load", "stub"),
    [(MANUAL, ("7(a)",), "7(d)"), (HAND, None, "8(d)"), (AUTOMATED, ("9(b)1",), "9(d)")],
)
def test_the_deck_is_loaded_before_the_deal_and_the_rest_of_it_racked_after(felt, way, load, stub):
    table = felt(game, way)
    table.open(TWO)
    table.finish()
    loads = [ask for ask in table.asked if isinstance(ask, asks.LoadShoe)]
    assert [ask.rules for ask in loads] == ([tuple(of(number) for number in load)] if load else [])
    assert [ask.automated for ask in loads] == ([way is AUTOMATED] if load else [])
    (racked,) = [ask for ask in table.asked if isinstance(ask, asks.RackStub)]
    assert (racked.expect, racked.rules[0]) == (43, of(stub))
    assert table.asked[-1] == asks.CollectCards("red", (of("10(c)2"),))


@pytest.mark.clause(GAME, "19:47-20.6(e)")
@pytest.mark.parametrize(
    ("two_areas", "owners", "legal"),
    [
        (False, {2: "Ann", 5: "Bob"}, True),
        (False, {1: "Ann", 2: "Ann"}, False),
        (True, {1: "Ann", 2: "Ann"}, True),
        (True, {2: "Ann", 5: "Ann"}, False),
        (True, {1: "Ann", 2: "Ann", 3: "Ann"}, False),
    ],
)
def test_a_player_has_one_betting_area_or_two_adjacent_ones_if_the_house_allows(two_areas, owners, legal):
    table = Table(game.procedure, game.Options(), House(two_areas=two_areas))
    wagers = {seat: {"ante": 500} for seat in owners}
    if legal:
        assert table.open_round(wagers, owners).ask is not None
        return
    with pytest.raises(Illegal) as refusal:
        table.open_round(wagers, owners)
    assert refusal.value.rules == (of("6(e)"),)


@pytest.mark.clause(GAME, "19:47-20.10(b)")
def test_who_folds_forfeits_ante_and_pair_plus_and_is_not_opened(felt):
    table = felt(game, MANUAL)
    table.choices = {5: "fold"}
    table.open(TWO)
    result = table.finish()
    assert [ask.position for ask in table.asked if isinstance(ask, asks.Expose)] == [DEALER, 2]
    lost = {(s.seat, s.bet): (s.outcome, s.net) for s in result.settlements if s.seat == 5}
    assert lost == {(5, "ante"): ("fold", -500), (5, "pair_plus"): ("lose", -500)}


@pytest.mark.clause(GAME, "19:47-20.6(a)2", "19:47-20.10(b)")
def test_who_plays_against_the_table_only_decides_nothing(felt):
    table = felt(game, MANUAL)
    table.open({4: {"pair_plus": 500}})
    table.finish()
    assert not [ask for ask in table.asked if isinstance(ask, asks.Decide)]
    assert [s.bet for s in table.result.settlements] == ["pair_plus"]


@pytest.mark.clause(GAME, "19:47-20.10(c)", "19:47-20.10(c)1", "19:47-20.11(a)1", "19:47-20.11(a)3", "19:47-20.6(a)1")
def test_losers_are_collected_before_winners_are_paid_from_the_right(felt):
    table = felt(game, AUTOMATED)
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


@pytest.mark.clause(GAME, "19:47-20.7(e)", "19:47-20.8(e)", "19:47-20.9(e)", "19:47-20.7(e)1")
@pytest.mark.parametrize("deal", ["manual_shoe", "hand", "automated_shoe"])
def test_the_stub_is_counted_every_fifth_round(felt, deal):
    table = felt(game, Way({"deal": deal, "shuffler_counts": False}))
    counted = []
    for _ in range(11):
        table.open(TWO)
        counted.append(table.until(asks.RackStub).count)
        assert table.ask.expect == 52 - 9
        if table.ask.count:
            assert table.refused(tells.StubRacked()) == table.ask.rules
        table.finish()
    assert counted == [False, False, False, False, True] * 2 + [False]


@pytest.mark.clause(GAME, "19:47-20.7(f)")
def test_a_shuffler_that_counts_replaces_the_count(felt):
    table = felt(game, MANUAL)
    for _ in range(6):
        table.open(TWO)
        assert table.until(asks.RackStub).count is False
        assert table.ask.rules == (of("7(d)"), of("7(f)"))
        table.finish()


@pytest.mark.clause(GAME, "19:47-20.2(b)3", "19:47-20.2(b)4")
def test_two_decks_alternate_and_one_is_shuffled_while_the_other_is_in_play(felt):
    table = felt(game, Way({"deal": "hand", "decks": ["red", "blue"]}))
    decks = []
    for _ in range(4):
        table.open(TWO)
        decks.append(table.round.deck)
        table.finish()
        waiting = [ask.deck for ask in table.asked if isinstance(ask, asks.StartShuffle)][-1]
        assert waiting != decks[-1]
    assert decks == ["red", "blue", "red", "blue"]


# What goes wrong

IRREGULAR = [
    (MANUAL, asks.DealCard, lambda t: tells.CardDealt(t.cards[0], face_up=True), Order.DISCARD_CARD, ("12(a)",)),
    (MANUAL, asks.DealCard, lambda t: tells.CardDrawnInError(t.cards[0]), Order.USE_AS_NEXT, ("12(b)",)),
    (HAND, asks.RackStub, lambda t: tells.CardExposed(DEALER), Order.VOID, ("12(d)",)),
    (MANUAL, asks.RackStub, lambda t: tells.StubRacked(42), Order.VOID_REMOVE_DECK, ("7(e)2",)),
    (MANUAL, asks.FinishShuffle, lambda t: tells.Shuffled("red", 51), Order.REMOVE_DECK, ("7(f)",)),
    (MANUAL, asks.FinishShuffle, lambda t: tells.ShufflerFailed("red", "jam"), Order.RESHUFFLE, ("12(e)",)),
    (AUTOMATED, asks.Dispense, lambda t: tells.ShoeFailed("jam"), Order.VOID, ("12(f)",)),
    (AUTOMATED, asks.Dispense, lambda t: tells.StackDispensed(()), Order.VOID, ("12(f)",)),
    (AUTOMATED, asks.Dispense, lambda t: tells.StackDispensed(tuple(t.cards[:4])), Order.VOID, ("12(c)",)),
    (AUTOMATED, asks.Dispense, lambda t: tells.StackDispensed(tuple(t.cards[:2])), Order.VOID, ("12(c)",)),
    (
        AUTOMATED,
        asks.Dispense,
        lambda t: tells.StackDispensed(tuple(t.cards[:3]), (t.cards[1],)),
        Order.VOID,
        ("12(a)", "12(c)"),
    ),
    (
        AUTOMATED,
        asks.Dispense,
        lambda t: tells.StackDispensed(tuple(t.cards[:3]), tuple(t.cards[:2])),
        Order.VOID,
        ("12(a)",),
    ),
]


@pytest.mark.clause(GAME, "19:47-20.12(a)", "19:47-20.12(b)", "19:47-20.12(c)", "19:47-20.12(d)", "19:47-20.12(e)")
@pytest.mark.clause(GAME, "19:47-20.12(f)", "19:47-20.7(e)2", "19:47-20.7(f)")
@pytest.mark.parametrize(("way", "moment", "seen", "order", "rules"), IRREGULAR)
def test_what_goes_wrong_is_ruled_on_by_its_clause(felt, way, moment, seen, order, rules):
    table = felt(game, way)
    table.open(TWO)
    table.until(moment)
    (ruling,) = table.tell(seen(table))
    assert (ruling.order, ruling.rules, ruling.policy) == (order, tuple(of(number) for number in rules), False)
    result = table.finish()
    assert result.void is (order in (Order.VOID, Order.VOID_REMOVE_DECK))
    if result.void:
        assert {(s.seat, s.bet, s.outcome, s.net) for s in result.settlements} == {
            (2, "ante", "void", 0),
            (5, "ante", "void", 0),
            (5, "pair_plus", "void", 0),
        }
        assert result.rules == ruling.rules
    removed = order in (Order.REMOVE_DECK, Order.VOID_REMOVE_DECK)
    assert any(isinstance(ask, asks.ReplaceDeck) for ask in table.asked) is removed


def test_a_second_card_that_lies_face_up_voids_the_round(felt):
    table = felt(game, MANUAL)
    table.open(TWO)
    table.until(asks.DealCard)
    first = table.cards[0]
    table.tell(tells.CardDealt(first, face_up=True))
    table.step()
    (ruling,) = table.tell(tells.CardDealt(table.cards[0], face_up=True))
    assert (ruling.order, ruling.rules) == (Order.VOID, (of("12(a)"),))
    assert first not in [card for hand in table.finish().hands.values() for card in hand]


def test_a_card_drawn_in_error_is_the_next_card(felt):
    table = felt(game, MANUAL)
    table.open(TWO)
    table.until(asks.DealCard)
    drawn = table.cards[0]
    table.tell(tells.CardDrawnInError(drawn))
    assert table.refused(tells.CardDealt(table.cards[1])) == (of("12(b)"),)
    assert table.tell(tells.CardDealt(drawn)) == ()


def test_cards_at_a_wrong_place_leave_hands_with_a_wrong_number(felt):
    table = felt(game, MANUAL)
    table.open(TWO)
    table.until(asks.DealCard)
    (noted,) = table.tell(tells.CardDealt(table.cards[0], position=2))
    assert (noted.order, noted.policy) == (Order.STANDS, True)
    result = table.finish()
    assert (result.order, result.rules) == (Order.VOID, (of("12(c)"),))


def test_a_card_that_is_not_in_the_deck_removes_the_deck(felt):
    table = felt(game, MANUAL)
    table.open(TWO)
    table.until(asks.DealCard)
    card = table.cards[0]
    table.step()
    (ruling,) = table.round.tell(tells.CardDealt(card))
    assert (ruling.order, ruling.rules, ruling.policy) == (Order.VOID_REMOVE_DECK, (of("2(a)"),), True)


def test_after_a_jam_the_machine_is_cleared_and_the_deck_shuffled_again(felt):
    table = felt(game, MANUAL)
    table.open(TWO)
    table.until(asks.FinishShuffle)
    table.tell(tells.ShufflerFailed("red", "jam"))
    assert isinstance(table.ask, asks.ClearDevice)
    table.step()
    assert table.ask == asks.StartShuffle("red", "machine", (of("5(a)"),))


# What is refused


@pytest.mark.clause(GAME, "19:47-20.2(b)", "19:47-20.2(b)2", "19:47-20.8(b)1", "19:47-20.12(g)", "19:47-20.4(e)")
@pytest.mark.parametrize(
    ("house", "rule"),
    [
        (House(decks=("red", "blue"), machine_shuffle=False), "2(b)"),
        (House(decks=("red", "red")), "2(b)2"),
        (House(deal=Deal.HAND, machine_shuffle=False), "8(b)1"),
        (House(decks=("red", "blue", "green")), "2(a)"),
    ],
)
def test_a_table_that_the_rules_forbid_is_not_opened(house, rule):
    with pytest.raises(Illegal) as refusal:
        Table(game.procedure, game.Options(), house)
    assert refusal.value.rules == (of(rule),)


@pytest.mark.clause(GAME, "19:47-20.12(g)")
def test_a_device_leaves_the_table_before_another_method_is_used(felt):
    table = felt(game, AUTOMATED).table
    with pytest.raises(Illegal, match=r"shoe is still at the table") as refusal:
        table.change(game.Options(), House(deal=Deal.HAND))
    assert refusal.value.rules == (of("12(g)"),)
    table.remove_device("shoe")
    with pytest.raises(Illegal, match=r"shoe was removed"):
        table.open_round(TWO)
    table.change(game.Options(), House(deal=Deal.HAND))
    assert table.open_round(TWO).ask is not None


@pytest.mark.clause(GAME, "19:47-20.4(e)")
@pytest.mark.parametrize(("deal", "hours"), [("manual_shoe", 8), ("automated_shoe", 8), ("hand", 4)])
def test_cards_are_replaced_after_some_hours(felt, deal, hours):
    table = felt(game, Way({"deal": deal}))
    table.table.time_passes(hours - 0.1)
    table.open(TWO)
    table.finish()
    table.table.time_passes(0.1)
    with pytest.raises(Illegal) as refusal:
        table.open(TWO)
    assert refusal.value.rules == (of("4(e)"),)
    table.table.new_cards()
    table.open(TWO)


@pytest.mark.clause(
    GAME, "19:47-20.6(a)1", "19:47-20.6(a)2", "19:47-20.6(a)3", "19:47-20.6(b)", "19:47-20.1[Ante wager]"
)
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
        felt(game, MANUAL).open(wagers)
    assert refusal.value.rules == (of(rule),)


def test_a_decision_is_the_seats_own_and_one_of_two(felt):
    table = felt(game, MANUAL)
    table.open(TWO)
    ask = table.until(asks.Decide)
    assert (ask.seat, ask.choices) == (5, ("play", "fold"))
    assert table.refused(tells.Decided(5, "raise")) == (of("10(b)"),)
    assert not table.round.can(tells.Decided(2, "play"))
    assert not table.round.can(tells.Decided(5, "play", 500))


def test_hands_are_opened_in_their_order(felt):
    table = felt(game, MANUAL)
    table.open(TWO)
    table.until(asks.Expose)
    assert table.refused(tells.Exposed(2)) == (of("10(b)"),)
    assert not table.round.can(tells.Exposed(7))

"""What answers an ask and what does not, and what can be told at any moment: the same at every card table."""

from dataclasses import replace

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.cards import parse_all
from feltrig.engine.games import GAMES
from feltrig.engine.rulings import Illegal, Order, OutOfTurn
from feltrig.engine.table.house import DEALER, Deal, House
from feltrig.engine.table.table import Table
from feltrig.engine.table.wagers import Bet, check_bets, in_order
from feltrig.engine.table.ways import Way

WAGERS = {2: {"ante": 500}, 5: {"ante": 500}}
HELD = {2: {"ante": 500, "odds": 500}, 5: {"ante": 500, "odds": 500}}
SHOE = {2: {"wager": 500}, 5: {"wager": 500}}
BY_HAND = Way({"machine_shuffle": False, "shuffler_counts": False})
TWO_DECKS = Way({"decks": ["red", "blue"]})
AUTOMATED = Way({"deal": "automated_shoe"})


def at(felt, kind, way=None, game=GAMES["three_card_poker"], wagers=WAGERS):
    """A table whose round waits for this."""
    table = felt(game, way or Way())
    table.open(wagers)
    table.until(kind)
    return table


def out_of_turn(table, seen):
    """Whether this does not fit the moment, after a look that nothing has changed."""
    before = table.ask
    with pytest.raises(OutOfTurn):
        table.round.tell(seen)
    return table.ask == before and not table.round.can(seen)


@pytest.mark.parametrize(("way", "rule"), [(Way(), "19:47-20.2(a)"), (TWO_DECKS, "19:47-20.2(b)4")])
def test_only_the_deck_that_was_asked_for_is_shuffled_and_loaded(felt, way, rule):
    table = at(felt, asks.StartShuffle, way)
    for seen in (tells.ShuffleStarted("green"), tells.Shuffled("green", 52), tells.ShoeLoaded("green")):
        assert table.refused(seen) == (rule,)
        table.step()


def test_only_a_machine_that_works_on_the_deck_fails(felt):
    table = at(felt, asks.StartShuffle, TWO_DECKS)
    assert out_of_turn(table, tells.ShufflerFailed("blue", "jam"))
    (ruling,) = table.tell(tells.ShufflerFailed("red", "jam"))
    assert (ruling.order, ruling.device) == (Order.RESHUFFLE, "shuffler")
    assert table.ask.device == "shuffler"
    assert out_of_turn(table, tells.DeviceCleared("shoe"))
    table.step()
    assert isinstance(table.ask, asks.StartShuffle)
    for kind in (asks.StartShuffle, asks.FinishShuffle):
        assert out_of_turn(at(felt, kind, BY_HAND), tells.ShufflerFailed("red", "jam"))
    assert out_of_turn(at(felt, asks.LoadShoe), tells.ShoeFailed("jam"))
    assert out_of_turn(at(felt, asks.DealCard), tells.ShoeFailed("jam"))


def test_an_automated_shoe_that_fails_when_it_is_loaded_voids_the_round(felt):
    table = at(felt, asks.LoadShoe, AUTOMATED)
    (ruling,) = table.tell(tells.ShoeFailed("jam"))
    assert (ruling.order, ruling.device) == (Order.VOID, "shoe")
    assert table.ask == asks.ClearDevice("shoe", ruling.rules)
    assert table.finish().void


@pytest.mark.parametrize(("count", "whole"), [(None, True), (52, True), (51, False), (53, False)])
def test_a_deck_that_is_collected_short_is_replaced_and_the_settlement_stands(felt, count, whole):
    table = at(felt, asks.CollectCards)
    assert out_of_turn(table, tells.CardsCollected("blue", count))
    rulings = table.tell(tells.CardsCollected("red", count))
    assert [ruling.order for ruling in rulings] == ([] if whole else [Order.REMOVE_DECK])
    if not whole:
        assert isinstance(table.ask, asks.ReplaceDeck)
        assert out_of_turn(table, tells.DeckReplaced("blue"))
        table.step()
    assert table.ask is None
    assert not table.result.void


def test_a_shoe_is_not_counted_when_the_cards_of_a_round_are_collected(felt):
    table = at(felt, asks.CollectCards, BY_HAND, GAMES["blackjack"], SHOE)
    assert table.ask.keep
    assert table.tell(tells.CardsCollected("red", 9)) == ()
    assert table.ask is None


@pytest.mark.parametrize("change", ["none", "one less", "another", "twice"])
def test_a_stub_of_other_cards_than_those_left_voids_the_round_and_removes_the_deck(felt, change):
    table = at(felt, asks.RackStub)
    left, dealt = tuple(table.cards), table.round._play.hand(DEALER)
    stub = {"none": left, "one less": left[1:], "another": (dealt[0], *left[1:]), "twice": (left[1], *left[1:])}
    rulings = table.tell(tells.StubRacked(None, stub[change]))
    assert [ruling.order for ruling in rulings] == ([] if change == "none" else [Order.VOID_REMOVE_DECK])
    assert table.finish().void is (change != "none")


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


def test_a_card_can_be_exposed_while_it_lies_face_down_somewhere(felt):
    table = at(felt, asks.Decide)
    held = table.round._play.hand(2)
    for seen, fits in (
        (tells.CardExposed(2), True),
        (tells.CardExposed(2, held[0]), True),
        (tells.CardExposed(5, held[0]), False),
        (tells.CardExposed(DEALER), True),
        (tells.CardExposed(3), False),
        (tells.CardExposed(None, area="hole"), False),
    ):
        assert table.round.can(seen) is fits
    (ruling,) = table.tell(tells.CardExposed(2))
    assert (ruling.order, ruling.position) == (Order.STANDS, 2)
    table.until(asks.CollectCards)
    assert out_of_turn(table, tells.CardExposed(DEALER))
    early = at(felt, asks.CallNoMoreBets)
    assert out_of_turn(early, tells.CardExposed(2))


def test_cards_are_drawn_in_error_from_a_loaded_shoe_only_and_none_twice(felt):
    table = felt(GAMES["three_card_poker"], Way())
    table.open(WAGERS)
    while not isinstance(table.ask, asks.CallNoMoreBets):
        assert not table.round.can(tells.CardDrawnInError(7))
        table.step()
    first, second = table.cards[:2]
    table.tell(tells.CardDrawnInError(first))
    (ruling,) = table.tell(tells.CardDrawnInError(second))
    assert ruling.order is Order.USE_AS_NEXT
    table.step()
    for card in (first, second):
        other = table.cards[3]
        assert table.refused(tells.CardDealt(other)) == ruling.rules
        assert table.tell(tells.CardDealt(card)) == ()
    assert table.round.can(tells.CardDealt(table.cards[1]))
    twice = at(felt, asks.CallNoMoreBets)
    twice.tell(tells.CardDrawnInError(7))
    (ruling,) = twice.tell(tells.CardDrawnInError(7))
    assert ruling.order is Order.VOID_REMOVE_DECK
    assert not twice.round.can(tells.CardDrawnInError(8)), "the round is void"


def test_dealers_change_before_the_first_card_and_burn_one_of_a_shoe(felt):
    table = felt(GAMES["blackjack"], BY_HAND)
    burned = []
    for number in range(3):
        table.open(SHOE)
        if number == 2:
            assert table.tell(tells.DealerChanged()) == ()
        table.until(asks.Decide)
        assert out_of_turn(table, tells.DealerChanged())
        table.finish()
        burned.append(sum(isinstance(ask, asks.Burn) for ask in table.asked))
    assert burned == [1, 0, 0]
    table.open(SHOE)
    table.finish()
    assert sum(isinstance(ask, asks.Burn) for ask in table.asked) == 1, "the change was told after the burn was due"


def test_the_cutting_card_is_seen_once_and_in_a_shoe_only(felt):
    table = at(felt, asks.DealCard, BY_HAND, GAMES["blackjack"], SHOE)
    (ruling,) = table.tell(tells.CuttingCardSeen())
    assert ruling.order is Order.LAST_ROUND
    assert out_of_turn(table, tells.CuttingCardSeen())
    assert out_of_turn(at(felt, asks.DealCard), tells.CuttingCardSeen())


def test_a_bet_is_changed_withdrawn_or_added_until_the_call(felt):
    table = at(felt, asks.StartShuffle)
    table.tell(tells.BetPlaced(2, "ante", 0))
    table.tell(tells.BetPlaced(5, "ante", 900))
    table.tell(tells.BetPlaced(6, "pair_plus", 700))
    assert table.round.can(tells.BetPlaced(7, "ante", 500))
    with pytest.raises(Illegal, match="seat 8"):
        table.round.tell(tells.BetPlaced(8, "ante", 500))
    result = table.finish()
    staked = {(row.seat, row.bet): row.stake for row in result.settlements if row.bet in ("ante", "pair_plus")}
    assert staked == {(5, "ante"): 900, (6, "pair_plus"): 700}


def test_nothing_happens_to_a_table_while_a_round_is_open(felt):
    table = at(felt, asks.Decide)
    own = table.table
    for forbidden in (
        own.idle,
        own.reshuffle,
        own.new_dice,
        own.new_cards,
        lambda: own.remove_device("shuffler"),
        lambda: own.change(own.options, own.house),
        lambda: own.open_round(WAGERS),
    ):
        with pytest.raises(OutOfTurn, match="a round is open"):
            forbidden()
    table.finish()
    own.change(own.options, own.house)
    assert (own.devices, own.deck, own.button) == ({"shuffler"}, "red", DEALER)
    with pytest.raises(ValueError, match="device 'shoe': expected one of shuffler"):
        own.remove_device("shoe")


def test_a_shoe_is_shuffled_before_the_next_round_when_the_house_wants(felt):
    table = felt(GAMES["blackjack"], BY_HAND)
    shuffles = []
    for number in range(3):
        if number == 2:
            table.table.reshuffle()
        table.open(SHOE)
        table.finish()
        shuffles.append(sum(isinstance(ask, asks.StartShuffle) for ask in table.asked))
    assert shuffles == [1, 0, 1]


def test_other_decks_are_washed_and_what_lay_in_the_shuffler_is_shuffled_by_hand():
    game = GAMES["three_card_poker"]
    table = Table(game.procedure, game.options(), House(decks=("red", "blue")))
    table.change(table.options, House(decks=("green",)))
    assert table.deck == "green"
    table.remove_device("shuffler")
    table.change(table.options, House(decks=("green",), machine_shuffle=False))
    game = table.open_round(WAGERS)
    assert game.ask == asks.StartShuffle("green", "hand", game.ask.rules)
    assert House(deal=Deal.AUTOMATED_SHOE).devices == {"shuffler", "shoe"}
    assert House(machine_shuffle=False).devices == set()


def test_a_misplaced_card_lies_where_it_was_seen(felt):
    table = at(felt, asks.DealCard)
    assert table.ask.position == 5
    card = table.cards[0]
    (ruling,) = table.tell(tells.CardDealt(card, position=2))
    assert (ruling.order, ruling.position, ruling.policy) == (Order.STANDS, 2, True)
    assert (table.round._play.hand(2), table.round._play.hand(5)) == ((card,), ())
    assert table.tell(tells.CardDealt(table.cards[0], position=table.ask.position)) == (), "as it was asked for"


def test_a_misplaced_stack_lies_where_it_was_seen(felt):
    table = at(felt, asks.Dispense, AUTOMATED)
    place, size = table.ask.position, table.ask.size
    cards = tuple(table.cards[:size])
    (ruling,) = table.tell(tells.StackDispensed(cards, position=DEALER if place else 5))
    assert ruling.order is Order.STANDS
    assert table.round._play.hand(DEALER if place else 5) == cards
    assert table.round._play.hand(place) == ()


def test_a_burned_card_comes_from_the_shoe_and_may_be_the_one_that_was_drawn_in_error(felt):
    table = at(felt, asks.Burn, BY_HAND, GAMES["fast_action_holdem"], SHOE)
    card = table.cards[0]
    table.tell(tells.CardDrawnInError(card))
    left = table.round._play.left
    assert table.tell(tells.CardBurned(card)) == ()
    assert (table.round._play.left, table.round._play.discarded) == (left - 1, [card])
    table.until(asks.DealCard)
    assert table.tell(tells.CardDealt(table.cards[0])) == (), "no card is waiting any more"
    strange = at(felt, asks.Burn, BY_HAND, GAMES["fast_action_holdem"], SHOE)
    (ruling,) = strange.tell(tells.CardBurned(52))
    assert (ruling.order, strange.finish().void) == (Order.VOID_REMOVE_DECK, True)


def test_a_shoe_of_other_decks_is_shuffled_first(felt):
    table = felt(GAMES["blackjack"], BY_HAND)
    table.open(SHOE)
    table.finish()
    house = replace(table.table.house, decks=("green",))
    table.table.change(table.table.options, house)
    table.open(SHOE)
    assert table.ask == asks.StartShuffle("green", "hand", table.ask.rules)


BETS = (
    Bet("main", ("1",), required=True),
    Bet("same", ("2",), equals="main"),
    Bet("dollar", ("3",), fixed=100),
    Bet("small", ("4",), minimum=200, maximum=300),
    Bet("side", ("5",), needs=("same", "small")),
)


@pytest.mark.parametrize(
    ("staked", "rules"),
    [
        ({"main": 500}, None),
        ({"main": 900}, None),
        ({"main": 499}, ("1",)),
        ({"main": 901}, ("1",)),
        ({"main": 0, "dollar": 100}, ("1",)),
        ({}, ("all",)),
        ({"main": 0}, ("all",)),
        ({"main": 500, "other": 500}, ("all",)),
        ({"main": 500, "same": 500}, None),
        ({"main": 500, "same": 600}, ("2",)),
        ({"main": 500, "dollar": 100}, None),
        ({"main": 500, "dollar": 99}, ("3",)),
        ({"main": 500, "dollar": 101}, ("3",)),
        ({"main": 500, "small": 200}, None),
        ({"main": 500, "small": 199}, ("4",)),
        ({"main": 500, "small": 300}, None),
        ({"main": 500, "small": 301}, ("4",)),
        ({"main": 500, "side": 500}, ("5",)),
        ({"main": 500, "small": 200, "side": 500}, None),
        ({"main": 500, "same": 500, "side": 500}, None),
    ],
)
def test_a_bet_is_refused_by_its_own_rule(staked, rules):
    house = House(table_minimum=500, table_maximum=900)
    if rules is None:
        check_bets(BETS, house, 7, ("all",), {1: staked})
        return
    with pytest.raises(Illegal) as refusal:
        check_bets(BETS, house, 7, ("all",), {1: staked})
    assert refusal.value.rules == rules


def test_the_bets_of_a_seat_are_settled_in_one_order_however_they_were_told():
    assert list(in_order({"side": 5, "main": 3, "dollar": 0}).items()) == [("main", 3), ("side", 5)]

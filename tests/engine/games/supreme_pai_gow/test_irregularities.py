"""Every irregularity of 34.16 and its like, by clause: what is ordered, by which rules, and how the round goes on."""

from itertools import combinations

import pytest
from supreme_pai_gow_table import Options, Wager

from feltrig.engine import asks, tells
from feltrig.engine.cards import Card
from feltrig.engine.games import GAMES
from feltrig.engine.games.supreme_pai_gow.irregularities import TABLE
from feltrig.engine.games.supreme_pai_gow.options import Start
from feltrig.engine.games.supreme_pai_gow.ranking import set_fault
from feltrig.engine.rulings import Order
from feltrig.engine.table.house import Deal
from feltrig.engine.table.result import Outcome

FLAT = (True, True, True)
WAGERS = {1: Wager(1000, 100), 3: Wager(2000)}


def ordered(rulings):
    """The orders and their rules."""
    return [(ruling.order, ruling.rules) for ruling in rulings]


@pytest.fixture
def at(fair_dealer):
    """A round played up to the nth ask of a kind: `dealer, game = at(asks.Dispense, 2, deal=...)`."""

    def play(kind, nth=1, bank=None, wagers=WAGERS, **options):
        dealer = fair_dealer(Options(banking=bank is not None, **options), seed=7)
        if bank is not None:
            dealer.play(wagers)
            dealer.takes_bank = lambda seat: seat == bank
        game = dealer.open(wagers)
        dealer.until(game, kind, nth)
        return dealer, game

    return play


def voided(dealer, game, order, rules, clearing=("CollectCards",)):
    """Check that only these asks are left, that the result is void and that every wager comes back."""
    dealer.asked = []
    result = dealer.finish(game)
    assert tuple(type(ask).__name__ for ask in dealer.asked) == clearing
    assert (result.void, result.order, result.rules) == (True, order, rules)
    assert result.bank is None
    assert {seat.outcome for seat in result.settlements} == {Outcome.VOID}
    assert [(seat.main_net, seat.bonus_net) for seat in result.settlements] == [(0, 0)] * len(result.settlements)
    return result


def test_every_row_cites_a_clause_of_the_register():
    rules = {rule for rows in TABLE.values() for row in rows if not callable(row.rules) for rule in row.rules}
    assert rules <= GAMES["supreme_pai_gow"].clauses.keys()
    assert {f"34.16({letter})" for letter in "abcdefghiklmn"} <= rules


# The starting position


@pytest.mark.clause("supreme_pai_gow", "34.16(a)")
def test_34_16_a_die_not_flat_is_no_roll(at):
    dealer, game = at(asks.ShakeDice, start=Start.DICE)
    rulings = game.tell(tells.DiceRolled((1, 2, 3), (True, False, True), 3))
    assert ordered(rulings) == [(Order.NO_ROLL, ("34.16(a)",))]
    assert rulings[0].device == "shaker"
    assert isinstance(game.ask, asks.ShakeDice)
    assert not dealer.finish(game).void


@pytest.mark.clause("supreme_pai_gow", "34.4(a)1i")
@pytest.mark.clause("supreme_pai_gow", "34.16(b)")
def test_34_16_b_die_out_of_the_shaker_is_no_roll_as_often_as_it_happens(at):
    dealer, game = at(asks.ShakeDice, start=Start.DICE)
    for _ in range(3):
        assert ordered(game.tell(tells.DiceRolled((5, 6), FLAT[:2], 3))) == [(Order.NO_ROLL, ("34.16(b)",))]
    assert not dealer.finish(game).void


@pytest.mark.clause("supreme_pai_gow", "19:46-1.13W(d)1")
@pytest.mark.parametrize("dice", [(0, 3, 4), (7, 1, 1), (1, 2, 3, 4)])
def test_what_cannot_be_three_dice_is_no_roll_by_policy(at, dice):
    _, game = at(asks.ShakeDice, start=Start.DICE)
    (ruling,) = game.tell(tells.DiceRolled(dice, (True,) * len(dice), 3))
    assert (ruling.order, ruling.policy) == (Order.NO_ROLL, True)


@pytest.mark.clause("supreme_pai_gow", "34.11(b)")
def test_34_11_b_fewer_than_three_shakes_is_reshaken(at):
    _, game = at(asks.ShakeDice, start=Start.DICE)
    assert ordered(game.tell(tells.DiceRolled((1, 2, 3), FLAT, 2))) == [(Order.RESHAKE, ("34.11(b)",))]
    assert isinstance(game.ask, asks.ShakeDice)


@pytest.mark.clause("supreme_pai_gow", "34.13(h)1", "34.13(i)2", "34.13(j)1")
@pytest.mark.parametrize(
    ("deal", "rule"),
    [(Deal.MANUAL_SHOE, "34.13(h)1"), (Deal.HAND, "34.13(i)2"), (Deal.AUTOMATED_SHOE, "34.13(j)1")],
)
def test_34_13_bank_that_lifts_the_lid_shakes_again(at, deal, rule):
    dealer, game = at(asks.ShakeDice, bank=3, start=Start.DICE, deal=deal)
    assert ordered(game.tell(tells.DiceRolled((1, 2, 3), FLAT, 3, "bank"))) == [(Order.RESHAKE, (rule,))]
    assert game.ask.by == "bank"
    assert not dealer.finish(game).void


@pytest.mark.clause("supreme_pai_gow", "34.11(b)1")
def test_lid_lifted_by_another_hand_without_a_bank_is_policy(at):
    _, game = at(asks.ShakeDice, start=Start.DICE)
    (ruling,) = game.tell(tells.DiceRolled((), (), 3, "hand"))
    assert (ruling.order, ruling.rules, ruling.policy) == (Order.RESHAKE, ("34.11(b)1",), True)


@pytest.mark.clause("supreme_pai_gow", "34.11(c)")
@pytest.mark.parametrize("number", [0, 8, -1, 255])
def test_number_out_of_range_is_selected_again_by_policy(at, number):
    dealer, game = at(asks.SelectNumber, start=Start.RNG)
    (ruling,) = game.tell(tells.NumberSelected(number))
    assert (ruling.order, ruling.rules, ruling.device, ruling.policy) == (
        Order.SELECT_AGAIN,
        ("34.11(c)",),
        "rng",
        True,
    )
    assert not dealer.finish(game).void


@pytest.mark.clause("supreme_pai_gow", "34.11(d)")
def test_button_at_a_wrong_position_is_moved_by_policy(at):
    dealer, game = at(asks.ReadButton, start=Start.BUTTON)
    (ruling,) = game.tell(tells.ButtonSeen(4))
    assert (ruling.order, ruling.rules, ruling.policy) == (Order.MOVE_BUTTON, ("34.11(d)",), True)
    assert dealer.finish(game).start == 0


FIRST_CARDS = {Deal.MANUAL_SHOE: asks.DealCard, Deal.HAND: asks.DeliverStack, Deal.AUTOMATED_SHOE: asks.Dispense}


def elsewhere(dealer, game, position):
    """What is asked for, done at another position."""
    match dealer.answer(game.ask):
        case tells.CardDealt(card=card):
            return tells.CardDealt(card, position=position)
        case tells.StackDelivered(stack=stack):
            return tells.StackDelivered(stack, position)
        case tells.StackDispensed(cards=cards):
            return tells.StackDispensed(cards, position=position)


@pytest.mark.clause("supreme_pai_gow", "34.16(c)", "34.11(b)1")
@pytest.mark.parametrize("deal", Deal)
def test_34_16_c_wrong_total_and_wrong_first_position_voids(at, deal):
    dealer, game = at(asks.ShakeDice, start=Start.DICE, deal=deal)
    game.tell(tells.DiceRolled((1, 1, 1), FLAT, 3, "dealer", announced=4))
    dealer.until(game, FIRST_CARDS[deal])
    assert game.ask.position == 2
    assert ordered(game.tell(elsewhere(dealer, game, 3))) == [(Order.VOID, ("34.16(c)",))]
    voided(dealer, game, Order.VOID, ("34.16(c)",))


@pytest.mark.clause("supreme_pai_gow", "34.16(c)")
@pytest.mark.parametrize("deal", Deal)
def test_34_16_c_needs_both_a_wrong_total_and_a_wrong_position(at, deal):
    dealer, game = at(asks.ShakeDice, start=Start.DICE, deal=deal)
    game.tell(tells.DiceRolled((1, 1, 1), FLAT, 3, "dealer", announced=10))
    assert not dealer.finish(game).void

    dealer, game = at(asks.ShakeDice, start=Start.DICE, deal=deal)
    game.tell(tells.DiceRolled((1, 1, 1), FLAT, 3, "dealer", announced=3))
    dealer.until(game, FIRST_CARDS[deal])
    (ruling,) = game.tell(elsewhere(dealer, game, 3))
    assert (ruling.order, ruling.policy) == (Order.STANDS, True)


def test_cards_dealt_from_a_wrong_start_are_noted_when_every_hand_is_complete(at):
    dealer, game = at(asks.Dispense, start=Start.RNG)
    first = game.ask.position
    order = [(first - 1 - step) % 7 for step in range(7)]
    for position in order:
        game.tell(elsewhere(dealer, game, position))
    result = dealer.finish(game)
    assert not result.void
    assert {ruling.order for ruling in result.rulings} == {Order.STANDS}


@pytest.mark.clause("supreme_pai_gow", "34.11(b)4")
def test_shaker_put_aside_without_a_shake_is_asked_for_again(at):
    _, game = at(asks.ParkShaker, start=Start.DICE)
    assert ordered(game.tell(tells.ShakerParked(0))) == [(Order.RESHAKE, ("34.11(b)4",))]
    assert isinstance(game.ask, asks.ParkShaker)


# Exposed cards


@pytest.mark.clause("supreme_pai_gow", "34.16(d)")
def test_34_16_d_player_with_an_exposed_card_may_void(at):
    dealer, game = at(asks.DealCard, deal=Deal.MANUAL_SHOE)
    while game.ask.position != 1:
        dealer.step(game)
    assert ordered(game.tell(tells.CardDealt(dealer.cards.pop(0), exposed=True))) == [(Order.OFFER_VOID, ("34.16(d)",))]
    assert game.ask == asks.DecideExposed(1, ("34.16(d)",))
    game.tell(tells.HandVoided(1))
    result = dealer.finish(game)
    assert not result.void
    first = result.settlements[0]
    assert (first.outcome, first.main_net, first.bonus_net, first.rules) == (Outcome.VOID, 0, 0, ("34.16(d)",))
    assert 1 not in [ask.position for ask in dealer.asked if isinstance(ask, asks.Expose | asks.SetHands)]


@pytest.mark.clause("supreme_pai_gow", "34.16(d)")
def test_34_16_d_player_may_play_on(at):
    dealer, game = at(asks.SetHands)
    game.tell(tells.CardExposed(3))
    assert game.ask.seat == 3
    game.tell(tells.PlayedOn(3))
    assert dealer.finish(game).settlements[1].outcome is not Outcome.VOID


@pytest.mark.clause("supreme_pai_gow", "34.16(d)")
def test_34_16_d_is_over_when_the_hands_are_set(at):
    dealer, game = at(asks.SetHands)
    dealer.step(game)
    (ruling,) = game.tell(tells.CardExposed(1))
    assert (ruling.order, ruling.policy) == (Order.STANDS, True)


def test_a_card_exposed_where_nobody_plays_has_no_consequence(at):
    dealer, game = at(asks.CollectUnbet)
    assert game.tell(tells.CardExposed(5)) == ()
    assert not dealer.finish(game).void


@pytest.mark.clause("supreme_pai_gow", "34.16(e)")
def test_34_16_e_exposed_dealer_card_voids_but_settles_the_bonus(at):
    dealer, game = at(asks.SetHands)
    assert ordered(game.tell(tells.CardExposed(0))) == [(Order.VOID_KEEP_BONUS, ("34.16(e)",))]
    dealer.asked = []
    result = dealer.finish(game)
    assert [type(ask).__name__ for ask in dealer.asked] == ["Expose", "CollectCards"]
    assert (result.void, result.order) == (True, Order.VOID_KEEP_BONUS)
    first, second = result.settlements
    assert (first.outcome, first.main_net) == (Outcome.VOID, 0)
    assert first.bonus_net == -100 or first.bonus_category is not None
    assert (second.main_net, second.bonus_net) == (0, 0)


@pytest.mark.clause("supreme_pai_gow", "34.16(e)")
def test_34_16_e_in_the_middle_of_the_deal_completes_the_hands_for_the_bonus(at):
    dealer, game = at(asks.DealCard, deal=Deal.MANUAL_SHOE)
    while game.ask.position != 0:
        dealer.step(game)
    game.tell(tells.CardDealt(dealer.cards.pop(0), exposed=True))
    result = dealer.finish(game)
    assert result.order is Order.VOID_KEEP_BONUS
    assert all(len(hand) == 4 for hand in result.hands.values())
    assert result.settlements[0].bonus_net != 0


@pytest.mark.clause("supreme_pai_gow", "34.16(e)")
def test_34_16_e_without_a_bonus_wager_ends_at_once(at):
    dealer, game = at(asks.SetHands, wagers={3: Wager(1000)})
    game.tell(tells.CardExposed(0))
    voided(dealer, game, Order.VOID_KEEP_BONUS, ("34.16(e)",))


@pytest.mark.clause("supreme_pai_gow", "34.16(e)")
def test_34_16_e_applies_to_the_bank(at):
    _, game = at(asks.SetHands, bank=3)
    assert ordered(game.tell(tells.CardExposed(3))) == [(Order.VOID_KEEP_BONUS, ("34.16(e)",))]


# Cards


@pytest.mark.clause("supreme_pai_gow", "34.16(f)")
@pytest.mark.parametrize("deal", [Deal.MANUAL_SHOE, Deal.HAND])
def test_34_16_f_one_card_face_up_is_discarded_and_the_stub_is_one_less(at, deal):
    dealer, game = at(asks.DealCard, 5, deal=deal, shuffler_counts=False)
    before = game.ask
    assert ordered(game.tell(tells.CardDealt(dealer.cards.pop(0), face_up=True))) == [
        (Order.DISCARD_CARD, ("34.16(f)",))
    ]
    assert game.ask == before
    assert dealer.until(game, asks.RackStub).expect == 25
    assert game.tell(tells.StubRacked(25, tuple(dealer.cards))) == ()
    assert not dealer.finish(game).void


@pytest.mark.clause("supreme_pai_gow", "34.16(f)")
@pytest.mark.parametrize("deal", [Deal.MANUAL_SHOE, Deal.HAND])
def test_34_16_f_two_cards_face_up_void(at, deal):
    dealer, game = at(asks.DealCard, 5, deal=deal)
    game.tell(tells.CardDealt(dealer.cards.pop(0), face_up=True))
    dealer.step(game)
    assert ordered(game.tell(tells.CardDealt(dealer.cards.pop(0), face_up=True))) == [(Order.VOID, ("34.16(f)",))]
    voided(dealer, game, Order.VOID, ("34.16(f)",))


@pytest.mark.clause("supreme_pai_gow", "34.16(f)", "34.16(h)")
def test_34_16_f_card_face_up_in_a_stack_leaves_a_hand_of_three(at):
    dealer, game = at(asks.Dispense, 3)
    cards = tuple(dealer.cards[:4])
    rules = ("34.16(f)", "34.16(h)")
    assert ordered(game.tell(tells.StackDispensed(cards, cards[1:2]))) == [(Order.VOID, rules)]
    voided(dealer, game, Order.VOID, rules)


@pytest.mark.clause("supreme_pai_gow", "34.16(f)")
def test_34_16_f_two_cards_face_up_in_a_stack_void(at):
    dealer, game = at(asks.Dispense, 3)
    cards = tuple(dealer.cards[:4])
    assert ordered(game.tell(tells.StackDispensed(cards, cards[:2]))) == [(Order.VOID, ("34.16(f)",))]


@pytest.mark.clause("supreme_pai_gow", "34.16(g)")
def test_34_16_g_card_drawn_in_error_is_the_next_card(at):
    dealer, game = at(asks.DealCard, 2, deal=Deal.MANUAL_SHOE)
    assert ordered(game.tell(tells.CardDrawnInError(dealer.cards[0]))) == [(Order.USE_AS_NEXT, ("34.16(g)",))]
    assert not dealer.finish(game).void


@pytest.mark.clause("supreme_pai_gow", "34.16(h)")
@pytest.mark.parametrize("size", [1, 3, 5])
def test_34_16_h_stack_of_another_size_voids(at, size):
    dealer, game = at(asks.Dispense, 2)
    (ruling,) = game.tell(tells.StackDispensed(tuple(dealer.cards[:size])))
    assert (ruling.order, ruling.rules, ruling.device) == (Order.VOID, ("34.16(h)",), "shoe")
    voided(dealer, game, Order.VOID, ("34.16(h)",))


@pytest.mark.clause("supreme_pai_gow", "34.16(h)")
def test_34_16_h_a_fifth_card_voids(at):
    dealer, game = at(asks.DealCard, deal=Deal.MANUAL_SHOE, start=Start.RNG)
    for _ in range(4):
        game.tell(elsewhere(dealer, game, 5))
    assert ordered(game.tell(elsewhere(dealer, game, 5))) == [(Order.VOID, ("34.16(h)",))]
    voided(dealer, game, Order.VOID, ("34.16(h)",))


@pytest.mark.clause("supreme_pai_gow", "34.16(h)")
@pytest.mark.parametrize("deal", [Deal.HAND, Deal.AUTOMATED_SHOE])
def test_34_16_h_two_stacks_at_one_position_void(at, deal):
    dealer, game = at(FIRST_CARDS[deal], deal=deal)
    first = game.ask.position
    dealer.step(game)
    assert ordered(game.tell(elsewhere(dealer, game, first))) == [(Order.VOID, ("34.16(h)",))]
    voided(dealer, game, Order.VOID, ("34.16(h)",))


@pytest.mark.clause("supreme_pai_gow", "34.16(k)")
@pytest.mark.parametrize("by_machine", [True, False])
def test_34_16_k_card_exposed_on_a_stack_is_reshuffled_and_the_round_goes_on(at, by_machine):
    dealer, game = at(asks.DealCard, 9, deal=Deal.HAND, machine_shuffle=by_machine)
    assert ordered(game.tell(tells.CardDealt(dealer.cards.pop(0), exposed=True))) == [(Order.RESHUFFLE, ("34.16(k)",))]
    assert isinstance(game.ask, asks.StartShuffle)
    dealer.asked = []
    result = dealer.finish(game)
    assert not result.void
    assert sum(isinstance(ask, asks.DealCard) for ask in dealer.asked) == 28
    assert any(isinstance(ask, asks.Cut) for ask in dealer.asked) is not by_machine
    assert not any(isinstance(ask, asks.CallNoMoreBets) for ask in dealer.asked)


@pytest.mark.clause("supreme_pai_gow", "34.16(l)")
def test_34_16_l_card_on_a_wrong_stack_is_reshuffled(at):
    dealer, game = at(asks.DealCard, 8, deal=Deal.HAND)
    assert game.ask.stack == 7
    assert ordered(game.tell(tells.CardDealt(dealer.cards.pop(0), stack=1))) == [(Order.RESHUFFLE, ("34.16(l)",))]
    assert not dealer.finish(game).void


@pytest.mark.clause("supreme_pai_gow", "34.16(k)")
def test_34_16_k_with_two_decks_the_shuffler_finishes_the_other_deck_first(at):
    dealer, game = at(asks.DealCard, 3, deal=Deal.HAND, decks=("red", "blue"))
    game.tell(tells.CardDealt(dealer.cards.pop(0), exposed=True))
    dealer.asked = []
    dealer.finish(game)
    shuffles = [ask for ask in dealer.asked if isinstance(ask, asks.StartShuffle | asks.FinishShuffle)]
    assert [(type(ask).__name__, ask.deck) for ask in shuffles] == [
        ("FinishShuffle", "blue"),
        ("StartShuffle", "red"),
        ("FinishShuffle", "red"),
    ]
    dealer.play()
    assert not any(isinstance(ask, asks.FinishShuffle) for ask in dealer.asked)


# Hands


@pytest.mark.clause("supreme_pai_gow", "34.16(i)")
def test_34_16_i_dealer_resets_by_the_house_way(at):
    dealer, game = at(asks.SetHands, 3)
    way = dealer.options.house_way.set(game.ask.cards)
    wrong = tells.HandSet(0, tuple(way.low), tuple(way.high))
    assert ordered(game.tell(wrong)) == [(Order.RESET_HANDS, ("34.16(i)",))]
    assert (game.ask.position, game.ask.house_way) == (0, True)
    assert not dealer.finish(game).void


def splits(cards):
    """Every way to make two hands of two cards, the high hand first."""
    return [(high, tuple(card for card in cards if card not in high)) for high in combinations(cards, 2)]


def foul_split(cards):
    """A split whose high hand ranks below its low hand."""
    return next(split for split in splits(cards) if set_fault(*split) == "34.12(g)2")


def fair_splits(cards):
    """The splits that no rule forbids."""
    return [split for split in splits(cards) if set_fault(*split) is None]


@pytest.mark.clause("supreme_pai_gow", "34.16(j)")
def test_34_16_j_bank_that_sets_foul_does_not_lose_but_is_reset(at):
    dealer, game = at(asks.SetHands, bank=3)
    while game.ask.position != 3:
        dealer.step(game)
    assert not game.ask.house_way
    foul = tells.HandSet(3, game.ask.cards[:3], game.ask.cards[3:])
    assert ordered(game.tell(foul)) == [(Order.RESET_HANDS, ("34.16(j)",))]
    assert (game.ask.position, game.ask.house_way, game.ask.rules) == (3, True, ("34.16(j)", "34.12(d)"))
    assert ordered(game.tell(foul)) == [(Order.RESET_HANDS, ("34.16(j)",))]
    assert not dealer.finish(game).void


@pytest.mark.clause("supreme_pai_gow", "34.13(e)", "34.16(j)")
def test_co_bank_not_set_by_the_house_way_is_reset(at):
    dealer, game = at(asks.OfferBank, bank=3, co_banking=True, wagers={3: Wager(1000), 4: Wager(1000)})
    dealer.co_banks = True
    dealer.until(game, asks.SetHands, 2)
    wrong = tells.HandSet(3, game.ask.cards[:1], game.ask.cards[1:])
    assert ordered(game.tell(wrong)) == [(Order.RESET_HANDS, ("34.16(j)", "34.13(e)"))]
    assert not dealer.finish(game).void


def test_a_co_bank_set_fairly_but_not_by_the_house_way_is_reset(at):
    dealer, game = at(asks.OfferBank, bank=3, co_banking=True, wagers={3: Wager(1000), 4: Wager(1000)})
    dealer.co_banks = True
    dealer.until(game, asks.SetHands, 2)
    house_way = dealer.answer(game.ask)
    other = next(split for split in fair_splits(game.ask.cards) if set(split[0]) != set(house_way.high))
    assert ordered(game.tell(tells.HandSet(3, *other))) == [(Order.RESET_HANDS, ("34.16(j)", "34.13(e)"))]


@pytest.mark.clause("supreme_pai_gow", "34.12(g)2")
def test_34_12_g_2_foul_hands_lose(at):
    dealer, game = at(asks.SetHands)
    assert ordered(game.tell(tells.HandSet(1, *foul_split(game.ask.cards)))) == [(Order.WAGER_LOSES, ("34.12(g)2",))]
    seat = dealer.finish(game).settlements[0]
    assert (seat.outcome, seat.main_net) == (Outcome.LOSE, -1000)
    assert "34.12(g)2" in seat.rules


@pytest.mark.clause("supreme_pai_gow", "34.12(g)3")
def test_34_12_g_3_three_and_one_cards_lose(at):
    dealer, game = at(asks.SetHands)
    cards = game.ask.cards
    assert ordered(game.tell(tells.HandSet(1, cards[:3], cards[3:]))) == [(Order.WAGER_LOSES, ("34.12(g)3",))]
    assert dealer.finish(game).settlements[0].outcome is Outcome.LOSE


# Devices and decks


@pytest.mark.clause("supreme_pai_gow", "34.16(m)")
@pytest.mark.parametrize("kind", [asks.StartShuffle, asks.FinishShuffle])
def test_34_16_m_shuffler_failure_is_cleared_and_the_deck_shuffled_again(at, kind):
    dealer, game = at(kind)
    (ruling,) = game.tell(tells.ShufflerFailed("red", "jam"))
    assert (ruling.order, ruling.rules, ruling.device) == (Order.RESHUFFLE, ("34.16(m)",), "shuffler")
    assert game.ask == asks.ClearDevice("shuffler", ("34.16(m)",))
    game.tell(tells.DeviceCleared("shuffler"))
    assert isinstance(game.ask, asks.StartShuffle)
    assert not dealer.finish(game).void


@pytest.mark.clause("supreme_pai_gow", "34.2(b)3", "34.16(m)")
def test_34_16_m_failure_on_the_other_deck_does_not_void_the_round_in_play(at):
    dealer, game = at(asks.Dispense, 4, decks=("red", "blue"))
    game.tell(tells.ShufflerFailed("blue", "jam"))
    assert isinstance(game.ask, asks.ClearDevice)
    dealer.step(game)
    assert game.ask == asks.StartShuffle("blue", "machine", ("34.2(b)3",))
    dealer.step(game)
    assert (game.ask.number, game.ask.size) == (4, 4)
    assert not dealer.finish(game).void


@pytest.mark.clause("supreme_pai_gow", "34.16(n)")
@pytest.mark.parametrize(
    ("kind", "nth"), [(asks.LoadShoe, 1), (asks.SelectNumber, 1), (asks.Dispense, 1), (asks.Dispense, 7)]
)
def test_34_16_n_shoe_failure_voids_the_round(at, kind, nth):
    dealer, game = at(kind, nth)
    (ruling,) = game.tell(tells.ShoeFailed("jam"))
    assert (ruling.order, ruling.rules, ruling.device) == (Order.VOID, ("34.16(n)",), "shoe")
    voided(dealer, game, Order.VOID, ("34.16(n)",), ("ClearDevice", "CollectCards"))
    dealer.play()
    assert isinstance(dealer.asked[0], asks.StartShuffle)


@pytest.mark.clause("supreme_pai_gow", "34.16(n)")
def test_34_16_n_shoe_that_dispenses_nothing_voids_the_round(at):
    dealer, game = at(asks.Dispense, 7)
    assert ordered(game.tell(tells.StackDispensed(()))) == [(Order.VOID, ("34.16(n)",))]
    voided(dealer, game, Order.VOID, ("34.16(n)",), ("ClearDevice", "CollectCards"))


@pytest.mark.clause("supreme_pai_gow", "34.8(e)")
@pytest.mark.parametrize("count", [0, 53, 55])
def test_34_8_e_deck_that_the_shuffler_miscounts_is_replaced_before_the_deal(at, count):
    dealer, game = at(asks.FinishShuffle)
    (ruling,) = game.tell(tells.Shuffled("red", count))
    assert (ruling.order, ruling.rules, ruling.device) == (Order.REMOVE_DECK, ("34.8(e)",), "shuffler")
    assert game.ask == asks.ReplaceDeck("red", ("34.8(e)",))
    dealer.step(game)
    assert isinstance(game.ask, asks.StartShuffle)
    assert not dealer.finish(game).void


@pytest.mark.clause("supreme_pai_gow", "34.2(a)")
def test_deck_miscounted_by_hand_is_replaced_by_policy(at):
    _, game = at(asks.FinishShuffle, machine_shuffle=False)
    (ruling,) = game.tell(tells.Shuffled("red", 53))
    assert (ruling.order, ruling.rules, ruling.device, ruling.policy) == (
        Order.REMOVE_DECK,
        ("34.2(a)",),
        None,
        True,
    )


@pytest.mark.clause("supreme_pai_gow", "34.8(d)2")
def test_34_8_d_2_wrong_stub_voids_and_removes_the_deck(at):
    dealer, game = at(asks.RackStub, shuffler_counts=False)
    assert ordered(game.tell(tells.StubRacked(25))) == [(Order.VOID_REMOVE_DECK, ("34.8(d)2",))]
    voided(dealer, game, Order.VOID_REMOVE_DECK, ("34.8(d)2",), ("CollectCards", "ReplaceDeck"))
    assert dealer.table.start_of_game


@pytest.mark.clause("supreme_pai_gow", "34.6(f)")
def test_34_6_f_recut_by_the_last_cutter_or_by_the_next(at):
    wagers = {2: Wager(1000), 5: Wager(1000)}
    for by, offer in (("last", (2,)), ("next", (5,))):
        dealer, game = at(asks.Cut, wagers=wagers, deal=Deal.MANUAL_SHOE, machine_shuffle=False, recut_by=by)
        game.tell(tells.DeckCut(2, 20))
        dealer.until(game, asks.DealCard)
        assert ordered(game.tell(tells.RecutOrdered())) == [(Order.RECUT, ("34.6(f)",))]
        assert game.ask == asks.Cut(offer, 54, ("34.6(f)",))
        dealer.asked = []
        assert not dealer.finish(game).void
        assert [type(ask).__name__ for ask in dealer.asked[:3]] == ["Cut", "LoadShoe", "DealCard"]


# Conservation


def strange(dealer, game):
    """A card that was dealt before, and one that no deck has."""
    return next(iter(set(range(54)) - set(dealer.cards))), 54


@pytest.mark.clause("supreme_pai_gow", "34.2(a)")
@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("deal", Deal)
def test_a_card_that_the_deck_cannot_hold_voids_and_removes_the_deck(at, deal, which):
    automated = deal is Deal.AUTOMATED_SHOE
    dealer, game = at(asks.Dispense if automated else asks.DealCard, 3, deal=deal)
    card = Card(strange(dealer, game)[which])
    seen = tells.StackDispensed((*dealer.cards[:3], card)) if automated else tells.CardDealt(card)
    (ruling,) = game.tell(seen)
    assert (ruling.order, ruling.rules, ruling.device) == (Order.VOID_REMOVE_DECK, ("34.2(a)",), None)
    voided(dealer, game, Order.VOID_REMOVE_DECK, ("34.2(a)",), ("CollectCards", "ReplaceDeck"))


@pytest.mark.clause("supreme_pai_gow", "34.2(a)")
def test_the_same_card_twice_in_a_stack_voids_and_removes_the_deck(at):
    dealer, game = at(asks.Dispense)
    a, b, c = dealer.cards[:3]
    assert ordered(game.tell(tells.StackDispensed((a, b, c, a)))) == [(Order.VOID_REMOVE_DECK, ("34.2(a)",))]


@pytest.mark.clause("supreme_pai_gow", "34.2(a)")
def test_a_card_drawn_in_error_is_conserved_too(at):
    dealer, game = at(asks.DealCard, 3, deal=Deal.MANUAL_SHOE)
    game.tell(tells.CardDrawnInError(dealer.cards[0]))
    assert ordered(game.tell(tells.CardDrawnInError(dealer.cards[0]))) == [(Order.VOID_REMOVE_DECK, ("34.2(a)",))]


@pytest.mark.clause("supreme_pai_gow", "34.2(a)")
@pytest.mark.parametrize(
    "change", [lambda stub: stub[1:], lambda stub: (*stub[1:], Card(54)), lambda stub: stub + stub[:1]]
)
def test_a_stub_that_does_not_complete_the_deck_voids_and_removes_it(at, change):
    dealer, game = at(asks.RackStub)
    assert ordered(game.tell(tells.StubRacked(cards=change(tuple(dealer.cards))))) == [
        (Order.VOID_REMOVE_DECK, ("34.2(a)",))
    ]
    voided(dealer, game, Order.VOID_REMOVE_DECK, ("34.2(a)",), ("CollectCards", "ReplaceDeck"))


def test_a_deck_collected_short_is_replaced_and_the_settlement_stands(at):
    dealer, game = at(asks.CollectCards)
    (ruling,) = game.tell(tells.CardsCollected("red", 53))
    assert (ruling.order, ruling.policy) == (Order.REMOVE_DECK, True)
    assert isinstance(game.ask, asks.ReplaceDeck)
    assert not dealer.finish(game).void
    dealer.play()


# Together


def test_a_surrender_stands_in_a_round_that_is_void_later(at):
    dealer, game = at(asks.SetHands)
    game.tell(tells.Surrendered(3))
    game.tell(tells.CardExposed(0))
    assert [seat.outcome for seat in dealer.finish(game).settlements] == [Outcome.VOID, Outcome.SURRENDER]


@pytest.mark.clause("supreme_pai_gow", "34.16(n)")
def test_a_shoe_failure_after_an_exposed_dealer_card_takes_the_bonus_too(at):
    dealer, game = at(asks.SelectNumber)
    game.tell(tells.NumberSelected(1))
    dealer.step(game)
    game.tell(tells.CardExposed(0))
    assert isinstance(game.ask, asks.Dispense)
    game.tell(tells.ShoeFailed("stopped"))
    voided(dealer, game, Order.VOID, ("34.16(n)",), ("ClearDevice", "CollectCards"))


def test_a_deal_by_hand_that_is_begun_again_is_a_whole_one(at):
    dealer, game = at(asks.DealCard, 9, deal=Deal.HAND, machine_shuffle=False)
    game.tell(tells.CardDrawnInError(dealer.cards[1]))
    (ruling,) = game.tell(tells.CardDealt(dealer.cards[1], exposed=True))
    assert ruling.order is Order.RESHUFFLE
    dealer.asked = []
    result = dealer.finish(game)
    assert not result.void
    kinds = [type(ask) for ask in dealer.asked]
    assert kinds[:3] == [asks.StartShuffle, asks.FinishShuffle, asks.Cut]
    assert (kinds.count(asks.DealCard), kinds.count(asks.RackStub), kinds.count(asks.DeliverStack)) == (28, 1, 7)
    assert next(ask.expect for ask in dealer.asked if isinstance(ask, asks.RackStub)) == 26
    assert kinds.count(asks.CallNoMoreBets) == 0, "the betting stays closed"

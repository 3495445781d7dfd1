"""What a round refuses: the rule that forbids it is named, and nothing has changed."""

import pytest
from supreme_pai_gow_table import Options, Wager

from feltrig.engine import asks, tells
from feltrig.engine.games.supreme_pai_gow.options import Start
from feltrig.engine.rulings import Illegal, OutOfTurn
from feltrig.engine.table.house import Deal


def refused(game, seen):
    """The rules that forbid the observation, after a look that the round is as it was."""
    before = repr(game._play)
    assert not game.can(seen)
    with pytest.raises(Illegal) as caught:
        game.tell(seen)
    assert repr(game._play) == before
    return caught.value.rules


def out_of_turn(game, seen):
    """Whether the observation fits no ask, after a look that the round is as it was."""
    before = repr(game._play)
    with pytest.raises(OutOfTurn):
        game.tell(seen)
    return repr(game._play) == before and not game.can(seen)


@pytest.fixture
def banked(fair_dealer):
    """A table after its first round, where seats 1 and 4 wagered and seat 5 did not."""
    dealer = fair_dealer(Options(banking=True, two_areas=True))
    dealer.play({1: Wager(1000), 4: Wager(1500)})
    return dealer


@pytest.mark.clause("supreme_pai_gow", "34.7(c)")
def test_no_wager_after_no_more_bets_34_7_c(fair_dealer):
    dealer = fair_dealer(Options())
    game = dealer.open()
    dealer.until(game, asks.CallNoMoreBets)
    dealer.step(game)
    assert refused(game, tells.WagerPlaced(3, 2000)) == ("34.7(c)",)
    assert refused(game, tells.WagerPlaced(3, 0)) == ("34.7(c)",)


@pytest.mark.clause("supreme_pai_gow", "34.8(a)", "34.9(b)2", "34.10(b)2")
@pytest.mark.parametrize(
    ("deal", "rule"), [(Deal.MANUAL_SHOE, "34.8(a)"), (Deal.HAND, "34.9(b)2"), (Deal.AUTOMATED_SHOE, "34.10(b)2")]
)
def test_no_cards_before_no_more_bets(fair_dealer, deal, rule):
    dealer = fair_dealer(Options(deal=deal))
    game = dealer.open()
    dealer.until(game, asks.CallNoMoreBets)
    cards = dealer.cards
    early = tells.StackDispensed(tuple(cards[:4])) if deal is Deal.AUTOMATED_SHOE else tells.CardDealt(cards[0])
    assert refused(game, early) == (rule,)


@pytest.mark.clause("supreme_pai_gow", "34.7(a)", "34.7(d)")
def test_wagers_told_in_the_round_are_checked_34_7_d(fair_dealer):
    game = fair_dealer(Options()).open()
    assert refused(game, tells.WagerPlaced(2, 1000, 50)) == ("34.7(d)",)
    assert refused(game, tells.WagerPlaced(2, 0, 100)) == ("34.7(d)",)
    assert refused(game, tells.WagerPlaced(7, 1000)) == ("34.7(a)",)
    assert refused(game, tells.WagerPlaced(2, 499)) == ()


@pytest.mark.clause("supreme_pai_gow", "34.6(c)", "34.6(d)1", "34.6(e)")
def test_cut_is_ten_cards_deep_and_by_whom_it_was_offered_34_6(fair_dealer):
    dealer = fair_dealer(Options(deal=Deal.HAND, machine_shuffle=False))
    game = dealer.open()
    assert dealer.until(game, asks.Cut).offer == (3,)
    assert refused(game, tells.DeckCut(3, 9)) == ("34.6(e)",)
    assert refused(game, tells.DeckCut(3, 45)) == ("34.6(e)",)
    assert refused(game, tells.DeckCut(4, 20)) == ("34.6(c)", "34.6(d)1")
    assert game.can(tells.DeckCut(3, 10))
    assert game.can(tells.DeckCut(0, 44))


@pytest.mark.clause("supreme_pai_gow", "34.6(f)")
def test_recut_only_between_the_cut_and_the_first_card_34_6_f(fair_dealer):
    dealer = fair_dealer(Options(deal=Deal.HAND, machine_shuffle=False))
    game = dealer.open()
    dealer.until(game, asks.Cut)
    assert refused(game, tells.RecutOrdered()) == ("34.6(f)",)
    dealer.until(game, asks.DealCard)
    assert game.can(tells.RecutOrdered())
    dealer.step(game)
    assert refused(game, tells.RecutOrdered()) == ("34.6(f)",)


@pytest.mark.clause("supreme_pai_gow", "34.13(b)")
def test_no_bank_at_the_start_of_the_game_34_13_b(fair_dealer):
    game = fair_dealer(Options(banking=True)).open()
    assert refused(game, tells.BankAccepted(3, 10**6)) == ("34.13(b)",)


@pytest.mark.clause("supreme_pai_gow", "34.13(a)")
def test_no_bank_where_the_table_does_not_offer_it_34_13_a(fair_dealer):
    game = fair_dealer(Options()).open()
    assert refused(game, tells.BankAccepted(3, 10**6)) == ("34.13(a)",)


@pytest.mark.clause("supreme_pai_gow", "34.13(c)")
def test_bank_goes_to_the_seat_that_is_offered_it_34_13_c(banked):
    game = banked.open({1: Wager(1000), 4: Wager(1500)})
    assert game.ask == asks.OfferBank(1, False, ("34.13(c)",))
    assert refused(game, tells.BankAccepted(4, 10**6)) == ("34.13(c)",)
    assert refused(game, tells.BankAccepted(2, 10**6)) == ("34.13(c)",)


@pytest.mark.clause("supreme_pai_gow", "34.13(c)")
def test_nobody_banks_twice_in_a_row_34_13_c(banked):
    banked.takes_bank = lambda seat: seat == 1
    banked.play({1: Wager(1000), 4: Wager(1500)})
    game = banked.open({1: Wager(1000), 4: Wager(1500)})
    assert game.ask.seat == 4
    assert refused(game, tells.BankAccepted(1, 10**6)) == ("34.13(c)",)


@pytest.mark.clause("supreme_pai_gow", "34.13(d)1")
def test_bank_must_have_wagered_against_the_dealer_34_13_d_1(banked):
    game = banked.open({1: Wager(1000), 4: Wager(1500), 5: Wager(500)})
    assert refused(game, tells.BankAccepted(5, 10**6)) == ("34.13(d)1",)
    game.tell(tells.BankDeclined(1))
    game.tell(tells.BankDeclined(4))
    assert isinstance(game.ask, asks.StartShuffle)


@pytest.mark.clause("supreme_pai_gow", "34.13(d)2")
def test_bank_must_cover_the_other_wagers_34_13_d_2(banked):
    game = banked.open({1: Wager(1000), 4: Wager(1500)})
    assert refused(game, tells.BankAccepted(1, 1499)) == ("34.13(d)2",)
    game.tell(tells.BankAccepted(1, 1600))
    assert refused(game, tells.WagerPlaced(4, 1601)) == ("34.13(d)2",)
    assert game.can(tells.WagerPlaced(4, 1600))
    assert refused(game, tells.WagerPlaced(1, 1000)) == ("34.1 Bank",)


@pytest.mark.clause("supreme_pai_gow", "34.13(e)")
def test_no_co_bank_where_it_is_not_offered_34_13_e(banked):
    game = banked.open({1: Wager(1000), 4: Wager(1500)})
    assert refused(game, tells.BankAccepted(1, 10**6, co_bank=True)) == ("34.13(e)",)


@pytest.mark.clause("supreme_pai_gow", "34.13(f)")
def test_bank_may_not_have_two_areas_34_13_f(fair_dealer):
    dealer = fair_dealer(Options(banking=True, two_areas=True))
    wagers = {1: Wager(1000, player="ann"), 2: Wager(500, player="ann"), 4: Wager(500)}
    dealer.play(wagers)
    game = dealer.open(wagers)
    assert game.ask.seat == 4
    assert refused(game, tells.BankAccepted(1, 10**6)) == ("34.13(f)",)


@pytest.mark.clause("supreme_pai_gow", "34.13(g)")
def test_dealer_wager_is_at_most_the_last_wager_of_the_bank_34_13_g(banked):
    banked.takes_bank = lambda seat: True
    game = banked.open({1: Wager(5000), 4: Wager(1500)})
    assert banked.until(game, asks.PlaceDealerWager).most == 1000
    assert refused(game, tells.DealerWagered(1001)) == ("34.13(g)",)
    assert refused(game, tells.DealerWagered(-1)) == ("34.13(g)",)


@pytest.mark.clause("supreme_pai_gow", "34.2(b)3")
def test_the_wrong_deck_is_refused_34_2_b(fair_dealer):
    game = fair_dealer(Options(decks=("red", "blue"))).open()
    assert refused(game, tells.ShuffleStarted("blue")) == ("34.2(b)3",)


@pytest.mark.clause("supreme_pai_gow", "34.8(d)", "34.8(d)1", "34.9(d)", "34.10(e)")
@pytest.mark.parametrize(
    ("deal", "rule"), [(Deal.MANUAL_SHOE, "34.8(d)1"), (Deal.HAND, "34.9(d)"), (Deal.AUTOMATED_SHOE, "34.10(e)")]
)
def test_the_fifth_stub_must_be_counted_34_8_d(fair_dealer, deal, rule):
    dealer = fair_dealer(Options(deal=deal, shuffler_counts=False))
    for _ in range(4):
        dealer.play()
    game = dealer.open()
    ask = dealer.until(game, asks.RackStub)
    assert (ask.count, ask.rules) == (True, (rule, "34.8(d)"))
    assert refused(game, tells.StubRacked()) == ("34.8(d)",)
    assert game.tell(tells.StubRacked(26)) == ()
    assert not dealer.finish(game).void


@pytest.mark.clause("supreme_pai_gow", "34.13(i)1")
def test_bank_chooses_one_of_the_seven_stacks_34_13_i_1(fair_dealer):
    dealer = fair_dealer(Options(deal=Deal.HAND, banking=True))
    dealer.play()
    dealer.takes_bank = lambda seat: True
    game = dealer.open()
    dealer.until(game, asks.ChooseStack)
    assert refused(game, tells.StackChosen(8)) == ("34.13(i)1",)


@pytest.mark.clause("supreme_pai_gow", "34.12(a)", "34.12(b)", "34.12(c)", "34.15(b)")
def test_setting_out_of_order_names_the_rule(fair_dealer):
    dealer = fair_dealer(Options(two_areas=True))
    game = dealer.open({1: Wager(500), 2: Wager(500, player="ann"), 3: Wager(900, player="ann")})
    first = dealer.until(game, asks.SetHands)
    assert out_of_turn(game, tells.HandSet(2, first.cards[:2], first.cards[2:]))
    dealer.step(game)
    ask = game.ask
    assert refused(game, tells.HandSet(0, ask.cards[:2], ask.cards[2:])) == ("34.12(c)",)
    assert refused(game, tells.HandSet(2, ask.cards[:2], ask.cards[2:])) == ("34.15(b)",)
    assert refused(game, tells.HandSet(1, first.cards[:2], first.cards[2:])) == ("34.12(b)",)
    assert refused(game, tells.HandSet(3, first.cards[:2], first.cards[2:])) == ("34.12(a)",)


@pytest.mark.clause("supreme_pai_gow", "34.12(e)")
def test_surrender_window_34_12_e(fair_dealer):
    dealer = fair_dealer(Options())
    game = dealer.open({3: Wager(1000), 4: Wager(1000)})
    dealer.until(game, asks.Dispense)
    assert refused(game, tells.Surrendered(3)) == ("34.12(e)",)
    dealer.until(game, asks.Expose)
    assert refused(game, tells.Surrendered(5)) == ("34.12(e)",)
    dealer.step(game)
    assert refused(game, tells.Surrendered(3)) == ("34.12(e)",)
    game.tell(tells.Surrendered(4))
    assert refused(game, tells.Surrendered(4)) == ("34.12(e)",)


@pytest.mark.clause("supreme_pai_gow", "34.12(f)")
def test_exposing_out_of_order_34_12_f(fair_dealer):
    dealer = fair_dealer(Options())
    game = dealer.open({3: Wager(1000), 4: Wager(1000)})
    dealer.until(game, asks.Expose)
    assert refused(game, tells.Exposed(4)) == ("34.12(f)",)
    assert out_of_turn(game, tells.Exposed(0))


@pytest.mark.clause("supreme_pai_gow", "34.16(g)")
def test_a_card_drawn_in_error_comes_next_34_16_g(fair_dealer):
    dealer = fair_dealer(Options(deal=Deal.MANUAL_SHOE))
    game = dealer.open()
    dealer.until(game, asks.DealCard, 3)
    game.tell(tells.CardDrawnInError(dealer.cards[0]))
    assert refused(game, tells.CardDealt(dealer.cards[1])) == ("34.16(g)",)
    assert game.can(tells.CardDealt(dealer.cards[0]))


@pytest.mark.parametrize(
    "seen",
    [
        tells.NoMoreBets(),
        tells.BankDeclined(3),
        tells.ShoeFailed("jam"),
        tells.NumberSelected(3),
        tells.CardExposed(3),
        tells.CardsCollected("red"),
        tells.DeviceCleared("shoe"),
        tells.PlayedOn(3),
    ],
)
def test_what_does_not_fit_the_moment_is_out_of_turn(fair_dealer, seen):
    game = fair_dealer(Options()).open()
    assert out_of_turn(game, seen)


def test_devices_that_are_not_in_use_cannot_fail(fair_dealer):
    dealer = fair_dealer(Options(deal=Deal.MANUAL_SHOE, start=Start.DICE, machine_shuffle=False))
    game = dealer.open()
    assert out_of_turn(game, tells.ShufflerFailed("red", "jam"))
    dealer.until(game, asks.DealCard)
    assert out_of_turn(game, tells.ShoeFailed("jam"))
    assert out_of_turn(game, tells.CardDealt(dealer.cards[0], stack=2))


def test_nothing_can_be_told_after_the_end(fair_dealer):
    dealer = fair_dealer(Options())
    game = dealer.open()
    dealer.finish(game)
    assert out_of_turn(game, tells.CardsCollected("red"))


def test_who_withdraws_is_not_offered_the_bank_and_who_stays_is(banked):
    game = banked.open({1: Wager(1000), 4: Wager(1500)})
    game.tell(tells.WagerPlaced(4, 2000))
    game.tell(tells.BankDeclined(1))
    assert game.ask == asks.OfferBank(4, False, ("34.13(c)",))
    game.tell(tells.WagerPlaced(4, 0))
    assert isinstance(game.ask, asks.StartShuffle)


@pytest.mark.parametrize(
    "seen",
    [
        tells.WagerPlaced(3, 1000),
        tells.RecutOrdered(),
        tells.Surrendered(3),
        tells.CardExposed(3),
        tells.BankAccepted(3, 10**6),
        tells.HandSet(3, (0, 1), (2, 3)),
    ],
)
def test_what_only_a_round_in_play_can_see_is_out_of_turn_in_a_void_one(fair_dealer, seen):
    dealer = fair_dealer(Options())
    game = dealer.open({1: Wager(1000, 100), 3: Wager(2000)})
    dealer.until(game, asks.SetHands)
    game.tell(tells.CardExposed(0))
    assert game.ask == asks.Expose(1, ("34.16(e)",)), "its bonus wager stands"
    with pytest.raises(OutOfTurn, match="the round is void"):
        game.verify(seen)
    assert out_of_turn(game, seen)


def test_a_card_can_be_exposed_while_it_lies_face_down_somewhere(fair_dealer):
    dealer = fair_dealer(Options())
    game = dealer.open({1: Wager(1000, 100), 3: Wager(2000), 4: Wager(2000)})
    dealer.until(game, asks.Dispense, 7)
    (left,) = set(range(7)) - set(game._play.hands)
    assert [seat for seat in range(7) if not game.can(tells.CardExposed(seat))] == [left]
    dealer.until(game, asks.CollectUnbet)
    assert all(game.can(tells.CardExposed(seat)) for seat in range(7))
    held = game._play.hands
    assert game.can(tells.CardExposed(3, held[3][0]))
    assert out_of_turn(game, tells.CardExposed(3, held[4][0]))
    assert out_of_turn(game, tells.CardExposed(None, area="deck"))
    with pytest.raises(OutOfTurn, match="no card lies there"):
        game.tell(tells.CardExposed(None))
    assert out_of_turn(game, tells.CardExposed(7))
    dealer.step(game)
    assert [seat for seat in range(7) if game.can(tells.CardExposed(seat))] == [0, 1, 3, 4]
    game.tell(tells.Surrendered(3))
    game.tell(tells.Surrendered(1))
    assert [seat for seat in range(7) if game.can(tells.CardExposed(seat))] == [0, 1, 4], "1 lies under a bonus wager"
    assert dealer.until(game, asks.SetHands, 2).position == 0
    assert [seat for seat in range(7) if game.can(tells.CardExposed(seat))] == [0, 1, 4], "the players have set"
    dealer.until(game, asks.Expose)
    assert [seat for seat in range(7) if game.can(tells.CardExposed(seat))] == [1, 4], "the dealer's are seen"
    dealer.step(game)
    assert [seat for seat in range(7) if game.can(tells.CardExposed(seat))] == [1]
    assert game.ask == asks.Expose(1, ("34.12(e)2",))


def test_who_surrenders_need_not_choose_after_an_exposed_card(fair_dealer):
    dealer = fair_dealer(Options())
    game = dealer.open({3: Wager(1000), 4: Wager(1000)})
    dealer.until(game, asks.SetHands)
    game.tell(tells.CardExposed(3))
    assert isinstance(game.ask, asks.DecideExposed)
    game.tell(tells.Surrendered(3))
    dealer.finish(game)
    assert not any(isinstance(ask, asks.DecideExposed) for ask in dealer.asked)


@pytest.mark.parametrize(
    ("options", "opens"),
    [
        (Options(deal=Deal.MANUAL_SHOE), asks.CallNoMoreBets),
        (Options(deal=Deal.MANUAL_SHOE, machine_shuffle=False, start=Start.DICE), asks.CallNoMoreBets),
        (Options(deal=Deal.HAND), asks.CallNoMoreBets),
        (Options(deal=Deal.HAND, machine_shuffle=False), asks.CallNoMoreBets),
    ],
)
def test_a_card_can_be_drawn_in_error_from_the_load_or_the_cut_to_the_last_card(fair_dealer, options, opens):
    dealer = fair_dealer(options)
    game = dealer.open()
    while not isinstance(game.ask, opens):
        assert not game.can(tells.CardDrawnInError(7)), game.ask
        dealer.step(game)
    while not isinstance(game.ask, asks.DealCard):
        assert game.can(tells.CardDrawnInError(7)), game.ask
        dealer.step(game)
    dealer.until(game, asks.DealCard, 28)
    game.tell(tells.CardDrawnInError(dealer.cards[0]))
    assert out_of_turn(game, tells.CardDrawnInError(dealer.cards[1])), "there is no card after the next"
    dealer.step(game)
    while game.ask is not None:
        assert not game.can(tells.CardDrawnInError(7)), game.ask
        dealer.step(game)


def test_no_card_can_be_drawn_from_an_automated_shoe_or_in_a_dead_round(fair_dealer):
    dealer = fair_dealer(Options())
    game = dealer.open()
    dealer.until(game, asks.Dispense)
    assert out_of_turn(game, tells.CardDrawnInError(7))
    manual = fair_dealer(Options(deal=Deal.MANUAL_SHOE))
    game = manual.open()
    manual.until(game, asks.DealCard)
    game.tell(tells.CardDealt(53))
    game.tell(tells.CardDealt(53))
    assert game.ask == asks.CollectCards("red", ("34.2(a)",))
    assert out_of_turn(game, tells.CardDrawnInError(7))


def test_a_shuffler_can_fail_with_the_deck_that_it_works_on(fair_dealer):
    dealer = fair_dealer(Options(decks=("red", "blue")))
    game = dealer.open()
    assert isinstance(game.ask, asks.StartShuffle)
    assert [deck for deck in ("red", "blue", "green") if game.can(tells.ShufflerFailed(deck, "jam"))] == ["red"]
    dealer.step(game)
    assert [deck for deck in ("red", "blue", "green") if game.can(tells.ShufflerFailed(deck, "jam"))] == ["red"]
    dealer.step(game)
    assert isinstance(game.ask, asks.LoadShoe)
    assert not game.can(tells.ShufflerFailed("red", "jam"))
    dealer.until(game, asks.CallNoMoreBets)
    assert [deck for deck in ("red", "blue", "green") if game.can(tells.ShufflerFailed(deck, "jam"))] == ["blue"]


def test_a_shoe_can_fail_from_the_load_to_the_last_stack(fair_dealer):
    dealer = fair_dealer(Options())
    game = dealer.open()
    while not isinstance(game.ask, asks.LoadShoe):
        assert not game.can(tells.ShoeFailed("jam")), game.ask
        dealer.step(game)
    while not isinstance(game.ask, asks.RackStub):
        assert game.can(tells.ShoeFailed("jam")), game.ask
        dealer.step(game)
    while game.ask is not None:
        assert not game.can(tells.ShoeFailed("jam")), game.ask
        dealer.step(game)
    again = dealer.open()
    dealer.until(again, asks.Dispense)
    again.tell(tells.ShoeFailed("jam"))
    assert out_of_turn(again, tells.ShoeFailed("jam")), "the round is void"


def test_answers_are_about_what_was_asked(fair_dealer, banked):
    game = banked.open({1: Wager(1000), 4: Wager(1500)})
    assert out_of_turn(game, tells.BankDeclined(4))
    dealer = fair_dealer(Options(deal=Deal.HAND))
    game = dealer.open({1: Wager(1000), 3: Wager(1000)})
    dealer.until(game, asks.DeliverStack, 2)
    gone = dealer.asked[-1].stack
    for stack, position, fits in ((gone, 2, False), (3, 7, False), (3, -1, False), (3, 6, True), (8, 2, False)):
        assert game.can(tells.StackDelivered(stack, position)) is fits
    dealer.until(game, asks.SetHands)
    game.tell(tells.CardExposed(3))
    assert isinstance(game.ask, asks.DecideExposed)
    assert out_of_turn(game, tells.PlayedOn(1))
    assert out_of_turn(game, tells.HandVoided(1))
    dealer.until(game, asks.CollectCards)
    assert out_of_turn(game, tells.CardsCollected("blue"))
    game.tell(tells.CardsCollected("red", 53))
    assert isinstance(game.ask, asks.ReplaceDeck)
    assert out_of_turn(game, tells.DeckReplaced("blue"))
    dealer.step(game)
    game = dealer.open()
    dealer.until(game, asks.FinishShuffle)
    game.tell(tells.ShufflerFailed("red", "jam"))
    assert out_of_turn(game, tells.DeviceCleared("shoe"))


@pytest.mark.clause("supreme_pai_gow", "34.2(a)", "34.2(b)4")
@pytest.mark.parametrize(("decks", "rules"), [(("red",), ("34.2(a)",) * 3), (("red", "blue"), ("34.2(b)3",) * 2)])
def test_a_deck_of_another_name_is_refused_at_every_step(fair_dealer, decks, rules):
    dealer = fair_dealer(Options(decks=decks))
    game = dealer.open()
    assert refused(game, tells.ShuffleStarted("blue")) == rules[:1]
    dealer.step(game)
    assert refused(game, tells.Shuffled("blue", 54)) == rules[:1]
    dealer.step(game)
    assert refused(game, tells.ShoeLoaded("blue")) == (("34.2(b)4",) if len(decks) > 1 else rules[:1])


@pytest.mark.parametrize(("stack", "legal"), [(0, False), (1, True), (7, True), (8, False)])
def test_the_ends_of_the_row_of_stacks_can_be_chosen(fair_dealer, stack, legal):
    dealer = fair_dealer(Options(deal=Deal.HAND, banking=True))
    dealer.play()
    dealer.takes_bank = lambda seat: True
    game = dealer.open()
    assert dealer.until(game, asks.PlaceDealerWager).most == 1000
    assert all(game.can(tells.DealerWagered(amount)) for amount in (0, 1, 1000))
    dealer.until(game, asks.ChooseStack)
    assert game.can(tells.StackChosen(stack)) is legal


def test_cards_can_be_seen_at_the_places_that_the_deal_has(fair_dealer):
    dealer = fair_dealer(Options(deal=Deal.HAND))
    game = dealer.open()
    dealer.until(game, asks.DealCard)
    card = dealer.cards[0]
    assert [stack for stack in range(10) if game.can(tells.CardDealt(card, stack=stack))] == list(range(1, 8))
    assert not game.can(tells.CardDealt(card, position=3))
    dealer = fair_dealer(Options(deal=Deal.MANUAL_SHOE))
    game = dealer.open()
    dealer.until(game, asks.DealCard)
    card = dealer.cards[0]
    assert [seat for seat in range(-2, 9) if game.can(tells.CardDealt(card, position=seat))] == list(range(7))
    assert not game.can(tells.CardDealt(card, stack=3))

"""The order of a round, by dealing method, start method and bank; and what is conserved over many rounds."""

from itertools import product

import pytest
from supreme_pai_gow_table import Options, Wager

from feltrig.engine import asks, tells
from feltrig.engine.cards import deck
from feltrig.engine.games import GAMES
from feltrig.engine.games.supreme_pai_gow.delivery import hand_deal_stacks
from feltrig.engine.games.supreme_pai_gow.options import Start
from feltrig.engine.table.house import Deal
from feltrig.engine.table.positions import clockwise
from feltrig.engine.table.result import Outcome

SHUFFLES = {"one deck by machine": (True, ("red",)), "two decks": (True, ("red", "blue")), "by hand": (False, ("red",))}
WAYS = [
    (deal, start, shuffled)
    for deal, start, shuffled in product(Deal, Start, SHUFFLES)
    if start is not Start.BUTTON or (deal is Deal.AUTOMATED_SHOE and shuffled != "by hand")
]
BANKS = ("house", "bank", "co-bank")
WAGERS = {1: Wager(1000, 100), 2: Wager(2500, player="ann"), 3: Wager(1500, 500, player="ann"), 6: Wager(505)}
START_ASKS = {Start.DICE: asks.ShakeDice, Start.RNG: asks.SelectNumber, Start.BUTTON: asks.ReadButton}


def kinds(asked):
    """The kinds of ask in a row, repeats of one kind in sequence told once."""
    names = [type(ask).__name__ for ask in asked]
    return [name for name, before in zip(names, ["", *names], strict=False) if name != before]


@pytest.mark.clause("supreme_pai_gow", "34.4(a)", "34.11(a)")
@pytest.mark.parametrize(("deal", "start", "shuffled"), WAYS)
@pytest.mark.parametrize("bank", BANKS)
def test_every_way_of_play_conserves_cards_and_money(fair_dealer, deal, start, shuffled, bank):
    by_machine, decks = SHUFFLES[shuffled]
    options = Options(
        deal=deal,
        start=start,
        machine_shuffle=by_machine,
        decks=decks,
        banking=bank != "house",
        co_banking=bank == "co-bank",
        two_areas=True,
    )
    dealer = fair_dealer(options, seed=34)
    dealer.takes_bank = lambda seat: bank != "house"
    dealer.co_banks = bank == "co-bank"
    known = GAMES["supreme_pai_gow"].clauses
    banked = 0
    for _ in range(12):
        result = dealer.play(WAGERS)
        assert not result.void
        dealt = [card for hand in result.hands.values() for card in hand]
        assert sorted(result.hands) == list(range(7))
        assert len(dealt) == len(set(dealt)) == 28
        assert set(dealt) < set(deck(jokers=2))
        for seat in result.settlements:
            won = WAGERS[seat.seat].main if seat.outcome is Outcome.WIN else 0
            lost = WAGERS[seat.seat].main if seat.outcome is Outcome.LOSE else 0
            assert seat.main_net + seat.vigorish == won - lost
            assert seat.rules
        assert {rule for seat in result.settlements for rule in seat.rules} <= known.keys()
        assert {rule for ask in dealer.asked for rule in ask.rules} <= known.keys()
        assert all(ask.rules for ask in dealer.asked)
        if result.bank is not None:
            banked += 1
            nets = [*result.bank.players_net.values(), result.bank.bank_net, result.bank.vigorish]
            assert sum(nets) + (result.bank.dealer_wager_net or 0) + (result.bank.house_share_net or 0) == 0
            assert result.bank.players_net.items() <= {s.seat: s.main_net for s in result.settlements}.items()
        assert any(isinstance(ask, START_ASKS[start]) for ask in dealer.asked)
    assert banked == (0 if bank == "house" else 11)


@pytest.mark.clause(
    "supreme_pai_gow", "34.6(a)", "34.8(a)", "34.8(b)", "34.8(c)", "34.8(f)", "34.11(b)4", "19:46-1.13W(d)"
)
def test_manual_shoe_34_8_finds_the_start_before_the_cards_and_deals_clockwise(fair_dealer):
    dealer = fair_dealer(Options(deal=Deal.MANUAL_SHOE, start=Start.DICE))
    result = dealer.play()
    assert kinds(dealer.asked) == [
        *("StartShuffle", "FinishShuffle", "LoadShoe", "CallNoMoreBets", "ShakeDice", "DealCard", "RackStub"),
        *("CollectUnbet", "ParkShaker", "SetHands", "Expose", "CollectCards"),
    ]
    places = [ask.position for ask in dealer.asked if isinstance(ask, asks.DealCard)]
    assert places == list(clockwise(result.start)) * 4


@pytest.mark.clause("supreme_pai_gow", "34.10(a)", "34.10(b)1", "34.10(b)2", "34.10(c)", "34.10(d)", "34.10(f)")
def test_automated_shoe_34_10_dispenses_seven_stacks_clockwise(fair_dealer):
    dealer = fair_dealer(Options(deal=Deal.AUTOMATED_SHOE, start=Start.RNG))
    game = dealer.open()
    dealer.until(game, asks.SelectNumber)
    game.tell(tells.NumberSelected(7))
    dealer.finish(game)
    stacks = [(ask.number, ask.size, ask.position) for ask in dealer.asked if isinstance(ask, asks.Dispense)]
    sequence = ["StartShuffle", "FinishShuffle", "LoadShoe", "CallNoMoreBets", "Dispense", "RackStub", "CollectUnbet"]
    assert kinds(dealer.asked)[:7] == sequence
    assert stacks == [(1, 4, 6), (2, 4, 5), (3, 4, 4), (4, 4, 3), (5, 4, 2), (6, 4, 1), (7, 4, 0)]


@pytest.mark.clause("supreme_pai_gow", "34.9(a)", "34.9(c)", "34.9(e)", "34.9(f)", "19:46-1.13W(e)", "19:46-1.19(b)1")
def test_hand_deal_34_9_builds_stacks_then_finds_the_start_and_delivers_counterclockwise(fair_dealer):
    dealer = fair_dealer(Options(deal=Deal.HAND, start=Start.RNG))
    game = dealer.open()
    dealer.until(game, asks.SelectNumber)
    game.tell(tells.NumberSelected(7))
    dealer.finish(game)
    assert kinds(dealer.asked)[2:6] == ["CallNoMoreBets", "DealCard", "RackStub", "DeliverStack"]
    assert tuple(ask.stack for ask in dealer.asked if isinstance(ask, asks.DealCard)) == hand_deal_stacks()
    delivered = [(ask.stack, ask.position) for ask in dealer.asked if isinstance(ask, asks.DeliverStack)]
    assert delivered == [(7, 6), (6, 0), (5, 1), (4, 2), (3, 3), (2, 4), (1, 5)]


@pytest.mark.clause("supreme_pai_gow", "34.13(i)", "34.13(i)1", "34.13(i)2", "34.13(i)4", "34.13(i)5")
def test_hand_deal_34_13_i_delivers_the_stack_of_the_bank_first_and_clockwise(fair_dealer):
    dealer = fair_dealer(Options(deal=Deal.HAND, start=Start.DICE, banking=True))
    dealer.play()
    dealer.takes_bank = lambda seat: seat == 3
    game = dealer.open()
    dealer.until(game, asks.ChooseStack)
    game.tell(tells.StackChosen(6))
    assert dealer.until(game, asks.ShakeDice).by == "bank"
    game.tell(tells.DiceRolled((6, 6, 2), (True,) * 3, 3, "dealer", 14))
    dealer.finish(game)
    delivered = [(ask.stack, ask.position) for ask in dealer.asked if isinstance(ask, asks.DeliverStack)]
    assert delivered == [(6, 2), (7, 1), (1, 0), (2, 6), (3, 5), (4, 4), (5, 3)]


@pytest.mark.clause("supreme_pai_gow", "34.6(b)1", "34.6(b)2")
@pytest.mark.parametrize("by_machine", [True, False])
def test_cards_shuffled_by_hand_are_cut_and_by_machine_are_not_34_6_b(fair_dealer, by_machine):
    dealer = fair_dealer(Options(deal=Deal.MANUAL_SHOE, machine_shuffle=by_machine))
    dealer.play()
    assert any(isinstance(ask, asks.Cut) for ask in dealer.asked) is not by_machine


@pytest.mark.clause("supreme_pai_gow", "34.2(b)3", "34.2(b)4")
def test_one_deck_is_shuffled_while_the_other_is_in_play_34_2_b(fair_dealer):
    dealer = fair_dealer(Options(decks=("red", "blue")))
    dealer.play()
    first = [ask.deck for ask in dealer.asked if isinstance(ask, asks.StartShuffle)]
    dealer.play()
    second = [ask for ask in dealer.asked if isinstance(ask, asks.StartShuffle | asks.FinishShuffle | asks.LoadShoe)]
    assert first == ["red", "blue"]
    assert [(type(ask).__name__, ask.deck) for ask in second] == [
        ("FinishShuffle", "blue"),
        ("LoadShoe", "blue"),
        ("StartShuffle", "red"),
    ]


@pytest.mark.clause("supreme_pai_gow", "34.12(c)", "34.12(f)", "34.10(f)")
def test_dealer_sets_after_all_players_and_exposes_them_from_the_right_34_12(fair_dealer):
    dealer = fair_dealer(Options())
    dealer.play({6: Wager(1000), 2: Wager(1000), 4: Wager(1000)})
    assert [ask.position for ask in dealer.asked if isinstance(ask, asks.SetHands)] == [2, 4, 6, 0]
    assert [ask.position for ask in dealer.asked if isinstance(ask, asks.Expose)] == [2, 4, 6]
    assert next(ask for ask in dealer.asked if isinstance(ask, asks.CollectUnbet)).positions == (1, 3, 5)


@pytest.mark.clause("supreme_pai_gow", "34.15(b)")
def test_two_areas_are_set_larger_wager_first_34_15_b(fair_dealer):
    dealer = fair_dealer(Options(two_areas=True))
    dealer.play({1: Wager(500), 2: Wager(500, player="ann"), 3: Wager(900, player="ann")})
    assert [ask.position for ask in dealer.asked if isinstance(ask, asks.SetHands)] == [1, 3, 2, 0]
    dealer.play({2: Wager(900, player="ann"), 3: Wager(900, player="ann")})
    assert [ask.position for ask in dealer.asked if isinstance(ask, asks.SetHands)] == [2, 3, 0]


@pytest.mark.clause("supreme_pai_gow", "34.13(k)", "34.13(l)")
def test_bank_is_exposed_first_and_a_dealer_without_wager_is_collected_34_13_k(fair_dealer):
    dealer = fair_dealer(Options(banking=True, start=Start.RNG))
    dealer.play({2: Wager(700), 5: Wager(1000)})
    dealer.takes_bank = lambda seat: seat == 5
    game = dealer.open({2: Wager(700), 5: Wager(1000)})
    assert dealer.until(game, asks.PlaceDealerWager).most == 1000
    game.tell(tells.DealerWagered(0))
    result = dealer.finish(game)
    assert next(ask for ask in dealer.asked if isinstance(ask, asks.CollectUnbet)).positions == (0, 1, 3, 4, 6)
    assert [ask.position for ask in dealer.asked if isinstance(ask, asks.SetHands)] == [2, 5]
    assert [ask.position for ask in dealer.asked if isinstance(ask, asks.Expose)] == [5, 2]
    assert result.bank.dealer_wager_net is None


@pytest.mark.clause("supreme_pai_gow", "34.13(k)")
def test_dealer_with_a_wager_against_the_bank_sets_last_34_13_k(fair_dealer):
    dealer = fair_dealer(Options(banking=True))
    dealer.play({2: Wager(700), 5: Wager(1000)})
    dealer.takes_bank = lambda seat: seat == 5
    game = dealer.open({2: Wager(700), 5: Wager(1000)})
    dealer.until(game, asks.PlaceDealerWager)
    game.tell(tells.DealerWagered(600))
    result = dealer.finish(game)
    assert [ask.position for ask in dealer.asked if isinstance(ask, asks.SetHands)] == [2, 5, 0]
    assert result.bank.dealer_wager_net in (600, 0, -600)


@pytest.mark.clause("supreme_pai_gow", "34.13(e)", "34.1 Co-banking")
def test_co_bank_is_set_by_the_house_way_and_the_dealer_does_not_wager_34_13_e(fair_dealer):
    dealer = fair_dealer(Options(banking=True, co_banking=True))
    dealer.play({2: Wager(700), 5: Wager(1000)})
    dealer.takes_bank = lambda seat: seat == 5
    dealer.co_banks = True
    result = dealer.play({2: Wager(700), 5: Wager(1000)})
    assert not any(isinstance(ask, asks.PlaceDealerWager) for ask in dealer.asked)
    assert [(ask.position, ask.house_way) for ask in dealer.asked if isinstance(ask, asks.SetHands)] == [
        (2, False),
        (5, True),
    ]
    assert result.bank.house_share_net is not None


@pytest.mark.clause("supreme_pai_gow", "34.13(p)")
def test_a_bank_keeps_its_bonus_wager_34_13_p(fair_dealer):
    dealer = fair_dealer(Options(banking=True))
    wagers = {2: Wager(700), 5: Wager(1000, 100)}
    dealer.play(wagers)
    dealer.takes_bank = lambda seat: seat == 5
    result = dealer.play(wagers)
    bank = result.settlements[-1]
    assert (bank.seat, bank.main_net) == (5, 0)
    assert bank.bonus_net == -100 or bank.bonus_category is not None


@pytest.mark.clause("supreme_pai_gow", "34.12(e)1", "34.12(e)2")
def test_surrender_34_12_e_takes_the_main_wager_and_settles_the_bonus_last(fair_dealer):
    dealer = fair_dealer(Options())
    game = dealer.open({1: Wager(1000, 100), 2: Wager(800), 4: Wager(1000)})
    dealer.until(game, asks.SetHands)
    game.tell(tells.Surrendered(1))
    game.tell(tells.Surrendered(2))
    result = dealer.finish(game)
    first, second, _ = result.settlements
    assert (first.outcome, first.main_net) == (Outcome.SURRENDER, -1000)
    assert first.bonus_net != 0
    assert (second.outcome, second.main_net) == (Outcome.SURRENDER, -800)
    assert [ask.position for ask in dealer.asked if isinstance(ask, asks.Expose)] == [4, 1]


@pytest.mark.clause("supreme_pai_gow", "34.12(e)")
def test_surrender_is_open_until_the_own_hands_are_exposed_spg_13(fair_dealer):
    dealer = fair_dealer(Options())
    game = dealer.open({1: Wager(1000), 4: Wager(1000)})
    dealer.until(game, asks.Expose)
    dealer.step(game)
    assert not game.can(tells.Surrendered(1))
    game.tell(tells.Surrendered(4))
    assert dealer.finish(game).settlements[1].outcome is Outcome.SURRENDER


def test_a_wager_made_before_no_more_bets_plays(fair_dealer):
    dealer = fair_dealer(Options())
    game = dealer.open({1: Wager(1000), 2: Wager(1000)})
    game.tell(tells.WagerPlaced(5, 700, 100))
    game.tell(tells.WagerPlaced(1, 0))
    assert [seat.seat for seat in dealer.finish(game).settlements] == [2, 5]

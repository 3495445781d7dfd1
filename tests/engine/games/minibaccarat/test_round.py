"""A round of Minibaccarat as the text orders it."""

import pytest
from moments import out_of_turn

from feltrig.engine import asks, tells
from feltrig.engine.cards import parse_all
from feltrig.engine.games.minibaccarat import round as game
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.ways import Way

GAME = "minibaccarat"
SHOE = Way({"machine_shuffle": False, "shuffler_counts": False})
WAGERS = {2: {"player": 500}, 5: {"banker": 1000, "tie": 500}}


def of(*numbers):
    return tuple(f"19:47-7.{number}" for number in numbers)


def dealing(felt, *cards, **options):
    table = felt(game.GAME, SHOE, **options)
    table.open(WAGERS)
    table.until(asks.CallNoMoreBets)
    table.stack(*parse_all(cards))
    return table


@pytest.mark.parametrize("way", game.WAYS, ids=str)
def test_good_people_play_round_after_round(felt, way):
    table = felt(game.GAME, way)
    for _ in range(10):
        table.open(WAGERS)
        assert not table.finish().void
        assert table.strangers() == set()
        assert table.rulings == []


@pytest.mark.clause(GAME, "19:47-7.7(a)", "19:47-7.7(c)", "19:47-7.7(c)1", "19:47-7.9(a)")
def test_four_cards_alternate_and_a_natural_ends_the_round(felt):
    table = dealing(felt, "9s", "Kd", "Kh", "8c")
    result = table.finish()
    dealt = [(ask.area, ask.rules) for ask in table.asked if isinstance(ask, asks.DealCard)]
    assert dealt == [(hand, of("7(c)", "7(c)1")) for hand in ("player", "banker", "player", "banker")]
    assert {(s.seat, s.bet): s.net for s in result.settlements} == {
        (2, "player"): 500,
        (5, "banker"): -1000,
        (5, "tie"): -500,
    }


@pytest.mark.clause(GAME, "19:47-7.8(b)", "19:47-7.8(c)", "19:47-7.8(d)", "19:47-7.9(b)")
def test_the_players_third_card_comes_before_the_bankers_and_no_hand_gets_a_fourth(felt):
    table = dealing(felt, "2s", "3d", "3h", "Kc", "4s", "5s")
    result = table.finish()
    thirds = [(ask.area, ask.rules) for ask in table.asked if isinstance(ask, asks.DealCard)][4:]
    assert thirds == [("player", of("8(b)", "8(c)")), ("banker", of("8(b)", "8(c)"))]
    assert {len(cards) for cards in result.hands.values()} == {3}


@pytest.mark.clause(GAME, "19:47-7.7(c)2", "19:47-7.7(c)3")
@pytest.mark.parametrize(
    ("layout", "turned"),
    [
        ("face_up", []),
        ("under_shoe", [("player", of("7(c)2")), ("banker", of("7(c)2"))]),
        ("viewed", [("player", of("7(c)3i")), ("banker", of("7(c)3ii"))]),
    ],
)
def test_cards_dealt_face_down_are_turned_before_any_third_card(felt, layout, turned):
    table = dealing(felt, "2s", "3d", "3h", "Kc", "4s", "5s", deal=layout)
    table.finish()
    assert [(ask.area, ask.rules) for ask in table.asked if isinstance(ask, asks.Reveal)] == turned
    kinds = [type(ask) for ask in table.asked]
    if turned:
        assert kinds.index(asks.Reveal) == kinds.index(asks.DealCard) + 4
    mode = next(ask.rules[1] for ask in table.asked if isinstance(ask, asks.DealCard))
    assert mode == of({"face_up": "7(c)1", "under_shoe": "7(c)2", "viewed": "7(c)3"}[layout])[0]


@pytest.mark.parametrize("layout", ["face_up", "under_shoe", "viewed"])
def test_no_card_is_exposed_once_all_lie_face_up(felt, layout):
    table = dealing(felt, "2s", "3d", "3h", "Kc", "4s", "5s", deal=layout)
    if layout != "face_up":
        table.until(asks.Reveal)
        assert all(table.round.can(tells.CardExposed(None, area=hand)) for hand in ("player", "banker"))
    while table.ask.rules != of("8(b)", "8(c)"):
        table.step()
    assert all(out_of_turn(table, tells.CardExposed(None, area=hand)) for hand in ("player", "banker"))


@pytest.mark.clause(GAME, "19:47-7.5(f)")
@pytest.mark.parametrize(
    ("first", "more"), [(f"{rank}h", min(value, 10)) for value, rank in enumerate("A23456789TJQK", 1)]
)
def test_the_first_card_of_a_shoe_says_how_many_are_burned(felt, first, more):
    table = felt(game.GAME, SHOE)
    table.open(WAGERS)
    table.until(asks.Burn)
    table.stack(*parse_all([first]))
    table.until(asks.DealCard)
    burned = [ask for ask in table.asked if isinstance(ask, asks.Burn)]
    assert len(burned) == 1 + more
    assert all(ask.show and ask.rules == of("5(f)") for ask in burned)
    assert table.table.procedure.behind_cutting_card == 14


@pytest.mark.clause(GAME, "19:47-7.8(e)")
def test_after_the_cutting_card_one_more_hand_is_dealt(felt):
    table = felt(game.GAME, SHOE)
    shuffled = []
    for number in range(4):
        table.open(WAGERS)
        if number == 1:
            table.until(asks.DealCard)
            (ruling,) = table.tell(tells.CuttingCardSeen())
            assert (ruling.order, ruling.rules) == (Order.LAST_ROUND, of("8(e)"))
        table.finish()
        shuffled.append(isinstance(table.asked[0], asks.StartShuffle))
    assert shuffled == [True, False, False, True]


@pytest.mark.clause(GAME, "19:47-7.5(d)", "19:47-7.5(e)", "19:47-7.5(g)")
def test_the_cut_is_offered_from_the_highest_seat_clockwise(felt):
    table = felt(game.GAME, SHOE)
    table.open(WAGERS)
    ask = table.until(asks.Cut)
    assert (ask.offer, ask.size) == ((5, 2), 416)
    assert table.refused(tells.DeckCut(DEALER, 9)) == of("5(e)")
    table.until(asks.LoadShoe)
    (ruling,) = table.tell(tells.RecutOrdered())
    assert ruling.rules == of("5(g)")


@pytest.mark.clause(GAME, "19:47-7.7(b)", "19:47-7.1(a)")
def test_betting_is_closed_before_the_first_card(felt):
    table = felt(game.GAME, SHOE)
    table.open(WAGERS)
    assert table.until(asks.CallNoMoreBets).rules == of("7(b)")
    table.step()
    assert table.refused(tells.BetPlaced(2, "tie", 500)) == of("7(b)")
    with pytest.raises(Illegal) as refusal:
        felt(game.GAME, SHOE, decks=5)
    assert refusal.value.rules == of("1(a)")
    with pytest.raises(Illegal) as refusal:
        felt(game.GAME, SHOE).open({1: {"dragon": 500}})
    assert refusal.value.rules == of("7(b)")

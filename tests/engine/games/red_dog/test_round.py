"""A round of Red Dog as the text orders it, and what is ordered when something goes wrong."""

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.cards import parse_all
from feltrig.engine.games.red_dog import round as game
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.house import DEALER, House
from feltrig.engine.table.table import Table
from feltrig.engine.table.ways import Way

GAME = "red_dog"
SHOE = Way({"machine_shuffle": False, "shuffler_counts": False})
WAGERS = {2: {"wager": 500}, 5: {"wager": 1000}}


def of(*numbers):
    return tuple(f"19:47-6.{number}" for number in numbers)


def dealing(felt, *cards, **options):
    """A table that is about to deal these cards."""
    table = felt(game.GAME, SHOE, **options)
    table.open(WAGERS)
    table.until(asks.CallNoMoreBets)
    table.stack(*parse_all(cards))
    return table


@pytest.mark.parametrize("way", game.WAYS, ids=str)
def test_good_people_play_round_after_round(felt, way):
    table = felt(game.GAME, way)
    for number in range(15):
        if table.table.procedure.behind_cutting_card and len(table.cards) < 8:
            break
        table.choices = {2: "raise" if number % 2 else "stand", 5: "stand"}
        table.open(WAGERS)
        assert not table.finish().void
        assert table.strangers() == set()
        assert table.rulings == []


@pytest.mark.clause(GAME, "19:47-6.5(c)", "19:47-6.5(g)", "19:47-6.5(h)", "19:47-6.5(i)", "19:47-6.5(d)")
def test_a_spread_opens_the_raises_which_are_closed_before_the_third_card(felt):
    table = dealing(felt, "4s", "7d", "5h")
    table.choices = {5: ("raise", 400)}
    result = table.finish()
    begun = [type(ask) for ask in table.asked].index(asks.DealCard)
    assert [getattr(a, "area", None) or getattr(a, "seat", None) or type(a).__name__ for a in table.asked[begun:]] == [
        *("box.left", "box.right", 5, 2, "CallNoMoreBets", "box.middle", "CollectCards")
    ]
    assert [(s.seat, s.stake, s.outcome, s.net) for s in result.settlements] == [
        (2, 500, "win", 2000),
        (5, 1400, "win", 5600),
    ]


@pytest.mark.clause(GAME, "19:47-6.5(e)", "19:47-6.5(f)", "19:47-6.5(f)1", "19:47-6.5(f)2")
@pytest.mark.parametrize(
    ("cards", "outcome", "dealt"),
    [
        (("9s", "Td"), "consecutive_tie", 2),
        (("9s", "9d", "9h"), "three_of_a_kind", 3),
        (("9s", "9d", "Kh"), "pair_tie", 3),
    ],
)
def test_nobody_raises_on_consecutive_cards_or_a_pair(felt, cards, outcome, dealt):
    table = dealing(felt, *cards)
    result = table.finish()
    assert {s.outcome for s in result.settlements} == {outcome}
    assert not [ask for ask in table.asked if isinstance(ask, asks.Decide)]
    assert sum(isinstance(ask, asks.DealCard) for ask in table.asked) == dealt


@pytest.mark.clause(GAME, "19:47-6.5(h)")
@pytest.mark.parametrize(
    ("amount", "reading", "legal"),
    [
        (0, "up_to", False),
        (1, "up_to", True),
        (1000, "up_to", True),
        (1001, "up_to", False),
        (999, "exactly_equal", False),
    ],
)
def test_a_raise_is_at_most_the_wager(felt, amount, reading, legal):
    table = dealing(felt, "4s", "9d", raise_amount=reading)
    assert table.until(asks.Decide).seat == 5
    assert table.round.can(tells.Decided(5, "raise", amount)) is legal
    if not legal:
        assert table.refused(tells.Decided(5, "raise", amount)) == of("5(h)")


@pytest.mark.clause(GAME, "19:47-6.3(a)", "19:47-6.4(a)", "19:47-6.5(k)", "19:47-6.3(c)")
def test_a_shoe_lasts_until_the_cutting_card_and_each_begins_with_a_burned_card(felt):
    table = felt(game.GAME, SHOE, decks=1)
    assert table.table.procedure.behind_cutting_card == 13
    kinds = []
    for number in range(4):
        table.open(WAGERS)
        if number == 2:
            table.until(asks.DealCard)
            (ruling,) = table.tell(tells.CuttingCardSeen())
            assert (ruling.order, ruling.rules) == (Order.LAST_ROUND, of("5(k)"))
        table.finish()
        kinds.append([type(ask).__name__ for ask in table.asked][:5])
    fresh = ["StartShuffle", "FinishShuffle", "Cut", "LoadShoe", "Burn"]
    assert kinds[0] == kinds[3] == fresh
    assert kinds[1][0] == kinds[2][0] == "CallNoMoreBets"


@pytest.mark.clause(GAME, "19:47-6.4(a)")
def test_a_new_dealer_burns_a_card(felt):
    table = felt(game.GAME, SHOE)
    table.open(WAGERS)
    table.finish()
    table.open(WAGERS)
    table.tell(tells.DealerChanged())
    table.finish()
    table.open(WAGERS)
    assert table.until(asks.Burn).rules == of("4(a)")


@pytest.mark.clause(GAME, "19:47-6.9")
def test_a_continuous_device_shuffles_all_cards_after_every_round(felt):
    table = felt(game.GAME, SHOE, continuous=True)
    for _ in range(3):
        table.open(WAGERS)
        table.until(asks.DealCard)
        kinds = [type(ask).__name__ for ask in table.asked]
        assert kinds == ["StartShuffle", "FinishShuffle", "LoadShoe", "CallNoMoreBets"] or "Cut" in kinds
        assert "Burn" not in kinds
        table.finish()


@pytest.mark.clause(GAME, "19:47-6.3(b)", "19:47-6.3(c)", "19:47-6.3(d)")
def test_the_cut_goes_to_the_first_player_then_to_the_far_right_and_clockwise(felt):
    table = felt(game.GAME, SHOE)
    wagers = {4: {"wager": 500}, 2: {"wager": 500}, 6: {"wager": 500}}
    table.open(wagers)
    ask = table.until(asks.Cut)
    assert ask.offer == (4,)
    assert table.refused(tells.DeckCut(DEALER, 9)) == of("3(c)")
    table.until(asks.LoadShoe)
    (ruling,) = table.tell(tells.RecutOrdered())
    assert ruling.rules == of("3(d)")
    table.until(asks.DealCard)
    table.tell(tells.CuttingCardSeen())
    table.finish()
    table.open(wagers)
    assert table.until(asks.Cut).offer == (2, 6, 4)


@pytest.mark.clause(GAME, "19:47-6.7(a)", "19:47-6.7(b)")
def test_cards_face_up_are_discarded_however_many_and_a_misdraw_is_the_next_card(felt):
    table = dealing(felt)
    table.step()
    for _ in range(2):
        (ruling,) = table.tell(tells.CardDealt(table.cards[0], face_up=True))
        assert (ruling.order, ruling.rules) == (Order.DISCARD_CARD, of("7(a)"))
    drawn = table.cards[0]
    (ruling,) = table.tell(tells.CardDrawnInError(drawn))
    assert (ruling.order, ruling.rules) == (Order.USE_AS_NEXT, of("7(b)"))
    assert table.tell(tells.CardDealt(drawn)) == ()


@pytest.mark.clause(GAME, "19:47-6.7(c)")
def test_a_third_card_seen_too_early_is_discarded_and_each_player_may_void(felt):
    table = dealing(felt, "4s", "9d", "5h", "6h")
    table.until(asks.Decide)
    early = parse_all(["5h"])[0]
    left = table.round._play.left
    (ruling,) = table.tell(tells.CardExposed(None, early, "box.middle"))
    assert (ruling.order, ruling.rules) == (Order.DISCARD_CARD, of("7(c)"))
    assert (table.round._play.discarded[-1], table.round._play.left) == (early, left - 1)
    table.cards.remove(early)
    table.choices = {(2, "go on"): "void"}
    result = table.finish()
    assert [(s.seat, s.outcome) for s in result.settlements] == [(2, "void"), (5, "win")]
    assert result.settlements[0].net == 0
    assert result.hands["box.middle"] == parse_all(["6h"])


def test_no_third_card_is_out_before_the_raises(felt):
    table = dealing(felt, "4s", "9d")
    assert not table.round.can(tells.CardExposed(None, parse_all(["5h"])[0], "box.middle"))


@pytest.mark.clause(GAME, "19:47-6.5(a)", "19:47-6.5(d)")
def test_wagers_are_made_before_the_first_card_and_stay(felt):
    table = felt(game.GAME, SHOE)
    table.open(WAGERS)
    table.tell(tells.BetPlaced(3, "wager", 500))
    table.until(asks.CallNoMoreBets)
    table.step()
    assert table.refused(tells.BetPlaced(3, "wager", 0)) == of("5(a)")
    assert [s.seat for s in table.finish().settlements if s.seat == 3] == [3]


@pytest.mark.clause(GAME, "19:47-6.5(a)", "19:47-6.1(a)")
def test_what_the_rules_forbid_is_refused(felt):
    with pytest.raises(Illegal) as refusal:
        felt(game.GAME, SHOE).open({1: {"wager": 499}})
    assert refusal.value.rules == of("5(a)")
    with pytest.raises(Illegal) as refusal:
        game.Options(decks=0)
    assert refusal.value.rules == of("1(a)")


@pytest.mark.clause(GAME, "19:47-6.8")
@pytest.mark.parametrize("allowed", [False, True])
def test_a_player_bets_on_two_areas_only_if_the_house_allows(allowed):
    table = Table(game.procedure, game.Options(), House(machine_shuffle=False, two_areas=allowed))
    wagers = {1: {"wager": 500}, 2: {"wager": 500}}
    if allowed:
        assert table.open_round(wagers, {1: "Ann", 2: "Ann"}).ask is not None
        return
    with pytest.raises(Illegal) as refusal:
        table.open_round(wagers, {1: "Ann", 2: "Ann"})
    assert refusal.value.rules == of("8")

"""What may be told at any moment, and when it may not."""

import pytest
from moments import BY_HAND, SHOE, WAGERS, at, out_of_turn

from feltrig.engine import asks, tells
from feltrig.engine.cards import parse_all
from feltrig.engine.games import GAMES
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.interjections import Interjection
from feltrig.engine.table.ways import Way


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


@pytest.mark.parametrize(
    ("game", "moment", "seats", "areas"),
    [
        ("red_dog", asks.Decide, (), ("box.left", "box.right")),
        ("red_dog", asks.CollectCards, (), ("box.left", "box.middle", "box.right")),
        ("double_down_stud", asks.Decide, (2, 5), ("shared",)),
        ("blackjack", asks.Decide, (2, 5), ()),
    ],
)
def test_no_card_that_lies_face_up_can_be_exposed(felt, game, moment, seats, areas):
    table = felt(GAMES[game], BY_HAND)
    table.open(SHOE)
    table.until(asks.DealCard)
    table.stack(*parse_all(["2c", "9d"]))
    table.until(moment)
    assert all(table.round._play.hand(place) for place in (*seats, *areas))
    for seen in (*map(tells.CardExposed, seats), *(tells.CardExposed(None, area=area) for area in areas)):
        assert out_of_turn(table, seen), seen


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


def test_an_interjection_of_the_game_is_heard_at_any_moment_and_the_ask_stays(hooked):
    heard = []

    def check(play, seen):
        if not play.bets_closed:
            raise Illegal("too early", "1")

    own = {tells.Surrendered: Interjection(check, lambda play, seen: heard.append(seen.seat))}
    table = hooked(interjections=own)
    assert table.refused(tells.Surrendered(2)) == ("1",)
    for kind in (asks.DealCard, asks.Decide):
        asked = table.until(kind)
        assert table.tell(tells.Surrendered(2)) == ()
        assert table.ask == asked
    assert heard == [2, 2]

"""How a round ends: wagers go back when it is void, and losers are settled first."""

from moments import WAGERS

from feltrig.engine import asks, tells
from feltrig.engine.rulings import Order
from feltrig.engine.table.result import Settlement, losers_first


def test_losers_are_collected_first_then_pushes_stay_then_winners_are_paid():
    rows = [Settlement(seat, "wager", 500, "", net, ()) for seat, net in ((1, 500), (2, 0), (3, -500), (4, 1), (5, -1))]
    assert [row.seat for row in losers_first(rows)] == [3, 5, 2, 1, 4]


def test_a_void_round_gives_every_wager_back_and_names_its_order(hooked):
    table = hooked()
    table.until(asks.DealCard)
    table.tell(tells.CardDealt(52))
    result = table.finish()
    assert (result.void, result.order) == (True, Order.VOID_REMOVE_DECK)
    assert {(row.seat, row.stake, row.outcome, row.net) for row in result.settlements} == {
        (seat, bets["ante"], "void", 0) for seat, bets in WAGERS.items()
    }

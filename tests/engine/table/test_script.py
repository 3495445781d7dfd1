"""A round as a script: it goes on or ends when the round is void."""

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.rulings import Order, OutOfTurn
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.irregular import Irregularity, Remedy


@pytest.mark.parametrize("survives", [True, False])
def test_what_survives_a_void_keeps_the_script_going(hooked, survives):
    kept = Remedy(Order.VOID_KEEP_BONUS, ("1",))
    table = hooked(remedies={Irregularity.DEALER_CARD_SEEN: kept}, survives=lambda play: survives)
    table.until(asks.Decide)
    table.tell(tells.CardExposed(DEALER))
    assert isinstance(table.ask, asks.Decide if survives else asks.CollectCards)
    with pytest.raises(OutOfTurn, match="the round is void"):
        table.round.tell(tells.CardExposed(2))
    result = table.finish()
    assert (result.void, result.order) == (True, Order.VOID_KEEP_BONUS)

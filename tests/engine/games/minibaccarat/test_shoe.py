"""Cut, burn, last hand, and who is handed the cards."""

import pytest

from feltrig.engine.games.minibaccarat.shoe import (
    cut_offer,
)


@pytest.mark.clause("minibaccarat", "19:47-7.5(d)")
def test_7_5_d_the_cut_is_offered_from_the_highest_seat_clockwise_the_dealer_last() -> None:
    assert cut_offer([2, 7, 4]) == (7, 4, 2, 0)
    assert cut_offer([]) == (0,)

"""Red Dog: the odds of each spread, 6.5(i)3."""

import pytest

from feltrig.engine.cards import parse
from feltrig.engine.games import GAMES
from feltrig.engine.games.red_dog.paytables import PAY_TABLES, SPREADS, check_odds
from feltrig.engine.games.red_dog.settlement import (
    settle,
)
from feltrig.engine.rulings import Illegal

GAME = "red_dog"


@pytest.mark.clause(GAME, "19:47-6.5(i)3")
def test_6_5_i_3_a_licensee_may_pay_more_but_never_less() -> None:
    check_odds(SPREADS)
    check_odds({**SPREADS, 4: 2})
    without_five = {key: SPREADS[key] for key in SPREADS if key != 5}
    for lower, why in (
        ({**SPREADS, 1: 4}, "spread 1: 4 to 1, the least is 5 to 1"),
        ({**SPREADS, 11: 0}, "spread 11: 0 to 1, the least is 1 to 1"),
        (without_five, "spread 5: None to 1, the least is 1 to 1"),
    ):
        with pytest.raises(Illegal) as refused:
            check_odds(lower)
        assert (refused.value.why, refused.value.rules) == (why, ("19:47-6.5(i)3",))
    first, second, third = map(parse, ("2s", "7d", "5h"))
    assert settle(first, second, third, 1000, 500, odds={**SPREADS, 4: 3}).net == 4500


def test_the_pay_table_is_enumerable_by_name() -> None:
    assert PAY_TABLES == {
        "wager": {
            "19:47-6.5(i)2": {
                "three_of_a_kind": 11,
                "spread_1": 5,
                "spread_2": 4,
                "spread_3": 2,
                "spread_4": 1,
                "spread_5": 1,
                "spread_6": 1,
                "spread_7": 1,
                "spread_8": 1,
                "spread_9": 1,
                "spread_10": 1,
                "spread_11": 1,
            }
        }
    }
    assert all(key in GAMES[GAME].clauses for tables in PAY_TABLES.values() for key in tables)

"""What the oracle says about Big Six."""

from typing import Any

import pytest

from feltrig.engine import oracle


def ask(op: str, given: dict[str, Any]) -> dict[str, Any]:
    return oracle.ask({"id": 1, "game": "big_six", "op": op, "input": given})


@pytest.mark.clause("big_six", "19:47-5.5(a)")
@pytest.mark.parametrize(
    ("symbol", "net"),
    [("1", 500), ("2", 1000), ("5", 2500), ("10", 5000), ("20", 10000), ("joker", 22500), ("flag", 22500), (20, 10000)],
)
def test_a_winning_wager_pays_the_least_odds(symbol: Any, net: int) -> None:
    assert ask("winning_payout", {"symbol": symbol, "wager_cents": 500}) == {
        "id": 1,
        "result": {"net_cents": net, "odds_to_1": net // 500},
        "clauses": ["19:47-5.5(a)"],
    }


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"symbol": "3", "wager_cents": 500}, "input.symbol: '3' is not 1, 2, 5, 10, 20, joker or flag"),
        ({"symbol": True, "wager_cents": 500}, "input.symbol: 'True' is not 1, 2, 5, 10, 20, joker or flag"),
        ({"symbol": None, "wager_cents": 500}, "input.symbol: 'None' is not 1, 2, 5, 10, 20, joker or flag"),
        ({"symbol": "1", "wager_cents": -1}, "input.wager_cents: -1 is not 0 or more"),
        ({"symbol": "1", "wager_cents": 1.5}, "input.wager_cents: 1.5 is not a whole number"),
        ({"symbol": "1"}, "input.wager_cents: missing"),
    ],
)
def test_a_bad_question_gets_one_clear_line(given: dict[str, Any], error: str) -> None:
    assert ask("winning_payout", given) == {"id": 1, "error": error}

"""The oracle on Let It Ride."""

from typing import Any

import pytest

from feltrig.engine import oracle

ROYAL: dict[str, Any] = {
    "player_cards": ["As", "Ks", "Qs"],
    "community": ["Js", "Ts"],
    "unit_cents": 500,
    "bet1_rides": True,
    "bet2_rides": True,
    "bonus_wager_cents": 100,
    "payout_limit_cents": None,
}


def ask(given: dict[str, Any], **options: Any) -> dict[str, Any]:
    return oracle.ask({"id": "q", "game": "let_it_ride", "op": "settle", "input": given, "options": options})


@pytest.mark.parametrize(
    ("changed", "result", "clauses"),
    [
        (
            {},
            {
                "category": "royal_flush",
                "odds_to_1": 1000,
                "wagers_at_risk": 3,
                "net_cents": 1_500_000,
                "bonus_payout_cents": 2_500_000,
                "bonus_net_cents": 2_499_900,
            },
            "18.10(g)1 18.3(b)1 18.10(b)1 18.10(e)1 18.11(b) 18.6A(c) 18.11(d)",
        ),
        (
            {"unit_cents": 10_000, "bet1_rides": False, "payout_limit_cents": 5_000_000, "bonus_wager_cents": 0},
            {
                "category": "royal_flush",
                "odds_to_1": 1000,
                "wagers_at_risk": 2,
                "net_cents": 5_000_000,
                "bonus_payout_cents": 0,
                "bonus_net_cents": 0,
            },
            "18.10(g)1 18.3(b)1 18.10(b)2 18.10(e)1 18.11(b) 18.11(c)",
        ),
        (
            {"player_cards": ["9c", "9d", "Ah"], "bet2_rides": False},
            {
                "category": "pair",
                "odds_to_1": None,
                "wagers_at_risk": 2,
                "net_cents": -1000,
                "bonus_payout_cents": 0,
                "bonus_net_cents": -100,
            },
            "18.10(g)1 18.3(b)9 18.10(b)1 18.10(e)2 18.10(h) 18.6A(a)",
        ),
    ],
)
def test_settle_answers(changed: dict[str, Any], result: dict[str, Any], clauses: str) -> None:
    cited = [f"19:47-{number}" for number in clauses.split()]
    assert ask({**ROYAL, **changed}) == {"id": "q", "result": result, "clauses": cited}


def test_bonus_and_limit_may_be_left_out_or_null() -> None:
    short = {key: value for key, value in ROYAL.items() if key not in ("bonus_wager_cents", "payout_limit_cents")}
    for question in (short, {**short, "bonus_wager_cents": None}):
        result = ask(question)["result"]
        assert (result["net_cents"], result["bonus_payout_cents"], result["bonus_net_cents"]) == (1_500_000, 0, 0)


def test_lir_03_and_lir_04_are_options_by_name_and_by_decision() -> None:
    large = {**ROYAL, "unit_cents": 10_000, "payout_limit_cents": 5_000_000}
    for name in ("bonus_stake", "LIR-03"):
        assert ask(ROYAL, **{name: "returned"})["result"]["bonus_net_cents"] == 2_500_000
        assert ask(ROYAL, **{name: "not_returned"})["result"]["bonus_net_cents"] == 2_499_900
    for name in ("payout_limit", "LIR-04"):
        assert ask(large, **{name: "per_bet"})["result"]["net_cents"] == 15_000_000
        assert ask(large, **{name: "aggregate"})["result"]["net_cents"] == 5_000_000


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"community": ["Js", "As"]}, "card 'As': 2 times, and the decks have 1"),
        ({"player_cards": ["As", "As", "Qs"]}, "card 'As': 2 times, and the decks have 1"),
        ({"player_cards": ["As", "Ks"]}, "input.player_cards: 2 cards, expected 3"),
        ({"community": ["Js", "Ts", "9s"]}, "input.community: 3 cards, expected 2"),
        ({"community": ["Js", "X1"]}, "card 'X1': not in the deck of this game"),
        ({"unit_cents": 0}, "input.unit_cents: 0 is not 1 or more"),
        ({"bet1_rides": 1}, "input.bet1_rides: 1 is not true or false"),
        ({"bet2_rides": None}, "input.bet2_rides: None is not true or false"),
        ({"bonus_wager_cents": 500}, "bonus wager of 500 cents: expected 100, or none (19:47-18.6A(b))"),
        (
            {"payout_limit_cents": 4_999_999},
            "payout limit of 4999999 cents: expected at least 5000000 (19:47-18.11(c))",
        ),
        ({"payout_limit_cents": 0}, "payout limit of 0 cents: expected at least 5000000 (19:47-18.11(c))"),
    ],
)
def test_bad_questions_get_one_clear_line(changed: dict[str, Any], error: str) -> None:
    assert ask({**ROYAL, **changed}) == {"id": "q", "error": error}

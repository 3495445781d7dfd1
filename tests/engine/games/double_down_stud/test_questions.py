"""The oracle on Double Down Stud."""

from typing import Any

import pytest

from feltrig.engine import oracle


def ask(given: dict[str, Any], **options: Any) -> dict[str, Any]:
    return oracle.ask({"id": "q", "game": "double_down_stud", "op": "settle", "input": given, "options": options})


def given(cards: str, wager: int = 10_000, double_down: int | None = 10_000) -> dict[str, Any]:
    return {"cards": cards.split(), "wager_cents": wager, "double_down_cents": double_down}


@pytest.mark.parametrize(
    ("question", "result", "clauses"),
    [
        (
            given("As Ks Qs Js Ts"),
            {"category": "royal_flush", "result": "win", "odds_to_1": 1000, "net_cents": 10_000_000},
            "17.8(b) 17.5(b)1 17.8(c) 17.9(c) 17.10(b) 17.10(c)",
        ),
        (
            given("Tc Td 2h 3s 4c"),
            {"category": "pair", "result": "push", "odds_to_1": None, "net_cents": 0},
            "17.8(b) 17.5(b)9 17.8(c) 17.9(b) 17.10(b)",
        ),
        (
            given("5c 5d 2h 3s 4c", 501, None),
            {"category": "pair", "result": "lose", "odds_to_1": None, "net_cents": -501},
            "17.8(b) 17.5(b)9 17.9(a) 17.10(b)",
        ),
        (
            given("Ac Kd Qh Js 9c", 500, 250),
            {"category": "high_card", "result": "lose", "odds_to_1": None, "net_cents": -750},
            "17.8(b) 17.5(b) 17.8(c) 17.9(a) 17.10(b)",
        ),
    ],
)
def test_settle_answers(question: dict[str, Any], result: dict[str, Any], clauses: str) -> None:
    cited = [f"19:47-{number}" for number in clauses.split()]
    assert ask(question) == {"id": "q", "result": result, "clauses": cited}


def test_the_double_down_may_be_left_out() -> None:
    short = {"cards": ["Jc", "Jd", "2h", "3s", "4c"], "wager_cents": 700}
    assert ask(short)["result"]["net_cents"] == 700


def test_dds_01_and_dds_02_are_options_by_name_and_by_decision() -> None:
    for name in ("payout_limit", "DDS-02"):
        assert ask(given("As Ks Qs Js Ts"), **{name: "per_wager"})["result"]["net_cents"] == 20_000_000
        assert ask(given("As Ks Qs Js Ts"), **{name: "aggregate"})["result"]["net_cents"] == 10_000_000
    half = given("Jc Jd 2h 3s 4c", 1000, 500)
    for name in ("double_down_amount", "DDS-01"):
        assert "exactly as much" in ask(half, **{name: "exactly_equal"})["error"]
        assert ask(half, **{name: "up_to_equal"})["result"]["net_cents"] == 1500


@pytest.mark.parametrize(
    ("question", "error"),
    [
        (
            given("As Ks Qs Js Ts", 1000, 1001),
            "double down wager of 1001 on a wager of 1000: expected at most as much (19:47-17.8(c))",
        ),
        (given("As Ks Qs Js Js"), "card 'Js': 2 times, and the decks have 1"),
        (given("As Ks Qs Js"), "input.cards: 4 cards, expected 5"),
        (given("As Ks Qs Js X2"), "card 'X2': not in the deck of this game"),
        (given("As Ks Qs Js Ts", 0, 0), "input.wager_cents: 0 is not 1 or more"),
        (given("As Ks Qs Js Ts", 1000, -1), "input.double_down_cents: -1 is not 0 or more"),
    ],
)
def test_bad_questions_get_one_clear_line(question: dict[str, Any], error: str) -> None:
    assert ask(question) == {"id": "q", "error": error}

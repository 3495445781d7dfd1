"""The oracle on Red Dog."""

from typing import Any

import pytest

from feltrig.engine import oracle


def ask(given: dict[str, Any], **options: Any) -> dict[str, Any]:
    return oracle.ask({"id": "q", "game": "red_dog", "op": "settle", "input": given, "options": options})


def given(first: str, second: str, third: str | None, wager: int = 1000, raised: int | None = 0) -> dict[str, Any]:
    return {"first": first, "second": second, "third": third, "wager_cents": wager, "raise_cents": raised}


@pytest.mark.parametrize(
    ("question", "result", "clauses"),
    [
        (
            given("4s", "7d", "5h"),
            {"spread": 2, "result": "win", "odds_to_1": 4, "net_cents": 4000},
            ["19:47-6.5(g)", "19:47-6.5(i)1", "19:47-6.5(i)2"],
        ),
        (
            given("4s", "7d", "7h", 1000, 400),
            {"spread": 2, "result": "lose", "odds_to_1": None, "net_cents": -1400},
            ["19:47-6.5(g)", "19:47-6.5(h)", "19:47-6.5(i)1"],
        ),
        (
            given("As", "2d", "Kh", 333, None),
            {"spread": 11, "result": "win", "odds_to_1": 1, "net_cents": 333},
            ["19:47-6.5(g)", "19:47-6.5(i)1", "19:47-6.5(i)2"],
        ),
        (
            given("Ks", "Ad", None),
            {"spread": None, "result": "consecutive_tie", "odds_to_1": None, "net_cents": 0},
            ["19:47-6.5(e)"],
        ),
        (
            given("Ks", "Kd", "2c"),
            {"spread": None, "result": "pair_tie", "odds_to_1": None, "net_cents": 0},
            ["19:47-6.5(f)", "19:47-6.5(f)2"],
        ),
        (
            given("Ks", "Ks", "Ks"),
            {"spread": None, "result": "three_of_a_kind", "odds_to_1": 11, "net_cents": 11000},
            ["19:47-6.5(f)", "19:47-6.5(f)1"],
        ),
    ],
)
def test_settle_answers(question: dict[str, Any], result: dict[str, Any], clauses: list[str]) -> None:
    assert ask(question) == {"id": "q", "result": result, "clauses": clauses}


def test_third_card_and_raise_may_be_left_out() -> None:
    short = {"first": "Ks", "second": "Ad", "wager_cents": 1}
    assert ask(short)["result"]["result"] == "consecutive_tie"


def test_rd_01_is_an_option_by_name_and_by_decision() -> None:
    question = given("4s", "7d", "5h", 1000, 500)
    assert ask(question, raise_amount="up_to")["result"]["net_cents"] == 6000
    for name in ("raise_amount", "RD-01"):
        assert "exactly as much" in ask(question, **{name: "exactly_equal"})["error"]


@pytest.mark.parametrize(
    ("question", "error"),
    [
        (given("4s", "7d", None), "no third card after a spread (19:47-6.5(i))"),
        (given("7s", "7d", None), "no third card after a pair (19:47-6.5(f))"),
        (
            given("4s", "7d", "5h", 1000, 1001),
            "a raise of 1001 on a wager of 1000: expected at most as much (19:47-6.5(h))",
        ),
        (given("7s", "7d", "7h", 1000, 1), "a raise of 1: no spread to raise on (19:47-6.5(h))"),
        (given("4s", "7d", "5h", 0), "input.wager_cents: 0 is not 1 or more"),
        (given("4s", "7d", "5h", 1000, -1), "input.raise_cents: -1 is not 0 or more"),
        (given("Zs", "7d", "5h"), "card 'Zs': no such rank"),
        (given("4s", "7d", "X1"), "card 'X1': not in the deck of this game"),
    ],
)
def test_bad_questions_get_one_clear_line(question: dict[str, Any], error: str) -> None:
    assert ask(question) == {"id": "q", "error": error}

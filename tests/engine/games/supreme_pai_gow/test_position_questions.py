"""Questions about where cards and stacks go, as a program asks them."""

from typing import Any

import pytest

from feltrig.engine import oracle


def ask(op: str, given: dict[str, Any], jurisdiction: str = "NJ", **options: Any) -> dict[str, Any]:
    question = {"id": "q", "game": "supreme_pai_gow", "op": op, "input": given}
    return oracle.ask({**question, "jurisdiction": jurisdiction, "options": options})


def result(op: str, given: dict[str, Any], **options: Any) -> Any:
    return ask(op, given, **options)["result"]


@pytest.mark.clause("supreme_pai_gow", "34.8(c)", "34.11(b)2", "34.11(c)", "34.13(h)3")
@pytest.mark.parametrize(
    ("given", "position", "clauses"),
    [
        ({"method": "dice", "dice": [2, 2, 4]}, 0, ["19:47-34.11(b)2", "19:47-34.8(c)"]),
        ({"method": "dice", "dice": [6, 6, 2], "number": None}, 6, ["19:47-34.11(b)2", "19:47-34.8(c)"]),
        ({"method": "rng", "number": 1}, 0, ["19:47-34.11(c)", "19:47-34.8(c)"]),
        ({"method": "rng", "number": 7, "dice": None}, 6, ["19:47-34.11(c)", "19:47-34.8(c)"]),
        (
            {"method": "dice", "dice": [6, 6, 2], "bank_seat": 3},
            2,
            ["19:47-34.11(b)2", "19:47-34.13(h)3", "19:47-34.8(c)"],
        ),
        (
            {"method": "rng", "number": 1, "bank_seat": "5"},
            5,
            ["19:47-34.11(c)", "19:47-34.13(h)3", "19:47-34.8(c)"],
        ),
    ],
)
def test_start_position(given: dict[str, Any], position: int, clauses: list[str]) -> None:
    found = ask("start_position", given)
    assert found["clauses"] == clauses
    assert found["result"]["position"] == position
    assert found["result"]["clockwise_deal_order"] == [(position - step) % 7 for step in range(7)]


@pytest.mark.clause("supreme_pai_gow", "34.9(c)")
def test_stacks_may_be_named_and_cards_listed() -> None:
    asked = {"start_position": 0, "stacks_left_to_right": [7, 6, 5, 4, 3, 2, 1]}
    assert result("hand_dealt_stack_delivery", asked)["delivery"][:2] == [[1, 0], [2, 1]]
    assert result("hand_dealt_stack_delivery", {"start_position": 0})["delivery"][0] == [7, 0]
    listed = {"card_numbers": list(range(101, 129)), "stack_from_dealer_left": 7}
    assert result("hand_dealt_stack_contents", listed) == {"cards": [107, 108, 121, 122]}
    assert result("hand_dealt_stack_contents", {"stack_from_dealer_left": 2}) == {"cards": [2, 13, 16, 27]}
    assert ask("hand_dealt_stack_contents", {"stack_from_dealer_left": 2})["clauses"] == ["19:47-34.9(c)"]


@pytest.mark.clause("supreme_pai_gow", "34.9(f)", "34.13(i)5")
def test_spg_01_stacks_may_go_clockwise_as_in_every_other_deal() -> None:
    for name in ("always_clockwise", "SPG-01"):
        delivery = result("hand_dealt_stack_delivery", {"start_position": 2}, **{name: True})["delivery"]
        assert delivery == [[7, 2], [6, 1], [5, 0], [4, 6], [3, 5], [2, 4], [1, 3]]
    assert ask("hand_dealt_stack_delivery", {"start_position": 2})["clauses"] == ["19:47-34.9(f)"]
    first = {"start_position": 2, "first_stack_from_dealer_left": 7}
    assert ask("bank_stack_delivery", first)["clauses"] == ["19:47-34.13(i)5"]
    assert result("bank_stack_delivery", first)["delivery"][:2] == [[7, 2], [1, 1]]

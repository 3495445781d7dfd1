"""What the oracle says about roulette."""

from typing import Any

import pytest

from feltrig.engine import oracle


def ask(op: str, given: dict[str, Any], **options: Any) -> dict[str, Any]:
    return oracle.ask({"id": 1, "game": "roulette", "op": op, "input": given, "options": options})


@pytest.mark.clause("roulette", "19:47-5.2(a)")
@pytest.mark.parametrize(
    ("bet", "net", "clauses"),
    [
        ("straight", 17500, ["19:47-5.2(a)"]),
        ("split", 8500, ["19:47-5.2(a)"]),
        ("three_numbers", 5500, ["19:47-5.2(a)"]),
        ("four_numbers", 4000, ["19:47-5.2(a)"]),
        ("first_five_numbers", 3000, ["19:47-5.2(a)"]),
        ("six_numbers", 2500, ["19:47-5.2(a)"]),
        ("seven_numbers", 2000, ["19:47-5.2(a)", "19:47-5.1(f)"]),
        ("column", 1000, ["19:47-5.2(a)"]),
        ("dozen", 1000, ["19:47-5.2(a)"]),
        ("red", 500, ["19:47-5.2(a)"]),
        ("black", 500, ["19:47-5.2(a)"]),
        ("odd", 500, ["19:47-5.2(a)"]),
        ("even", 500, ["19:47-5.2(a)"]),
        ("1_to_18", 500, ["19:47-5.2(a)", "19:47-5.1(e)13"]),
        ("19_to_36", 500, ["19:47-5.2(a)", "19:47-5.1(e)14"]),
    ],
)
def test_a_winning_wager_pays_the_least_odds(bet: str, net: int, clauses: list[str]) -> None:
    assert ask("winning_payout", {"bet": bet, "wager_cents": 500}) == {
        "id": 1,
        "result": {"net_cents": net, "odds_to_1": net // 500},
        "clauses": clauses,
    }


def test_five_adjacent_numbers_have_no_odds_of_their_own() -> None:
    assert ask("winning_payout", {"bet": "five_adjacent_numbers", "wager_cents": 501}) == {
        "id": 1,
        "result": {"net_cents": "15531/5", "odds_to_1": None},
        "clauses": ["19:47-5.2(a)", "19:47-5.3(d)"],
    }


def settled(net: int | str, *clauses: str, respin: bool = False) -> dict[str, Any]:
    return {"id": 1, "result": {"net_cents": net, "respin": respin}, "clauses": [*clauses]}


VOID = settled(0, "19:47-5.2(d)2", respin=True)


@pytest.mark.clause("roulette", "19:47-5.2(b)", "19:47-5.2(c)", "19:47-5.2(d)2", "19:47-5.2(d)3", "19:47-5.1(f)")
@pytest.mark.parametrize(
    ("bet", "result", "wheel", "zero_option", "expected"),
    [
        ("even", "0", "double_zero", "half", settled(-250, "19:47-5.2(b)")),
        ("even", "00", "double_zero", "entire", settled(-500, "19:47-5.2(b)")),
        ("even", "0", "single_zero", "half", settled(-500, "19:47-5.2(c)")),
        ("even", "0", "single_zero", None, settled(-500, "19:47-5.2(c)")),
        ("even", "0", "double_zero_used_as_single", "half", settled(-500, "19:47-5.2(d)3")),
        ("even", "00", "double_zero_used_as_single", None, VOID),
        ("straight", "00", "double_zero_used_as_single", None, VOID),
        ("column", "00", "double_zero_used_as_single", None, VOID),
        ("even", "2", "double_zero", None, settled(500, "19:47-5.2(a)")),
        ("odd", 2, "double_zero", "half", settled(-500, "19:47-5.2(a)")),
        ("red", "36", "single_zero", None, settled(500, "19:47-5.2(a)")),
        ("black", "36", "single_zero", None, settled(-500, "19:47-5.2(a)")),
        ("19_to_36", "19", "single_zero", None, settled(500, "19:47-5.2(a)", "19:47-5.1(e)14")),
        ("seven_numbers", "33", "double_zero", "half", settled(2000, "19:47-5.2(a)", "19:47-5.1(f)")),
        ("seven_numbers", "0", "double_zero", "half", settled(-500, "19:47-5.1(f)")),
        ("first_five_numbers", "00", "double_zero", "half", settled(3000, "19:47-5.2(a)")),
        ("dozen", 0, "double_zero", "half", settled(-500, "19:47-5.2(a)")),
        ("column", "0", "single_zero", None, settled(-500, "19:47-5.2(a)")),
        ("six_numbers", "0", "single_zero", None, settled(-500, "19:47-5.2(a)")),
        ("four_numbers", "00", "double_zero", "half", settled(-500, "19:47-5.2(a)")),
    ],
)
def test_a_wager_is_settled(bet: str, result: Any, wheel: str, zero_option: str | None, expected: Any) -> None:
    given = {"bet": bet, "result": result, "wheel": wheel, "zero_option": zero_option, "wager_cents": 500}
    assert ask("settle", given) == expected


@pytest.mark.parametrize(
    ("where", "result", "net"),
    [
        ({"bet": "column", "which": 1}, "34", 1000),
        ({"bet": "column", "which": 2}, "34", -500),
        ({"bet": "dozen", "which": 3}, "25", 1000),
        ({"bet": "dozen", "which": 1}, "13", -500),
        ({"bet": "straight", "numbers": ["00"]}, "00", 17500),
        ({"bet": "split", "numbers": [0, "00"]}, "0", 8500),
        ({"bet": "three_numbers", "numbers": [1, 2, 3]}, "4", -500),
        ({"bet": "six_numbers", "numbers": [1, 2, 3, 4, 5, 6], "which": None}, "4", 2500),
        ({"bet": "five_adjacent_numbers", "numbers": [0, 28, 9, 26, 30]}, "28", 3100),
        ({"bet": "red", "numbers": None}, "1", 500),
    ],
)
def test_a_wager_is_settled_where_it_lies(where: dict[str, Any], result: str, net: int) -> None:
    given = {**where, "result": result, "wheel": "double_zero", "wager_cents": 500}
    assert ask("settle", given, layout="standard")["result"]["net_cents"] == net


def test_half_of_odd_cents_is_exact() -> None:
    given = {"bet": "red", "result": "0", "wheel": "double_zero", "zero_option": "half", "wager_cents": 501}
    assert ask("settle", given, **{"RL-01": "standard"})["result"] == {"net_cents": "-501/2", "respin": False}


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"bet": "trio"}, "input.bet: 'trio' is not straight, split, "),
        ({"wheel": "triple_zero"}, "input.wheel: 'triple_zero' is not double_zero, "),
        ({"zero_option": "third"}, "input.zero_option: 'third' is not half or entire"),
        ({"result": "37"}, "input.result: '37' is not 0, 00 or 1 to 36"),
        ({"result": "01"}, "input.result: '01' is not 0, 00 or 1 to 36"),
        ({"result": True}, "input.result: True is not 0, 00 or 1 to 36"),
        ({"result": 5.0}, "input.result: 5.0 is not 0, 00 or 1 to 36"),
        ({"result": ["5"]}, "input.result: ['5'] is not 0, 00 or 1 to 36"),
        ({"result": None}, "input.result: None is not 0, 00 or 1 to 36"),
        ({"result": "00"}, "input.result: '00' is not on a wheel that is single_zero"),
        ({"which": 0, "bet": "column"}, "input.which: 0 is not 1 to 3"),
        ({"which": 4, "bet": "column"}, "input.which: 4 is not 1 to 3"),
        ({"which": 1}, "input.which: does not go with red"),
        ({"numbers": [1]}, "input.numbers: do not go with red"),
        ({"numbers": [1], "bet": "dozen", "which": 1}, "input.numbers: do not go with dozen"),
        ({"bet": "dozen"}, "input.which: missing, and dozen needs it"),
        ({"bet": "column"}, "input.which: missing, and column needs it"),
        ({"bet": "straight"}, "input.numbers: missing, and straight needs it"),
        ({"bet": "straight", "result": "0"}, "input.numbers: missing, and straight needs it"),
        ({"bet": "four_numbers", "result": "0"}, "input.numbers: missing, and four_numbers needs it"),
        ({"bet": "straight", "numbers": [5, 5]}, "input.numbers: 5 stands twice"),
        ({"bet": "straight", "numbers": [True]}, "input.numbers: True is not 0, 00 or 1 to 36"),
        ({"bet": "split", "numbers": [1, 3]}, "split on 1, 3: no such place on a layout for single_zero"),
        ({"bet": "first_five_numbers"}, "first_five_numbers on 0, 1, 2, 3, 00: no such place on a layout for "),
        (
            {"result": "0", "wheel": "double_zero"},
            "on a double zero wheel, zero takes half or all of an even-money wager (19:47-5.2(b))",
        ),
        ({"wager_cents": -1}, "input.wager_cents: -1 is not 0 or more"),
        ({"colour": "red"}, "input.colour: no such field; expected bet, which, numbers, result, "),
    ],
)
def test_a_bad_question_gets_one_clear_line(changed: dict[str, Any], error: str) -> None:
    given = {"bet": "red", "result": "5", "wheel": "single_zero", "wager_cents": 500, **changed}
    answered = ask("settle", given)
    assert answered["error"].startswith(error)
    assert "\n" not in answered["error"]

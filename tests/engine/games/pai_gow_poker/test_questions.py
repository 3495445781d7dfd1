"""The oracle on pai gow poker."""

from typing import Any

import pytest

from feltrig.engine import oracle
from feltrig.engine.games import GAMES


def ask(op: str, given: dict[str, Any], **options: Any) -> dict[str, Any]:
    return oracle.ask({"id": "q", "game": "pai_gow_poker", "op": op, "input": given, "options": options})


def high(cards: str, wheel_option: str | None = None, **options: Any) -> Any:
    return ask("high_hand_rank", {"cards": cards.split(), "wheel_option": wheel_option}, **options)["result"]


def higher(first: str, second: str, wheel_option: str | None = None, **options: Any) -> Any:
    asked = {"first": first.split(), "second": second.split(), "wheel_option": wheel_option}
    return ask("compare_high", asked, **options)["result"]


def test_five_aces_have_nothing_left_to_decide() -> None:
    asked = {"cards": ["X1", "As", "Ad", "Ah", "Ac"], "wheel_option": "second_highest"}
    assert ask("high_hand_rank", asked) == {
        "id": "q",
        "result": {"category": "five_aces", "straight_top": None, "ranks": None},
        "clauses": ["19:47-11.3(b)1", "19:47-11.3(a)"],
    }


@pytest.mark.parametrize(
    ("cards", "wheel", "category", "top", "ranks"),
    [
        ("As 2d 3h 4c 5d", "second_highest", "straight", "A-2-3-4-5", None),
        ("As 2d 3h 4c 5d", "lowest", "straight", "A-2-3-4-5", None),
        ("X1 2d 3h 4c 5d", "second_highest", "straight", "A-2-3-4-5", None),
        ("X1 2d 3h 4c 5d", "lowest", "straight", 6, None),
        ("Ks Qs Js Ts 9s", None, "straight_flush", 13, None),
        ("X1 Qs Js Ts As", None, "royal_flush", None, None),
        ("9s 9d 9h 9c 2d", None, "four_of_a_kind", None, [9, 2]),
        ("Js 9s 7s 5s 3s", None, "flush", None, [11, 9, 7, 5, 3]),
        ("9s 9d 4h 4c 2d", None, "two_pair", None, [9, 4, 2]),
        ("9s 9d 4h 3c 2d", None, "pair", None, [9, 4, 3, 2]),
        ("9s 7d 4h 3c 2d", None, "high_card", None, [9, 7, 4, 3, 2]),
    ],
)
def test_high_hand_rank(cards: str, wheel: str | None, category: str, top: Any, ranks: list[int] | None) -> None:
    assert high(cards, wheel) == {"category": category, "straight_top": top, "ranks": ranks}


def test_the_example_of_two_straight_flushes() -> None:
    asked = {
        "first": ["As", "2s", "3s", "4s", "5s"],
        "second": ["Ks", "Qs", "Js", "Ts", "9s"],
        "wheel_option": "second_highest",
    }
    assert ask("compare_high", asked) == {
        "id": "q",
        "result": {"higher": "first"},
        "clauses": ["19:47-11.3(b)3", "19:47-11.3(e)"],
    }
    assert ask("compare_high", {**asked, "wheel_option": "lowest"})["result"] == {"higher": "second"}


def test_compare_high_knows_copies() -> None:
    assert higher("As Kd Qh Jc 9d", "Ac Kh Qd Js 9h") == {"higher": "copy"}


@pytest.mark.parametrize(
    ("cards", "expected", "clauses"),
    [
        (["X1", "As"], {"category": "pair", "ranks": [14]}, ["19:47-11.3(b)10", "19:47-11.3(a)"]),
        (["2s", "Kd"], {"category": "high_card", "ranks": [13, 2]}, ["19:47-11.3(e)"]),
    ],
)
def test_low_hand_rank(cards: list[str], expected: dict[str, Any], clauses: list[str]) -> None:
    assert ask("low_hand_rank", {"cards": cards}) == {"id": "q", "result": expected, "clauses": clauses}


def test_readings_are_options_by_name_and_by_decision() -> None:
    for name in ("wheel", "PGP-01"):
        assert high("X1 2d 3h 4c 5d", **{name: "lowest"})["straight_top"] == 6
        assert high("X1 2d 3h 4c 5d", "second_highest", **{name: "lowest"})["straight_top"] == "A-2-3-4-5"
        assert higher("As 2s 3s 4s 5s", "Ks Qs Js Ts 9s", **{name: "lowest"}) == {"higher": "second"}
    for name in ("flush_joker", "PGP-03"):
        assert high("X1 As Ks 9s 2s", **{name: "ace"})["ranks"] == [14, 14, 13, 9, 2]
        assert higher("X1 As Ks 9s 2s", "Ad Kd Qd 9d 3d", **{name: "ace"}) == {"higher": "first"}
    for name in ("tie_break", "PGP-04"):
        assert higher("2s 2d Ah Qc Jd", "Ks Kd Qh Jc Td", **{name: "literal"}) == {"higher": "first"}


@pytest.mark.parametrize(
    ("op", "given", "error"),
    [
        ("high_hand_rank", {"cards": ["X2", "As", "Ad", "Ah", "Ac"]}, "card 'X2': not in the deck of this game"),
        ("high_hand_rank", {"cards": ["X1", "As"]}, "input.cards: 2 cards, expected 5"),
        (
            "high_hand_rank",
            {"cards": ["Kd", "As", "Ad", "Ah", "Ac"], "wheel_option": "highest"},
            "input.wheel_option: 'highest' is not second_highest or lowest",
        ),
        (
            "compare_high",
            {"first": ["As", "2s", "3s", "4s", "5s"], "second": ["As", "Qs", "Js", "Ts", "9s"]},
            "card 'As': 2 times, and the decks have 1",
        ),
        ("low_hand_rank", {"cards": ["X2", "As"]}, "card 'X2': not in the deck of this game"),
        ("low_hand_rank", {"cards": ["As", "As"]}, "card 'As': 2 times, and the decks have 1"),
    ],
)
def test_a_question_that_cannot_be_answered_says_why(op: str, given: dict[str, Any], error: str) -> None:
    assert ask(op, given) == {"id": "q", "error": error}


def test_all_operations_are_there() -> None:
    assert set(GAMES["pai_gow_poker"].questions) == {"high_hand_rank", "compare_high", "low_hand_rank"}

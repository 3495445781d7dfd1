"""The oracle on Fast Action Hold'em."""

from typing import Any

import pytest

from feltrig.engine import oracle
from feltrig.engine.games import GAMES


def ask(op: str, given: dict[str, Any], **options: Any) -> dict[str, Any]:
    return oracle.ask({"id": "q", "game": "fast_action_holdem", "op": op, "input": given, "options": options})


def result(op: str, given: dict[str, Any], **options: Any) -> Any:
    return ask(op, given, **options)["result"]


NATURAL = ["9s", "9d", "9s", "9h"]


@pytest.mark.parametrize(
    ("op", "given", "expected", "clauses"),
    [
        (
            "five_card_rank",
            {"cards": ["As", "As", "As", "As", "As"]},
            {"category": "flush_with_five_of_a_kind", "rank": 1, "tiebreak_ranks": [14]},
            ["19:47-21.3(b)1"],
        ),
        (
            "compare",
            {"player": ["As", "As", "As", "As", "Ks"], "dealer": ["Ks", "Qs", "Js", "Ts", "9s"]},
            {"higher": "player"},
            ["19:47-21.3(b)3", "19:47-21.3(b)4"],
        ),
        (
            "compare",
            {"player": ["As", "As", "As", "As", "As"], "dealer": ["As", "As", "As", "As", "As"]},
            {"higher": "copy"},
            ["19:47-21.3(b)1", "19:47-21.3(c)"],
        ),
        (
            "compare",
            {"player": ["2s", "2s", "2s", "2s", "2s"], "dealer": ["As", "As", "As", "As", "As"]},
            {"higher": "dealer"},
            ["19:47-21.3(b)1", "19:47-21.3(c)"],
        ),
        (
            "best_of_seven",
            {"kept": ["6h", "2d"], "community": ["5s", "9h", "Js", "Kd", "Kc"]},
            {"category": "pair", "tiebreak_ranks": [13, 11, 9, 6]},
            ["19:47-21.1[Five-card hand]", "19:47-21.3(b)16"],
        ),
        (
            "dealer_house_way",
            {"cards": ["2s", "2s", "Ad", "Ah"]},
            {"rule": 1, "kept": ["2s", "2s"]},
            ["19:47-21.8(i)", "19:47-21.8(i)1"],
        ),
        (
            "dealer_house_way",
            {"cards": ["5c", "Ks", "7h", "9d"]},
            {"rule": 14, "kept": ["Ks", "9d"]},
            ["19:47-21.8(i)", "19:47-21.8(i)14"],
        ),
        (
            "dealer_house_way",
            {"cards": NATURAL},
            {"rule": "natural", "kept": None},
            ["19:47-21.8(h)", "19:47-21.1[Natural]"],
        ),
        (
            "natural",
            {"cards": NATURAL, "wager_cents": 1000},
            {"natural": True, "net_cents": 5000},
            ["19:47-21.1[Natural]", "19:47-21.8(b)"],
        ),
        (
            "natural",
            {"cards": ["9s", "9d", "9s", "8h"], "wager_cents": 1000},
            {"natural": False, "net_cents": None},
            ["19:47-21.1[Natural]", "19:47-21.8(b)"],
        ),
        (
            "dealer_natural",
            {"dealer": NATURAL, "player_wager_cents": 1000, "player_split_wager_cents": 1000},
            {"collected_cents": 1000, "returned_cents": 1000, "community_dealt": False},
            ["19:47-21.1[Natural]", "19:47-21.8(h)", "19:47-21.8(c)"],
        ),
        (
            "dealer_natural",
            {"dealer": NATURAL, "player_wager_cents": 1000},
            {"collected_cents": 1000, "returned_cents": 0, "community_dealt": False},
            ["19:47-21.1[Natural]", "19:47-21.8(h)"],
        ),
        (
            "dealer_natural",
            {"dealer": ["9s", "9d", "9s", "8h"], "player_wager_cents": 1000, "player_split_wager_cents": None},
            {"collected_cents": 0, "returned_cents": 0, "community_dealt": True},
            ["19:47-21.1[Natural]", "19:47-21.8(g)", "19:47-21.8(j)"],
        ),
        ("surrender", {"wager_cents": 1000}, {"net_cents": -500}, ["19:47-21.8(f)"]),
        ("surrender", {"wager_cents": 1001}, {"net_cents": "-1001/2"}, ["19:47-21.8(f)"]),
    ],
)
def test_answers(op: str, given: dict[str, Any], expected: dict[str, Any], clauses: list[str]) -> None:
    assert ask(op, given) == {"id": "q", "result": expected, "clauses": clauses}


SHOWDOWN = {
    "player": ["9s", "9d"],
    "dealer": ["9h", "9c"],
    "community": ["2s", "3d", "Kh", "Kc", "8s"],
    "wager_cents": 1000,
}


def test_fah_01_the_showdown_is_marked_as_outside_the_text() -> None:
    expected = {
        "player": "two_pairs",
        "dealer": "two_pairs",
        "result": "push",
        "net_cents": 0,
        "source": "outside the rule text",
    }
    assert ask("settle", SHOWDOWN) == {
        "id": "q",
        "result": expected,
        "clauses": ["19:47-21.3(b)15", "19:47-21.3(c)"],
    }
    for name in ("copies", "FAH-01"):
        assert result("settle", SHOWDOWN, **{name: "dealer_wins"})["net_cents"] == -1000
        assert result("settle", SHOWDOWN, **{name: "push"})["net_cents"] == 0
    assert result("settle", {**SHOWDOWN, "player": ["Ks", "2d"]})["result"] == "win"


def test_pgp_04_is_an_option_of_the_comparison() -> None:
    asked = {"player": ["9s", "9s", "Ad", "Kh", "4c"], "dealer": ["Ts", "Td", "4h", "3c", "2d"]}
    assert result("compare", asked) == {"higher": "dealer"}
    assert result("compare", asked, **{"PGP-04": "literal"}) == {"higher": "player"}


def test_21_2_a_seven_of_one_card_need_eight_decks() -> None:
    asked = {"kept": ["As", "As"], "community": ["As", "As", "As", "As", "As"]}
    assert result("best_of_seven", asked)["category"] == "flush_with_five_of_a_kind"
    assert ask("best_of_seven", asked, decks=6)["error"] == "card 'As': 7 times, and the decks have 6"


@pytest.mark.parametrize(
    ("op", "given", "error"),
    [
        ("five_card_rank", {"cards": ["As"]}, "input.cards: 1 cards, expected 5"),
        ("five_card_rank", {"cards": ["X1", "As", "As", "As", "As"]}, "card 'X1': not in the deck of this game"),
        ("natural", {"cards": NATURAL, "wager_cents": -1}, "input.wager_cents: -1 is not 0 or more"),
        ("natural", {"cards": NATURAL[1:], "wager_cents": 1}, "input.cards: 3 cards, expected 4"),
        (
            "dealer_natural",
            {"dealer": NATURAL, "player_wager_cents": 1000, "player_split_wager_cents": 500},
            "a split wager of 500 on a wager of 1000: expected as much (19:47-21.8(c))",
        ),
        (
            "settle",
            {"player": ["As", "As"], "dealer": ["As", "As"], "community": ["As"] * 5, "wager_cents": 1},
            "card 'As': 9 times, and the decks have 8",
        ),
    ],
)
def test_a_question_that_cannot_be_answered_says_why(op: str, given: dict[str, Any], error: str) -> None:
    assert ask(op, given) == {"id": "q", "error": error}


def test_all_operations_are_there() -> None:
    assert set(GAMES["fast_action_holdem"].questions) == {
        "five_card_rank",
        "compare",
        "best_of_seven",
        "dealer_house_way",
        "natural",
        "dealer_natural",
        "surrender",
        "settle",
    }

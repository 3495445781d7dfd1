"""The oracle on tiles."""

from typing import Any

import pytest

from feltrig.engine import oracle
from feltrig.engine.games import GAMES


def ask(op: str, given: dict[str, Any], **options: Any) -> dict[str, Any]:
    return oracle.ask({"id": "q", "game": "pai_gow", "op": op, "input": given, "options": options})


def result(op: str, given: dict[str, Any], **options: Any) -> Any:
    return ask(op, given, **options)["result"]


PAIR = {"kind": "pair", "value": None, "high_tile_rank": None, "counted_as": None}
VALUE = {"kind": "value", "pair_rank": None}


@pytest.mark.parametrize(
    ("tiles", "expected", "clauses"),
    [
        (["2-4", "1-2"], {**PAIR, "pair_rank": 1, "order": 1}, ["19:47-10.2(b)"]),
        (["3-5", "1-1"], {**PAIR, "pair_rank": 20, "order": 20}, ["19:47-10.2(b)"]),
        (
            ["6-6", "1-6"],
            {**VALUE, "value": 9, "high_tile_rank": 1, "counted_as": None, "order": 21},
            ["19:47-10.2(d)", "19:47-10.2(g)"],
        ),
        (
            ["1-2", "6-6"],
            {**VALUE, "value": 8, "high_tile_rank": 1, "counted_as": 6, "order": 31},
            ["19:47-10.2(d)", "19:47-10.2(e)", "19:47-10.2(g)"],
        ),
        (
            ["4-5", "5-6"],
            {**VALUE, "value": 0, "high_tile_rank": 8, "counted_as": None, "order": 106},
            ["19:47-10.2(d)", "19:47-10.2(g)"],
        ),
    ],
)
def test_tile_rank(tiles: list[str], expected: dict[str, Any], clauses: list[str]) -> None:
    assert ask("tile_rank", {"tiles": tiles}) == {"id": "q", "result": expected, "clauses": clauses}


@pytest.mark.parametrize(
    ("player", "dealer", "winner", "copy"),
    [
        ("6-6 4-5", "6-6 3-6", "dealer", True),
        ("2-4 1-2", "6-6 6-6", "player", False),
        ("1-1 3-3", "5-6 1-6", "player", False),
        ("5-6 1-6", "1-1 3-3", "dealer", False),
        ("5-6 1-6", "5-6 3-4", "dealer", True),
        ("5-5 4-6", "4-5 5-6", "player", False),
    ],
)
def test_tile_compare(player: str, dealer: str, winner: str, copy: bool) -> None:
    asked = {"player": player.split(), "dealer": dealer.split()}
    assert result("tile_compare", asked) == {"winner": winner, "copy": copy}


def test_tile_compare_cites_what_decided() -> None:
    asked = {"player": ["6-6", "4-5"], "dealer": ["6-6", "3-6"]}
    assert ask("tile_compare", asked)["clauses"] == ["19:47-10.2(b)", "19:47-10.2(c)"]


def test_pg_01_set_valid() -> None:
    wongs = {"high": ["6-6", "4-5"], "low": ["6-6", "3-6"]}
    assert result("set_valid", wongs) == {"valid": True}
    assert result("set_valid", wongs, **{"PG-01": False}) == {"valid": False}
    assert result("set_valid", {"high": ["5-6", "1-6"], "low": ["1-1", "3-3"]}) == {"valid": False}
    three = {"high": ["5-6", "1-6", "1-1"], "low": ["3-3"]}
    assert ask("set_valid", three) == {
        "id": "q",
        "result": {"valid": False},
        "clauses": ["19:47-10.1[Setting the hands]"],
    }


def test_pg_02_what_is_declared_counts_where_it_is_declared() -> None:
    asked = {"tiles": ["1-2", "6-6"], "counted_as": 3}
    found = result("tile_rank", asked, supreme_tiles="declared")
    assert (found["value"], found["counted_as"], found["order"]) == (5, 3, 58)
    assert "where it is declared" in ask("tile_rank", asked)["error"]
    hands = {"player": ["1-2", "6-6"], "dealer": ["2-4", "5-5"], "player_counted_as": 6, "dealer_counted_as": 3}
    assert result("tile_compare", hands, supreme_tiles="declared") == {"winner": "player", "copy": False}
    hands["player_counted_as"] = None  # 15, and the dealer has 13
    assert result("tile_compare", hands, supreme_tiles="declared") == {"winner": "player", "copy": False}
    hands["dealer_counted_as"] = 6  # 16
    assert result("tile_compare", hands, supreme_tiles="declared") == {"winner": "dealer", "copy": False}


def test_pg_03_two_zeros_may_be_a_copy() -> None:
    asked = {"player": ["5-5", "4-6"], "dealer": ["4-5", "5-6"]}
    assert result("tile_compare", asked, **{"PG-03": "copy"}) == {"winner": "dealer", "copy": True}


@pytest.mark.parametrize(
    ("op", "given", "error"),
    [
        ("tile_rank", {"tiles": ["1-2", "1-2"]}, "input.tiles: tile '1-2': 2 times, and the set has 1"),
        ("tile_rank", {"tiles": ["6-6"]}, "input.tiles: 1 tiles, expected 2"),
        ("tile_rank", {"tiles": ["6-6", 5]}, "input.tiles: 5 is not a tile"),
        ("tile_rank", {"tiles": "6-6"}, "input.tiles: '6-6' is not a list of tiles"),
        ("tile_rank", {"tiles": ["1-2", "6-6"], "counted_as": 4}, "input.counted_as: 4 is not 3 or 6"),
        (
            "tile_compare",
            {"player": ["6-6", "6-6"], "dealer": ["6-6", "1-1"]},
            "tile '6-6': 3 times, and the set has 2",
        ),
        ("set_valid", {"high": ["4-5", "1-1"], "low": ["4-5", "1-1"]}, "tile '4-5': 2 times, and the set has 1"),
        ("set_valid", {"high": ["4-5", "1-1"], "low": ["1-1"]}, "3 tiles set, expected 4"),
    ],
)
def test_a_question_that_cannot_be_answered_says_why(op: str, given: dict[str, Any], error: str) -> None:
    assert ask(op, given) == {"id": "q", "error": error}


def test_a_tile_that_is_none_is_answered_with_all_that_there_are() -> None:
    assert ask("tile_rank", {"tiles": ["6-6", "7-7"]})["error"].startswith("input.tiles: tile '7-7': no such tile;")


def test_all_operations_are_there() -> None:
    assert set(GAMES["pai_gow"].questions) == {"tile_rank", "tile_compare", "set_valid"}

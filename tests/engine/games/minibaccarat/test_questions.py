"""What the oracle says about minibaccarat."""

from typing import Any

import pytest

from feltrig.engine import oracle


def ask(op: str, given: dict[str, Any], **options: Any) -> dict[str, Any]:
    return oracle.ask({"id": 1, "game": "minibaccarat", "op": op, "input": given, "options": options})


def played(player: int, banker: int, cards: tuple[int, int], result: str, natural: bool = False) -> dict[str, Any]:
    return {
        "player_total": player,
        "banker_total": banker,
        "player_cards": cards[0],
        "banker_cards": cards[1],
        "cards_used": sum(cards),
        "result": result,
        "natural": natural,
    }


DREW = ["19:47-7.7(c)", "19:47-7.8(b)", "19:47-7.8(c)", "19:47-7.9(b)"]


@pytest.mark.clause("minibaccarat", "19:47-7.7(c)", "19:47-7.9(a)", "19:47-7.9(b)")
@pytest.mark.parametrize(
    ("cards", "result", "clauses"),
    [
        ("9s Kd Kh 8c", played(9, 8, (2, 2), "player", True), ["19:47-7.7(c)", "19:47-7.9(a)"]),
        ("9s Kd Kh 8c 2d 3d", played(9, 8, (2, 2), "player", True), ["19:47-7.7(c)", "19:47-7.9(a)"]),
        ("6s 2d Kh 3c 4s 9c 9d 9h", played(6, 9, (2, 3), "banker"), DREW),
        ("2s Kd 3h 3c 8c", played(3, 3, (3, 2), "tie"), DREW),
        ("As As As As As As", played(3, 3, (3, 3), "tie"), DREW),
    ],
)
def test_a_round_from_its_cards(cards: str, result: dict[str, Any], clauses: list[str]) -> None:
    assert ask("round", {"cards_in_deal_order": cards.split()}) == {"id": 1, "result": result, "clauses": clauses}


def test_the_reading_of_the_bankers_table_has_a_name() -> None:
    given = {"cards_in_deal_order": ["9s", "Kd", "Kh", "8c"]}
    by_name, by_row = ask("round", given, banker_drawing="punto_banco"), ask("round", given, **{"MB-01": "punto_banco"})
    assert by_name == by_row == ask("round", given)
    assert ask("round", given, banker_drawing="other")["error"].startswith("options.banker_drawing: 'other'")


@pytest.mark.clause("minibaccarat", "19:47-7.9(a)", "19:47-7.9(b)")
@pytest.mark.parametrize(
    ("player", "banker", "action", "clause"),
    [
        (0, 5, "draw", "19:47-7.9(b)"),
        (5, 7, "draw", "19:47-7.9(b)"),
        (6, 7, "stay", "19:47-7.9(b)"),
        (7, 0, "stay", "19:47-7.9(b)"),
        (8, 0, "natural_no_draw", "19:47-7.9(a)"),
        (0, 8, "natural_no_draw", "19:47-7.9(a)"),
        (6, 9, "natural_no_draw", "19:47-7.9(a)"),
    ],
)
def test_the_players_third_card(player: int, banker: int, action: str, clause: str) -> None:
    given = {"player_total": player, "banker_total": banker}
    assert ask("player_third_card", given) == {"id": 1, "result": {"action": action}, "clauses": [clause]}


@pytest.mark.parametrize(
    ("op", "given", "error"),
    [
        (
            "round",
            {"cards_in_deal_order": ["2s", "Kd", "Kh", "3c"]},
            "input.cards_in_deal_order: 4 cards, and the next one goes to the Player's Hand",
        ),
        ("round", {"cards_in_deal_order": ["Zs"]}, "card 'Zs': no such rank"),
        ("round", {"cards_in_deal_order": ["X1", "2c", "2d", "2h"]}, "card 'X1': not in the deck of this game"),
        ("round", {"cards_in_deal_order": ["2c"] * 9}, "card '2c': 9 times, and the decks have 8"),
        ("player_third_card", {"player_total": 10, "banker_total": 0}, "input.player_total: 10 is not 0 to 9"),
        ("player_third_card", {"player_total": 0, "banker_total": 10}, "input.banker_total: 10 is not 0 to 9"),
        ("player_third_card", {"player_total": 0, "banker_total": -1}, "input.banker_total: -1 is not 0 to 9"),
        ("player_third_card", {"player_total": -1, "banker_total": 0}, "input.player_total: -1 is not 0 to 9"),
    ],
)
def test_a_bad_question_gets_one_clear_line(op: str, given: dict[str, Any], error: str) -> None:
    assert ask(op, given) == {"id": 1, "error": error}

"""Questions about Heads Up Hold'em, as the oracle is asked them."""

import json
from typing import Any

import pytest

from feltrig.engine import oracle


def ask(op: str, given: dict[str, Any], **options: Any) -> dict[str, Any]:
    """The whole answer, as it comes out of the filter."""
    question = {"id": 1, "game": "heads_up_holdem", "op": op, "input": given, "options": options}
    found: dict[str, Any] = json.loads(json.dumps(oracle.ask(question)))
    return found


def result(op: str, given: dict[str, Any], **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = ask(op, given, **options)["result"]
    return found


ROYAL = {
    "player": ["As", "Ks"],
    "dealer": ["9d", "9h"],
    "board": ["Qs", "Js", "Ts", "9c", "9s"],
    "ante_cents": 1000,
    "raise_multiple": 3,
    "trips_plus_cents": 500,
    "trips_plus_table": 1,
    "pocket_bonus_cents": 500,
    "pocket_bonus_table": 1,
}
B = [f"13:69F-39.11(b)({number})" for number in range(6)]
TRIPS, POCKET = "13:69F-39.11(g)", "13:69F-39.11(i)"


def test_settle_as_in_the_example() -> None:
    assert ask("settle", ROYAL) == {
        "id": 1,
        "result": {
            "player": "royal_flush",
            "dealer": "four_of_a_kind",
            "pocket_net_cents": 10_000,
            "trips_net_cents": 50_000,
            "dealer_qualifies": True,
            "result": "win",
            "ante_net_cents": 1000,
            "raise_net_cents": 3000,
            "odds_net_cents": 500_000,
        },
        "clauses": [B[2], B[5], TRIPS, POCKET],
    }


def test_pocket_bonus_as_in_the_example() -> None:
    assert ask("pocket_bonus", {"cards": ["As", "Ad"]}) == {
        "id": 1,
        "result": {"category": "pair_of_aces", "odds_to_1": {"1": 30, "2": 25, "3": 30}},
        "clauses": [POCKET, "13:69F-39.1[pocket-bonus-wager]"],
    }


@pytest.mark.clause("heads_up_holdem", POCKET)
@pytest.mark.parametrize(
    ("cards", "category", "odds"),
    [
        (["Ks", "Kd"], "pair_2_to_K", {"1": 5, "2": 5, "3": 4}),
        (["Js", "As"], "ace_face_suited", {"1": 20, "2": 20, "3": 20}),
        (["Ac", "Qd"], "ace_face_unsuited", {"1": 10, "2": 10, "3": 10}),
        (["Ac", "Tc"], None, None),
        (["Kc", "Qc"], None, None),
    ],
)
def test_pocket_bonus_of_other_cards(cards: list[str], category: str | None, odds: dict[str, int] | None) -> None:
    assert result("pocket_bonus", {"cards": cards}) == {"category": category, "odds_to_1": odds}


def test_read_by_the_letter_a_pair_wins_no_pocket_bonus() -> None:
    for name in ("pocket_pairs", "HUH-01"):
        found = result("pocket_bonus", {"cards": ["Ks", "Kd"]}, **{name: "lose"})
        assert found == {"category": None, "odds_to_1": None}
    pair = {**ROYAL, "player": ["9d", "9h"], "dealer": ["As", "Ks"]}
    assert result("settle", pair)["pocket_net_cents"] == 2500
    assert result("settle", pair, pocket_pairs="lose")["pocket_net_cents"] == -500


@pytest.mark.clause("heads_up_holdem", "13:69F-39.10(h)", "13:69F-39.1[fold]", TRIPS, POCKET)
def test_a_null_raise_is_a_fold_that_leaves_the_side_bets_alive() -> None:
    folded = ask("settle", {**ROYAL, "raise_multiple": None})
    assert folded["result"] == {
        "player": "royal_flush",
        "dealer": "four_of_a_kind",
        "pocket_net_cents": 10_000,
        "trips_net_cents": 50_000,
        "dealer_qualifies": True,
        "result": "fold",
        "ante_net_cents": -1000,
        "raise_net_cents": 0,
        "odds_net_cents": -1000,
    }
    assert folded["clauses"] == ["13:69F-39.10(h)", "13:69F-39.1[fold]", TRIPS, POCKET]
    for name in ("trips_plus_on_fold", "HUH-08"):
        forfeited = result("settle", {**ROYAL, "raise_multiple": None}, **{name: "lose"})
        assert forfeited["trips_net_cents"] == -500
        assert forfeited["pocket_net_cents"] == 10_000
    assert result("settle", ROYAL, trips_plus_on_fold="lose")["trips_net_cents"] == 50_000


def settled(player: str, dealer: str, board: str, raise_multiple: int = 2, **given: Any) -> dict[str, Any]:
    hands = {"player": player.split(), "dealer": dealer.split(), "board": board.split()}
    return {**hands, "ante_cents": 1000, "raise_multiple": raise_multiple, **given}


UNQUALIFIED_HIGHER = settled("Kc Qd", "Ac 2d", "Jh 9s 8c 4d 3h")


@pytest.mark.clause("heads_up_holdem", *B[1:], *(f"13:69F-39.11({letter})" for letter in "cdef"))
@pytest.mark.parametrize(
    ("given", "qualifies", "outcome", "nets"),
    [
        (settled("Ac Ad", "Kc Kd", "Jh 9s 8c 4d 3h"), True, "win", (1000, 2000, 0)),
        (settled("Ac Ad", "Kc Qd", "Jh 9s 8c 4d 3h"), False, "win", (0, 2000, 0)),
        (settled("Tc 7d", "Kc Qd", "Jh 9s 8c 4d 3h"), False, "win", (0, 2000, 1000)),
        (settled("Tc 7d", "Ac Ad", "Jh 9s 8c 4d 3h", 1), True, "win", (1000, 1000, 1000)),
        (settled("Ac 2c", "Ad Ah", "Jc 9c 8c 4d 3h"), True, "win", (1000, 2000, 1500)),
        (settled("2c 3d", "2d 3c", "Ah Kh Qh Jh Th"), True, "push", (0, 0, 0)),
        (settled("Ac 2c", "Ad 2d", "Jh 9s 8c 4d Kh"), False, "push", (0, 0, 0)),
        (settled("Kc Kd", "Ac Ad", "Jh 9s 8c 4d 3h", 3), True, "lose", (-1000, -3000, -1000)),
        (UNQUALIFIED_HIGHER, False, "lose", (0, -2000, -1000)),
        (settled("Tc 7d", "Td Qd", "Jh 9s 8c 4d 3h"), True, "lose", (-1000, -2000, 4000)),
        (settled("3c 3d", "Ac Ad", "Ah 3s Ks Kh 4d"), True, "lose", (-1000, -2000, 6000)),
    ],
)
def test_every_case_of_ante_raise_and_odds(
    given: dict[str, Any], qualifies: bool, outcome: str, nets: tuple[int, int, int]
) -> None:
    found = result("settle", given)
    assert (found["dealer_qualifies"], found["result"]) == (qualifies, outcome)
    assert (found["ante_net_cents"], found["raise_net_cents"], found["odds_net_cents"]) == nets
    assert (found["trips_net_cents"], found["pocket_net_cents"]) == (0, 0)


def test_the_other_readings_are_options_by_name_or_by_decision() -> None:
    for name in ("unqualified_dealer_higher", "HUH-09"):
        assert result("settle", UNQUALIFIED_HIGHER, **{name: "lose"})["ante_net_cents"] == -1000
    beaten = settled("3c 3d", "Ac Ad", "Ah 3s Ks Kh 4d")
    for name in ("bad_beat_table", "HUH-03"):
        assert result("settle", beaten, **{name: "alternative"})["odds_net_cents"] == 10_000
    pairs = settled("Ac 8c", "Td 9d", "Th 9h 8h 2c 2d")
    assert result("settle", pairs)["result"] == "lose"
    for name in ("tie_break", "PGP-04"):
        assert result("settle", pairs, **{name: "literal"})["result"] == "win"


@pytest.mark.parametrize(
    ("name", "default"),
    [
        ("tie_break", "group_ranks_first"),
        ("unqualified_dealer_higher", "push"),
        ("trips_plus_on_fold", "live"),
        ("pocket_pairs", "win"),
        ("bad_beat_table", "example"),
    ],
)
def test_the_decisions_are_the_defaults(name: str, default: str) -> None:
    for given in (UNQUALIFIED_HIGHER, settled("3c 3d", "Ac Ad", "Ah 3s Ks Kh 4d"), {**ROYAL, "raise_multiple": None}):
        assert ask("settle", given, **{name: default}) == ask("settle", given)
        assert "error" not in ask("settle", given)


@pytest.mark.clause("heads_up_holdem", B[5])
def test_half_a_cent_is_a_fraction() -> None:
    flush = settled("Ac 2c", "Ad Ah", "Jc 9c 8c 4d 3h", ante_cents=1001)
    assert result("settle", flush)["odds_net_cents"] == "3003/2"


@pytest.mark.clause("heads_up_holdem", TRIPS, POCKET)
def test_the_tables_of_the_side_bets_are_chosen_by_number_and_the_first_is_the_default() -> None:
    full = settled("Ac Ad", "Kc Qd", "Ah 3s 3d 4d 9h", trips_plus_cents=100, pocket_bonus_cents=100)
    assert result("settle", full)["trips_net_cents"] == 900
    assert result("settle", full)["pocket_net_cents"] == 3000
    trips = [result("settle", {**full, "trips_plus_table": table})["trips_net_cents"] for table in (None, 1, 2, 3, 4)]
    assert trips == [900, 900, 800, 800, 700]
    pocket = [result("settle", {**full, "pocket_bonus_table": table})["pocket_net_cents"] for table in (None, 1, 2, 3)]
    assert pocket == [3000, 3000, 2500, 3000]


def test_wagers_of_nothing_bring_nothing() -> None:
    found = result("settle", {**ROYAL, "ante_cents": 0, "trips_plus_cents": 0, "pocket_bonus_cents": None})
    assert [found[key] for key in found if key.endswith("_cents")] == [0, 0, 0, 0, 0]


ERRORS = [
    ("settle", {**ROYAL, "player": ["As"]}, "input.player: 1 cards, expected 2"),
    ("settle", {**ROYAL, "dealer": ["9d", "9h", "8h"]}, "input.dealer: 3 cards, expected 2"),
    ("settle", {**ROYAL, "board": ROYAL["board"][:3]}, "input.board: 3 cards, expected 5"),
    ("settle", {**ROYAL, "dealer": ["9d", "As"]}, "card 'As': 2 times, and the decks have 1"),
    ("settle", {**ROYAL, "dealer": ["9d", "Zs"]}, "card 'Zs': no such rank"),
    ("settle", {**ROYAL, "ante_cents": -5}, "input.ante_cents: -5 is not 0 or more"),
    ("settle", {**ROYAL, "raise_multiple": 4}, "input.raise_multiple: 4 is not 1, 2 or 3"),
    ("settle", {**ROYAL, "raise_multiple": 0}, "input.raise_multiple: 0 is not 1, 2 or 3"),
    ("settle", {**ROYAL, "trips_plus_table": 5}, "input.trips_plus_table: 5 is not 1, 2, 3 or 4"),
    ("settle", {**ROYAL, "pocket_bonus_table": 4}, "input.pocket_bonus_table: 4 is not 1, 2 or 3"),
    ("pocket_bonus", {"cards": ["As", "As"]}, "card 'As': 2 times, and the decks have 1"),
    ("pocket_bonus", {"cards": ["As", "Ad", "Ah"]}, "input.cards: 3 cards, expected 2"),
]


@pytest.mark.parametrize(("op", "given", "expected"), ERRORS)
def test_bad_input_is_answered_with_one_clear_line(op: str, given: dict[str, Any], expected: str) -> None:
    assert ask(op, given)["error"] == expected

"""What the oracle says about blackjack."""

from typing import Any

import pytest

from feltrig.engine import oracle

NOW, LATER = "immediately", "after_dealer_second_card"


def ask(op: str, given: dict[str, Any], **options: Any) -> dict[str, Any]:
    return oracle.ask({"id": 1, "game": "blackjack", "op": op, "input": given, "options": options})


def settled(net: int | str, *clauses: str, paid: str | None = None) -> dict[str, Any]:
    result: dict[str, Any] = {"net_cents": net}
    if paid is not None:
        result["paid"] = paid
    return {"id": 1, "result": result, "clauses": [f"19:47-{clause}" for clause in clauses]}


@pytest.mark.clause("blackjack", "19:47-2.7(a)", "19:47-2.7(b)", "19:47-2.7(c)")
@pytest.mark.parametrize(
    ("upcard", "second", "insurance", "consolidated", "expected"),
    [
        ("9d", None, None, None, settled(1500, "2.7(a)", paid=NOW)),
        ("2d", "Ac", 0, True, settled(1500, "2.7(a)", paid=NOW)),
        ("Td", "9c", None, False, settled(1500, "2.7(b)", paid=LATER)),
        ("Td", "Ac", None, True, settled(0, "2.7(b)", paid=LATER)),
        ("Ad", "Kc", None, None, settled(0, "2.7(b)", paid=LATER)),
        ("Ad", "Kc", 500, False, settled(1000, "2.7(b)", "2.9(a)", "2.9(c)", paid=LATER)),
        ("Ad", "9c", 500, None, settled(1000, "2.7(b)", "2.9(a)", "2.9(d)", paid=LATER)),
        ("Ad", "9c", 300, True, settled(1200, "2.7(b)", "2.9(a)", "2.9(d)", paid=LATER)),
        ("Ad", "9c", 0, True, settled(1500, "2.7(b)", paid=LATER)),
        ("Ad", "Ac", 500, False, settled(1000, "2.7(b)", "2.9(a)", "2.9(d)", paid=LATER)),
        ("Ad", None, 500, True, settled(1000, "2.7(c)", paid=NOW)),
        ("Ad", "Kc", 500, True, settled(1000, "2.7(c)", paid=NOW)),
    ],
)
def test_a_players_blackjack(
    upcard: str, second: str | None, insurance: int | None, consolidated: bool | None, expected: dict[str, Any]
) -> None:
    given = {"upcard": upcard, "dealer_second": second, "wager_cents": 1000}
    full = {**given, "insurance_cents": insurance, "consolidated_option": consolidated}
    assert ask("player_blackjack_vs_upcard", full) == expected
    if insurance is None and consolidated is None:
        assert ask("player_blackjack_vs_upcard", given) == expected


def test_three_to_two_of_odd_cents_is_exact() -> None:
    given = {"upcard": "9d", "dealer_second": None, "wager_cents": 501}
    assert ask("player_blackjack_vs_upcard", given) == settled("1503/2", "2.7(a)", paid=NOW)


@pytest.mark.clause("blackjack", "19:47-2.8(a)1", "19:47-2.8(a)2", "19:47-2.8(b)")
@pytest.mark.parametrize(
    ("upcard", "second", "insurance", "expected"),
    [
        ("8d", None, None, settled(-500, "2.8(a)1", paid=NOW)),
        ("8d", "Ac", 0, settled(-500, "2.8(a)1", paid=NOW)),
        ("Kd", "Ac", None, settled(-1000, "2.8(a)2", paid=LATER)),
        ("Kd", "9c", None, settled(-500, "2.8(a)2", paid=LATER)),
        ("Ad", "Jc", 500, settled(0, "2.8(a)2", "2.9(a)", "2.9(c)", "2.8(b)", paid=LATER)),
        ("Ad", "9c", 500, settled(-1000, "2.8(a)2", "2.9(a)", "2.9(d)", "2.8(b)", paid=LATER)),
        ("Ad", "9c", 0, settled(-500, "2.8(a)2", paid=LATER)),
    ],
)
def test_surrender(upcard: str, second: str | None, insurance: int | None, expected: dict[str, Any]) -> None:
    given = {"upcard": upcard, "dealer_second": second, "wager_cents": 1000, "insurance_cents": insurance}
    assert ask("surrender", given) == expected
    if insurance is None:
        del given["insurance_cents"]
        assert ask("surrender", given, second_card="face_down") == expected


def test_half_of_odd_cents_is_exact() -> None:
    given = {"upcard": "Ad", "dealer_second": "9c", "wager_cents": 501}
    assert ask("surrender", given)["result"]["net_cents"] == "-501/2"
    assert ask("surrender", {**given, "insurance_cents": 250})["result"]["net_cents"] == "-1001/2"


@pytest.mark.clause("blackjack", "19:47-2.9(a)", "19:47-2.9(c)", "19:47-2.9(d)")
@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ("Tc", settled(1000, "2.9(a)", "2.9(c)")),
        ("Kd", settled(1000, "2.9(a)", "2.9(c)")),
        ("Ad", settled(-500, "2.9(a)", "2.9(d)")),
        ("9s", settled(-500, "2.9(a)", "2.9(d)")),
    ],
)
def test_insurance(second: str, expected: dict[str, Any]) -> None:
    given = {"upcard": "Ad", "dealer_second": second, "insurance_cents": 500}
    assert ask("insurance", given) == expected


@pytest.mark.clause("blackjack", "19:47-2.10(b)")
@pytest.mark.parametrize("double", [0, 1, 1000])
def test_a_double_then_a_dealers_blackjack(double: int) -> None:
    given = {"wager_cents": 1000, "double_cents": double}
    assert ask("double_then_dealer_blackjack", given) == settled(-1000, "2.10(b)")


@pytest.mark.parametrize(("reading", "net"), [("doubles", -2000), ("doubles_and_splits", -1000)])
def test_a_split_against_a_dealers_blackjack_is_the_houses_choice(reading: str, net: int) -> None:
    given = {"wager_cents": 1000, "double_cents": 1000, "split_cents": 1000}
    by_name, by_row = {"original_only": reading}, {"BJ-02": reading}
    for option in (by_name, by_row):
        assert ask("double_then_dealer_blackjack", given, **option) == settled(net, "2.10(b)")
    assert ask("double_then_dealer_blackjack", given) == settled(-2000, "2.10(b)")


@pytest.mark.clause("blackjack", "19:47-2.6(k)1", "19:47-2.6(k)2")
@pytest.mark.parametrize(
    ("player", "dealer", "blackjacks", "expected"),
    [
        (20, 20, (False, False), settled(-1000, "2.6(k)1")),
        (21, 21, (True, True), settled(1000, "2.6(k)1", "2.6(k)2")),
        (21, 21, (True, False), settled(1000, "2.6(k)1", "2.6(k)2")),
        (21, 21, (False, True), settled(-1000, "2.6(k)1")),
        (21, 21, (False, False), settled(-1000, "2.6(k)1")),
        (21, 20, (True, False), settled(1000, "2.6(k)1", "2.6(k)2")),
        (19, 18, (False, False), settled(1000, "2.6(k)1", "2.6(k)2")),
        (18, 19, (False, False), settled(-1000, "2.6(k)1")),
        (12, 26, (False, False), settled(1000, "2.6(k)1", "2.6(k)2")),
        (22, 26, (False, False), settled(-1000, "2.6(k)1")),
        (4, 31, (False, False), settled(1000, "2.6(k)1", "2.6(k)2")),
        (31, 4, (False, False), settled(-1000, "2.6(k)1")),
    ],
)
def test_the_exposed_hole_card(
    player: int, dealer: int, blackjacks: tuple[bool, bool], expected: dict[str, Any]
) -> None:
    given = {"player_total": player, "dealer_total": dealer, "wager_cents": 1000}
    flags = dict(zip(("player_blackjack", "dealer_blackjack"), blackjacks, strict=True))
    assert ask("face_up_hole_variant", {**given, **flags}) == expected
    if not any(blackjacks):
        assert ask("face_up_hole_variant", given) == expected


VS_UPCARD = {"upcard": "Ad", "dealer_second": "9c", "wager_cents": 1000}
WAITS = "the wager waits for the dealer's second card"
NO_ACE = "insurance is for an ace as the dealer's first card (19:47-2.9(a))"


@pytest.mark.parametrize(
    ("op", "given", "error"),
    [
        ("player_blackjack_vs_upcard", {"dealer_second": None}, f"{WAITS} (19:47-2.7(b))"),
        ("player_blackjack_vs_upcard", {"upcard": "Td", "dealer_second": None}, f"{WAITS} (19:47-2.7(b))"),
        ("player_blackjack_vs_upcard", {"upcard": "9d", "insurance_cents": 500}, NO_ACE),
        ("player_blackjack_vs_upcard", {"upcard": "Td", "insurance_cents": 1}, NO_ACE),
        (
            "player_blackjack_vs_upcard",
            {"insurance_cents": 501},
            "insurance of 501: at most 500 on a wager of 1000 (19:47-2.9(b))",
        ),
        ("player_blackjack_vs_upcard", {"upcard": "Xd"}, "card 'Xd': no such rank"),
        ("player_blackjack_vs_upcard", {"upcard": "X1"}, "card 'X1': not in the deck of this game"),
        ("player_blackjack_vs_upcard", {"consolidated_option": 1}, "input.consolidated_option: 1 is not true or false"),
        ("player_blackjack_vs_upcard", {"insurance_cents": -1}, "input.insurance_cents: -1 is not 0 or more"),
        ("surrender", {"dealer_second": None}, f"{WAITS} (19:47-2.8(a)2)"),
        ("surrender", {"upcard": "Td", "insurance_cents": 1}, NO_ACE),
        (
            "surrender",
            {"insurance_cents": 501},
            "insurance of 501: at most 500 on a wager of 1000 (19:47-2.9(b))",
        ),
    ],
)
def test_a_bad_question_about_an_upcard_gets_one_clear_line(op: str, given: dict[str, Any], error: str) -> None:
    assert ask(op, {**VS_UPCARD, **given}) == {"id": 1, "error": error}


@pytest.mark.clause("blackjack", "19:47-2.6(k)3", "19:47-2.8(c)")
@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"second_card": "face_up"}, "no surrender with a face-up hole card (19:47-2.6(k)3)"),
        ({"BJ-01": "face_up"}, "no surrender with a face-up hole card (19:47-2.6(k)3)"),
        ({"multiple_action": True}, "no surrender with multiple action (19:47-2.8(c))"),
        ({"progressive": True}, "no surrender with a progressive wager (19:47-2.8(c))"),
    ],
)
def test_surrender_is_not_offered_everywhere(options: dict[str, Any], error: str) -> None:
    assert ask("surrender", VS_UPCARD, **options) == {"id": 1, "error": error}


@pytest.mark.clause("blackjack", "19:47-2.9(b)")
@pytest.mark.parametrize("op", ["surrender", "player_blackjack_vs_upcard"])
def test_2_9_b_the_chip_unit_decides_how_much_insurance_there_can_be(op: str) -> None:
    given = {**VS_UPCARD, "wager_cents": 1500, "insurance_cents": 1000}
    assert "result" in ask(op, given, chip_unit_cents=500)
    assert "result" in ask(op, given, **{"BJ-03": 500})
    assert ask(op, given)["error"].startswith("insurance of 1000: at most 800 on a wager of 1500")
    assert ask(op, given, chip_unit_cents=250)["error"].startswith("insurance of 1000: at most 750")


def test_a_chip_unit_is_one_of_the_usual_chips() -> None:
    expected = "options.chip_unit_cents: 3 is not 100, 1, 5, 25, 50, 250, 500, 2500 or 10000"
    assert ask("surrender", VS_UPCARD, chip_unit_cents=3)["error"] == expected


@pytest.mark.parametrize(
    ("op", "given", "options", "error"),
    [
        ("insurance", {"upcard": "Kd", "dealer_second": "Ac", "insurance_cents": 500}, {}, NO_ACE),
        (
            "insurance",
            {"upcard": "Ad", "dealer_second": None, "insurance_cents": 500},
            {},
            f"{WAITS} (19:47-2.9(a))",
        ),
        (
            "insurance",
            {"upcard": "Ad", "dealer_second": "Kc", "insurance_cents": 500},
            {"second_card": "face_up"},
            "no insurance with a face-up hole card (19:47-2.6(k)3)",
        ),
        (
            "double_then_dealer_blackjack",
            {"wager_cents": 1000, "double_cents": 1001},
            {},
            "1001 added in doubling down: more than nothing and at most 1000 (19:47-2.10(a))",
        ),
        (
            "double_then_dealer_blackjack",
            {"wager_cents": 1000, "double_cents": 0, "split_cents": 999},
            {},
            "999 on the second hand: expected 1000 (19:47-2.11(a))",
        ),
        (
            "face_up_hole_variant",
            {"player_total": 20, "dealer_total": 20, "player_blackjack": True, "wager_cents": 1000},
            {},
            "input: a blackjack counts 21, not 20",
        ),
        (
            "face_up_hole_variant",
            {"player_total": 20, "dealer_total": 19, "dealer_blackjack": True, "wager_cents": 1000},
            {},
            "input: a blackjack counts 21, not 19",
        ),
        (
            "face_up_hole_variant",
            {"player_total": 3, "dealer_total": 20, "wager_cents": 1000},
            {},
            "input.player_total: 3 is not 4 to 31",
        ),
        (
            "face_up_hole_variant",
            {"player_total": 4, "dealer_total": 32, "wager_cents": 1000},
            {},
            "input.dealer_total: 32 is not 4 to 31",
        ),
    ],
)
def test_what_the_rules_forbid_gets_one_clear_line(
    op: str, given: dict[str, Any], options: dict[str, Any], error: str
) -> None:
    assert ask(op, given, **options) == {"id": 1, "error": error}

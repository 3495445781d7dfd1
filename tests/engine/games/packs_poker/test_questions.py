"""Questions about Pack's Poker, as the oracle is asked them."""

import json
from typing import Any

import pytest

from feltrig.engine import oracle

TOP, SIX = "seven_card_straight_flush", "six_card_royal_flush"


def ask(op: str, given: dict[str, Any], **options: Any) -> dict[str, Any]:
    """The whole answer, as it comes out of the filter."""
    question = {"id": 1, "game": "packs_poker", "op": op, "input": given, "options": options}
    found: dict[str, Any] = json.loads(json.dumps(oracle.ask(question)))
    return found


def result(op: str, given: dict[str, Any], **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = ask(op, given, **options)["result"]
    return found


def error(op: str, given: dict[str, Any], **options: Any) -> str:
    return str(ask(op, given, **options)["error"])


BET = {
    "player": ["As", "Kd", "9h", "7c", "2s"],
    "dealer": ["Qs", "Jd", "8h", "6c", "3s"],
    "pack": ["4d", "Th"],
    "wager_cents": 1000,
    "no_pair_higher_pushes": False,
}
FIVE = {"cards": ["As", "Ks", "Qs", "Js", "Ts"], "wager_cents": 500}
SEVEN = {"cards": ["As", "Ks", "Qs", "Js", "Ts", "9s", "8s"], "wager_cents": 100}
METER = {
    "wager": "seven_card",
    "meter_cents": 10_000_000,
    "qualifiers": [{"seat": 1, "percent": 10}, {"seat": 3, "percent": 100}],
}
DOLLARS = {
    **dict.fromkeys("ABEGKLM", 5_000_000),
    **dict.fromkeys("CFI", 1_000_000),
    **dict.fromkeys("DHJNOPQRSTUVW", 2_500_000),
}

EXAMPLES = [
    (
        "packs_bet",
        BET,
        {"player_category": "high_card", "dealer_category": "high_card", "result": "lose", "net_cents": -1000},
        ["13:69F-43.10(d)", "13:69F-43.10(e)"],
    ),
    (
        "five_card_bonus",
        FIVE,
        {
            "category": "royal_flush",
            "paid_as_by_table": dict.fromkeys("ABCDE", "royal_flush"),
            "net_cents_by_table": dict.fromkeys("ABCDE", 500_000),
            "progressive_paid_as_by_table": None,
            "progressive_net_cents_by_table": None,
        },
        ["13:69F-43.10(g)", "13:69F-43.5(b)1", "13:69F-43.11(b)1"],
    ),
    (
        "seven_card_bonus",
        SEVEN,
        {
            "best_five_category": "royal_flush",
            "paid_as_by_table": dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVW", TOP),
            "net_cents_by_table": DOLLARS,
            "progressive_paid_as_by_table": None,
            "progressive_net_cents_by_table": None,
        },
        ["13:69F-43.10(g)", "13:69F-43.5(d)1", "13:69F-43.11(c)1"],
    ),
    (
        "progressive_meter",
        METER,
        {
            "payouts_cents": {"1": 1_000_000, "3": 9_000_000},
            "payouts_cents_by_pack": {"1": {"1": 1_000_000, "3": 9_000_000}},
            "left_cents": 0,
            "reset_due": True,
            "meter_after_cents": None,
        },
        ["13:69F-43.12(b)", "13:69F-43.12(d)", "13:69F-43.12(d)2", "13:69F-43.12(d)3"],
    ),
]


@pytest.mark.parametrize(("op", "given", "expected", "clauses"), EXAMPLES, ids=[example[0] for example in EXAMPLES])
def test_one_example_of_every_operation(
    op: str, given: dict[str, Any], expected: dict[str, Any], clauses: list[str]
) -> None:
    assert ask(op, given) == {"id": 1, "result": expected, "clauses": clauses}


@pytest.mark.clause("packs_poker", "13:69F-43.10(f)")
def test_the_election_is_a_field_and_may_be_left_out() -> None:
    elected = result("packs_bet", {**BET, "no_pair_higher_pushes": True})
    assert (elected["result"], elected["net_cents"]) == ("push", 0)
    left_out = {key: value for key, value in BET.items() if key != "no_pair_higher_pushes"}
    assert result("packs_bet", left_out)["result"] == "lose"
    assert result("packs_bet", {**BET, "no_pair_higher_pushes": None})["result"] == "lose"


def test_without_kickers_equal_pairs_push() -> None:
    paired = {**BET, "player": ["As", "Ad", "9h", "7c", "2s"], "dealer": ["Ah", "Ac", "8h", "6c", "3s"]}
    assert result("packs_bet", paired) == {
        "player_category": "pair",
        "dealer_category": "pair",
        "result": "win",
        "net_cents": 1000,
    }
    for name in ("kickers", "PP-13"):
        assert result("packs_bet", paired, **{name: "category_and_group_only"})["result"] == "push"


@pytest.mark.parametrize(
    ("cards", "category", "nets"),
    [
        ("Kd Qd Jd Td 9d", "straight_flush", (250, 200, 500, 250, 250)),
        ("Ac Ad Ah As 2c", "four_of_a_kind", (100, 100, 250, 100, 100)),
        ("Ac Ad Ah 2s 2c", "full_house", (50, 50, 30, 25, 25)),
        ("Ac Kc Qc Jc 9c", "flush", (25, 25, 20, 20, 20)),
        ("Ac 2d 3h 4s 5c", "straight", (10, 8, 10, 10, 10)),
        ("Jc Jd Jh As 2c", "three_of_a_kind", (4, 5, 5, 5, 3)),
        ("Jc Jd 2h 2s Ac", "two_pair", (3, 4, 3, 4, 2)),
        ("Jc Jd 4h 3s 2c", "pair_jacks_or_better", (2, 2, 2, 2, 1)),
        ("Tc Td Ah Ks Qc", "pair_2_to_10", (-1, -1, -1, -1, 0)),
        ("Ac Kd Qh Js 9c", "high_card", (-1, -1, -1, -1, -1)),
    ],
)
@pytest.mark.clause("packs_poker", "13:69F-43.11(b)1")
def test_the_five_card_bonus_by_table(cards: str, category: str, nets: tuple[int, ...]) -> None:
    found = result("five_card_bonus", {"cards": cards.split(), "wager_cents": 300})
    assert found["category"] == category
    assert found["net_cents_by_table"] == {letter: 300 * net for letter, net in zip("ABCDE", nets, strict=True)}
    paid = {letter: category if net >= 0 else None for letter, net in zip("ABCDE", nets, strict=True)}
    assert found["paid_as_by_table"] == paid


@pytest.mark.clause("packs_poker", "13:69F-43.5(c)", "13:69F-43.11(b)2")
def test_with_a_meter_the_progressive_tables_are_settled_too() -> None:
    diamonds = {"cards": ["Ad", "Kd", "Qd", "Jd", "Td"], "wager_cents": 500, "meter_cents": 2_000_000}
    found = ask("five_card_bonus", diamonds)
    assert found["result"]["category"] == "royal_flush"
    assert found["result"]["net_cents_by_table"] == dict.fromkeys("ABCDE", 500_000)
    assert found["result"]["progressive_paid_as_by_table"] == dict.fromkeys("ABCDE", "diamond_royal_flush")
    assert found["result"]["progressive_net_cents_by_table"] == dict.fromkeys("ABCDE", 1_999_500)
    assert {"13:69F-43.11(b)1", "13:69F-43.11(b)2", "13:69F-43.12(d)", "13:69F-43.5(c)"} <= set(found["clauses"])
    to_1 = result("five_card_bonus", diamonds, progressive_multiples="to_1")
    assert to_1["progressive_net_cents_by_table"] == dict.fromkeys("ABCDE", 2_000_000)
    empty = result("five_card_bonus", {**diamonds, "meter_cents": 0})
    assert empty["progressive_net_cents_by_table"] == dict.fromkeys("ABCDE", 499_500)
    by_rank = result("five_card_bonus", {**diamonds, "meter_cents": 0}, single_payout="highest_hand")
    assert by_rank["progressive_net_cents_by_table"] == dict.fromkeys("ABCDE", -500)


@pytest.mark.clause("packs_poker", "13:69F-43.11(c)2")
def test_with_a_meter_the_progressive_seven_card_tables_are_settled_too() -> None:
    six = {"cards": ["As", "Ks", "Qs", "Js", "Ts", "9s", "2h"], "wager_cents": 100, "meter_cents": 800_000}
    found = result("seven_card_bonus", six)
    letters = "ABCDEFGHIJKLM"
    assert found["progressive_paid_as_by_table"] == {
        letter: "royal_flush" if letter in "EHJ" else SIX for letter in letters
    }
    assert found["progressive_net_cents_by_table"] == {
        letter: 99_900 if letter in "EHJ" else 79_900 for letter in letters
    }
    to_1 = result("seven_card_bonus", six, **{"PP-04": "to_1"})["progressive_net_cents_by_table"]
    assert (to_1["A"], to_1["E"]) == (80_000, 100_000)


@pytest.mark.clause("packs_poker", "13:69F-43.5(d)1", "13:69F-43.11(c)1")
def test_a_seven_card_run_is_the_top_hand_unless_only_the_royal_is() -> None:
    run = {"cards": ["7h", "6h", "5h", "4h", "3h", "2h", "Ah"], "wager_cents": 100}
    assert result("seven_card_bonus", run)["best_five_category"] == "straight_flush"
    assert result("seven_card_bonus", run)["net_cents_by_table"] == DOLLARS
    for name in ("seven_card_top_hand", "PP-01"):
        narrow = result("seven_card_bonus", run, **{name: "royal"})
        assert set(narrow["paid_as_by_table"].values()) == {"straight_flush"}
        assert narrow["net_cents_by_table"]["A"] == 20_000


@pytest.mark.clause("packs_poker", "13:69F-43.11(c)1")
def test_the_highest_single_payout_may_be_that_of_a_lower_hand() -> None:
    six = {"cards": ["As", "Ks", "Qs", "Js", "Ts", "9s", "2h"], "wager_cents": 1500}
    found = result("seven_card_bonus", six)
    assert (found["paid_as_by_table"]["A"], found["net_cents_by_table"]["A"]) == ("royal_flush", 750_000)
    assert (found["paid_as_by_table"]["K"], found["net_cents_by_table"]["K"]) == (SIX, 500_000)
    for name in ("single_payout", "PP-02"):
        by_rank = result("seven_card_bonus", six, **{name: "highest_hand"})
        assert by_rank["paid_as_by_table"]["A"] == SIX
        assert by_rank["net_cents_by_table"]["A"] == 500_000


@pytest.mark.clause("packs_poker", "13:69F-43.10(g)")
def test_a_hand_that_no_table_recognises_loses_in_all() -> None:
    pair = {"cards": ["9c", "9d", "Ah", "Ks", "2c", "3d", "4h"], "wager_cents": 700}
    found = ask("seven_card_bonus", pair)
    assert found["result"]["best_five_category"] == "pair"
    assert set(found["result"]["paid_as_by_table"].values()) == {None}
    assert set(found["result"]["net_cents_by_table"].values()) == {-700}
    assert found["clauses"] == ["13:69F-43.10(g)", "13:69F-43.11(c)1"]


def test_without_a_wager_nothing_is_paid() -> None:
    assert result("packs_bet", {**BET, "wager_cents": 0})["net_cents"] == 0
    found = result("seven_card_bonus", {**SEVEN, "wager_cents": 0})
    assert found["net_cents_by_table"] == dict.fromkeys(DOLLARS, 0)
    assert found["paid_as_by_table"] == dict.fromkeys(DOLLARS)


def meter(wager: str, cents: int, *qualifiers: tuple[int, ...], reset: int | None = None) -> dict[str, Any]:
    fields = ("seat", "percent", "pack")
    listed = [dict(zip(fields, qualifier, strict=False)) for qualifier in qualifiers]
    return {"wager": wager, "meter_cents": cents, "qualifiers": listed, "reset_cents": reset}


@pytest.mark.clause("packs_poker", "13:69F-43.12(d)1")
def test_equal_percentages_share_and_an_odd_cent_stays_on_the_meter() -> None:
    shared = result("progressive_meter", meter("five_card", 1_000_001, (1, 100), (6, 100), reset=5000))
    assert shared["payouts_cents"] == {"1": 500_000, "6": 500_000}
    assert (shared["left_cents"], shared["reset_due"], shared["meter_after_cents"]) == (1, True, 5001)
    tenths = result("progressive_meter", meter("seven_card", 1_000_000, (1, 10), (6, 10)))
    assert tenths["payouts_cents"] == {"1": 50_000, "6": 50_000}
    assert (tenths["reset_due"], tenths["meter_after_cents"]) == (False, 900_000)
    for name in ("meter_share", "PP-05"):
        each = result("progressive_meter", meter("seven_card", 1_000_000, (1, 10), (6, 10)), **{name: "each"})
        assert each["payouts_cents"] == {"1": 100_000, "6": 100_000}


@pytest.mark.clause("packs_poker", "13:69F-43.12(b)")
def test_packs_are_settled_one_after_the_other() -> None:
    given = meter("five_card", 1_000_000, (2, 100, 3), (2, 100, 1), reset=50_000)
    assert result("progressive_meter", given) == {
        "payouts_cents": {"2": 1_050_000},
        "payouts_cents_by_pack": {"1": {"2": 1_000_000}, "3": {"2": 50_000}},
        "left_cents": 0,
        "reset_due": True,
        "meter_after_cents": 50_000,
    }
    for name in ("repeated_jackpot", "PP-09"):
        once = result("progressive_meter", given, **{name: "one_award_per_hand"})
        assert once["payouts_cents"] == {"2": 1_000_000}


@pytest.mark.parametrize(
    ("op", "given", "name", "default"),
    [
        ("packs_bet", BET, "kickers", "standard"),
        ("seven_card_bonus", SEVEN, "seven_card_top_hand", "straight_flush"),
        ("seven_card_bonus", SEVEN, "single_payout", "highest_amount"),
        ("five_card_bonus", FIVE, "progressive_multiples", "for_1"),
        ("progressive_meter", METER, "meter_share", "pooled"),
        ("progressive_meter", METER, "repeated_jackpot", "sequential"),
    ],
)
def test_the_decisions_are_the_defaults(op: str, given: dict[str, Any], name: str, default: str) -> None:
    assert ask(op, given, **{name: default}) == ask(op, given)
    assert "error" not in ask(op, given)


def test_nobody_qualifies() -> None:
    assert result("progressive_meter", meter("seven_card", 77)) == {
        "payouts_cents": {},
        "payouts_cents_by_pack": {},
        "left_cents": 77,
        "reset_due": False,
        "meter_after_cents": 77,
    }


ERRORS = [
    ("packs_bet", {**BET, "player": BET["player"][:4]}, "input.player: 4 cards, expected 5"),
    ("packs_bet", {**BET, "dealer": [*BET["dealer"], "5s"]}, "input.dealer: 6 cards, expected 5"),
    ("packs_bet", {**BET, "pack": ["4d"]}, "input.pack: 1 cards, expected 2"),
    ("packs_bet", {**BET, "pack": ["4d", "As"]}, "card 'As': 2 times, and the decks have 1"),
    ("packs_bet", {**BET, "pack": ["4d", "X1"]}, "card 'X1': not in the deck of this game"),
    ("packs_bet", {**BET, "wager_cents": -1}, "input.wager_cents: -1 is not 0 or more"),
    ("packs_bet", {**BET, "no_pair_higher_pushes": "no"}, "input.no_pair_higher_pushes: 'no' is not true or false"),
    ("five_card_bonus", {**FIVE, "cards": SEVEN["cards"]}, "input.cards: 7 cards, expected 5"),
    ("five_card_bonus", {"cards": FIVE["cards"]}, "input.wager_cents: missing"),
    ("seven_card_bonus", {**SEVEN, "cards": FIVE["cards"]}, "input.cards: 5 cards, expected 7"),
    ("seven_card_bonus", {**SEVEN, "meter_cents": 1.5}, "input.meter_cents: 1.5 is not a whole number"),
    ("progressive_meter", {**METER, "wager": "six_card"}, "input.wager: 'six_card' is not five_card or seven_card"),
    ("progressive_meter", {**METER, "meter_cents": -1}, "input.meter_cents: -1 is not 0 or more"),
    ("progressive_meter", meter("seven_card", 9, (7, 10)), "input.qualifiers: input.seat: 7 is not 1 to 6"),
    ("progressive_meter", meter("seven_card", 9, (0, 10)), "input.qualifiers: input.seat: 0 is not 1 to 6"),
    ("progressive_meter", meter("seven_card", 9, (1, 50)), "input.qualifiers: input.percent: 50 is not 10 or 100"),
    ("progressive_meter", meter("seven_card", 9, (1, 10, 4)), "input.qualifiers: input.pack: 4 is not 1, 2 or 3"),
    (
        "progressive_meter",
        meter("five_card", 9, (1, 10)),
        "input.qualifiers: seat 1: 10% of the meter is not an award of the five_card bonus",
    ),
    ("progressive_meter", meter("seven_card", 9, (2, 10), (2, 100)), "input.qualifiers: seat 2 stands twice on pack 1"),
    (
        "progressive_meter",
        meter("five_card", 9, (2, 100, 1), (2, 100, 2)),
        "input.reset_cents: missing; a pack is settled after the whole meter was won on another",
    ),
]


@pytest.mark.parametrize(("op", "given", "expected"), ERRORS)
def test_bad_input_is_answered_with_one_clear_line(op: str, given: dict[str, Any], expected: str) -> None:
    assert error(op, given) == expected


def test_a_later_pack_needs_no_reset_when_the_meter_was_not_won() -> None:
    tenths = result("progressive_meter", meter("seven_card", 1000, (1, 10, 2), (1, 10, 3)))
    assert (tenths["payouts_cents"], tenths["left_cents"], tenths["meter_after_cents"]) == ({"1": 190}, 810, 810)
    found = result("progressive_meter", meter("seven_card", 1000, (1, 10, 1), (1, 100, 2)))
    assert found["payouts_cents"] == {"1": 1000}
    assert (
        error("packs_bet", BET, kickers="some") == "options.kickers: 'some' is not standard or category_and_group_only"
    )

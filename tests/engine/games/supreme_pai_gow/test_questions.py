"""The oracle on Supreme Pai Gow, in both jurisdictions and under every reading that bears on a question."""

from typing import Any

import pytest

from feltrig.engine import oracle
from feltrig.engine.games import GAMES


def ask(op: str, given: dict[str, Any], jurisdiction: str = "NJ", **options: Any) -> dict[str, Any]:
    question = {"id": "q", "game": "supreme_pai_gow", "op": op, "input": given}
    return oracle.ask({**question, "jurisdiction": jurisdiction, "options": options})


def result(op: str, given: dict[str, Any], **options: Any) -> Any:
    return ask(op, given, **options)["result"]


def cards(text: str) -> list[str]:
    return text.split()


def settled(high: str, low: str, dealer_high: str, dealer_low: str, wager: int = 10_000, **more: Any) -> dict[str, Any]:
    return {
        "player_high": cards(high),
        "player_low": cards(low),
        "dealer_high": cards(dealer_high),
        "dealer_low": cards(dealer_low),
        "wager_cents": wager,
        **more,
    }


ACES = cards("As Ad Ah Ac")
ROYAL = cards("As Ks Qs Js")
EXACT = {"bonus_wager_cents": 0, "vigorish_rounding": "exact"}
BANKED = {
    "wagers": [
        {"seat": "1", "wager_cents": 10_000, "outcome": "lose"},
        {"seat": "2", "wager_cents": 4000, "outcome": "win"},
        {"seat": "3", "wager_cents": 2000, "outcome": "push"},
    ],
    "dealer_wager": None,
    "co_bank": False,
    "vigorish_rounding": "exact",
}
EXAMPLES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "two_card_rank",
        {"cards": ["X1", "X2"]},
        {
            "kind": "pair",
            "pair_rank": "X",
            "face": None,
            "points": None,
            "high_card": None,
            "joker_counted_as": None,
            "order": 1,
        },
    ),
    ("compare_hand", {"player": ["X1", "X2"], "dealer": ["As", "Ad"], "which": "high"}, {"winner": "player"}),
    ("set_valid", {"high": ["7c", "7d"], "low": ["7h", "7s"]}, {"valid": True}),
    ("bonus_category", {"cards": ACES}, {"category": "four_aces", "odds_to_1": 1000}),
    (
        "settle",
        settled("As Ad", "9c Kd", "Kc Ks", "8c Kh", **EXACT),
        {"result": "win", "main_net_cents": 9500, "vigorish_cents": 500},
    ),
    (
        "surrender",
        {"cards": cards("As Ad Ah Ks"), "wager_cents": 2500, "bonus_wager_cents": 500},
        {"main_net_cents": -2500, "bonus_category": "three_of_a_kind", "bonus_net_cents": 5000},
    ),
    (
        "bonus_payout",
        {"cards": ACES, "bonus_wager_cents": 10_000, "table_minimum_cents": 500},
        {"bonus_net_cents": 5_000_000},
    ),
    (
        "bonus_payout_multi_royal",
        {
            "royals": [{"seat": 1, "bonus_wager_cents": 10_000}, {"seat": 4, "bonus_wager_cents": 30_000}],
            "table_minimum_cents": 500,
        },
        {"payouts_cents": {"1": 1_250_000, "4": 3_750_000}},
    ),
    (
        "start_position",
        {"method": "dice", "dice": [1, 1, 1], "bank_seat": None},
        {"position": 2, "clockwise_deal_order": [2, 1, 0, 6, 5, 4, 3]},
    ),
    (
        "hand_dealt_stack_delivery",
        {"start_position": 2, "stacks_left_to_right": [1, 2, 3, 4, 5, 6, 7]},
        {"delivery": [[7, 2], [6, 3], [5, 4], [4, 5], [3, 6], [2, 0], [1, 1]]},
    ),
    (
        "hand_dealt_stack_contents",
        {"card_numbers": "1..28 in deal order", "stack_from_dealer_left": 1},
        {"cards": [1, 14, 15, 28]},
    ),
    (
        "bank_stack_delivery",
        {"start_position": 4, "first_stack_from_dealer_left": 3},
        {"delivery": [[3, 4], [4, 3], [5, 2], [6, 1], [7, 0], [1, 6], [2, 5]]},
    ),
    (
        "bank_settlement",
        BANKED,
        {
            "players_net_cents": {"1": -10_000, "2": 3800, "3": 0},
            "player_vigorish_cents": {"2": 200},
            "surplus_cents": 6000,
            "bank_vigorish_cents": 300,
            "bank_net_cents": 5700,
            "dealer_wager_net_cents": None,
            "house_share_net_cents": None,
        },
    ),
]


@pytest.mark.parametrize(("op", "given", "expected"), EXAMPLES)
def test_every_operation_answers_its_example(op: str, given: dict[str, Any], expected: dict[str, Any]) -> None:
    found = result(op, given)
    assert {key: found[key] for key in expected} == expected


def test_the_examples_cover_every_operation() -> None:
    assert {op for op, *_ in EXAMPLES} == set(GAMES["supreme_pai_gow"].questions)


@pytest.mark.clause(
    "supreme_pai_gow", "34.3(a)1i", "34.3(a)3", "34.3(a)3iv", "34.3(c)", "34.3(c)2", "34.12(h)", "34.12(i)", "34.14(a)"
)
@pytest.mark.parametrize(
    ("op", "given", "new_jersey", "massachusetts"),
    [
        ("two_card_rank", {"cards": ["X1", "X2"]}, ["19:47-34.3(a)1i"], ["MA SPG 3(a)(1)(i)"]),
        (
            "two_card_rank",
            {"cards": ["X1", "6s"]},
            ["19:47-34.3(a)3", "19:47-34.3(a)3iv"],
            ["MA SPG 3(a)(3)", "MA SPG 3(a)(3)(iv)"],
        ),
        (
            "settle",
            settled("As Ad", "9c Kd", "Kc Ks", "8c Kh", **EXACT),
            ["19:47-34.12(h)", "19:47-34.12(i)"],
            ["MA SPG 12(h)", "MA SPG 12(i)"],
        ),
        ("bonus_category", {"cards": cards("As 9d 8h 2c")}, ["19:47-34.3(c)"], ["MA SPG 3(c)"]),
        ("bonus_category", {"cards": ROYAL}, ["19:47-34.3(c)2", "19:47-34.14(a)"], ["MA SPG 3(c)(2)", "MA SPG 14(a)"]),
    ],
)
def test_each_jurisdiction_is_cited_as_it_prints_the_clause(
    op: str, given: dict[str, Any], new_jersey: list[str], massachusetts: list[str]
) -> None:
    here, there = ask(op, given), ask(op, given, "MA")
    assert here["result"] == there["result"]
    assert (here["clauses"], there["clauses"]) == (new_jersey, massachusetts)


@pytest.mark.parametrize(
    ("held", "kind", "pair", "face", "points", "high", "joker", "order"),
    [
        ("As Ad", "pair", "A", None, None, None, None, 2),
        ("2s 2d", "pair", "2", None, None, None, None, 14),
        ("Qs Kd", "non_matching_face", None, "KQ", None, None, None, 15),
        ("Js Qd", "non_matching_face", None, "QJ", None, None, None, 17),
        ("9s Kd", "points", None, None, 9, "K", None, 18),
        ("X1 3d", "points", None, None, 9, "6", 6, 24),
        ("As 9d", "points", None, None, 0, "9", None, 89),
        ("4s 6d", "points", None, None, 0, "6", None, 92),
    ],
)
def test_two_card_rank(
    held: str, kind: str, pair: Any, face: Any, points: Any, high: Any, joker: Any, order: int
) -> None:
    assert result("two_card_rank", {"cards": cards(held)}) == {
        "kind": kind,
        "pair_rank": pair,
        "face": face,
        "points": points,
        "high_card": high,
        "joker_counted_as": joker,
        "order": order,
    }


def winner(player: str, dealer: str, which: str, **options: Any) -> Any:
    asked = {"player": cards(player), "dealer": cards(dealer), "which": which}
    return result("compare_hand", asked, **options)["winner"]


@pytest.mark.clause("supreme_pai_gow", "34.3(a)3", "34.3(b)")
def test_34_3_b_the_highest_card_breaks_ties_and_copies_are_the_dealers() -> None:
    assert winner("8s Kd", "8d Qs", "high") == "player"
    assert winner("8s Qd", "8d Ks", "high") == "dealer"
    asked = {"player": cards("8s Kd"), "dealer": cards("8d Ks"), "which": "high"}
    assert ask("compare_hand", asked) == {
        "id": "q",
        "result": {"winner": "dealer"},
        "clauses": ["19:47-34.3(a)3", "19:47-34.3(b)"],
    }


@pytest.mark.clause("supreme_pai_gow", "34.3(a)3", "34.3(b)", "34.3(d)")
def test_34_3_d_a_low_hand_without_points_never_wins() -> None:
    asked = {"player": cards("Ts Kd"), "dealer": cards("9c As"), "which": "low"}
    assert ask("compare_hand", asked) == {
        "id": "q",
        "result": {"winner": "dealer"},
        "clauses": ["19:47-34.3(a)3", "19:47-34.3(d)"],
    }
    assert ask("compare_hand", {**asked, "which": "high"}) == {
        "id": "q",
        "result": {"winner": "player"},
        "clauses": ["19:47-34.3(a)3", "19:47-34.3(b)"],
    }


def test_spg_04_by_arithmetic_faces_and_pairs_of_fives_and_tens_have_no_points_either() -> None:
    for name in ("zero_by_arithmetic", "SPG-04"):
        for held in ("Ks Qd", "Qs Jd", "5s 5d", "Ts Td", "Ks Kd"):
            assert winner(held, "9c Kh", "low") == "player"
            assert winner(held, "9c Kh", "low", **{name: True}) == "dealer"
            assert winner(held, "9c Kh", "high", **{name: True}) == "player"
        for held in ("6s 6d", "X1 X2", "As Ad"):
            assert winner(held, "9c Kh", "low", **{name: True}) == "player"
        assert winner("Ts Kd", "9c As", "low", **{name: True}) == "dealer"
        assert winner("8s Kd", "7c As", "low", **{name: True}) == "player"


def test_spg_05_joker_or_ace_may_be_the_highest_card() -> None:
    assert winner("X1 3d", "9c Kh", "high") == "dealer"
    assert winner("X1 3d", "9c Kh", "high", high_card="joker_highest") == "player"
    assert winner("As 8d", "9c Kh", "high") == "dealer"
    assert winner("As 8d", "9c Kh", "high", **{"SPG-05": "ace_high"}) == "player"
    assert winner("X1 3d", "9c Kh", "high", high_card="ace_high") == "dealer"
    joker = result("two_card_rank", {"cards": ["X1", "3d"]}, high_card="joker_highest")
    assert (joker["points"], joker["high_card"], joker["joker_counted_as"], joker["order"]) == (9, "X", 6, 18)
    ace = result("two_card_rank", {"cards": ["8s", "Ad"]}, high_card="ace_high")
    assert (ace["points"], ace["high_card"], ace["order"]) == (9, "A", 18)
    assert result("two_card_rank", {"cards": ["8s", "Ad"]})["high_card"] == "8"


def valid(high: str, low: str, **options: Any) -> Any:
    return result("set_valid", {"high": cards(high), "low": cards(low)}, **options)["valid"]


@pytest.mark.clause("supreme_pai_gow", "34.12(a)", "34.12(g)2", "34.12(g)3")
def test_34_12_a_a_setting_is_valid_unless_the_low_hand_is_higher_or_the_cards_are_parted_wrongly() -> None:
    assert valid("As Ad", "Ks Kd")
    assert not valid("Ks Kd", "As Ad")
    foul = {"high": cards("As Ad Ks"), "low": cards("Kd")}
    assert ask("set_valid", foul) == {
        "id": "q",
        "result": {"valid": False},
        "clauses": ["19:47-34.12(a)", "19:47-34.12(g)3"],
    }
    lower = {"high": cards("Ks Kd"), "low": cards("As Ad")}
    assert ask("set_valid", lower)["clauses"] == ["19:47-34.12(a)", "19:47-34.12(g)2"]
    assert ask("set_valid", {"high": cards("As Ad"), "low": cards("Ks Kd")})["clauses"] == ["19:47-34.12(a)"]


def test_spg_02_and_03_equal_hands_and_what_equal_means() -> None:
    for name in ("equal_is_legal", "SPG-02"):
        assert not valid("7c 7d", "7h 7s", **{name: False})
    assert valid("Ts 9d", "Ks 9c")
    for name in ("set_by_high_card", "SPG-03"):
        assert not valid("Ts 9d", "Ks 9c", **{name: True})
        assert valid("Ks 9c", "Ts 9d", **{name: True})
    assert valid("Ts 9d", "As 8c", set_by_high_card=True)
    assert not valid("Ts 9d", "As 8c", set_by_high_card=True, high_card="ace_high")


def category(held: str, **options: Any) -> Any:
    return result("bonus_category", {"cards": cards(held)}, **options)["category"]


@pytest.mark.parametrize(
    ("held", "name", "odds"),
    [
        ("As Ad Ah Ac", "four_aces", 1000),
        ("As Ks Qs Js", "royal_flush", 500),
        ("X1 X2 As Ad", "two_jokers_two_aces", 200),
        ("9s 9d 9h 9c", "four_of_a_kind", 100),
        ("4s 5s X1 7s", "straight_flush", 25),
        ("9s 9d 9h X1", "three_of_a_kind", 10),
        ("2s 9s Js Ks", "flush", 8),
        ("X1 X2 9s 9d", "two_pair", 7),
        ("As 2d 3h 4c", "straight", 6),
        ("X1 X2 9s 2d", "two_jokers", 4),
        ("9s 9d X1 2d", "any_other_pair", 1),
        ("9s Jd X1 2d", None, None),
    ],
)
def test_bonus_category(held: str, name: str | None, odds: int | None) -> None:
    assert result("bonus_category", {"cards": cards(held)}) == {"category": name, "odds_to_1": odds}


def test_spg_06b_to_08_are_readings_of_the_bonus_hand() -> None:
    for name in ("jokers_as_3_and_6", "SPG-06b"):
        assert category("X1 X2 4s 5d", **{name: False}) == "two_jokers"
    assert category("X1 X2 4s 5d") == "straight"
    for name in ("joker_completes_flush", "SPG-07"):
        assert category("X1 2s 9s Ks", **{name: True}) == "flush"
    assert category("X1 2s 9s Ks") is None
    for name in ("ace_runs", "SPG-08"):
        assert category("As 2d 3h 4c", **{name: "A-K-Q-J only"}) is None
        assert category("As Kd Qh Jc", **{name: "A-2-3-4 only"}) is None
    assert category("As Kd Qh Jc") == "straight"


DEALER = ("Kc Ks", "8c Kh")


@pytest.mark.parametrize(
    ("high", "low", "outcome", "net"),
    [
        ("As Ad", "9c Kd", "win", 9500),
        ("As Ad", "7c Kd", "push", 0),
        ("Qs Qd", "7c Jd", "lose", -10_000),
        ("As Ad", "Td Qd", "push", 0),  # no points below
        ("9c Kd", "As Ad", "lose", -10_000),  # foul
        ("As Ad 9c", "Kd", "lose", -10_000),  # foul
    ],
)
def test_settle(high: str, low: str, outcome: str, net: int) -> None:
    found = result("settle", settled(high, low, *DEALER))
    assert (found["result"], found["main_net_cents"]) == (outcome, net)
    assert found["vigorish_cents"] == (500 if outcome == "win" else 0)
    assert (found["bonus_category"], found["bonus_net_cents"]) == (None, 0)


@pytest.mark.clause("supreme_pai_gow", "34.12(g)3")
def test_settle_cites_why_a_setting_is_foul() -> None:
    assert ask("settle", settled("As Ad 9c", "Kd", *DEALER))["clauses"] == ["19:47-34.12(g)3"]


@pytest.mark.clause("supreme_pai_gow", "34.3(c)11", "34.12(g)2", "34.14(a)")
def test_settle_pays_the_bonus_whatever_becomes_of_the_main_wager() -> None:
    found = ask("settle", settled("9c Kd", "As Ad", *DEALER, bonus_wager_cents=500, table_minimum_cents=None))
    assert found["result"]["bonus_category"] == "any_other_pair"
    assert (found["result"]["main_net_cents"], found["result"]["bonus_net_cents"]) == (-10_000, 500)
    assert found["clauses"] == ["19:47-34.12(g)2", "19:47-34.3(c)11", "19:47-34.14(a)"]
    lost = result("settle", settled("9c Kd", "As 2d", *DEALER, bonus_wager_cents=500))
    assert (lost["bonus_category"], lost["bonus_net_cents"]) == (None, -500)
    aces = settled("As Ad", "Ah Ac", *DEALER, bonus_wager_cents=10_000)
    assert result("settle", aces)["bonus_net_cents"] == 5_000_000
    assert result("settle", {**aces, "table_minimum_cents": 6000})["bonus_net_cents"] == 6_000_000
    jokers = settled("X1 X2", "4s 5d", *DEALER, bonus_wager_cents=100)
    assert result("settle", jokers)["bonus_net_cents"] == 600
    assert result("settle", jokers, **{"SPG-06b": False})["bonus_net_cents"] == 400


def test_spg_10_vigorish_is_exact_or_rounded_up_to_25_cents() -> None:
    asked = settled("As Ad", "9c Kd", *DEALER, wager=1010)
    exact = result("settle", asked)
    assert (exact["vigorish_cents"], exact["main_net_cents"]) == ("101/2", "1919/2")
    rounded = (75, 935)
    field = result("settle", {**asked, "vigorish_rounding": "round_up_to_25_cents"})
    assert (field["vigorish_cents"], field["main_net_cents"]) == rounded
    for name in ("rounding", "SPG-10"):
        option = result("settle", asked, **{name: "round_up_to_25_cents"})
        assert (option["vigorish_cents"], option["main_net_cents"]) == rounded
    both = result("settle", {**asked, "vigorish_rounding": "exact"}, rounding="round_up_to_25_cents")
    assert both["vigorish_cents"] == "101/2"


@pytest.mark.clause("supreme_pai_gow", "34.3(d)")
def test_settle_reads_the_hands_as_the_options_say() -> None:
    nines = settled("Ts 9d", "Ks 9c", "7c As", "2c 3h")
    assert result("settle", nines)["result"] == "win"
    assert result("settle", nines, set_by_high_card=True)["result"] == "lose"
    sevens = settled("7c 7d", "7h 7s", "2c 2d", "3c 9h")
    assert result("settle", sevens)["result"] == "win"
    assert result("settle", sevens, equal_is_legal=False)["result"] == "lose"
    faces = settled("As Ad", "Kd Qd", *DEALER)
    assert result("settle", faces)["result"] == "win"
    assert result("settle", faces, zero_by_arithmetic=True)["result"] == "push"
    assert "19:47-34.3(d)" in ask("settle", faces, zero_by_arithmetic=True)["clauses"]
    jokers = settled("As Ad", "X1 3d", "Kc Ks", "9c Kh")
    assert result("settle", jokers)["result"] == "push"
    assert result("settle", jokers, high_card="joker_highest")["result"] == "win"


@pytest.mark.clause("supreme_pai_gow", "34.12(e)1", "34.12(e)2", "34.12(h)")
def test_surrender_loses_the_whole_wager_and_leaves_the_bonus() -> None:
    asked = {"cards": cards("As 9d 8h 2c"), "wager_cents": 2501, "bonus_wager_cents": 500}
    assert ask("surrender", asked) == {
        "id": "q",
        "result": {"main_net_cents": -2501, "vigorish_cents": 0, "bonus_category": None, "bonus_net_cents": -500},
        "clauses": ["19:47-34.12(e)1", "19:47-34.12(e)2", "19:47-34.12(h)"],
    }
    without = ask("surrender", {"cards": ACES, "wager_cents": 2501, "bonus_wager_cents": None})
    assert (without["result"]["bonus_category"], without["result"]["bonus_net_cents"]) == (None, 0)
    assert without["clauses"] == ["19:47-34.12(e)1"]
    flush = {"cards": cards("X1 2s 9s Ks"), "wager_cents": 2500, "bonus_wager_cents": 500}
    assert result("surrender", flush, joker_completes_flush=True)["bonus_net_cents"] == 4000
    aces = {"cards": ACES, "wager_cents": 1, "bonus_wager_cents": 10_000, "table_minimum_cents": 6000}
    assert result("surrender", aces)["bonus_net_cents"] == 6_000_000


def paid(held: list[str], wager: int, minimum: int | None, **options: Any) -> Any:
    asked = {"cards": held, "bonus_wager_cents": wager, "table_minimum_cents": minimum}
    return result("bonus_payout", asked, **options)["bonus_net_cents"]


@pytest.mark.clause("supreme_pai_gow", "34.3(c)1", "34.14(a)", "34.14(b)")
def test_34_14_b_the_limit_grows_with_the_table_minimum() -> None:
    assert paid(ACES, 5000, 500) == 5_000_000
    assert paid(ACES, 4999, 500) == 4_999_000
    assert paid(ACES, 10_000, None) == 5_000_000
    assert paid(ACES, 10_000, 5001) == 5_001_000
    assert paid(ACES, 10_000, 10_000) == 10_000_000
    assert paid(ROYAL, 10_000, 500) == 5_000_000
    assert paid(cards("As 9d 8h 2c"), 700, 500) == -700
    assert paid(ACES, 0, 500) == 0
    assert paid(cards("X1 X2 4s 5d"), 100, 500, jokers_as_3_and_6=False) == 400
    capped = {"cards": ACES, "bonus_wager_cents": 10_000, "table_minimum_cents": 500}
    assert ask("bonus_payout", capped)["clauses"] == ["19:47-34.3(c)1", "19:47-34.14(a)", "19:47-34.14(b)"]


def royals(minimum: int | None, wagers: dict[int, int], **options: Any) -> Any:
    rows = [{"seat": seat, "bonus_wager_cents": wager} for seat, wager in wagers.items()]
    return result("bonus_payout_multi_royal", {"royals": rows, "table_minimum_cents": minimum}, **options)[
        "payouts_cents"
    ]


@pytest.mark.clause("supreme_pai_gow", "34.14(b)")
def test_34_14_b_royals_share_the_limit_in_proportion_once_they_exceed_it() -> None:
    assert royals(500, {1: 5000, 2: 5000}) == {"1": 2_500_000, "2": 2_500_000}
    assert royals(500, {1: 100, 6: 200}) == {"1": 50_000, "6": 100_000}
    assert royals(None, {1: 10_000, 2: 10_000, 3: 10_000}) == dict.fromkeys("123", "5000000/3")
    assert royals(20_000, {1: 10_000, 2: 20_000}) == {"1": 5_000_000, "2": 10_000_000}
    assert royals(500, {3: 20_000}) == {"3": 5_000_000}
    assert royals(500, {}) == {}


def test_spg_11_read_literally_royals_always_share_the_limit() -> None:
    for name in ("royals_always_share", "SPG-11"):
        assert royals(500, {1: 100, 6: 300}, **{name: True}) == {"1": 1_250_000, "6": 3_750_000}
        assert royals(500, {1: 100}, **{name: True}) == {"1": 50_000}
        assert royals(500, {1: 0, 2: 0}, **{name: True}) == {"1": 0, "2": 0}


def bank(wagers: dict[Any, tuple[int, str]], dealer: tuple[int, str] | None = None, **more: Any) -> dict[str, Any]:
    rows = [{"seat": seat, "wager_cents": wager, "outcome": outcome} for seat, (wager, outcome) in wagers.items()]
    own = None if dealer is None else {"wager_cents": dealer[0], "outcome": dealer[1]}
    return {"wagers": rows, "dealer_wager": own, **more}


@pytest.mark.clause("supreme_pai_gow", "34.13(a)")
def test_34_13_a_bank_that_does_not_cover_its_losers_pays_from_its_own_chips() -> None:
    found = result("bank_settlement", bank({1: (10_000, "win"), 2: (4000, "lose")}, (500, "win")))
    assert found == {
        "players_net_cents": {"1": 9500, "2": -4000},
        "player_vigorish_cents": {"1": 500},
        "surplus_cents": 0,
        "shortfall_cents": 6500,
        "bank_vigorish_cents": 0,
        "bank_net_cents": -6500,
        "dealer_wager_net_cents": 500,
        "house_share_net_cents": None,
        "odd_cent": 0,
    }


@pytest.mark.clause("supreme_pai_gow", "34.13(m)")
def test_34_13_m_a_co_bank_shares_the_surplus_to_the_half_cent() -> None:
    found = result("bank_settlement", bank({"1": (6001, "lose")}, co_bank=True))
    assert (found["house_share_net_cents"], found["odd_cent"]) == ("6001/2", 1)
    assert (found["bank_vigorish_cents"], found["bank_net_cents"]) == ("6001/40", "114019/40")
    rounded = result("bank_settlement", bank({"1": (6000, "lose")}, co_bank=True), **{"SPG-10": "round_up_to_25_cents"})
    assert (rounded["bank_vigorish_cents"], rounded["bank_net_cents"]) == (150, 2850)
    field = bank({"1": (1010, "lose")}, vigorish_rounding="round_up_to_25_cents")
    assert result("bank_settlement", field)["bank_vigorish_cents"] == 75


def test_a_surrender_is_the_banks_and_a_void_wager_nobodys() -> None:
    found = result("bank_settlement", bank({1: (1000, "surrender"), 2: (700, "void")}))
    assert (found["players_net_cents"], found["surplus_cents"]) == ({"1": -1000, "2": 0}, 1000)


def test_spg_19_vigorish_may_be_the_players_or_the_banks_alone() -> None:
    for name in ("vigorish_on", "SPG-19"):
        players = result("bank_settlement", BANKED, **{name: "players"})
        assert (players["player_vigorish_cents"], players["players_net_cents"]["2"]) == ({"2": 200}, 3800)
        assert (players["bank_vigorish_cents"], players["bank_net_cents"]) == (0, 6000)
        banks = result("bank_settlement", BANKED, **{name: "bank"})
        assert (banks["player_vigorish_cents"], banks["players_net_cents"]["2"]) == ({"2": 0}, 4000)
        assert (banks["bank_vigorish_cents"], banks["bank_net_cents"]) == (300, 5700)


@pytest.mark.clause("supreme_pai_gow", "34.13(e)")
@pytest.mark.parametrize(
    ("op", "given", "error"),
    [
        ("two_card_rank", {"cards": ["Zs", "2d"]}, "card 'Zs': no such rank"),
        ("two_card_rank", {"cards": ["2d", "2d"]}, "card '2d': 2 times, and the decks have 1"),
        ("two_card_rank", {"cards": ["2d"]}, "input.cards: 1 cards, expected 2"),
        (
            "compare_hand",
            {"player": ["2d", "3d"], "dealer": ["2d", "4d"], "which": "low"},
            "card '2d': 2 times, and the decks have 1",
        ),
        (
            "compare_hand",
            {"player": ["2d", "3d"], "dealer": ["5d", "4d"], "which": "middle"},
            "input.which: 'middle' is not high or low",
        ),
        ("set_valid", {"high": ["2d", "3d"], "low": ["4d"]}, "3 cards set, expected 4"),
        ("set_valid", {"high": ["2d", "3d"], "low": ["2d", "4d"]}, "card '2d': 2 times, and the decks have 1"),
        ("settle", settled("As Ad", "9c", *DEALER), "3 cards set, expected 4"),
        ("settle", settled("As Ad", "9c Kc", *DEALER), "card 'Kc': 2 times, and the decks have 1"),
        ("settle", settled("As Ad", "9c Kd", "Kc", "8c Kh"), "input.dealer_high: 1 cards, expected 2"),
        (
            "settle",
            settled("As Ad", "9c Kd", *DEALER, bonus_wager_cents=99),
            "input.bonus_wager_cents: 99 is less than 100, the least bonus wager",
        ),
        (
            "settle",
            settled("As Ad", "9c Kd", *DEALER, vigorish_rounding="down"),
            "input.vigorish_rounding: 'down' is not exact or round_up_to_25_cents",
        ),
        ("settle", settled("As Ad", "9c Kd", *DEALER, wager=-1), "input.wager_cents: -1 is not 0 or more"),
        ("surrender", {"cards": ACES[1:], "wager_cents": 1}, "input.cards: 3 cards, expected 4"),
        (
            "bonus_payout_multi_royal",
            {"royals": [{"seat": seat, "bonus_wager_cents": 100} for seat in range(1, 6)]},
            "5 royal flushes, and a deck has 4",
        ),
        (
            "bonus_payout_multi_royal",
            {"royals": [{"seat": 1, "bonus_wager_cents": 100}, {"seat": "1", "bonus_wager_cents": 100}]},
            "seat 1: stands twice",
        ),
        (
            "bonus_payout_multi_royal",
            {"royals": [{"seat": 7, "bonus_wager_cents": 100}]},
            "input.royals: input.seat: 7 is not a seat: expected 1 to 6",
        ),
        ("start_position", {"method": "dice", "dice": [1, 2]}, "input.dice: 2 dice, expected 3"),
        ("start_position", {"method": "dice", "dice": [1, 2, 7]}, "input.dice: 7 is not 1 to 6"),
        ("start_position", {"method": "dice", "number": 3}, "method 'dice': expected dice and no number"),
        (
            "start_position",
            {"method": "dice", "dice": [1, 2, 3], "number": 3},
            "method 'dice': expected dice and no number",
        ),
        ("start_position", {"method": "rng", "dice": [1, 2, 3]}, "method 'rng': expected a number and no dice"),
        ("start_position", {"method": "rng", "number": 8}, "input.number: 8 is not 1 to 7"),
        (
            "start_position",
            {"method": "rng", "number": 1, "bank_seat": 0},
            "input.bank_seat: 0 is not a seat: expected 1 to 6",
        ),
        (
            "start_position",
            {"method": "rng", "number": 1, "bank_seat": True},
            "input.bank_seat: True is not a seat: expected 1 to 6",
        ),
        (
            "start_position",
            {"method": "rng", "number": 1, "bank_seat": 1.0},
            "input.bank_seat: 1.0 is not a seat: expected 1 to 6",
        ),
        ("hand_dealt_stack_delivery", {"start_position": 7}, "input.start_position: 7 is not 0 to 6"),
        (
            "hand_dealt_stack_delivery",
            {"start_position": 0, "stacks_left_to_right": [1, 2, 3, 4, 5, 6, 6]},
            "input.stacks_left_to_right: [1, 2, 3, 4, 5, 6, 6] are not the stacks 1 to 7, each once",
        ),
        (
            "hand_dealt_stack_contents",
            {"card_numbers": [1, 2], "stack_from_dealer_left": 1},
            "input.card_numbers: [1, 2] is not '1..28 in deal order' or a list of 28 cards",
        ),
        (
            "hand_dealt_stack_contents",
            {"stack_from_dealer_left": 0},
            "input.stack_from_dealer_left: 0 is not 1 to 7",
        ),
        (
            "bank_stack_delivery",
            {"start_position": 0, "first_stack_from_dealer_left": 8},
            "input.first_stack_from_dealer_left: 8 is not 1 to 7",
        ),
        (
            "bank_settlement",
            bank({1: (1000, "lose")}, (500, "win"), co_bank=True),
            "the dealer may not wager against a co-bank (34.13(e))",
        ),
        (
            "bank_settlement",
            bank({1: (1000, "lost")}),
            "input.wagers: input.outcome: 'lost' is not win, lose, push, surrender or void",
        ),
        ("bank_settlement", {"wagers": [BANKED["wagers"][0]] * 2}, "seat 1: stands twice"),
    ],
)
def test_a_question_that_cannot_be_answered_says_why(op: str, given: dict[str, Any], error: str) -> None:
    assert ask(op, given) == {"id": "q", "error": error}


def test_other_jurisdictions_do_not_print_the_game() -> None:
    assert ask("two_card_rank", {"cards": ["X1", "X2"]}, "PA")["error"] == "jurisdiction 'PA': expected NJ or MA"


def test_a_jurisdiction_that_is_null_is_as_good_as_none() -> None:
    question = {"id": "q", "game": "supreme_pai_gow", "op": "two_card_rank", "input": {"cards": ["X1", "X2"]}}
    assert oracle.ask({**question, "jurisdiction": None}) == oracle.ask(question)
    assert oracle.ask(question)["clauses"] == ["19:47-34.3(a)1i"]


def test_money_has_an_upper_end() -> None:
    surrendered = {"cards": ["As", "Ad", "Ah", "Ac"], "wager_cents": 10**18}
    assert ask("surrender", surrendered)["result"]["main_net_cents"] == -(10**18)
    for more in (10**18 + 1, 10**4299):
        error = "input.wager_cents: a number of more than 1000000000000000000"
        assert ask("surrender", {**surrendered, "wager_cents": more}) == {"id": "q", "error": error}

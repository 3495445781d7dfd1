"""Red Dog: what two cards open, what may be raised, who wins."""

from collections import Counter
from itertools import product

import pytest

from feltrig.engine.cards import RANKS, deck, parse
from feltrig.engine.games.red_dog.settlement import (
    Outcome,
    RaiseAmount,
    Settlement,
    check_raise,
    opening,
    settle,
    spread,
    value,
)
from feltrig.engine.rulings import Illegal

GAME = "red_dog"


def settled(cards: str, wager: int = 1000, raised: int = 0) -> Settlement:
    first, second, *third = (parse(text) for text in cards.split())
    return settle(first, second, third[0] if third else None, wager, raised)


@pytest.mark.clause(GAME, "19:47-6.1(b)1", "19:47-6.1(b)2", "19:47-6.1(b)3", "19:47-6.1(b)4", "19:47-6.1(b)5")
def test_6_1_b_a_card_counts_its_pips_and_the_ace_only_fourteen() -> None:
    assert [value(parse(rank + "h")) for rank in RANKS] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
    assert all(2 <= value(card) <= 14 for card in deck())


@pytest.mark.clause(GAME, "19:47-6.5(g)", "19:47-6.5(g)1", "19:47-6.5(g)2", "19:47-6.1(b)5")
@pytest.mark.parametrize(
    ("cards", "between"),
    [
        ("4s 7d", 2),
        ("9c Kh", 3),
        ("2s Ad", 11),
        ("Ad 2s", 11),
        ("2s 4d", 1),
        ("Kd Jd", 1),
        ("Ac Qc", 1),
        ("Ac 3c", 10),
        ("9c Th", None),
        ("Kc Ah", None),
        ("3c 2h", None),
        ("8c 8h", None),
    ],
)
def test_6_5_g_the_spread_counts_the_values_between(cards: str, between: int | None) -> None:
    first, second = map(parse, cards.split())
    assert spread(first, second) == between
    assert spread(second, first) == between


@pytest.mark.clause(GAME, "19:47-6.5(e)", "19:47-6.5(f)", "19:47-6.5(g)")
def test_6_5_two_cards_are_consecutive_a_pair_or_open_a_spread() -> None:
    found = Counter(opening(first, second).value for first, second in product(deck(), repeat=2))
    assert found == {"pair": 13 * 16, "consecutive": 2 * 12 * 16, "spread": (13 * 13 - 13 - 24) * 16}


@pytest.mark.clause(GAME, "19:47-6.5(e)")
@pytest.mark.parametrize("cards", ["9s Td", "Td 9s", "Ks Ad", "2h 3h", "9s Td 9h"])
def test_6_5_e_consecutive_cards_tie_without_a_third_card(cards: str) -> None:
    assert settled(cards) == Settlement(None, Outcome.CONSECUTIVE_TIE, None, 0, ("19:47-6.5(e)",))


@pytest.mark.clause(GAME, "19:47-6.5(f)", "19:47-6.5(f)1")
def test_6_5_f_1_three_of_a_kind_pays_eleven_to_one() -> None:
    rules = ("19:47-6.5(f)", "19:47-6.5(f)1")
    assert settled("7s 7d 7h", 300) == Settlement(None, Outcome.THREE_OF_A_KIND, 11, 3300, rules)
    assert settled("As Ad As", 300).net == 3300


@pytest.mark.clause(GAME, "19:47-6.5(f)", "19:47-6.5(f)2")
@pytest.mark.parametrize("third", ["6h", "8h", "2c", "Ac"])
def test_6_5_f_2_a_pair_that_is_not_matched_ties(third: str) -> None:
    rules = ("19:47-6.5(f)", "19:47-6.5(f)2")
    assert settled(f"7s 7d {third}") == Settlement(None, Outcome.PAIR_TIE, None, 0, rules)


@pytest.mark.clause(GAME, "19:47-6.5(i)1")
@pytest.mark.parametrize(
    ("third", "outcome"),
    [("3h", "lose"), ("4h", "lose"), ("5h", "win"), ("6h", "win"), ("7h", "lose"), ("8h", "lose"), ("Ah", "lose")],
)
@pytest.mark.parametrize("pair", ["4s 7d", "7d 4s"])
def test_6_5_i_1_only_a_value_strictly_between_wins(pair: str, third: str, outcome: str) -> None:
    assert settled(f"{pair} {third}").outcome.value == outcome


@pytest.mark.clause(GAME, "19:47-6.5(i)2")
@pytest.mark.parametrize(
    ("cards", "odds"),
    [
        ("2c 4c 3c", 5),
        ("2c 5c 3c", 4),
        ("2c 6c 3c", 2),
        ("2c 7c 3c", 1),
        ("2c 8c 3c", 1),
        ("2c 9c 3c", 1),
        ("2c Tc 3c", 1),
        ("2c Jc 3c", 1),
        ("2c Qc 3c", 1),
        ("2c Kc 3c", 1),
        ("2c Ac Kc", 1),
    ],
)
def test_6_5_i_2_a_spread_pays_wager_and_raise_alike(cards: str, odds: int) -> None:
    won = settled(cards, 1000)
    assert (won.outcome, won.odds, won.net) == (Outcome.WIN, odds, odds * 1000)
    assert won.rules == ("19:47-6.5(g)", "19:47-6.5(i)1", "19:47-6.5(i)2")
    raised = settled(cards, 1000, 300)
    assert (raised.odds, raised.net) == (odds, odds * 1300)
    assert raised.rules == ("19:47-6.5(g)", "19:47-6.5(h)", "19:47-6.5(i)1", "19:47-6.5(i)2")


@pytest.mark.clause(GAME, "19:47-6.5(i)1", "19:47-6.5(h)")
def test_6_5_i_1_wager_and_raise_are_lost_together() -> None:
    assert settled("4s 7d 7h", 1000, 1000) == Settlement(
        2, Outcome.LOSE, None, -2000, ("19:47-6.5(g)", "19:47-6.5(h)", "19:47-6.5(i)1")
    )
    assert settled("4s 7d 2h", 1000).net == -1000


@pytest.mark.clause(GAME, "19:47-6.5(h)")
@pytest.mark.parametrize("raised", [1, 500, 999, 1000])
def test_6_5_h_a_raise_is_any_amount_up_to_the_wager(raised: int) -> None:
    """RD-01."""
    assert settled("4s 7d 5h", 1000, raised).net == 4 * (1000 + raised)


@pytest.mark.clause(GAME, "19:47-6.5(h)")
def test_6_5_h_nobody_has_to_raise() -> None:
    first, second, third = map(parse, ("4s", "7d", "5h"))
    assert settle(first, second, third, 1000).net == 4000


@pytest.mark.clause(GAME, "19:47-6.5(h)")
@pytest.mark.parametrize("raised", [1001, 5000, -1])
def test_6_5_h_a_raise_above_the_wager_is_refused(raised: int) -> None:
    with pytest.raises(Illegal, match="at most as much") as refused:
        settled("4s 7d 5h", 1000, raised)
    assert refused.value.rules == ("19:47-6.5(h)",)


@pytest.mark.clause(GAME, "19:47-6.5(h)")
@pytest.mark.parametrize("cards", ["7s 7d 7h", "7s 7d 8h", "7s 8d"])
def test_6_5_h_without_a_spread_nothing_can_be_raised(cards: str) -> None:
    with pytest.raises(Illegal, match="no spread to raise on") as refused:
        settled(cards, 1000, 500)
    assert refused.value.rules == ("19:47-6.5(h)",)


def test_rd_01_the_other_reading_takes_a_raise_of_exactly_the_wager() -> None:
    first, second, third = map(parse, ("4s", "7d", "5h"))
    for raised in (0, 1000):
        check_raise(first, second, 1000, raised, RaiseAmount.EXACTLY_EQUAL)
    with pytest.raises(Illegal) as refused:
        settle(first, second, third, 1000, 999, RaiseAmount.EXACTLY_EQUAL)
    assert refused.value.why == "a raise of 999 on a wager of 1000: expected exactly as much"
    assert refused.value.rules == ("19:47-6.5(h)",)


@pytest.mark.clause(GAME, "19:47-6.5(f)", "19:47-6.5(i)")
@pytest.mark.parametrize(("cards", "rule"), [("7s 7d", "19:47-6.5(f)"), ("4s 7d", "19:47-6.5(i)")])
def test_6_5_a_pair_or_a_spread_is_not_settled_without_a_third_card(cards: str, rule: str) -> None:
    with pytest.raises(Illegal, match="no third card") as refused:
        settled(cards)
    assert refused.value.rules == (rule,)

"""Who is paid what, and when."""

from fractions import Fraction

import pytest

from feltrig.engine.cards import RANKS, parse
from feltrig.engine.games.blackjack.points import Count
from feltrig.engine.games.blackjack.settlement import (
    Paid,
    Settlement,
    Unsettled,
    consolidates,
    lost_to_blackjack,
    removes_cards,
    settle_blackjack,
    settle_consolidated,
    settle_face_up,
    settle_hand,
    settle_insurance,
    settle_surrender,
)

NOW, LATER = Paid.IMMEDIATELY, Paid.AFTER_SECOND
BLACKJACK = Count(21, blackjack=True)


@pytest.mark.clause("blackjack", "19:47-2.7(a)")
@pytest.mark.parametrize("rank", "23456789")
@pytest.mark.parametrize("second", [None, "Ac", "Tc"])
def test_2_7_a_against_a_low_card_a_blackjack_is_paid_at_once(rank: str, second: str | None) -> None:
    upcard, dealt = parse(rank + "d"), second and parse(second)
    assert settle_blackjack(upcard, dealt or None, 1000) == Settlement(1500, NOW, ("19:47-2.7(a)",))
    assert settle_blackjack(upcard, None, 501).net == Fraction(1503, 2)


@pytest.mark.clause("blackjack", "19:47-2.7(a)")
def test_2_7_a_a_paid_blackjack_is_removed_unless_a_bonus_wager_keeps_it() -> None:
    assert "".join(rank for rank in RANKS if removes_cards(parse(rank + "c"), False)) == "23456789"
    assert not any(removes_cards(parse(rank + "c"), True) for rank in RANKS)


@pytest.mark.clause("blackjack", "19:47-2.7(b)")
@pytest.mark.parametrize("first", "TJQKA")
def test_2_7_b_against_a_high_card_a_blackjack_waits(first: str) -> None:
    upcard = parse(first + "d")
    for rank in RANKS:
        both = rank in ("TJQK" if first == "A" else "A")
        settled = settle_blackjack(upcard, parse(rank + "c"), 1000)
        assert settled == Settlement(0 if both else 1500, LATER, ("19:47-2.7(b)",))
    with pytest.raises(Unsettled) as waits:
        settle_blackjack(upcard, None, 1000)
    assert str(waits.value) == "the wager waits for the dealer's second card (19:47-2.7(b))"


@pytest.mark.clause("blackjack", "19:47-2.7(c)")
def test_2_7_c_full_insurance_may_be_consolidated_to_even_money() -> None:
    ace = parse("Ad")
    assert consolidates(ace, 1000, 500)
    assert consolidates(ace, 2, 1)
    assert not consolidates(ace, 1000, 499)
    assert not consolidates(ace, 999, 500)
    assert not consolidates(ace, 0, 0)
    assert not consolidates(parse("Td"), 1000, 500)
    assert settle_consolidated(1000) == Settlement(1000, NOW, ("19:47-2.7(c)",))


@pytest.mark.clause("blackjack", "19:47-2.7(c)", "19:47-2.9(c)")
@pytest.mark.parametrize("rank", RANKS)
def test_2_7_c_even_money_is_what_both_wagers_come_to(rank: str) -> None:
    ace, second = parse("Ad"), parse(rank + "c")
    separately = settle_blackjack(ace, second, 1000).net + settle_insurance(second, 500).net
    assert separately == settle_consolidated(1000).net


@pytest.mark.clause("blackjack", "19:47-2.8(a)", "19:47-2.8(a)1")
@pytest.mark.parametrize("rank", "23456789")
def test_2_8_a_1_surrender_to_a_low_card_costs_half_at_once(rank: str) -> None:
    for second in (None, parse("Ac"), parse("Tc")):
        assert settle_surrender(parse(rank + "d"), second, 1000) == Settlement(-500, NOW, ("19:47-2.8(a)1",))
    assert settle_surrender(parse(rank + "d"), None, 501).net == Fraction(-501, 2)


@pytest.mark.clause("blackjack", "19:47-2.8(a)2")
@pytest.mark.parametrize("first", "TJQKA")
def test_2_8_a_2_surrender_to_a_high_card_costs_all_if_it_is_blackjack(first: str) -> None:
    upcard = parse(first + "d")
    for rank in RANKS:
        blackjack = rank in ("TJQK" if first == "A" else "A")
        settled = settle_surrender(upcard, parse(rank + "c"), 1000)
        assert settled == Settlement(-1000 if blackjack else -500, LATER, ("19:47-2.8(a)2",))
    with pytest.raises(Unsettled) as waits:
        settle_surrender(upcard, None, 1000)
    assert str(waits.value) == "the wager waits for the dealer's second card (19:47-2.8(a)2)"


@pytest.mark.clause("blackjack", "19:47-2.9(a)", "19:47-2.9(c)", "19:47-2.9(d)")
@pytest.mark.parametrize("rank", RANKS)
def test_2_9_insurance_pays_two_to_one_on_a_ten_value_card(rank: str) -> None:
    won = Settlement(1000, LATER, ("19:47-2.9(a)", "19:47-2.9(c)"))
    lost = Settlement(-500, LATER, ("19:47-2.9(a)", "19:47-2.9(d)"))
    assert settle_insurance(parse(rank + "c"), 500) == (won if rank in "TJQK" else lost)


@pytest.mark.clause("blackjack", "19:47-2.9(d)")
def test_2_9_d_insurance_is_settled_when_the_second_card_is_known() -> None:
    with pytest.raises(Unsettled) as waits:
        settle_insurance(None, 500)
    assert str(waits.value) == "the wager waits for the dealer's second card (19:47-2.9(a))"


@pytest.mark.clause("blackjack", "19:47-2.10(b)")
def test_2_10_b_a_dealers_blackjack_takes_the_original_wager_only() -> None:
    assert lost_to_blackjack(1000) == Settlement(-1000, LATER, ("19:47-2.10(b)",))


def test_a_dealers_blackjack_takes_both_wagers_of_a_split_unless_the_house_says_otherwise() -> None:
    assert lost_to_blackjack(1000, split=1000).net == -2000
    assert lost_to_blackjack(1000, split=1000, original_only=True).net == -1000


@pytest.mark.parametrize(
    ("player", "dealer", "net"),
    [
        (Count(20), Count(19), 1000),
        (Count(19), Count(20), -1000),
        (Count(20), Count(20), 0),
        (Count(12), Count(22), 1000),
        (Count(22), Count(22), -1000),
        (Count(22), Count(17), -1000),
        (Count(21), BLACKJACK, -1000),
        (BLACKJACK, Count(21), 1500),
        (BLACKJACK, Count(22), 1500),
    ],
)
def test_the_higher_count_wins_by_custom(player: Count, dealer: Count, net: int) -> None:
    rules = ("19:47-2.7(b)",) if player.blackjack else ()
    assert settle_hand(player, dealer, 1000) == Settlement(net, LATER, rules)


@pytest.mark.clause("blackjack", "19:47-2.7(b)")
def test_2_7_b_blackjack_against_blackjack_is_a_stand_off() -> None:
    assert settle_hand(BLACKJACK, BLACKJACK, 1000) == Settlement(0, LATER, ("19:47-2.7(b)",))


@pytest.mark.clause("blackjack", "19:47-2.6(k)1", "19:47-2.6(k)2")
@pytest.mark.parametrize(
    ("player", "dealer", "net"),
    [
        (Count(20), Count(19), 1000),
        (Count(20), Count(20), -1000),
        (Count(19), Count(20), -1000),
        (Count(12), Count(22), 1000),
        (Count(22), Count(22), -1000),
        (Count(22), Count(18), -1000),
        (Count(21), Count(21), -1000),
        (Count(21), BLACKJACK, -1000),
        (BLACKJACK, Count(21), 1000),
        (BLACKJACK, Count(20), 1000),
        (BLACKJACK, BLACKJACK, 1000),
    ],
)
def test_2_6_k_an_exposed_hole_card_takes_ties_and_pays_blackjack_even(player: Count, dealer: Count, net: int) -> None:
    rules = ("19:47-2.6(k)1", "19:47-2.6(k)2") if net > 0 else ("19:47-2.6(k)1",)
    assert settle_face_up(player, dealer, 1000) == Settlement(net, LATER, rules)

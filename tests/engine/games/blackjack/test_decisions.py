"""What a player may do with a hand, and how much it may cost."""

from dataclasses import replace

import pytest

from feltrig.engine.cards import parse, parse_all
from feltrig.engine.games.blackjack.decisions import (
    Decision,
    PlayerHand,
    check_double,
    check_insurable,
    check_insurance,
    check_split,
    decisions,
    insurance_limit,
    may_double,
    may_split,
)
from feltrig.engine.games.blackjack.options import Options, SecondCard
from feltrig.engine.rulings import Illegal

PLAIN = Options()
SURRENDER = Options(surrender=True, notices=frozenset(("surrender",)))
FACE_UP = Options(second_card=SecondCard.FACE_UP, notices=frozenset(("second_card",)))
LETTERS = dict(zip("UDPSH", Decision, strict=True))


def hand(cards: str, split: bool = False, doubled: bool = False) -> PlayerHand:
    return PlayerHand(parse_all(cards.split()), split, doubled)


@pytest.mark.clause(
    "blackjack", "19:47-2.6(f)", "19:47-2.8(a)", "19:47-2.10(a)", "19:47-2.11(a)", "19:47-2.11(c)", "19:47-2.11(c)1"
)
@pytest.mark.parametrize(
    ("held", "may"),
    [
        # U surrender, D double down, P split, S stand, H draw
        (hand("Tc 6c"), "UDSH"),
        (hand("8c 8d"), "UDPSH"),
        (hand("Tc Kd"), "UDPSH"),
        (hand("Ac Ad"), "UDPSH"),
        (hand("Ac 9d"), "UDSH"),
        (hand("Ac Td"), ""),
        (hand("5c 5d 6c"), "SH"),
        (hand("5c 5d Tc Ac"), ""),
        (hand("5c 5d Tc 2c"), ""),
        (hand("5c 5d 6c", doubled=True), ""),
        (hand("8c 8d", split=True), "DSH"),
        (hand("8c 3d", split=True), "DSH"),
        (hand("8c 3d 2c", split=True), "SH"),
        (hand("Tc Ad", split=True), ""),
        (hand("Ac 5d", split=True), ""),
        (hand("8c", split=True), "SH"),
    ],
)
def test_a_player_chooses_from_what_the_hand_allows(held: PlayerHand, may: str) -> None:
    assert decisions(held, SURRENDER) == tuple(LETTERS[letter] for letter in may)
    assert decisions(held, PLAIN) == tuple(LETTERS[letter] for letter in may if letter != "U")


def test_decisions_have_the_names_that_a_player_says() -> None:
    assert [decision.value for decision in Decision] == ["surrender", "double_down", "split", "stand", "draw"]
    assert PlayerHand(()) == PlayerHand((), split=False, doubled=False)


def test_the_house_may_let_split_aces_draw() -> None:
    own = replace(PLAIN, split_aces_draw=True)
    assert decisions(hand("Ac 5d", split=True), own) == tuple(LETTERS[letter] for letter in "DSH")
    assert decisions(hand("Ac", split=True), PLAIN) == tuple(LETTERS[letter] for letter in "SH")
    assert decisions(hand("5c Ad", split=True), PLAIN) == tuple(LETTERS[letter] for letter in "DSH")


@pytest.mark.clause("blackjack", "19:47-2.6(k)3", "19:47-2.6(k)4", "19:47-2.6(k)5")
@pytest.mark.parametrize(
    ("held", "may"),
    [
        (hand("2c 6d"), "SH"),
        (hand("2c 7d"), "DSH"),
        (hand("2c 8d"), "DSH"),
        (hand("2c 9d"), "DSH"),
        (hand("3c 9d"), "SH"),
        (hand("5c 5d"), "DPSH"),
        (hand("Ac 9d"), "SH"),
        (hand("5c 5d", split=True), "DSH"),
        (hand("8c 8d", split=True), "SH"),
    ],
)
def test_2_6_k_an_exposed_hole_card_narrows_the_choice(held: PlayerHand, may: str) -> None:
    assert decisions(held, FACE_UP) == tuple(LETTERS[letter] for letter in may)


@pytest.mark.clause("blackjack", "19:47-2.10(a)")
def test_2_10_a_doubling_down_is_for_two_cards_that_are_not_21() -> None:
    assert may_double(hand("Tc Td"), PLAIN)
    assert not may_double(hand("Tc Ad"), PLAIN)
    assert not may_double(hand("Tc Ad", split=True), PLAIN)
    assert not may_double(hand("2c 2d 2h"), PLAIN)
    assert not may_double(hand("2c"), PLAIN)
    assert not may_double(hand("2c 3c 4c"), FACE_UP)


@pytest.mark.clause("blackjack", "19:47-2.11(a)", "19:47-2.11(c)1", "19:47-2.6(k)5")
def test_2_11_a_opening_cards_of_one_value_are_split_once() -> None:
    assert may_split(hand("Jc Kd"))
    assert not may_split(hand("9c Td"))
    assert not may_split(hand("Jc Kd", split=True))
    assert not may_split(hand("8c 8d 8h"))
    assert not may_split(hand("8c"))


@pytest.mark.clause("blackjack", "19:47-2.10(a)")
def test_2_10_a_the_added_wager_is_within_the_original() -> None:
    for added in (1, 999, 1000):
        check_double(1000, added)
    for added in (0, 1001, -1):
        with pytest.raises(Illegal) as refused:
            check_double(1000, added)
        assert refused.value.rules == ("19:47-2.10(a)",)
        assert refused.value.why == f"{added} added in doubling down: more than nothing and at most 1000"


@pytest.mark.clause("blackjack", "19:47-2.11(a)")
def test_2_11_a_the_second_hand_has_the_same_wager() -> None:
    check_split(1000, 1000)
    for second in (999, 1001):
        with pytest.raises(Illegal) as refused:
            check_split(1000, second)
        assert refused.value.rules == ("19:47-2.11(a)",)
        assert refused.value.why == f"{second} on the second hand: expected 1000"


@pytest.mark.clause("blackjack", "19:47-2.9(b)")
@pytest.mark.parametrize(
    ("wager", "unit", "limit"),
    [
        (1000, 100, 500),
        (1000, 500, 500),
        (1500, 100, 800),
        (1500, 250, 750),
        (1500, 500, 1000),
        (1501, 1, 751),
        (500, 2500, 2500),
        (0, 100, 0),
    ],
)
def test_2_9_b_insurance_is_half_or_the_next_amount_in_chips(wager: int, unit: int, limit: int) -> None:
    assert insurance_limit(wager, unit) == limit
    options = replace(PLAIN, chip_unit=unit)
    check_insurance(options, parse("Ac"), wager, limit)
    with pytest.raises(Illegal) as refused:
        check_insurance(options, parse("Ac"), wager, limit + 1)
    assert refused.value.rules == ("19:47-2.9(b)",)
    assert refused.value.why == f"insurance of {limit + 1}: at most {limit} on a wager of {wager}"


@pytest.mark.clause("blackjack", "19:47-2.9(a)")
@pytest.mark.parametrize("upcard", ["2c", "9c", "Tc", "Kc"])
def test_2_9_a_insurance_is_for_an_ace(upcard: str) -> None:
    check_insurable(PLAIN, parse("Ac"))
    with pytest.raises(Illegal) as refused:
        check_insurance(PLAIN, parse(upcard), 1000, 500)
    assert refused.value.rules == ("19:47-2.9(a)",)
    assert refused.value.why == "insurance is for an ace as the dealer's first card"


@pytest.mark.clause("blackjack", "19:47-2.6(k)3")
def test_2_6_k_3_there_is_no_insurance_against_an_exposed_hole_card() -> None:
    with pytest.raises(Illegal) as refused:
        check_insurable(FACE_UP, parse("Ac"))
    assert refused.value.rules == ("19:47-2.6(k)3",)
    assert refused.value.why == "no insurance with a face-up hole card"

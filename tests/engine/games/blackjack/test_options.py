"""Which choices a blackjack table may make."""

from dataclasses import replace
from typing import Any

import pytest

from feltrig.engine.games.blackjack.options import InsuranceUntil, Options, SecondCard, Shoe
from feltrig.engine.rulings import Illegal

FACE_DOWN, FACE_UP = SecondCard.FACE_DOWN, SecondCard.FACE_UP
ALL_NOTICES = frozenset(("second_card", "consolidated_payout", "surrender", "insurance_at_decision"))


def test_choices_have_the_names_that_a_configuration_uses() -> None:
    assert [shoe.value for shoe in Shoe] == ["single", "double", "bart_carter"]
    assert [way.value for way in SecondCard] == ["after_players", "face_down", "face_up"]
    assert [until.value for until in InsuranceUntil] == ["additional_cards", "own_decision", "card_reader"]


def test_a_table_starts_with_the_plain_game() -> None:
    assert Options() == Options(
        shoe=Shoe.SINGLE,
        second_card=SecondCard.AFTER_PLAYERS,
        card_reader=False,
        surrender=False,
        consolidated_payout=False,
        insurance_at_decision=False,
        multiple_action=False,
        progressive=False,
        notices=frozenset(),
        chip_unit=100,
        decks=8,
        dealer_hits_soft_17=False,
        split_aces_draw=False,
        splits_lose_original_only=False,
    )


@pytest.mark.clause("blackjack", "19:47-2.6(j)", "19:47-2.6(j)2", "19:47-2.6(k)", "19:47-2.6(k)3", "19:47-2.8(c)")
@pytest.mark.parametrize(
    ("chosen", "why", "rules"),
    [
        ({"card_reader": True}, "a card reader needs a hole card dealt face down", ("19:47-2.6(j)",)),
        (
            {"card_reader": True, "second_card": FACE_UP},
            "a card reader needs a hole card dealt face down",
            ("19:47-2.6(j)",),
        ),
        (
            {"second_card": FACE_DOWN, "progressive": True},
            "no face-down hole card with a progressive wager",
            ("19:47-2.6(j)2",),
        ),
        (
            {"second_card": FACE_UP, "progressive": True},
            "no face-up hole card with a progressive wager",
            ("19:47-2.6(k)",),
        ),
        ({"second_card": FACE_UP, "surrender": True}, "no surrender with a face-up hole card", ("19:47-2.6(k)3",)),
        (
            {"second_card": FACE_UP, "consolidated_payout": True},
            "no insurance with a face-up hole card",
            ("19:47-2.6(k)3",),
        ),
        (
            {"second_card": FACE_UP, "insurance_at_decision": True},
            "no insurance with a face-up hole card",
            ("19:47-2.6(k)3",),
        ),
        ({"surrender": True, "multiple_action": True}, "no surrender with multiple action", ("19:47-2.8(c)",)),
        ({"surrender": True, "progressive": True}, "no surrender with a progressive wager", ("19:47-2.8(c)",)),
        (
            {"insurance_at_decision": True, "card_reader": True, "second_card": FACE_DOWN},
            "with a card reader, insurance is placed before it is used",
            ("19:47-2.9(b)",),
        ),
        ({"chip_unit": 0}, "chip unit of 0 cents: at least 1", ()),
        ({"decks": 0}, "0 decks: at least 1", ()),
    ],
)
def test_a_choice_that_the_rules_forbid_names_the_rule(
    chosen: dict[str, Any], why: str, rules: tuple[str, ...]
) -> None:
    with pytest.raises(Illegal) as refused:
        Options(notices=ALL_NOTICES, **chosen)
    assert refused.value.why == why
    assert refused.value.rules == rules


@pytest.mark.clause("blackjack", "19:47-2.6(k)", "19:47-2.7(c)", "19:47-2.8(c)", "19:47-2.9(b)")
@pytest.mark.parametrize(
    ("chosen", "notice", "why", "rule"),
    [
        ({"second_card": FACE_UP}, "second_card", "no notice of second card", "19:47-2.6(k)"),
        ({"consolidated_payout": True}, "consolidated_payout", "no notice of consolidated payout", "19:47-2.7(c)"),
        ({"surrender": True}, "surrender", "no notice of surrender", "19:47-2.8(c)"),
        (
            {"insurance_at_decision": True},
            "insurance_at_decision",
            "no notice of insurance at decision",
            "19:47-2.9(b)",
        ),
    ],
)
def test_a_choice_that_players_must_know_of_needs_its_notice(
    chosen: dict[str, Any], notice: str, why: str, rule: str
) -> None:
    with pytest.raises(Illegal) as refused:
        Options(notices=ALL_NOTICES - {notice}, **chosen)
    assert refused.value.why == why
    assert refused.value.rules == (rule,)
    Options(notices=frozenset((notice,)), **chosen)


@pytest.mark.clause("blackjack", "19:47-2.6(j)", "19:47-2.6(k)", "19:47-2.8(c)")
def test_choices_within_the_rules_are_accepted() -> None:
    down = Options(second_card=FACE_DOWN, card_reader=True, surrender=True, notices=ALL_NOTICES)
    assert not down.face_up
    assert Options(second_card=FACE_DOWN).card_reader is False
    assert Options(second_card=FACE_UP, notices=ALL_NOTICES).face_up
    assert Options(progressive=True, multiple_action=True).progressive
    assert Options(chip_unit=1, decks=1).decks == 1
    assert replace(down, card_reader=False).second_card is FACE_DOWN


@pytest.mark.clause("blackjack", "19:47-2.9(b)")
def test_2_9_b_when_the_time_for_insurance_is_over() -> None:
    assert Options().insurance_until is InsuranceUntil.ADDITIONAL_CARDS
    at_decision = Options(insurance_at_decision=True, notices=ALL_NOTICES)
    assert at_decision.insurance_until is InsuranceUntil.OWN_DECISION
    assert Options(second_card=FACE_DOWN, card_reader=True).insurance_until is InsuranceUntil.CARD_READER
    assert Options(second_card=FACE_DOWN).insurance_until is InsuranceUntil.ADDITIONAL_CARDS

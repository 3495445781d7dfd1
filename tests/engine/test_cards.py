"""Cards: names, numbers and decks."""

import pytest

from feltrig.engine.cards import (
    ACE,
    JOKERS,
    TEN,
    BadCard,
    deck,
    is_joker,
    name,
    names,
    parse,
    parse_all,
    rank,
    suit,
)


def test_every_card_of_the_joker_deck_reads_back_from_its_name() -> None:
    cards = deck(jokers=2)
    assert len(set(cards)) == 54
    assert parse_all(names(cards)) == cards


def test_a_card_is_rank_plus_thirteen_times_suit() -> None:
    assert parse("2c") == 0
    assert parse("As") == 51
    assert (rank(parse("Td")), suit(parse("Td"))) == (TEN, 1)
    assert (rank(parse("Ah")), suit(parse("Ah"))) == (ACE, 2)


def test_jokers_end_the_deck_and_have_neither_rank_nor_suit() -> None:
    assert deck(jokers=2)[52:] == JOKERS
    assert [name(card) for card in deck(jokers=2) if is_joker(card)] == ["X1", "X2"]
    for joker in JOKERS:
        with pytest.raises(ValueError, match="no rank"):
            rank(joker)
        with pytest.raises(ValueError, match="no suit"):
            suit(joker)


def test_a_deck_without_jokers_has_four_suits_of_thirteen() -> None:
    cards = deck()
    assert len(cards) == 52
    assert {(rank(card), suit(card)) for card in cards} == {(r, s) for r in range(13) for s in range(4)}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Zs", "no such rank"),
        ("Ax", "no such suit"),
        ("10d", "expected a rank"),
        ("", "expected a rank"),
        ("X3", "rank"),
    ],
)
def test_a_text_that_names_no_card_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(BadCard, match=why):
        parse(text)

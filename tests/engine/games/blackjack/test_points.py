"""Point counts, blackjacks, and the cards that matter."""

import pytest

from feltrig.engine.cards import RANKS, Card, parse, parse_all
from feltrig.engine.games.blackjack.points import (
    Count,
    count,
    gives_blackjack,
    is_ace,
    is_ten,
    may_become_blackjack,
    value,
)


def cards(text: str) -> tuple[Card, ...]:
    return parse_all(text.split())


def test_cards_count_their_pips_faces_ten_and_an_ace_one() -> None:
    assert [value(parse(rank + "d")) for rank in RANKS] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1]


@pytest.mark.clause("blackjack", "19:47-2.7(a)", "19:47-2.7(b)", "19:47-2.8(a)2")
def test_2_7_an_ace_or_a_ten_value_card_may_become_blackjack() -> None:
    assert "".join(rank for rank in RANKS if is_ten(parse(rank + "s"))) == "TJQK"
    assert "".join(rank for rank in RANKS if is_ace(parse(rank + "s"))) == "A"
    assert "".join(rank for rank in RANKS if may_become_blackjack(parse(rank + "s"))) == "TJQKA"


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("2c 3c", Count(5)),
        ("As Kc", Count(21, soft=True, blackjack=True)),
        ("Tc As", Count(21, soft=True, blackjack=True)),
        ("As 9c", Count(20, soft=True)),
        ("As Ac", Count(12, soft=True)),
        ("As Ac 9c", Count(21, soft=True)),
        ("As Ac Tc", Count(12)),
        ("As Tc Tc", Count(21)),
        ("As Kc Tc Ac", Count(22)),
        ("Tc 5c 6c", Count(21)),
        ("Tc 6c 6c", Count(22)),
        ("As Tc 2c", Count(13)),
    ],
)
def test_an_ace_counts_eleven_while_it_does_not_bust(hand: str, expected: Count) -> None:
    assert count(cards(hand)) == expected


def test_a_split_hand_is_no_blackjack() -> None:
    assert count(cards("As Kc"), split=True) == Count(21, soft=True)


def test_more_than_21_is_bust() -> None:
    assert not Count(21).bust
    assert Count(22).bust


def test_a_blackjack_counts_21() -> None:
    with pytest.raises(ValueError, match="a blackjack counts 21, not 20"):
        Count(20, blackjack=True)


@pytest.mark.parametrize(
    ("first", "second", "yes"),
    [("As", "Tc", True), ("Kc", "Ac", True), ("As", "Ac", False), ("Tc", "Jc", False), ("As", "9c", False)],
)
def test_a_blackjack_is_an_ace_and_a_ten_value_card(first: str, second: str, yes: bool) -> None:
    assert gives_blackjack(parse(first), parse(second)) is yes

"""In which order cards come and go, and when the dealer's own cards come."""

import pytest

from feltrig.engine.cards import RANKS, parse, parse_all
from feltrig.engine.games.blackjack.dealing import (
    dealer_draws,
    dealing_ends,
    initial_deal,
    reader_asked,
)
from feltrig.engine.games.blackjack.options import Options, SecondCard

PLAIN = Options()
FACE_DOWN = Options(second_card=SecondCard.FACE_DOWN)
READER = Options(second_card=SecondCard.FACE_DOWN, card_reader=True)
FACE_UP = Options(second_card=SecondCard.FACE_UP, notices=frozenset(("second_card",)))


@pytest.mark.clause(
    "blackjack", "19:47-2.6(e)", "19:47-2.6(e)1", "19:47-2.6(e)2", "19:47-2.6(e)3", "19:47-2.6(h)", "19:47-2.6(j)"
)
def test_2_6_e_one_card_to_each_wager_one_to_the_dealer_a_second_to_each_wager() -> None:
    boxes = (6, 4, 1)
    assert initial_deal(boxes, SecondCard.AFTER_PLAYERS) == (6, 4, 1, 0, 6, 4, 1)
    assert initial_deal(boxes, SecondCard.FACE_DOWN) == (6, 4, 1, 0, 6, 4, 1, 0)
    assert initial_deal(boxes, SecondCard.FACE_UP) == (6, 4, 1, 0, 6, 4, 1, 0)


@pytest.mark.clause("blackjack", "19:47-2.6(d)2")
def test_2_6_d_2_a_matching_determinant_is_the_first_card() -> None:
    assert initial_deal((6, 4), SecondCard.AFTER_PLAYERS, first_is_dealt=True) == (4, 0, 6, 4)


@pytest.mark.clause("blackjack", "19:47-2.6(j)")
def test_2_6_j_the_reader_is_asked_about_an_ace_or_a_ten_value_card() -> None:
    assert "".join(rank for rank in RANKS if reader_asked(READER, parse(rank + "h"))) == "TJQKA"
    assert not reader_asked(FACE_DOWN, parse("Ah"))


@pytest.mark.clause("blackjack", "19:47-2.6(j)1", "19:47-2.6(k)6")
def test_2_6_j_1_and_k_6_a_known_dealer_blackjack_ends_the_deal() -> None:
    ace, king, nine = parse("Ah"), parse("Kd"), parse("9s")
    assert dealing_ends(READER, ace, king) == dealing_ends(READER, king, ace) == ("19:47-2.6(j)1",)
    assert dealing_ends(FACE_UP, ace, king) == dealing_ends(FACE_UP, king, ace) == ("19:47-2.6(k)6",)
    assert dealing_ends(FACE_DOWN, ace, king) == ()
    for options in (READER, FACE_UP):
        assert dealing_ends(options, ace, nine) == dealing_ends(options, king, king) == ()


@pytest.mark.parametrize(
    ("hand", "draws", "draws_on_soft_17"),
    [
        ("Tc 6c", True, True),
        ("Tc 7c", False, False),
        ("Ac 5c", True, True),
        ("Ac 6c", False, True),
        ("Ac 7c", False, False),
        ("Ac 6c Tc", False, False),
        ("Ac 5c Tc", True, True),
        ("Tc 5c 9c", False, False),
        ("Ac", True, True),
    ],
)
def test_the_dealer_stands_on_17(hand: str, draws: bool, draws_on_soft_17: bool) -> None:
    cards = parse_all(hand.split())
    assert dealer_draws(cards) is draws
    assert dealer_draws(cards, hits_soft_17=True) is draws_on_soft_17

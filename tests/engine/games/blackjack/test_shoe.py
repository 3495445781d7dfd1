"""Burned cards, the two sides of a double shoe, and how the cards come back."""

import pytest

from feltrig.engine.cards import parse
from feltrig.engine.games.blackjack.shoe import (
    Determined,
    Side,
    Use,
    determine,
)

LEFT, RIGHT = Side.LEFT, Side.RIGHT


@pytest.mark.clause("blackjack", "19:47-2.6(d)1", "19:47-2.6(d)2")
@pytest.mark.parametrize("suit", "cdhs")
@pytest.mark.parametrize("red", Side)
@pytest.mark.parametrize("drawn_from", Side)
def test_2_6_d_the_suit_of_the_determinant_picks_the_side(suit: str, red: Side, drawn_from: Side) -> None:
    black = RIGHT if red is LEFT else LEFT
    side = red if suit in "dh" else black
    use = Use.FIRST_CARD if side is drawn_from else Use.BURNED
    determined = determine(parse("9" + suit), drawn_from, red)
    assert determined == Determined(side, use, ("19:47-2.6(d)1", "19:47-2.6(d)2"))


def test_a_determinant_card_is_told_in_words() -> None:
    assert [side.value for side in Side] == ["left", "right"]
    assert [use.value for use in Use] == ["first card of the first player", "burned in the segregated area"]

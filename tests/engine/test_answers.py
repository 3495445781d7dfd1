"""Every ask has its answers, and what does not fit is the caller's mistake."""

import pytest

from feltrig.engine import asks, tells
from feltrig.engine.answers import ANSWERS, expect
from feltrig.engine.rulings import OutOfTurn


def test_every_ask_can_be_answered_and_every_answer_can_be_told() -> None:
    assert set(ANSWERS) == set(asks.ASKS)
    assert {answer for answers in ANSWERS.values() for answer in answers} <= set(tells.TELLS)


def test_an_answer_that_does_not_fit_is_out_of_turn() -> None:
    ask, seen = asks.ReplaceDeck("red", ()), tells.DeckReplaced("blue")
    expect(True, ask, seen)
    with pytest.raises(OutOfTurn, match=r"DeckReplaced.* does not answer ReplaceDeck"):
        expect(False, ask, seen)

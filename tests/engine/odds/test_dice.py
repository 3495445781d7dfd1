"""The odds of the seats that three dice start."""

from feltrig.engine.odds import dice


def test_dice_start_the_sixth_seat_less_often() -> None:
    (start,) = dice.start_positions()
    assert list(start.outcomes.values()) == [31, 31, 31, 31, 31, 31, 30]
    assert start.returned is None

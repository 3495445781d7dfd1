"""Shakers of the zoo do what their words say."""

from itertools import pairwise

import pytest
from zoo_machines import many, share


def repeats(seen):
    return sum(a == b for a, b in pairwise(seen)) / (len(seen) - 1)


@pytest.mark.parametrize(
    ("name", "due"),
    [
        ("loaded-one-50", (0.25, 1 / 6)),
        ("loaded-all-20", (0.2, 0.2)),
        ("missing-face", (0, 1 / 6)),
        ("good", (1 / 6,) * 2),
    ],
)
def test_sixes_come_as_often_as_said(name, due):
    seen = many("shaker", name, 20000)
    assert sum(roll[0] == 6 for roll in seen) / 20000 == pytest.approx(due[0], abs=0.012)
    assert sum(roll[2] == 6 for roll in seen) / 20000 == pytest.approx(due[1], abs=0.012)


def test_one_draw_makes_every_roll():
    assert len(set(many("shaker", "good-one-draw", 4000))) == 216


def test_dice_copy_keep_and_repeat_as_often_as_said():
    assert share("shaker", "copies-20", 10000, lambda roll: roll[0] == roll[1]) == pytest.approx(1 / 3, abs=0.02)
    kept = many("shaker", "keeps-20", 10000)
    assert repeats([roll[2] for roll in kept]) == pytest.approx(0.2 + 0.8 / 6, abs=0.02)
    assert repeats(many("shaker", "repeats-10", 10000)) == pytest.approx(0.1 + 0.9 / 216, abs=0.015)

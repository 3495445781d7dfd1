"""Samples under each program."""

import random

from feltrig.harness.predictability.programs import PROGRAMS, VIEWS
from feltrig.harness.predictability.targets import BLOCK, deck_targets, row_targets


def test_a_deck_is_shown_again_from_its_draws_under_every_program():
    orders = [tuple(random.Random(seed).sample(range(52), 52)) for seed in range(3)]
    targets = list(deck_targets(orders))
    assert len(targets) == len(PROGRAMS) * len(VIEWS)
    for target in targets:
        assert [target.show(unit.values) for unit in target.units] == orders


def test_numbers_are_one_part_to_search_and_blocks_to_foretell():
    rows = [[1 + n % 7] for n in range(200)]
    up, down = row_targets(rows, 7)
    assert [len(unit.values) for unit in up.units] == [96, BLOCK, BLOCK, BLOCK, BLOCK]
    assert up.show(up.units[0].values) == down.show(down.units[0].values) == tuple(n for [n] in rows[:96])
    assert [value + other for value, other in zip(up.units[0].values, down.units[0].values, strict=True)] == [6] * 96


def test_few_numbers_are_three_blocks():
    (target, _) = row_targets([[1 + n % 7] for n in range(72)], 7)
    assert [len(unit.values) for unit in target.units] == [BLOCK] * 3


def test_the_dice_of_a_roll_may_have_been_drawn_in_the_opposite_order():
    targets = list(row_targets([[1, 2, 3]] * 24, 6))
    assert len(targets) == 4
    assert list(targets[2].units[0].values[:3]) == [2, 1, 0]

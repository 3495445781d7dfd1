"""Displays of the zoo do what their words say."""

import random
from itertools import pairwise

import pytest
from zoo_machines import many, share

from feltrig.emulators.zoo import displays


@pytest.mark.parametrize(("name", "due"), [("favours-50", 1.5 / 7), ("favours-20", 1.2 / 7), ("mod-16", 3 / 16)])
def test_a_favoured_number_comes_as_often_as_said(name, due):
    assert share("rng", name, 20000, lambda number: number == 1) == pytest.approx(due, abs=0.01)


def test_a_period_comes_round():
    seen = many("rng", "period-50", 150)
    assert seen[:50] == seen[50:100] == seen[100:]
    assert len(set(seen)) == 7


def repeats(seen):
    return sum(a == b for a, b in pairwise(seen)) / (len(seen) - 1)


@pytest.mark.parametrize(
    ("name", "due"),
    [("sticky-30", 0.3 + 0.7 / 7), ("sticky-5", 0.05 + 0.95 / 7), ("never-repeats", 0), ("good", 1 / 7)],
)
def test_numbers_repeat_as_often_as_said(name, due):
    assert repeats(many("rng", name, 20000)) == pytest.approx(due, abs=0.01)


def test_a_recurrent_display_follows_its_rule():
    machine, rng = displays.Recurrent(2), random.Random(1)
    seen = [machine(rng) - 1 for _ in range(40)]
    rules = [
        (a, b)
        for a in range(7)
        for b in range(7)
        if all((a * x + b * y) % 7 == z for x, y, z in zip(seen, seen[1:], seen[2:], strict=False))
    ]
    assert len(rules) == 1


def test_few_seeds_give_few_stretches():
    seen = many("rng", "seeds-60", 6000)
    assert len({tuple(seen[at : at + 10]) for at in range(0, 6000, 10)}) <= 60

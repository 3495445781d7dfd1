"""What depends on long ago, on the time of a cycle, on the last total: laws, and machines that they refuse."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from feltrig.harness.statistics.streams import dice, numbers

Ints = NDArray[np.int64]
Machine = Callable[[np.random.Generator], Ints]
DRAWS, ROLLS = 10240, 8192
OTHER_NAMES = np.array([0, 3, 6, 1, 7, 2, 5, 4])


def drawn(rng: np.random.Generator) -> Ints:
    return rng.integers(1, 8, DRAWS)


def rolled(rng: np.random.Generator) -> Ints:
    return rng.integers(1, 7, (ROLLS, 3))


def copies_under_other_names(rng: np.random.Generator) -> Ints:
    x = drawn(rng)
    for t in range(1500, DRAWS):
        x[t] = OTHER_NAMES[x[t - 1500]] if rng.random() < 0.08 else x[t]
    return x


def favours_a_number_by_the_hour(rng: np.random.Generator) -> Ints:
    often = np.arange(DRAWS) // 512 % 2 == 0
    return np.where(rng.random(DRAWS) < np.where(often, 0.19, 0.1), 7, rng.integers(1, 7, DRAWS))


def wakes_badly(rng: np.random.Generator) -> Ints:
    x = drawn(rng)
    x[np.arange(DRAWS) % 1000 < 24] = rng.choice([1, 7, 7], np.sum(np.arange(DRAWS) % 1000 < 24))
    return x


def never_has_four_in_a_row(rng: np.random.Generator) -> Ints:
    x = drawn(rng)
    for t in range(3, DRAWS):
        while (x[t - 3 : t] == x[t]).all():
            x[t] = rng.integers(1, 8)
    return x


def loses_a_number_for_a_while(rng: np.random.Generator) -> Ints:
    x = drawn(rng)
    for start in (1000, 3000, 6000, 9000):
        away = np.flatnonzero(x[start : start + 150] == 4) + start
        x[away] = rng.choice([1, 2, 3, 5, 6, 7], len(away))
    return x


def warms_up(rng: np.random.Generator) -> Ints:
    x = drawn(rng)
    x[:150] = np.where(rng.random(150) < 0.3, 7, x[:150])
    return x


def adds_a_roll(rng: np.random.Generator) -> Ints:
    x = rolled(rng)
    x[rng.choice(ROLLS, 80, replace=False)] = (2, 5, 3)
    return x


def turns_the_last_roll_over(rng: np.random.Generator) -> Ints:
    x = rolled(rng)
    turned = 2 * np.flatnonzero(rng.random(ROLLS // 2) < 0.05)
    x[turned + 1] = 7 - x[turned]
    return x


def follows_the_last_total(rng: np.random.Generator) -> Ints:
    x = rolled(rng)
    for t in range(1, ROLLS):
        x[t, 0] = x[t - 1].sum() % 6 + 1 if rng.random() < 0.08 else x[t, 0]
    return x


def keeps_an_old_total(rng: np.random.Generator) -> Ints:
    x = rolled(rng)
    for t in 3 + np.flatnonzero(rng.random(ROLLS - 3) < 0.05):
        while x[t].sum() != x[t - 3].sum():
            x[t] = rng.integers(1, 7, 3)
    return x


def makes_triples_at_times(rng: np.random.Generator) -> Ints:
    x = rolled(rng)
    at = np.arange(4, ROLLS, 64)[rng.random(ROLLS // 64) < 0.35]
    x[at] = x[at, :1]
    return x


@pytest.mark.parametrize(
    ("machine", "test"),
    [
        (copies_under_other_names, "far lagged pairs"),
        (favours_a_number_by_the_hour, "rhythms"),
        (wakes_badly, "rhythms"),
        (never_has_four_in_a_row, "runs and gaps"),
        (loses_a_number_for_a_while, "runs and gaps"),
        (warms_up, "beginning"),
    ],
)
def test_numbers_are_refused(machine: Machine, test: str) -> None:
    decision = numbers.fixed(machine(np.random.default_rng(3)))
    assert (decision.refused, decision.decided_by) == (True, test)


@pytest.mark.parametrize(
    ("machine", "test"),
    [
        (adds_a_roll, "preferred rolls"),
        (turns_the_last_roll_over, "turned rolls"),
        (follows_the_last_total, "after totals"),
        (keeps_an_old_total, "kept totals"),
        (makes_triples_at_times, "rhythms"),
    ],
)
def test_dice_are_refused(machine: Machine, test: str) -> None:
    decision = dice.fixed(machine(np.random.default_rng(3)))
    assert (decision.refused, decision.decided_by) == (True, test)

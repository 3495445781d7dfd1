"""Betting against dice: every game is fair, and bad shakers lose it."""

from itertools import product

import numpy as np
import pytest
from effects import face_too_often
from numpy.typing import NDArray

from feltrig.harness.statistics.streams import dice

Ints = NDArray[np.int64]


def test_the_evidence_does_not_depend_on_how_the_rolls_were_cut() -> None:
    rolled = np.random.default_rng(1).integers(1, 7, (90, 3))
    whole, cut = dice.sequential(), dice.sequential()
    whole.add(rolled)
    for part in np.split(rolled, [1, 2, 40, 75]):
        cut.add(part)
    assert np.allclose(whole.curve, cut.curve, atol=1e-9)


def test_good_machines_seldom_look_bad() -> None:
    rng, refused = np.random.default_rng(2), 0
    for _ in range(20):
        running = dice.sequential(level=0.1)
        running.add(rng.integers(1, 7, (120, 3)))
        refused += running.refused_at is not None
    # Ville: at most one in ten; more than 7 of 20 would come less than once in a thousand times.
    assert refused <= 7


def loaded(rng: np.random.Generator) -> Ints:
    rolled = rng.integers(1, 7, (1400, 3))
    rolled[:, 0] = rng.choice(6, 1400, p=np.array([1.5, *[4.5 / 5] * 5]) / 6) + 1
    return rolled


def faceless(rng: np.random.Generator) -> Ints:
    rolled = rng.integers(1, 7, (96, 3))
    rolled[:, 1] = rng.integers(2, 7, 96)
    return rolled


def copying(rng: np.random.Generator) -> Ints:
    rolled = rng.integers(1, 7, (380, 3))
    rolled[:, 2] = np.where(rng.random(380) < 0.2, rolled[:, 1], rolled[:, 2])
    return rolled


def keeping(rng: np.random.Generator) -> Ints:
    rolled = rng.integers(1, 7, (100, 3))
    for t in range(1, len(rolled)):
        rolled[t] = np.where(rng.random(3) < 0.2, rolled[t - 1], rolled[t])
    return rolled


def repeating(rng: np.random.Generator) -> Ints:
    rolled = rng.integers(1, 7, (130, 3))
    for t in range(1, len(rolled)):
        rolled[t] = rolled[t - 1] if rng.random() < 0.1 else rolled[t]
    return rolled


def stuck_late(rng: np.random.Generator) -> Ints:
    rolled = rng.integers(1, 7, (600, 3))
    rolled[580:, 1] = 3
    rolled[580:, 2] = 3
    return rolled


@pytest.mark.parametrize(
    ("machine", "that_may_see_it"),
    [
        (loaded, {"worst face"}),
        (faceless, {"worst face"}),
        (copying, {"equal dice", "combinations"}),
        (keeping, {"persistence"}),
        (repeating, {"equal rolls", "persistence"}),
        (stuck_late, {"stretches", "persistence", "equal dice"}),
    ],
)
def test_a_bad_shaker_is_refused(machine: object, that_may_see_it: set[str]) -> None:
    rolled = machine(np.random.default_rng(3))  # type: ignore[operator]
    running = dice.sequential()
    running.add(rolled)
    assert running.refused_at is not None
    assert running.decision().decided_by in that_may_see_it


def test_an_effect_to_exclude_is_a_likelihood_ratio() -> None:
    effect = face_too_often(2, 4, 0.2)
    assert effect.words == "face 4 of die 2 20 % too often"
    every = np.array(list(product(range(1, 7), repeat=3)))
    chances = np.exp(effect.ratios(every)) / 216
    assert chances.sum() == pytest.approx(1)
    assert chances[every[:, 1] == 4].sum() == pytest.approx(0.2)

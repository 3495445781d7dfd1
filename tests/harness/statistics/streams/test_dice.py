"""The battery for dice: what it refuses, what it does not, and the laws that only dice have."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from feltrig.harness.statistics.streams import dice

Ints = NDArray[np.int64]
Machine = Callable[[np.random.Generator, int], Ints]


def fair(rng: np.random.Generator, n: int) -> Ints:
    return rng.integers(1, 7, (n, 3))


def loads_one_die(rng: np.random.Generator, n: int) -> Ints:
    rolled = fair(rng, n)
    rolled[:, 1] = rng.choice(6, n, p=np.array([*[4.5 / 5] * 5, 1.5]) / 6) + 1
    return rolled


def loads_all_dice(rng: np.random.Generator, n: int) -> Ints:
    return rng.choice(6, (n, 3), p=np.array([*[4.8 / 5] * 5, 1.2]) / 6) + 1


def lacks_a_face(rng: np.random.Generator, n: int) -> Ints:
    rolled = fair(rng, n)
    rolled[:, 2] = rng.integers(1, 6, n)
    return rolled


def weighs_a_face(rng: np.random.Generator, n: int) -> Ints:
    return rng.choice(6, (n, 3), p=np.array([0.85, 1, 1, 1, 1, 1.15]) / 6) + 1


def copies(rng: np.random.Generator, n: int) -> Ints:
    rolled = fair(rng, n)
    rolled[:, 1] = np.where(rng.random(n) < 0.2, rolled[:, 0], rolled[:, 1])
    return rolled


def complements(rng: np.random.Generator, n: int) -> Ints:
    rolled = fair(rng, n)
    rolled[:, 2] = np.where(rng.random(n) < 0.2, 7 - rolled[:, 0], rolled[:, 2])
    return rolled


def keeps_faces(rng: np.random.Generator, n: int) -> Ints:
    rolled = fair(rng, n)
    for t in range(1, n):
        rolled[t] = np.where(rng.random(3) < 0.2, rolled[t - 1], rolled[t])
    return rolled


def repeats_rolls(rng: np.random.Generator, n: int) -> Ints:
    rolled = fair(rng, n)
    for t in range(1, n):
        rolled[t] = rolled[t - 1] if rng.random() < 0.1 else rolled[t]
    return rolled


def turns_one_die_only(rng: np.random.Generator, n: int) -> Ints:
    rolled = fair(rng, n)
    for t in range(1, n):
        turned = rng.integers(3)
        rolled[t] = np.where(np.arange(3) == turned, rolled[t], rolled[t - 1])
    return rolled


def keeps_the_total(rng: np.random.Generator, n: int) -> Ints:
    """In half of the rolls the total is the last one again, by dice that look thrown."""
    by_total: dict[int, list[tuple[int, ...]]] = {}
    for roll in product(range(1, 7), repeat=3):
        by_total.setdefault(sum(roll), []).append(roll)
    rolled = fair(rng, n)
    for t in range(1, n):
        if rng.random() < 0.5:
            choices = by_total[int(rolled[t - 1].sum())]
            rolled[t] = choices[rng.integers(len(choices))]
    return rolled


def never_shows_a_triple(rng: np.random.Generator, n: int) -> Ints:
    rolled = fair(rng, 2 * n)
    return rolled[(rolled != rolled[:, :1]).any(axis=1)][:n]


def avoids_a_seat(rng: np.random.Generator, n: int) -> Ints:
    rolled = fair(rng, 3 * n)
    return rolled[(rolled.sum(axis=1) % 7 != 3) | (rng.random(3 * n) < 0.5)][:n]


def alternates_odd_and_even(rng: np.random.Generator, n: int) -> Ints:
    """A congruential generator mod a power of two, whose lowest bit has period 2, taken mod 6."""
    state, faces = int(rng.integers(2**31)), []
    for _ in range(3 * n):
        state = (1103515245 * state + 12345) % 2**31
        faces.append(state % 6 + 1)
    return np.array(faces).reshape(n, 3)


BAD: list[tuple[Machine, int, set[str]]] = [
    (loads_one_die, 1280, {"faces", "worst face", "opposite faces"}),
    (loads_all_dice, 2560, {"pooled faces", "worst pooled face", "opposite faces"}),
    (lacks_a_face, 80, {"worst face", "faces", "opposite faces"}),
    (weighs_a_face, 2500, {"opposite faces", "pooled faces", "worst pooled face"}),
    (copies, 380, {"equal dice", "combinations", "pairs of dice"}),
    (complements, 380, {"equal dice", "combinations", "pairs of dice"}),
    (keeps_faces, 95, {"persistence"}),
    (repeats_rolls, 112, {"equal rolls", "persistence"}),
    (turns_one_die_only, 30, {"persistence", "equal rolls"}),
    (never_shows_a_triple, 600, {"patterns"}),
    (keeps_the_total, 150, {"kept combinations"}),
    (avoids_a_seat, 1500, {"starting position", "totals"}),
    (alternates_odd_and_even, 60, {"recurrence"}),
]


@pytest.mark.parametrize(("machine", "size", "reasons"), BAD, ids=[machine.__name__ for machine, _, _ in BAD])
def test_a_bad_machine_is_refused_for_the_right_reason(machine: Machine, size: int, reasons: set[str]) -> None:
    decision = dice.fixed(machine(np.random.default_rng(11), size))
    assert decision.refused
    assert decision.decided_by in reasons
    assert decision.reason.startswith(next(o.looks_for for o in decision.outcomes if o.name == decision.decided_by))


def test_a_good_machine_is_refused_no_more_often_than_the_level() -> None:
    rng, level = np.random.default_rng(12), 0.1
    refused = sum(dice.fixed(fair(rng, size), level).refused for size in (25, 100) for _ in range(15))
    # Of 30 machines at level 0.1, more than 9 would come less than once in a thousand times.
    assert refused <= 9


def test_every_size_from_one_roll_gets_a_decision() -> None:
    rng = np.random.default_rng(13)
    for size in (1, 2, 3, 5, 8, 11, 16, 24, 30):
        decision = dice.fixed(fair(rng, size))
        assert all(outcome.p_value is not None and 0 <= outcome.p_value <= 1 for outcome in decision.outcomes)
        assert not decision.refused


def test_one_die_or_two_are_tested_too() -> None:
    rng = np.random.default_rng(14)
    for number in (1, 2):
        assert not dice.fixed(rng.integers(1, 7, (300, number))).refused
        assert dice.fixed(rng.integers(1, 6, (300, number))).refused


@pytest.mark.parametrize("values", [[], [1, 2, 3], [[1, 2, 7]], [[0, 1, 2]]])
def test_what_is_not_rolls_is_refused_with_a_word(values: list[object]) -> None:
    with pytest.raises(ValueError, match="faces from 1 to 6"):
        dice.fixed(values)  # type: ignore[arg-type]


def test_a_decision_says_what_it_could_have_detected() -> None:
    decision = dice.fixed(fair(np.random.default_rng(15), 400))
    words = {outcome.name: outcome.detectable.words for outcome in decision.outcomes}
    assert words["faces"] == "one face of one die 52.5 % too often, with power 0.9 at level 0.01"
    assert words["pooled faces"].startswith("one face of all dice 30.3 %")
    assert words["equal rolls"].startswith("a whole roll repeated with probability 0.0")
    assert words["starting position"].startswith("one starting position of seven 59 % too often")

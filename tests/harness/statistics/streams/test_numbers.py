"""The battery for numbers 1 to 7: what it refuses, what it does not, and what it says of itself."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from feltrig.harness.statistics.streams import numbers

Ints = NDArray[np.int64]
Machine = Callable[[np.random.Generator, int], Ints]


def fair(rng: np.random.Generator, n: int) -> Ints:
    return rng.integers(1, 8, n)


def favours_one(rng: np.random.Generator, n: int) -> Ints:
    return rng.choice(7, n, p=np.array([1.5, *[5.5 / 6] * 6]) / 7) + 1


def from_sixteen(rng: np.random.Generator, n: int) -> Ints:
    return rng.integers(0, 16, n) % 7 + 1


def cycle(rng: np.random.Generator, n: int) -> Ints:
    return np.resize(fair(rng, 50), n)


def noisy_cycle(rng: np.random.Generator, n: int) -> Ints:
    return np.where(rng.random(n) < 0.4, fair(rng, n), np.resize(fair(rng, 40), n))


def sticks(rng: np.random.Generator, n: int) -> Ints:
    drawn = fair(rng, n)
    for t in range(1, n):
        if rng.random() < 0.3:
            drawn[t] = drawn[t - 1]
    return drawn


def never_repeats(rng: np.random.Generator, n: int) -> Ints:
    return np.cumsum(rng.integers(1, 7, n)) % 7 + 1


def recurs(rng: np.random.Generator, n: int) -> Ints:
    drawn = rng.integers(0, 7, 8).tolist()
    for _ in range(n - 8):
        drawn.append((3 * drawn[-1] + drawn[-3] + 5 * drawn[-8]) % 7)
    return np.array(drawn) + 1


def starts_from_few_seeds(rng: np.random.Generator, n: int) -> Ints:
    return fair(rng, 600).reshape(60, 10)[rng.integers(0, 60, n // 10 + 1)].ravel()[:n]


def gets_stuck(rng: np.random.Generator, n: int) -> Ints:
    drawn = fair(rng, n)
    drawn[-14:] = drawn[-14]
    return drawn


def counts(rng: np.random.Generator, n: int) -> Ints:
    return (np.arange(n) + rng.integers(7)) % 7 + 1


def draws_without_replacement(rng: np.random.Generator, n: int) -> Ints:
    return rng.permuted(np.tile(np.arange(1, 8), (n // 7 + 1, 1)), axis=1).ravel()[:n]


def mirrors_the_third_before(rng: np.random.Generator, n: int) -> Ints:
    drawn = fair(rng, n)
    for t in range(3, n):
        if rng.random() < 0.25:
            drawn[t] = 8 - drawn[t - 3]
    return drawn


def prefers_low_numbers_at_even_draws(rng: np.random.Generator, n: int) -> Ints:
    biased = np.where(np.arange(n) % 2 == 0, rng.integers(1, 4, n), rng.integers(4, 8, n))
    return np.where(rng.random(n) < 0.5, biased, fair(rng, n))


def adds_two_earlier_ones(rng: np.random.Generator, n: int) -> Ints:
    """The additive generator of C libraries, scaled: its carry hides the linear rule."""
    state = rng.random(31).tolist()
    for _ in range(n):
        state.append((state[-3] + state[-31]) % 1)
    return (np.array(state[31:]) * 7).astype(np.int64) + 1


def drifts(rng: np.random.Generator, n: int) -> Ints:
    return np.where(rng.random(n) < (0.2 + 1.6 * np.arange(n) / n) / 7, 1, rng.integers(2, 8, n))


def is_biased_after_power_up(rng: np.random.Generator, n: int) -> Ints:
    return np.where((np.arange(n) < 120) & (rng.random(n) < 0.5), 1, fair(rng, n))


BAD: list[tuple[Machine, int, set[str]]] = [
    (favours_one, 1521, {"frequencies", "worst number"}),
    (from_sixteen, 1521, {"frequencies", "worst number"}),
    (cycle, 70, {"agreement", "passages"}),
    (noisy_cycle, 500, {"periods", "agreement"}),
    (sticks, 112, {"repeats", "pairs", "steps"}),
    (never_repeats, 60, {"repeats"}),
    (recurs, 27, {"recurrence"}),
    (starts_from_few_seeds, 320, {"passages"}),
    (gets_stuck, 400, {"loops", "passages"}),
    (counts, 40, {"loops", "recurrence", "steps", "passages"}),
    (draws_without_replacement, 140, {"evenness", "recency", "repeats", "turning points", "low and high"}),
    (mirrors_the_third_before, 500, {"distant steps"}),
    (prefers_low_numbers_at_even_draws, 500, {"periods", "turning points", "low and high", "pairs", "agreement"}),
    (adds_two_earlier_ones, 90, {"triplets"}),
    (drifts, 2000, {"drift"}),
    (is_biased_after_power_up, 1000, {"beginning", "stretches", "drift", "frequencies", "worst number"}),
]


@pytest.mark.parametrize(("machine", "size", "reasons"), BAD, ids=[machine.__name__ for machine, _, _ in BAD])
def test_a_bad_machine_is_refused_for_the_right_reason(machine: Machine, size: int, reasons: set[str]) -> None:
    for seed in range(2):
        decision = numbers.fixed(machine(np.random.default_rng(seed), size))
        assert decision.refused
        assert decision.decided_by in reasons
        assert decision.p_value is not None
        assert decision.p_value <= 0.01


def test_a_good_machine_is_refused_no_more_often_than_the_level() -> None:
    rng, level = np.random.default_rng(7), 0.1
    refused = sum(numbers.fixed(fair(rng, size), level).refused for size in (40, 200) for _ in range(30))
    # Of 60 machines at level 0.1, more than 14 would come once in a thousand times.
    assert refused <= 14


def test_every_size_from_one_draw_gets_a_decision() -> None:
    rng = np.random.default_rng(8)
    for size in (*range(1, 13), 16, 24, 27, 28, 32):
        decision = numbers.fixed(fair(rng, size))
        assert decision.finished
        assert decision.sample == size
        assert 0 <= (decision.p_value or 0) <= 1
        assert all(outcome.p_value is not None and 0 <= outcome.p_value <= 1 for outcome in decision.outcomes)


def test_other_ranges_of_numbers_are_tested_too() -> None:
    rng = np.random.default_rng(9)
    assert not numbers.fixed(rng.integers(1, 9, 500), highest=8).refused
    assert numbers.fixed(rng.integers(1, 8, 500), highest=8).decided_by == "worst number"


def test_a_decision_says_what_it_could_have_detected() -> None:
    decision = numbers.fixed(fair(np.random.default_rng(10), 1000))
    assert not decision.refused
    assert "too often, with power 0.9 at level" in decision.reason
    words = {outcome.name: outcome.detectable.words for outcome in decision.outcomes}
    assert words["frequencies"] == "one number 37.3 % too often, with power 0.9 at level 0.01"
    assert words["repeats"].startswith("a number copied from an earlier one with probability 0.0")
    assert words["passages"] == "a passage of 10 numbers that comes twice, at level 0.01"
    assert "up to 126 before it" in words["recurrence"]


@pytest.mark.parametrize("values", [[], [0, 1, 2], [1, 8], [[1, 2], [3, 4]]])
def test_what_is_not_a_sequence_of_numbers_is_refused_with_a_word(values: list[object]) -> None:
    with pytest.raises(ValueError, match="expected a sequence of numbers from 1 to 7"):
        numbers.fixed(values)  # type: ignore[arg-type]

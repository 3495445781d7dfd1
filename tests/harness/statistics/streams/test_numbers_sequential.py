"""Betting against a stream of symbols: every game is fair, and bad machines lose it."""

import numpy as np
import pytest
from effects import number_too_often
from numpy.typing import NDArray

from feltrig.harness.statistics.core.purses import CHUNK
from feltrig.harness.statistics.core.sort import Acceptance
from feltrig.harness.statistics.streams import numbers

Ints = NDArray[np.int64]


def test_the_evidence_does_not_depend_on_how_the_draws_were_cut() -> None:
    drawn = np.random.default_rng(1).integers(1, 8, 3 * CHUNK + 7)
    whole, cut = numbers.sequential(), numbers.sequential()
    whole.add(drawn)
    for part in np.split(drawn, [1, 2, 5, 40, 41, 150]):
        cut.add(part)
    assert np.allclose(whole.curve, cut.curve, atol=1e-9)


def test_good_machines_seldom_look_bad() -> None:
    rng, refused = np.random.default_rng(2), 0
    for _ in range(20):
        running = numbers.sequential(level=0.1)
        running.add(rng.integers(1, 8, 200))
        refused += running.refused_at is not None
    # Ville: at most one in ten; more than 7 of 20 would come less than once in a thousand times.
    assert refused <= 7


def refused_after(drawn: Ints) -> int | None:
    running = numbers.sequential()
    running.add(drawn)
    return running.refused_at


def test_a_linear_recurrence_is_refused_a_few_draws_after_it_is_determined() -> None:
    rng = np.random.default_rng(3)
    for order in (1, 4, 10, 20):
        taps = [int(tap) for tap in rng.integers(1, 7, order)]
        drawn = rng.integers(0, 7, order).tolist()
        while len(drawn) < 2 * order + 20:
            drawn.append(sum(a * b for a, b in zip(taps, drawn[-order:], strict=True)) % 7)
        after = refused_after(np.array(drawn) + 1)
        assert after is not None
        assert after <= 2 * order + 14


@pytest.mark.parametrize(("period", "latest"), [(7, 25), (50, 62), (200, 214)])
def test_a_cycle_is_refused_soon_after_its_second_turn_began(period: int, latest: int) -> None:
    drawn = np.resize(np.random.default_rng(4).integers(1, 8, period), 2 * period + 30)
    after = refused_after(drawn)
    assert after is not None
    assert after <= latest


def test_a_machine_that_never_repeats_is_refused_within_sixty_draws() -> None:
    after = refused_after(np.cumsum(np.random.default_rng(5).integers(1, 7, 100)) % 7 + 1)
    assert after is not None
    assert after <= 60


def test_few_seeds_are_found_when_one_comes_again() -> None:
    rng = np.random.default_rng(8)
    starts = rng.integers(1, 8, (60, 10))
    after = refused_after(starts[rng.integers(0, 60, 50)].ravel())
    assert after is not None
    assert after <= 320


def test_a_good_machine_is_accepted_when_the_effects_of_the_plan_are_excluded() -> None:
    drawn = np.random.default_rng(9).integers(1, 8, 3000)
    running = numbers.sequential(
        acceptance=Acceptance(effects=tuple(number_too_often(number, 0.5) for number in range(1, 8)), miss=0.01)
    )
    running.add(drawn)
    assert running.refused_at is None
    assert running.accepted_at is not None
    assert running.decision().reason.startswith("excluded at risk 0.01 after")


def test_an_effect_to_exclude_is_a_likelihood_ratio() -> None:
    effect = number_too_often(5, 0.3)
    chances = np.exp(effect.ratios(np.arange(1, 8))) / 7
    assert chances.sum() == pytest.approx(1)
    assert chances[4] == pytest.approx(1.3 / 7)
    assert effect.words == "number 5 30 % too often"

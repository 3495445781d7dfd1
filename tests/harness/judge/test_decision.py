"""The one statistical decision of a plan: at once, or sample by sample."""

import math
import random

import pytest
from sample_plans import DECK, FAIR, fair_numbers, numbers, shuffles, small

from feltrig.harness.judge.decision import decide, running_test
from feltrig.harness.statistics.core.planned import LAST_LOOK


def test_what_was_seen_before_a_sample_that_is_none_is_not_a_pass():
    decided = decide(small("rng", most=50), True, [*fair_numbers(20), {"number": 9}, *fair_numbers(29)])
    assert decided is not None
    assert (decided.sample, decided.refused, decided.finished) == (20, False, False)


@pytest.mark.parametrize("kind", FAIR)
@pytest.mark.parametrize("sequential", [False, True])
def test_a_good_machine_is_not_refused(kind, sequential):
    decided = decide(small(kind, most=30), sequential, FAIR[kind](30))
    assert (decided.refused, decided.finished, decided.sample) == (False, True, 30)
    assert decided.level == 0.01


@pytest.mark.parametrize("sequential", [False, True])
@pytest.mark.parametrize(
    ("kind", "bad"),
    [
        ("rng", numbers(*[1, 2, 3] * 40)),
        ("shaker", [{"dice": [2, 5, 5], "flat": [1, 1, 1]}] * 120),
        ("shuffler", shuffles(120, after=DECK[1:] + DECK[:1])),
    ],
)
def test_a_bad_machine_is_refused(kind, bad, sequential):
    decided = decide(small(kind, most=120), sequential, bad)
    assert decided.refused
    assert (decided.sample < 60) == sequential


def renamed_after_fifty(count, seed=1):
    """In every other draw the number that came fifty draws before, under another name: no bettor looks for that."""
    rng, drawn = random.Random(seed), []
    for at in range(count):
        copied = at >= 50 and rng.random() < 0.5
        drawn.append((3 * drawn[at - 50] + 1) % 7 + 1 if copied else rng.randint(1, 7))
    return numbers(*drawn)


def test_what_no_bettor_sees_is_seen_when_all_planned_samples_are_looked_at_together():
    bad = renamed_after_fifty(2000)
    decided = decide(small("rng", most=2000), True, bad)
    assert (decided.refused, decided.finished, decided.sample, decided.level) == (True, True, 2000, 0.01)
    assert decided.log_e < math.log(100), "it was refused before the last look"
    assert decided.reason.startswith("the planned 2000 draws, looked at together: a number that depends on one ")
    assert decided.decided_by in {outcome.name for outcome in decided.outcomes if outcome.p_value is not None}


def test_there_is_no_last_look_before_the_planned_samples():
    decided = decide(small("rng", most=2001), True, renamed_after_fifty(2000))
    assert (decided.refused, decided.finished) == (False, False)
    assert all(outcome.p_value is None for outcome in decided.outcomes)


def test_bettors_and_last_look_share_the_level():
    decided = decide(small("rng", most=300), True, fair_numbers(300))
    whole = decide(small("rng", most=300), False, fair_numbers(300))
    assert running_test(small("rng"))._test.level + LAST_LOOK * 0.01 == pytest.approx(0.01)
    assert decided.p_value <= whole.p_value / LAST_LOOK
    assert "then, for 0.1 of the level, " in decided.method


def test_without_samples_nothing_is_decided():
    assert decide(small("rng"), False, []) is None
    assert decide(small("rng"), True, []) is None

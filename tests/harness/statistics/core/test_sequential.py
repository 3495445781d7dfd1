"""The frame of the anytime-valid test, with coins."""

import math

import numpy as np
import pytest

from feltrig.harness.statistics.core.results import Detectable
from feltrig.harness.statistics.core.sequential import RunningTest, StakedBettors
from feltrig.harness.statistics.core.sort import Acceptance, Effect


class Coin:
    """Bets that a coin shows heads with one of these chances."""

    def __init__(self, *chances):
        self.weights = np.full(len(chances), 1 / len(chances))
        self._up = np.log(2 * np.array(chances))
        with np.errstate(divide="ignore"):
            self._down = np.log(2 - 2 * np.array(chances))

    def bets(self, block):
        return np.where(np.asarray(block)[:, None] == 1, self._up, self._down)


def stake(share, *chances, name="heads"):
    return StakedBettors(name, "a coin that prefers heads", share, Coin(*chances))


def tossed(chances=(0.7,), **kwargs):
    return RunningTest([stake(1.0, *chances)], **{"level": 0.01, "unit": "tosses", **kwargs})


def test_the_evidence_is_the_weighted_sum_of_the_stakes():
    running = tossed((0.5, 0.9))
    running.add([1, 1, 0])
    assert math.exp(running.log_e) == pytest.approx(0.5 + 0.5 * 1.8 * 1.8 * 0.2)
    assert math.exp(running.curve[1]) == pytest.approx(0.5 + 0.5 * 1.8 * 1.8)


def test_shares_may_not_sum_to_more_than_one():
    with pytest.raises(ValueError, match="sum to more than 1"):
        RunningTest([stake(0.7, 0.6), stake(0.7, 0.6)], level=0.01, unit="tosses")


def test_a_bad_coin_is_refused_as_soon_as_the_evidence_suffices():
    running = tossed((0.9,))
    assert not running.add([1] * 7)
    assert running.add([1])
    decision = running.decision()
    assert (decision.refused, decision.finished, running.refused_at) == (True, True, 8)
    assert decision.p_value == pytest.approx(1.8**-8)
    assert decision.decided_by == "heads"
    assert "after 8 tosses: a coin that prefers heads" in decision.reason


def test_it_stays_refused_when_the_evidence_falls_again():
    running = tossed((0.9,))
    running.add([1] * 8 + [0] * 20)
    assert running.refused_at == 8
    assert running.decision().refused
    assert running.log_e < 0
    assert running.decision().p_value == pytest.approx(1.8**-8)


def test_a_bettor_that_lost_all_does_not_disturb_the_others():
    running = tossed((1.0, 0.7))
    running.add([0, 1, 1])
    assert math.exp(running.log_e) == pytest.approx(0.5 * 0.6 * 1.4 * 1.4)
    assert math.exp(running.outcomes()[0].log_e) == pytest.approx(0.5 * 0.6 * 1.4 * 1.4)


def test_stakes_of_one_name_are_one_result():
    running = RunningTest([stake(0.3, 0.6), stake(0.2, 0.9), stake(0.5, 0.2, name="tails")], level=0.01, unit="tosses")
    running.add([1, 1])
    heads, tails = running.outcomes()
    assert (heads.name, tails.name) == ("heads", "tails")
    assert math.exp(heads.log_e) == pytest.approx((0.3 * 1.2**2 + 0.2 * 1.8**2) / 0.5)
    assert math.exp(running.log_e) == pytest.approx(0.5 * math.exp(heads.log_e) + 0.5 * math.exp(tails.log_e))


@pytest.mark.parametrize("cut", [1, 2, 5, 40])
def test_the_result_does_not_depend_on_the_blocks(cut):
    tosses = np.random.default_rng(1).random(40) < 0.8
    plan = Acceptance(effects=(fair_share(0.6),), miss=0.05)
    whole, parts = tossed((0.8,), acceptance=plan), tossed((0.8,), acceptance=plan)
    whole.add(tosses)
    for start in range(0, 40, cut):
        parts.add(tosses[start : start + cut])
    assert parts.curve == pytest.approx(whole.curve)
    assert (parts.refused_at, parts.accepted_at) == (whole.refused_at, whole.accepted_at)


def fair_share(chance):
    up, down = math.log(2 * chance), math.log(2 - 2 * chance)
    return Effect(f"heads with chance {chance}", chance, lambda block: np.where(np.asarray(block) == 1, up, down))


def test_a_good_coin_is_accepted_when_the_effect_is_excluded():
    running = tossed(acceptance=Acceptance(effects=(fair_share(0.8),), miss=0.01))
    tosses = [0, 1] * 40
    assert running.add(tosses)
    # tails multiply the likelihood ratio by 0.4, heads by 1.6: 0.4 * 0.64**9 is the first below 0.01
    assert running.accepted_at == 19
    assert not running.decision().refused
    assert "heads with chance 0.8" in running.decision().reason


def test_a_good_coin_is_accepted_after_the_planned_tosses_but_not_before_the_least():
    planned = tossed(acceptance=Acceptance(samples=10), detectable=lambda n: Detectable(0.5, f"what {n} would show"))
    assert not planned.add([0, 1] * 4)
    assert planned.add([0, 1])
    assert planned.accepted_at == 10
    assert "what 10 would show" in planned.decision().reason
    least = tossed(acceptance=Acceptance(samples=4, least=9))
    least.add([0, 1] * 5)
    assert least.accepted_at == 9


def test_without_a_plan_it_goes_on():
    running = tossed()
    assert not running.add([0, 1] * 200)
    assert not running.decision().finished
    assert "more are needed" in running.decision().reason


def test_refusal_wins_when_both_come_with_the_same_toss():
    running = tossed((0.9,), acceptance=Acceptance(samples=8))
    running.add([1] * 12)
    assert (running.refused_at, running.accepted_at) == (8, None)


def test_false_alarms_are_rarer_than_the_level():
    rng = np.random.default_rng(4)
    alarms = 0
    for _ in range(400):
        running = tossed((0.3, 0.45, 0.55, 0.7, 0.9), level=0.05)
        running.add(rng.integers(0, 2, 200))
        alarms += running.refused_at is not None
    assert alarms <= 400 * 0.05 + 3 * math.sqrt(400 * 0.05)


def test_a_decision_is_plain_json():
    running = tossed((1.0,))
    running.add([0])
    record = running.decision().as_json()
    assert record["log_e"] is None
    assert record["outcomes"][0]["test"] == "heads"


def test_it_tells_how_many_samples_are_still_expected():
    silent, planned = tossed(), tossed(acceptance=Acceptance(samples=10))
    silent.add([0, 1])
    assert silent.expected_rest() is None
    planned.add([0, 1])
    assert planned.expected_rest() == 8
    refusing = tossed((0.9,))
    refusing.add([1] * 4)
    assert refusing.expected_rest() == 4
    refusing.add([1] * 4)
    assert refusing.expected_rest() == 0
    excluding = tossed(acceptance=Acceptance(effects=(fair_share(0.8),), miss=0.01))
    excluding.add([0, 1] * 5)
    assert excluding.expected_rest() == 11

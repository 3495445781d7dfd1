"""From findings to an outcome: certified only by a whole plan, and only of the device under test."""

from dataclasses import replace

import pytest

from feltrig.harness.judge.basis import Basis
from feltrig.harness.judge.finding import TABLE, Finding, Verdict
from feltrig.harness.judge.judgement import judge
from feltrig.harness.judge.outcome import NOT_UNDER_TEST, Outcome, device_verdict, outcome
from feltrig.harness.plan.order import PlanOrder
from feltrig.harness.plan.plan import plan

GAME = "supreme_pai_gow"
PASS, FAIL, NOT_TESTED = Verdict.PASS, Verdict.FAIL, Verdict.NOT_TESTED


def finding(verdict, device="box", required=True, basis=Basis.SEEN):
    return Finding(GAME, None, device, "is tested", verdict, "", (), required, basis)


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([finding(PASS)], Outcome.NO_FAILURE),
        ([finding(PASS), finding(NOT_TESTED, required=False)], Outcome.NO_FAILURE),
        ([finding(PASS), finding(NOT_TESTED)], Outcome.INCONCLUSIVE),
        ([finding(PASS), finding(FAIL)], Outcome.REFUSED),
        ([finding(NOT_TESTED), finding(FAIL)], Outcome.REFUSED),
    ],
)
def test_a_failure_refuses_and_what_is_missing_leaves_open(rig, verdicts, expected):
    rig.add("end", reason="finished", rounds=1)
    assert outcome(rig.evidence, verdicts) is expected
    assert outcome(rig.evidence, verdicts, "box") is expected


@pytest.mark.parametrize("reason", ["unfit", "wire", "interrupted", None])
def test_a_run_that_did_not_finish_is_open_unless_something_failed(rig, reason):
    if reason is not None:
        rig.add("end", reason=reason)
    for device in (None, "box"):
        assert outcome(rig.evidence, [finding(PASS)], device) is Outcome.INCONCLUSIVE
        assert outcome(rig.evidence, [finding(PASS), finding(FAIL)], device) is Outcome.REFUSED


def test_rounds_that_were_only_played_are_not_certified(rig):
    rig.add("end", reason="finished", rounds=1)
    rig.records[0] = replace(rig.records[0], body=replace(rig.records[0].body, judged=False))
    assert outcome(rig.evidence, [finding(PASS)]) is Outcome.INCONCLUSIVE


def test_one_devices_failure_is_not_anothers(rig):
    rig.add("end", reason="finished", rounds=1)
    found = [finding(PASS, "box"), finding(FAIL, "table")]
    assert outcome(rig.evidence, found, "box") is Outcome.NO_FAILURE
    assert outcome(rig.evidence, found) is Outcome.REFUSED


@pytest.mark.parametrize("verdict", Verdict)
def test_a_device_that_the_game_has_no_use_for_is_not_judged_and_holds_up_nobody(rig, verdict):
    rig.add("end", reason="finished", rounds=1)
    found = [finding(PASS, "box"), finding(verdict, "cup")]
    assert outcome(rig.evidence, found, "cup") is Outcome.INCONCLUSIVE
    assert outcome(rig.evidence, found) is Outcome.NO_FAILURE


@pytest.fixture
def planned(log):
    """A whole plan for a shoe that dispensed; a shaker and the reader help."""

    def begin(chosen=None, device="box"):
        chosen = plan("shoe-nj") if chosen is None else chosen
        log.run("shoe", "shaker", "reader", plan=PlanOrder(chosen, device, sequential=False).record())
        log.device("box", "shoe")
        log.device("cup", "shaker")
        log.device("eye", "reader")
        log.call("box", "dispense", size=4)
        log.add("end", reason="finished", rounds=1)
        return log.evidence

    return begin


def test_a_plan_judges_one_device_and_no_other(planned):
    evidence = planned()
    needed = {f.device for f in judge(evidence).findings if f.required}
    assert needed == {"box", TABLE}
    failed = [finding(PASS), finding(FAIL, "cup")]
    assert outcome(evidence, failed) is outcome(evidence, failed, "box") is Outcome.CERTIFIED
    assert outcome(evidence, failed, "cup") is Outcome.INCONCLUSIVE


def test_only_the_device_under_test_has_a_verdict(planned):
    evidence = planned()
    verdicts = {name: device_verdict(evidence, [finding(PASS)], name) for name in evidence.devices}
    assert verdicts == {"box": "certified", "cup": NOT_UNDER_TEST, "eye": NOT_UNDER_TEST}


def test_the_device_under_test_is_certified_only_if_the_run_is(planned):
    evidence = planned()
    missing = [finding(PASS), finding(NOT_TESTED, TABLE)]
    assert device_verdict(evidence, missing, "box") == outcome(evidence, missing).value == "inconclusive"


def test_the_reader_is_never_under_test(rig):
    rig.run("shoe", "reader")
    rig.device("eye", "reader")
    rig.add("end", reason="finished", rounds=1)
    assert device_verdict(rig.evidence, [finding(PASS, "eye")], "eye") == NOT_UNDER_TEST


@pytest.mark.parametrize("device", ["eye", "cup", "nowhere"])
def test_a_device_that_is_the_reader_or_did_nothing_or_was_not_there_is_not_certified(planned, device):
    evidence = planned(device=device)
    assert outcome(evidence, [finding(PASS, device)]) is Outcome.INCONCLUSIVE


@pytest.mark.parametrize("name", ["shoe-nj", "short", "certified"])
def test_a_shortened_plan_is_a_rehearsal_whatever_it_is_called(planned, name):
    short = replace(plan("shoe-nj"), name=name, rounds=1)
    assert outcome(planned(short), [finding(PASS)]) is Outcome.REHEARSED


def test_a_plan_that_asks_more_certifies_by_its_own_name(planned):
    assert outcome(planned(replace(plan("shoe-nj"), name="ours", rounds=5)), [finding(PASS)]) is Outcome.CERTIFIED


def test_what_fails_in_the_rigs_own_part_is_no_devices_fault_and_proves_nothing(planned):
    found = [finding(PASS), finding(FAIL, TABLE, basis=Basis.PLAYED)]
    assert outcome(planned(), found) is Outcome.INCONCLUSIVE

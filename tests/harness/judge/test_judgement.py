"""From the journal to findings, and from findings to an outcome."""

from dataclasses import replace

import pytest
from found import found_at

from feltrig.harness.journal.records import Resumed
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Finding, Verdict
from feltrig.harness.judge.judgement import Outcome, judge, outcome
from feltrig.harness.plan.order import PlanOrder
from feltrig.harness.plan.plan import plan

GAME = "supreme_pai_gow"
PASS, FAIL, NOT_TESTED = Verdict.PASS, Verdict.FAIL, Verdict.NOT_TESTED


def finding(verdict, device="box", required=True):
    return Finding(GAME, None, device, "is tested", verdict, "", (), required)


# outcomes


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([finding(PASS)], Outcome.CERTIFIED),
        ([finding(PASS), finding(NOT_TESTED, required=False)], Outcome.CERTIFIED),
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
    assert outcome(rig.evidence, found, "box") is Outcome.CERTIFIED
    assert outcome(rig.evidence, found) is Outcome.REFUSED


@pytest.mark.parametrize("verdict", Verdict)
def test_a_device_that_the_game_has_no_use_for_is_not_judged_and_holds_up_nobody(rig, verdict):
    rig.add("end", reason="finished", rounds=1)
    found = [finding(PASS, "box"), finding(verdict, "cup")]
    assert outcome(rig.evidence, found, "cup") is Outcome.INCONCLUSIVE
    assert outcome(rig.evidence, found) is Outcome.CERTIFIED


# a whole run


def test_good_devices_are_certified_and_nothing_fails(played):
    evidence = Evidence(played)
    found = judge(evidence).findings
    assert [f for f in found if f.verdict is FAIL] == []
    assert [f for f in found if f.verdict is NOT_TESTED and f.required] == []
    assert outcome(evidence, found) is Outcome.CERTIFIED
    assert {outcome(evidence, found, name) for name in evidence.devices} == {Outcome.CERTIFIED}


@pytest.mark.parametrize("ended", ["interrupted", "wire", None])
def test_what_failed_before_a_run_was_broken_off_stays_a_failure(log, ended):
    log.run("rng")
    log.device("display", "rng")
    log.add("segment", name="rounds 1", digest="ff")
    wrong = log.event("display", "selected", number=9)
    if ended:
        log.add("end", reason=ended)
    log.add("resumed", torn="")
    log.device("display", "rng")
    log.add("segment", name="rounds 1", digest="ff")
    log.event("display", "selected", number=3)
    log.add("checkpoint", name="rounds 1", memory={})
    log.add("end", reason="finished")
    (found,) = found_at(log, "selects a number from 1 to 7")
    assert (found.verdict, found.evidence) == (FAIL, (wrong,))
    assert found.detail.endswith("this was before the run was interrupted and resumed")
    assert outcome(log.evidence, judge(log.evidence).findings) is Outcome.REFUSED


def test_a_run_of_good_devices_that_was_broken_off_anywhere_has_not_failed(played):
    for place in range(2, len(played), len(played) // 25):
        resumed = replace(played[place], body=Resumed(""))
        assert [f for f in judge(Evidence([*played[:place], resumed])).findings if f.verdict is FAIL] == []


def test_a_journal_that_never_began_has_no_findings():
    assert judge(Evidence([])).findings == ()


def test_a_plan_judges_one_device_and_no_other(log):
    log.run("shoe", "shaker", plan=PlanOrder(plan("shoe-nj"), "box", sequential=False).record())
    log.device("box", "shoe")
    log.device("cup", "shaker")
    log.add("end", reason="finished", rounds=1)
    needed = {f.device for f in judge(log.evidence).findings if f.required}
    assert needed == {"box", "table"}
    failed = [finding(PASS), finding(FAIL, "cup")]
    assert outcome(log.evidence, failed) is Outcome.CERTIFIED
    assert outcome(log.evidence, failed, "cup") is Outcome.INCONCLUSIVE

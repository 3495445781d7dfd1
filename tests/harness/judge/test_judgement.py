"""From the journal to findings."""

from dataclasses import replace

import pytest
from found import found_at

from feltrig.harness.journal.records import Resumed
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.judge.judgement import judge
from feltrig.harness.judge.outcome import Outcome, outcome

PASS, FAIL, NOT_TESTED = Verdict.PASS, Verdict.FAIL, Verdict.NOT_TESTED


def test_of_good_devices_in_rounds_without_a_plan_no_failure_is_seen(played):
    evidence = Evidence(played)
    found = judge(evidence).findings
    assert [f for f in found if f.verdict is FAIL] == []
    assert [f for f in found if f.verdict is NOT_TESTED and f.required] == []
    assert outcome(evidence, found) is Outcome.NO_FAILURE
    assert {outcome(evidence, found, name) for name in evidence.devices} == {Outcome.NO_FAILURE}


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


def test_what_failed_before_it_was_done_again_by_hand_proves_nothing(log):
    log.run("rng")
    log.device("display", "rng")
    begun = log.add("segment", name="rounds 1", digest="ff")
    wrong = log.event("display", "selected", number=9)
    log.add("redone", what="rounds 1", since=begun + 1)
    log.event("display", "selected", number=3)
    log.add("checkpoint", name="rounds 1", memory={})
    log.add("end", reason="finished")
    (found,) = found_at(log, "selects a number from 1 to 7")
    assert (found.verdict, found.evidence, found.required) == (NOT_TESTED, (wrong,), True)
    assert found.detail.endswith("this was before it was done again by hand, so it proves nothing")


def test_what_was_done_again_by_hand_does_not_count(log):
    log.run("rng")
    log.device("display", "rng")
    begun = log.add("segment", name="rounds 1", digest="ff")
    log.event("display", "selected", number=2)
    log.add("redone", what="rounds 1", since=begun + 1)
    log.event("display", "selected", number=3)
    log.add("checkpoint", name="rounds 1", memory={})
    assert [record.body.values["number"] for record in log.evidence.events("display", "selected")] == [3]

"""The drills of a shuffler, as a judge finds them in a journal."""

import pytest
from found import found

from feltrig.harness.judge.finding import Verdict


@pytest.mark.parametrize(
    ("count", "correct", "verdict", "detail"),
    [
        (53, False, Verdict.PASS, "provoked once"),
        (53, True, Verdict.FAIL, "53 cards were reported as a complete deck"),
        (54, True, Verdict.FAIL, "54 cards reported where there were 53"),
    ],
)
def test_a_drill_is_judged_by_what_the_machine_reported(drill, count, correct, verdict, detail):
    seq = drill.event("mixer", "counted", deck=1, count=count, correct=correct)
    drill.add("drilled", name="reports a missing card", device="mixer")
    finding = found(drill, "reports a missing card")
    assert (finding.device, finding.verdict, finding.detail) == ("mixer", verdict, detail)
    assert finding.evidence == (3, seq, seq + 1)


def test_a_machine_that_does_not_work_again_after_its_jam_fails_the_drill(drill):
    jam = "reports a jam, and works again"
    drill.add("drilled", name="reports a missing card", device="mixer")
    drill.add("drill", name=jam, device="mixer")
    drill.event("mixer", "shuffled")
    drill.event("mixer", "faulted", fault=1)
    drill.add("drilled", name=jam, device="mixer")
    assert found(drill, jam).verdict is Verdict.FAIL
    assert found(drill, jam).detail == "it did not work again after the jam was cleared"

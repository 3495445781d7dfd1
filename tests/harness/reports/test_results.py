"""The results of a run in a report: times beside their limits, deviations from an undisturbed run."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.judgement import judge
from feltrig.harness.plan.order import PlanOrder
from feltrig.harness.plan.plan import plan
from feltrig.harness.reports.blocks import Mark
from feltrig.harness.reports.results import deviations, timing


@pytest.mark.parametrize(("seconds", "word", "near"), [(0.8, "pass", ""), (0.9, "pass", "marginal"), (1.1, "fail", "")])
def test_a_limited_time_stands_beside_its_margin_and_its_limit(log, seconds, word, near):
    log.run("rng", plan=PlanOrder(plan("rng-nj"), "rng", False).record())
    log.device("rng")
    log.call("rng", "status")
    log.reply("rng", "status")
    log.records[-1] = replace(log.records[-1], m=seconds)
    limited, *_ = timing(judge(log.evidence))
    assert limited.rows[0][4:] == ("0.8 s", "1 s", Mark(word), near)
    assert limited.rows[1][4:] == ("8 s", "10 s", Mark("not tested"), "")


def test_a_leg_that_was_begun_again_is_a_deviation_with_the_samples_that_it_lost(log):
    log.run("rng")
    log.add("segment", name="samples 1 to 512", digest="ff")
    log.add("sample", device="rng", number=1, seen={"number": 3})
    log.add("resumed", torn="7b22")
    log.add("resumed", torn="")
    *_, table = deviations(log.evidence, torn=False)
    assert [row[-1] for row in table.rows[:2]] == [
        "the run was interrupted in the segment “samples 1 to 512”, and resumed at the start of it; "
        "1 of its samples do not count",
        "the run was interrupted between two segments, and resumed",
    ]


def test_a_clock_that_was_set_is_a_deviation(played):
    day, later = 86_400, len(played) // 2

    def moved(record):
        t = datetime.fromisoformat(record.t) + timedelta(seconds=day)
        return replace(record, t=t.isoformat().replace("+00:00", "Z"))

    assert list(Evidence(played).clock_jumps()) == []
    jumped = [*played[:later], moved(played[later]), *played[later + 1 :]]
    (table,) = deviations(Evidence(jumped), torn=False)
    rows = [row for row in table.rows if row[3] == "clock"]
    assert [row[0] for row in rows] == [str(played[later].seq), str(played[later + 1].seq)]
    assert [row[-1].split(":")[0] for row in rows] == [
        f"the computer's clock went ahead by {day} s",
        f"the computer's clock went back by {day} s",
    ]

"""Comparing two runs: what got worse is told from what merely differs, and noise is neither."""

from dataclasses import replace

import pytest

from feltrig.harness.judge.compare import Difference, differences, span, unlike
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.judge.judgement import judge
from feltrig.harness.plan.order import PlanOrder
from feltrig.harness.plan.plan import plan


def judged(records):
    return judge(Evidence(records))


@pytest.fixture(scope="module")
def good(played):
    return judged(played)


def with_verdict(run, device, check, word):
    """The same run, had one finding come out otherwise; without a word, had it not been made."""
    found = [f for f in run.findings if (f.device, f.check) != (device, check) or word is not None]
    changed = [replace(f, verdict=word, detail="d") if (f.device, f.check) == (device, check) else f for f in found]
    assert changed != list(run.findings)
    return replace(run, findings=tuple(changed))


def test_a_run_does_not_differ_from_itself(good):
    assert differences(good, good) == []


@pytest.mark.parametrize(
    ("before", "now", "change"),
    [
        (Verdict.PASS, Verdict.FAIL, "worse"),
        (Verdict.PASS, Verdict.NOT_TESTED, "worse"),
        (Verdict.NOT_TESTED, Verdict.FAIL, "worse"),
        (Verdict.PASS, None, "worse"),
        (None, Verdict.FAIL, "worse"),
        (Verdict.FAIL, Verdict.PASS, "better"),
        (Verdict.NOT_TESTED, Verdict.PASS, "better"),
        (Verdict.FAIL, None, "better"),
        (None, Verdict.PASS, "different"),
        (Verdict.ATTESTED, Verdict.PASS, "different"),
        (Verdict.NOT_TESTED, None, "different"),
    ],
)
def test_a_finding_gets_worse_or_better(good, before, now, change):
    def run(word):
        return good if word is Verdict.PASS else with_verdict(good, "rng", "does not restart during the run", word)

    (found,) = differences(run(now), run(before))
    assert (found.change, found.part, found.device, found.what) == (
        change,
        "finding",
        "rng",
        "rig does not restart during the run",
    )


def test_a_requirement_that_is_gone_is_merely_different_when_the_runs_were_set_up_otherwise(good):
    without = with_verdict(good, "rng", "does not restart during the run", None)
    other = replace(without, verdict={**good.verdict, "rig_digest": "00"})
    assert {(d.change, d.part) for d in differences(other, good)} == {("different", "finding"), ("different", "setup")}


def test_a_rule_that_came_up_in_one_run_only_is_chance_unless_it_was_broken(good):
    rule = next(f for f in good.findings if f.device == "table" and f.verdict is Verdict.NOT_TESTED and not f.required)
    came_up = with_verdict(good, "table", rule.check, Verdict.PASS)
    broken = with_verdict(good, "table", rule.check, Verdict.FAIL)
    assert (
        {d.change for d in differences(good, came_up)}
        == {d.change for d in differences(came_up, good)}
        == {"different"}
    )
    assert {d.change for d in differences(broken, good)} == {"worse"}


def test_runs_of_other_games_or_other_kinds_of_machine_are_not_compared(good, log):
    def by(name, kind):
        log.records.clear()
        log.run(kind, plan=PlanOrder(plan(name), kind, False).record())
        return judged(log.records)

    numbers, dice = by("rng-nj", "rng"), by("shaker-nj", "shaker")
    assert unlike(numbers, dice) == "judges a rng by plan rng-nj, the baseline a shaker"
    assert unlike(numbers, by("rng-ma", "rng")) is None
    assert unlike(good, good) is None
    other = replace(good, verdict={**good.verdict, "game": "roulette"})
    assert unlike(other, good) == "plays roulette, the baseline supreme_pai_gow"


def test_the_worst_comes_first_and_the_verdict_counts(good):
    refused = replace(
        with_verdict(good, "rng", "does not restart during the run", Verdict.FAIL),
        verdict={**good.verdict, "verdict": "refused"},
    )
    assert [d.part for d in differences(refused, good)] == ["verdict", "finding"]
    assert {d.change for d in differences(good, refused)} == {"better"}


@pytest.mark.parametrize(
    ("before", "now", "change"),
    [
        ("certified", "refused", "worse"),
        ("rehearsed", "inconclusive", "worse"),
        ("inconclusive", "no failure seen", "better"),
        ("certified", "rehearsed", "different"),
        ("no failure seen", "certified", "different"),
    ],
)
def test_verdicts_are_ranked_and_what_was_asked_is_merely_different(good, before, now, change):
    runs = [replace(good, verdict={**good.verdict, "verdict": word}) for word in (now, before)]
    (found,) = [each for each in differences(*runs) if each.part == "verdict"]
    assert (found.change, found.before, found.now) == (change, before, now)


def test_firmware_program_and_seed_are_merely_different(good):
    devices = good.verdict["devices"]
    newer = {**devices["rng"], "identity": {**devices["rng"]["identity"], "firmware": "2.0"}}
    changed = {**good.verdict, "devices": {**devices, "rng": newer}, "seed": 9, "version": "9.9"}
    found = differences(replace(good, verdict=changed), good)
    assert Difference("different", "identity", "rng", "firmware", "1.0", "2.0") in found
    assert {d.what for d in found} == {"firmware", "seed", "program"}
    assert {d.change for d in found} == {"different"}


def test_a_device_that_is_no_longer_there_is_named(good):
    devices = {name: device for name, device in good.verdict["devices"].items() if name != "rng"}
    (found,) = differences(replace(good, verdict={**good.verdict, "devices": devices}), good)
    assert (found.part, found.device, found.now) == ("identity", "rng", "not in the run")


def decided(refused, sample=100):
    return {"refused": refused, "p": 0.5, "log_e": None, "sample": sample, "unit": "shuffles", "method": "m"}


@pytest.mark.parametrize(
    ("before", "now", "change"),
    [
        (decided(False), decided(True), "worse"),
        (decided(True), decided(False), "better"),
        (decided(False), decided(False, 200), "different"),
        (decided(False), None, "worse"),
        (None, decided(False), "different"),
    ],
)
def test_a_statistical_decision_gets_worse_or_better(good, before, now, change):
    plan = {"name": "p", "digest": "d", "device": "shuffler"}

    def run(statistics):
        return replace(good, verdict={**good.verdict, "plan": plan, "statistics": statistics})

    (found,) = differences(run(now), run(before))
    assert (found.change, found.part, found.device) == (change, "statistics", "shuffler")


def answering(log, seconds, *, emulated=False):
    """A run of a shoe that answers after so many seconds, each time."""
    log.records.clear()
    log.run("shoe")
    log.device("shoe")
    log.records[-1] = replace(log.records[-1], body=replace(log.records[-1].body, emulated=emulated))
    for number, taken in enumerate(seconds):
        log.call("shoe", "status")
        log.records[-1] = replace(log.records[-1], m=float(number * 10))
        log.reply("shoe", "status")
        log.records[-1] = replace(log.records[-1], m=number * 10 + taken)
    log.add("end", reason="finished", rounds=0)
    return judged(list(log.records))


STEADY = [0.100, 0.101, 0.102, 0.103, 0.104, 0.105, 0.106, 0.107, 0.108, 0.109]


@pytest.mark.parametrize(
    ("now", "changes"),
    [
        ([t * 1.5 for t in STEADY], ["worse"]),
        ([t / 1.5 for t in STEADY], ["better"]),
        ([t * 1.15 for t in STEADY], []),
        ([*STEADY[:-1], 9.0], []),  # one slow answer moves no median
        ([t * 1.5 for t in STEADY[:5]], []),  # too few to say
        ([0.05, 0.06, 0.07, 0.1, 0.11, 0.19, 0.2, 0.21, 0.3, 0.4], []),  # the intervals meet
    ],
)
def test_only_a_lasting_change_of_the_usual_time_counts(log, now, changes):
    before, after = answering(log, STEADY), answering(log, now)
    assert [d.change for d in differences(after, before) if d.part == "timing"] == changes
    assert [d.change for d in differences(after, before, 10.0) if d.part == "timing"] == []


def test_the_times_of_an_emulated_device_are_merely_different(log):
    slow = answering(log, [t * 3 for t in STEADY], emulated=True)
    found = differences(slow, answering(log, STEADY, emulated=True))
    assert [(d.change, d.part) for d in found] == [("different", "timing")]


def test_the_interval_of_a_median_is_of_order_statistics():
    assert span([1.0] * 5) is None
    measured = span([float(value) for value in range(100)])
    assert (measured.median, measured.low, measured.high) == (49.5, 40.0, 60.0)

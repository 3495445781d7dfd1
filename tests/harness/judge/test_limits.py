"""What limits a certificate: what hands could not do with a machine, by times that the rig measured, and what was not
submitted."""

from dataclasses import asdict

import pytest
from found import found

from feltrig.harness.judge.certificate import statement
from feltrig.harness.judge.conformance import area_check
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.judge.judgement import judge
from feltrig.harness.judge.limits import limit_words
from feltrig.harness.plan.plan import plan

CUT = "gives up its selection when its power is cut, and works again"
STOP = "reports that the button stopped its selection, and works again"
WORKS_QUICKLY = "This machine takes 0.1 s to select: hands need 1 s to act in the middle of that."


@pytest.fixture
def rng(log, body):
    """A run by the plan of an rng that selects a number in so many seconds."""

    def begin(*seconds):
        log.run("rng", drills=["rng"], plan={"plan": asdict(plan("rng-nj")), "device": "rng", "sequential": False})
        log.device("rng")
        for number, taken in enumerate(seconds):
            log.put(10.0 * number, body("call", device="rng", command="select", values={}))
            log.put(
                10.0 * number + taken,
                body("event", device="rng", number=number, event="selected", values={"number": 3}),
            )
        return log

    return begin


def refuse(log, drill, **more):
    log.add("drill", name=drill, device="rng")
    log.add("impossible", device="rng", what="cut_power_at_work", why="cannot be done", **more)
    log.add("drilled", name=drill, device="rng")


@pytest.mark.parametrize(
    ("seconds", "required"),
    [
        ((0.1, 0.1, 0.1), False),
        ((0.1, 0.1, 5.0), False),
        ((2.0, 2.5, 2.0), True),
        ((1.0,), True),
        ((), True),
    ],
    ids=["quick", "quick as a rule", "slow", "at the limit", "never seen"],
)
def test_only_a_work_too_short_for_hands_excuses_what_hands_did_not_do(rng, seconds, required):
    log = rng(*seconds)
    refuse(log, CUT)
    assert (found(log, CUT).verdict, found(log, CUT).required) == (Verdict.NOT_TESTED, required)
    named = [limit["not_tested"] for limit in judge(log.evidence).verdict["limits"]]
    assert named == ([] if required else [[CUT]])


def test_a_computer_that_was_late_does_not_make_a_machine_slow(rng, body):
    log = rng(3.1)
    log.put(3.1, body("late", seconds=3.0))
    refuse(log, CUT)
    assert judge(log.evidence).verdict["limits"] == [
        {"lacks": "time at work", "words": WORKS_QUICKLY, "not_tested": [CUT]}
    ]


def test_a_machine_without_a_stop_button_need_not_be_stopped_however_long_it_works(rng):
    log = rng(30.0)
    refuse(log, STOP, lacks="stop button")
    assert not found(log, STOP).required
    (limit,) = judge(log.evidence).verdict["limits"]
    assert limit_words(limit) == f"This machine has no stop button. Not tested: {STOP}."


@pytest.mark.parametrize(("seconds", "verdict"), [(0.1, Verdict.PASS), (2.0, Verdict.NOT_TESTED)])
def test_a_power_cut_in_conformance_is_excused_in_the_same_way(rng, seconds, verdict):
    log = rng(seconds)
    tried = {"device": "rng", "state": "power", "values": {}, "expected": "ok", "fault": None}
    log.add("probe", command="started", requirements=["DEV-18"], **tried)
    log.add("probe", command="power cut", requirements=["DEV-21"], untested="cannot be done", during="select", **tried)
    area = found(log, area_check("power"))
    assert area.verdict is verdict
    assert "cannot be done" in area.detail
    named = [limit["not_tested"] for limit in judge(log.evidence).verdict["limits"]]
    assert (named == [["a part of conformance: power"]]) is (verdict is Verdict.PASS)


def test_a_certificate_says_for_which_stacks_a_shoe_was_submitted(log):
    log.run("shoe", plan={"plan": asdict(plan("shoe-nj")), "device": "shoe", "sequential": False})
    log.add(
        "device",
        name="shoe",
        kind="shoe",
        wire="serial",
        where="",
        emulated=False,
        identity=dict.fromkeys(("kind", "vendor", "model", "serial", "firmware", "digest"), ""),
        submitted={},
        stack_sizes=[7, 4],
    )
    log.call("shoe", "dispense", size=4)
    stated = statement(judge(log.evidence).verdict, b"")
    (limit,) = stated["predicate"]["feltrig"]["limits"]
    assert limit == ("This machine was submitted for stacks of 4 or 7 cards. Not tested: stacks of 2 or 3 or 5 cards.")

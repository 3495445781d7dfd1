"""What is found of a device with a protocol of its own: it is held to its profile, and its limits are named."""

from dataclasses import asdict, replace

import pytest

from feltrig.harness.devices import DEVICES
from feltrig.harness.judge.certificate import subjects
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.judge.judgement import judge
from feltrig.harness.judge.profile_findings import COMMANDS, MALFORMED, words
from feltrig.harness.plan.plan import plan

WHOLE = "conformance by its profile: "


def judged(log, *probes, lacks=("repeats",), noise=False):
    """The judgement of an rng with a profile; a probe is its scene, what was wrong, and why it could not be tried."""
    log.run("rng", plan={"plan": asdict(plan("rng-nj")), "device": "rng", "sequential": False})
    log.device("rng")
    own = replace(log.records[-1].body, profile={"name": "own", "lacks": list(lacks)})
    log.records[-1] = replace(log.records[-1], body=own)
    if noise:
        log.add("noise", device="rng", where="", unseen=False, disturbances=[])
    for scene, fault, untested in probes:
        log.add("probe", device="rng", state=scene, command="select", expected="ok", fault=fault, untested=untested)
    return judge(log.evidence)


def conformance(judgement):
    return {f.check.removeprefix(WHOLE): f for f in judgement.findings if f.check.startswith(WHOLE)}


def test_a_device_that_keeps_its_profile_passes(log):
    found = conformance(judged(log, (COMMANDS, None, ""), (MALFORMED, None, ""), (MALFORMED, None, "no such thing")))
    assert {name: (f.verdict, f.detail, f.required) for name, f in found.items()} == {
        "commands": (Verdict.PASS, "1 messages", True),
        "malformed frames": (Verdict.PASS, "1 messages; without select: no such thing", True),
    }


def test_one_that_does_not_fails_with_the_first_thing_that_was_wrong(log):
    probes = [(COMMANDS, None, ""), (COMMANDS, "is not answered", ""), (COMMANDS, "done 2 times", "")]
    finding = conformance(judged(log, *probes))["commands"]
    assert (finding.verdict, finding.detail) == (Verdict.FAIL, "select: is not answered (and 1 more)")


@pytest.mark.parametrize(
    ("probes", "noise", "why"),
    [
        ((), False, "was not tried"),
        ((), True, "the rig disturbs its wire"),
        (((MALFORMED, None, "it has no frames"),), False, "it has no frames"),
    ],
)
def test_what_was_not_tried_is_no_pass(log, probes, noise, why):
    finding = conformance(judged(log, *probes, noise=noise))["malformed frames"]
    assert (finding.verdict, finding.detail, finding.required) == (Verdict.NOT_TESTED, why, True)


def test_every_lack_is_listed_with_what_it_costs(log):
    judgement = judged(log, lacks=("repeats", "command display", "event faulted"))
    assert judgement.verdict["limits"] == [
        {
            "lacks": "repeats",
            "words": "The protocol of this machine does not carry tokens, by which a repeated command would run once.",
            "not_tested": ["runs a repeated command once"],
        },
        {
            "lacks": "command display",
            "words": "The protocol of this machine does not carry the command display.",
            "not_tested": ["displays the number selected"],
        },
        {
            "lacks": "event faulted",
            "words": "The protocol of this machine does not carry the event faulted.",
            "not_tested": [],
        },
    ]


def test_without_the_outcome_itself_nothing_is_certified(log):
    found = {f.check: f for f in judged(log, lacks=("selected.number", "command display")).findings}
    assert found["selects a number from 1 to 7"].required
    assert found["displays the number selected"].required
    assert found["displays the number selected"].lacks == ("command display", "selected.number")


def test_a_machine_that_does_not_say_its_digest_is_certified_by_what_it_says(log):
    log.run("rng", plan={"plan": asdict(plan("rng-nj")), "device": "rng", "sequential": False})
    log.device("rng", "rng", {}, digest="unknown")
    own = replace(log.records[-1].body, profile={"name": "own", "lacks": ["identity.digest"]})
    log.records[-1] = replace(log.records[-1], body=own)
    (subject,) = subjects(judge(log.evidence).verdict)
    assert list(subject["digest"]) == ["feltrigIdentity"]
    assert len(subject["digest"]["feltrigIdentity"]) == 64


def test_a_device_on_an_open_protocol_has_no_limits(log):
    log.run("rng", plan={"plan": asdict(plan("rng-nj")), "device": "rng", "sequential": False})
    log.device("rng")
    judgement = judge(log.evidence)
    assert (conformance(judgement), judgement.verdict["limits"]) == ({}, [])


@pytest.mark.parametrize(
    ("lack", "said"),
    [
        ("identity.firmware", "its firmware version"),
        ("identity.digest", "its digest"),
        ("numbers", "event numbers"),
        ("answers", "an answer to each command"),
        ("rolled.flat", "flat of rolled"),
        ("command challenge", "the command challenge"),
    ],
)
def test_a_lack_is_said_in_words(lack, said):
    assert words(lack) == said


def test_what_a_kind_cannot_do_without_is_something_that_a_check_rests_on():
    for device in DEVICES.values():
        rests = {what for each in (*device.checks, *device.drills) for what in each.rests_on}
        known = {f"event {name}" for name in device.events}
        assert device.outcome <= rests | known

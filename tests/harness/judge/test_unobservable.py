"""What a wire does not carry is not tested, and what the device itself says wrong stays wrong."""

import pytest

from feltrig.harness.devices import DEVICES
from feltrig.harness.judge.checks import all_checks
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.judge.judgement import judge
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.profiles import profilefile
from feltrig.protocols.vocabulary import FaultCode

IDENTITY = "is the device that was submitted"
RESTS_ON = {what for _, check in all_checks() for what in check.rests_on} | {
    what for device in DEVICES.values() for drill in device.drills for what in drill.rests_on
}


def found(log, check, *lacks, submitted="7", serial="7", profile=True):
    """The finding of a check about a generator that says its serial number, by a profile that lacks something."""
    log.run("rng")
    more = {"profile": {"name": "some", "lacks": list(lacks)}} if profile else {}
    log.add(
        "device",
        name="rng",
        kind="rng",
        wire="serial",
        identity={"kind": "rng", "serial": serial, "model": "unknown"},
        submitted={"serial": submitted},
        **more,
    )
    log.event("rng", "selected", number=3)
    log.reply("rng", "display", number=3)
    return next(f for f in judge(log.evidence).findings if f.check == check and f.device == "rng")


def test_everything_that_a_check_rests_on_is_something_that_a_profile_may_lack():
    possible = {"numbers", "answers", *(f"fault {fault.name.lower()}" for fault in FaultCode if fault)}
    for kind in KINDS.values():
        possible |= {f"command {name}" for name in kind.commands} | {f"event {name}" for name in kind.events}
        possible |= {f"{event.name}.{field.name}" for event in kind.events.values() for field in event.fields}
    assert possible >= RESTS_ON


def test_every_field_that_a_shipped_profile_assumes_takes_its_checks_out():
    for name in profilefile.names():
        assumed = profilefile.builtin(name).talk.assumed()
        # the compartment is judged by nothing: it is the rig that loads it
        assert {what for what in assumed if not what.endswith(".deck")} <= RESTS_ON


@pytest.mark.parametrize("check", [IDENTITY, "numbers its events without a gap"])
def test_a_device_on_an_open_profile_is_tested_in_everything(log, check):
    assert found(log, check, profile=False).verdict is Verdict.PASS


def test_a_check_that_rests_on_what_the_wire_lacks_is_named_with_it(log):
    finding = found(log, "displays the number selected", "numbers", "command display")
    assert finding.verdict is Verdict.NOT_TESTED
    assert finding.detail == "the protocol of this machine does not carry the command display"
    assert (finding.required, finding.lacks) == (False, ("command display",))


def test_a_check_that_rests_on_something_else_is_tested(log):
    assert found(log, "numbers its events without a gap", "command display").verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("lacks", "serial", "verdict"),
    [
        (("identity.serial",), "7", Verdict.NOT_TESTED),
        (("identity.serial",), "8", Verdict.NOT_TESTED),
        (("identity.model",), "7", Verdict.PASS),
    ],
)
def test_a_label_is_not_the_devices_word(log, lacks, serial, verdict):
    finding = found(log, IDENTITY, *lacks, serial=serial)
    assert finding.verdict is verdict
    if verdict is Verdict.NOT_TESTED:
        assert finding.detail == "the protocol of this machine does not carry its serial number"


def test_what_the_device_itself_says_wrong_stays_wrong(log):
    finding = found(log, IDENTITY, "identity.model", serial="8")
    assert (finding.verdict, finding.detail) == (Verdict.FAIL, "serial is '8', submitted '7'")

"""What a wire does not carry is not tested, and what the device itself says wrong stays wrong."""

import pytest

from feltrig.harness.judge.checks import CHECKS
from feltrig.harness.judge.unobservable import IDENTITY, RESTS_ON, outweighs_failure, unproven
from feltrig.harness.plan.drills import DRILLS
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.profiles import profilefile

NOBODY = {"kind": "rng", "identity": {"kind": "rng", "serial": "unknown"}, "submitted": {"serial": "7"}}


def device(*lacks: str, **identity: str):
    return {
        "kind": "rng",
        "identity": {"kind": "rng", "serial": "7", "model": "unknown", **identity},
        "submitted": {"serial": "7"},
        "profile": {"name": "some", "lacks": list(lacks)},
    }


def test_every_check_named_here_exists():
    assert set(RESTS_ON) | {IDENTITY} <= {check.name for check in CHECKS} | {drill.name for drill in DRILLS}


def test_every_name_here_is_one_that_a_profile_may_lack():
    possible = {"numbers", "answers"}
    for kind in KINDS.values():
        possible |= {f"command {name}" for name in kind.commands} | {f"event {name}" for name in kind.events}
        possible |= {f"{event.name}.{field.name}" for event in kind.events.values() for field in event.fields}
    assert {what for needed in RESTS_ON.values() for what in needed} <= possible


def test_every_field_that_a_shipped_profile_assumes_takes_its_checks_out():
    named = {what for needed in RESTS_ON.values() for what in needed}
    for name in profilefile.names():
        assumed = profilefile.builtin(name).talk.assumed()
        # the compartment is judged by nothing: it is the rig that loads it
        assert {what for what in assumed if not what.endswith(".deck")} <= named


def test_a_device_on_an_open_profile_is_tested_in_everything():
    assert unproven(NOBODY, IDENTITY) is None
    assert unproven(NOBODY, "numbers its events without a gap") is None


def test_a_check_that_rests_on_what_the_wire_lacks_is_named_with_it():
    why = unproven(device("numbers", "command display"), "displays the number selected")
    assert why == "the wire of some does not carry it: command display"
    assert unproven(device("command display"), "numbers its events without a gap") is None


@pytest.mark.parametrize(
    ("known", "why"),
    [
        (
            device("identity.kind", "identity.serial"),
            "the device does not say its kind, serial: known by its label only",
        ),
        (device("identity.kind", "identity.serial", serial="8"), "the device does not say its kind, serial: "),
        (device("identity.kind", "identity.model"), "the device does not say its kind: "),
    ],
)
def test_a_label_is_not_the_devices_word(known, why):
    assert unproven(known, IDENTITY).startswith(why)
    assert outweighs_failure(IDENTITY)


def test_what_the_device_itself_says_wrong_stays_wrong():
    assert unproven(device("identity.kind", serial="8"), IDENTITY) is None

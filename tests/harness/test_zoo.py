"""The zoo under its plans: which verdict is right, and for which reason."""

import pytest

from feltrig.emulators.zoo.catalogue import ZOO
from feltrig.harness.devices import DEVICES
from feltrig.harness.judge.checks import all_checks
from feltrig.harness.zoo import CHANCE, Seen, because, rig_of


@pytest.mark.parametrize(("good", "verdict"), [(True, "refused"), (False, "certified"), (True, "inconclusive")])
def test_any_other_verdict_is_wrong(good, verdict):
    assert not Seen("rng", "x", "", good, verdict, (), "", None, "", None, 0.0).right


@pytest.mark.parametrize(
    ("findings", "right"), [(("does not restart during the run",), False), (("x", CHANCE), True), ((), False)]
)
def test_a_refusal_for_another_reason_is_wrong(findings, right):
    assert Seen("rng", "favours-50", "", False, "refused", findings, "", None, "", None, 0.0).right is right


def test_every_fault_of_the_zoo_has_a_reason_that_some_check_gives():
    faults = {s.name for specimens in ZOO.values() for s in specimens.values() if s.fault is not None}
    assert [name for name in faults if because(name) == (CHANCE,)] == []
    caught = {name for _, check in all_checks() for name in check.catches}
    for device in DEVICES.values():
        caught |= {*device.stopped_by, *(name for drill in device.drills for name in drill.catches)}
    assert caught == faults


def test_only_the_devices_that_are_needed_are_on_the_rig():
    assert {device.kind for device in rig_of(ZOO["rng"]["good"]).devices.values()} == {"rng", "reader"}

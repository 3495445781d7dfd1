"""Which requirements a plan tests: every one has a probe, or a reason why none can."""

import pytest

from feltrig.harness.devices import DEVICES
from feltrig.harness.plan.conformance.coverage import conformance_probes, demands, in_conformance, probes_of
from feltrig.harness.wires import WIRES
from feltrig.protocols.requirements import REQUIREMENTS

KINDS = [kind for kind, device in DEVICES.items() if device.planned]
PLACES = [(kind, wire) for kind in KINDS for wire in WIRES]


def with_probes() -> set[str]:
    return {each for kind, wire in PLACES for each in probes_of(kind, WIRES[wire])}


@pytest.mark.parametrize(("kind", "wire"), PLACES)
def test_a_probe_names_only_requirements_that_there_are(kind, wire):
    assert set(probes_of(kind, WIRES[wire])) <= REQUIREMENTS.keys()
    assert {each for _, ids in conformance_probes(kind, WIRES[wire]) for each in ids} <= REQUIREMENTS.keys()


@pytest.mark.parametrize(("kind", "wire"), PLACES)
def test_conformance_is_held_to_what_it_tests_and_what_holds_there(kind, wire):
    ids = in_conformance(kind, WIRES[wire])
    assert set(ids) <= {requirement.id for requirement in demands(kind, wire)}
    assert set(ids) <= set(probes_of(kind, WIRES[wire]))


def test_every_requirement_has_a_probe_or_a_reason_why_none_can():
    without = {requirement.id for requirement in REQUIREMENTS.values() if not requirement.untested} - with_probes()
    assert without == set()


def test_what_no_probe_can_test_has_none():
    assert {requirement.id for requirement in REQUIREMENTS.values() if requirement.untested} & with_probes() == set()

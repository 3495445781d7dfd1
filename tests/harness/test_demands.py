"""The ids that conformance cites are those of the documents."""

from feltrig.harness import demands
from feltrig.harness.devices import DEVICES
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.requirements import REQUIREMENTS


def test_every_name_stands_for_a_requirement_and_no_two_for_the_same():
    ids = [value for name, value in vars(demands).items() if name.isupper() and isinstance(value, str)]
    assert set(ids) <= set(REQUIREMENTS)
    assert len(set(ids)) == len(ids)


def test_every_kind_cites_requirements_that_hold_for_it():
    for kind, device in DEVICES.items():
        for by_command in device.demands.values():
            for command, cited in by_command.items():
                assert command in KINDS[kind].commands
                assert REQUIREMENTS[cited].holds(kind, "serial")

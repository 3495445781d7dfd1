"""The requests that are put to a device: data that a person can check against the page."""

import pytest

from feltrig.protocols.kinds import KINDS
from feltrig.protocols.mqtt.requests import OTHER_REASONS, arguments, forms
from feltrig.protocols.requirements import REQUIREMENTS


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_command_is_tried_with_wrong_arguments(kind):
    probes = list(arguments(kind))
    assert {probe.request["cmd"] for probe in probes} == set(kind.commands)
    assert len({probe.name for probe in probes}) == len(probes)
    for probe in probes:
        command = kind.commands[probe.request["cmd"]]
        assert probe.acts == command.acts
        assert "bad_argument" in probe.errors
        assert set(OTHER_REASONS) <= set(probe.errors) or not command.acts or command.name == "reset"


def test_only_a_device_of_mqtt_5_is_asked_by_correlation_data():
    old, new = ([probe for probe in forms(modern) if "MQT-32" in probe.requirements] for modern in (False, True))
    assert old == []
    assert len(new) > 3


def test_every_probe_cites_requirements_of_the_page():
    for probe in (*forms(True), *forms(False), *(p for kind in KINDS.values() for p in arguments(kind))):
        assert probe.requirements
        assert set(probe.requirements) <= REQUIREMENTS.keys()

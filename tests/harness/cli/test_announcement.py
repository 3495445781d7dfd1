"""Where devices are found, for people."""

import pytest

from feltrig.harness.cli.announcement import lines
from feltrig.harness.wires.endpoints import Endpoint


@pytest.mark.parametrize("broker", ["127.0.0.1:1883", None])
def test_endpoints_are_listed_with_the_broker_if_there_is_one(broker):
    said = [line.split() for line in lines([Endpoint("box", "shoe", "serial", "/dev/pts/7", 3)], broker)]
    assert said[1] == ["box", "shoe", "serial", "/dev/pts/7", "address", "3"]
    assert (["MQTT", "broker", "at", "127.0.0.1:1883"] in said) is (broker is not None)

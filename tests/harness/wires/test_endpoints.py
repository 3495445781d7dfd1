"""Where devices are found, for people and for scripts."""

import pytest

from feltrig.harness.wires.endpoints import Endpoint, lines

BOX = Endpoint("box", "shoe", "serial", "/dev/pts/7", 3)


@pytest.mark.parametrize("broker", ["127.0.0.1:1883", None])
def test_places_are_listed_with_the_broker_if_there_is_one(broker):
    said = [line.split() for line in lines([BOX], broker)]
    assert said[1] == ["box", "shoe", "serial", "/dev/pts/7", "address", "3"]
    assert (["MQTT", "broker", "at", "127.0.0.1:1883"] in said) is (broker is not None)


@pytest.mark.parametrize(
    ("place", "more"),
    [
        (BOX, {"address": 3}),
        (Endpoint("box", "shoe", "modbus-rtu", "/dev/pts/7", 3), {"unit": 3}),
        (Endpoint("box", "shoe", "modbus-tls", "127.0.0.1:802", 3), {"unit": 3}),
        (Endpoint("box", "shoe", "mqtt", "a/b"), {}),
        (Endpoint("box", "shoe", "mqtt", "a/b", broker="127.0.0.1:7"), {"broker": "127.0.0.1:7"}),
    ],
)
def test_a_script_is_told_how_a_device_is_told_from_others(place, more):
    assert place.plain() == {"kind": "shoe", "wire": place.wire, "where": place.where, **more}

"""Where devices are found."""

import pytest

from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.keys import emulated_on
from feltrig.harness.wires.endpoints import Endpoint, endpoint, numbers_taken

BOX = Endpoint("box", "shoe", "serial", "/dev/pts/7", 3)


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


@pytest.mark.parametrize(
    ("wire", "where", "found", "broker"),
    [
        ("serial", "/dev/pts/7", "/dev/pts/9", None),
        ("modbus-tcp", "127.0.0.1:502", "/dev/pts/9", None),
        ("mqtt", "a/b", "a/b", "/dev/pts/9"),
    ],
)
def test_a_device_is_found_behind_its_noise_and_a_broker_has_that_in_front(wire, where, found, broker):
    place = endpoint(emulated_on(wire, "shoe", "box"), where, "/dev/pts/9")
    assert (place.name, place.kind, place.wire) == ("box", "shoe", wire)
    assert (place.where, place.broker) == (found, broker)
    assert endpoint(emulated_on(wire, "shoe", "box"), where).where == where


def test_numbers_are_taken_by_the_devices_of_a_rig_whichever_line_they_are_on():
    rig = """
        feltrig = 1
        name = "x"
        [devices.a]
        kind = "rng"
        wire = "serial"
        address = 7
        emulator = {}
        [devices.b]
        kind = "shoe"
        wire = "modbus-tcp"
        unit = 9
        emulator = {}
        [devices.c]
        kind = "shaker"
        wire = "mqtt"
        emulator = {}
    """
    assert numbers_taken(rigfile.loads(rig, "x.toml", to_play=False)) == {7, 9}

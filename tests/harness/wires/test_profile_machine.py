"""A profile is tried on the machine itself: what it can ask is asked, and what nobody could read is shown."""

import re

import pytest

from feltrig.emulators.broker import Broker
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.models.shaker import shaker
from feltrig.emulators.profiles.mqtt import mqtt_station
from feltrig.emulators.profiles.registers import on_registers
from feltrig.emulators.profiles.serial import serial_station
from feltrig.emulators.stations.modbus_station import ModbusTcpStation
from feltrig.errors import RigError
from feltrig.harness.wires.profile_machine import ANSWERED, HEARD, UNANSWERED, UNREAD, check_machine, machine_rig
from feltrig.protocols.mqtt.link import Server
from feltrig.protocols.profiles import profilefile

DISPLAY = """
feltrig_profile = 1
name = "small"
title = "a small one"
about = "made up"
kind = "rng"
wire = "serial"
[answers]
done = "OK"
[commands.select]
message = "GO"
[commands.display]
message = "?"
answer = "D{number:1d}"
[[says]]
message = "N{number:1d}"
event = "selected"
"""


async def found(rig, act=True):
    messages = []
    findings = [f async for f in check_machine(rig, 0.1, act, lambda *passed: messages.append(passed))]
    return {f.what: (f.outcome, f.detail) for f in findings}, messages


@pytest.fixture
def file(tmp_path):
    (tmp_path / "small.toml").write_text(DISPLAY)
    return tmp_path / "small.toml"


async def test_a_machine_on_a_serial_line_is_asked_all_that_the_profile_can_ask(file):
    profile = profilefile.load(file)
    station = serial_station(profile, rng(Setup("rng", 1)))
    rig = machine_rig(profile, str(file), {"port": await station.start()}, None)
    rows, messages = await found(rig)
    await station.stop()
    assert rows["command select"] == (ANSWERED, "")
    assert rows["event selected"][0] == HEARD
    number = rows["event selected"][1].removeprefix("number ")
    assert rows["command display"] == (ANSWERED, f"number {number}")
    assert [(out, data, read) for out, data, read in messages if out] == [
        (True, b"GO\r\n", "select"),
        (True, b"?\r\n", "display"),
    ]


async def test_what_makes_the_machine_move_is_not_tried_unasked(file):
    profile = profilefile.load(file)
    station = serial_station(profile, rng(Setup("rng", 1)))
    rows, messages = await found(machine_rig(profile, str(file), {"port": await station.start()}, None), act=False)
    await station.stop()
    assert rows["command select"] == ("not tried", "it makes the machine act; --act tries it")
    assert [data for out, data, _ in messages if out] == [b"?\r\n"]


async def test_bytes_that_nobody_could_read_and_commands_without_an_answer_are_shown(file):
    """The machine ends its answers in another way than the profile says."""
    station = serial_station(profilefile.load(file), rng(Setup("rng", 1)))
    wrong = file.with_name("wrong.toml")
    wrong.write_text(DISPLAY.replace('answer = "D{number:1d}"', 'answer = "D={number:1d}"'))
    rig = machine_rig(profilefile.load(wrong), str(wrong), {"port": await station.start()}, None)
    rows, _ = await found(rig, act=False)
    await station.stop()
    assert rows["command display"][0] == UNANSWERED
    assert rows["a message that it does not know"] == (UNREAD, "'D0'")


async def test_a_machine_on_modbus_is_found_by_its_host_and_port():
    profile = profilefile.builtin("plc-shaker")
    station = ModbusTcpStation(on_registers(profile, shaker(Setup("shaker", 1))))
    host, _, port = (await station.start()).rpartition(":")
    rows, _ = await found(machine_rig(profile, profile.name, {"host": host, "port": port}, None))
    await station.stop()
    assert rows["command shake"][0] == ANSWERED
    assert rows["event shaken"] == (HEARD, "times 3")


async def test_a_machine_on_mqtt_is_found_by_its_broker_and_topic():
    profile, broker = profilefile.builtin("lookalike-listens-says-shaker"), Broker()
    port = await broker.start()
    station = mqtt_station(profile, shaker(Setup("shaker", 1)), "hall/cup", Server("127.0.0.1", port))
    await station.start()
    rows, _ = await found(machine_rig(profile, profile.name, {"topic": "hall/cup"}, f"127.0.0.1:{port}"))
    await station.stop()
    await broker.stop()
    assert rows["command shake"][0] == ANSWERED
    assert rows["event shaken"][0] == HEARD


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ({"topic": "a/b"}, "--topic: not for a profile of wire serial, which has --address, --baud, --port"),
        ({"port": "/dev/nowhere-at-all"}, "/dev/nowhere-at-all: no such file or directory"),
        ({"port": "/dev/null", "baud": 1}, "devices.machine.baud: 1 is not a whole number from 300"),
    ],
)
async def test_an_address_that_does_not_suit_is_one_line(file, where, why):
    with pytest.raises(RigError, match=re.escape(why)) as caught:
        await found(machine_rig(profilefile.load(file), str(file), where, None))
    assert "\n" not in str(caught.value)

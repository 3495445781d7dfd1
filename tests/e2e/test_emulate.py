"""Emulated devices as a developer of table software meets them: served by one process, driven from another."""

import json
import signal
import subprocess
from collections.abc import Iterator
from typing import Any

import aiomqtt
import pytest
from pymodbus.client import AsyncModbusTcpClient

from feltrig.harness.devices import DEVICES
from feltrig.harness.rig import loading as rigfile
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.messages import Channel, Request
from feltrig.protocols.modbus.channel import ModbusRtuChannel, ModbusTcpChannel
from feltrig.protocols.mqtt.channel import MqttChannel
from feltrig.protocols.mqtt.link import Server
from feltrig.protocols.serial.channel import SerialChannel
from feltrig.protocols.vocabulary import Error

SECONDS = 30.0

WIRES = {
    "rng": 'wire = "mqtt"\nmqtt = "3.1.1"',
    "shaker": 'wire = "mqtt"',
    "shuffler": 'wire = "serial"',
    "shoe": 'wire = "modbus-tcp"',
    "reader": 'wire = "modbus-rtu"',
}


@pytest.fixture
def served(feltrig_command, environment, rig_file, tmp_path) -> Iterator[dict[str, Any]]:
    """What `feltrig emulate --json` prints, while it serves a device on each kind of wire."""
    command = [*feltrig_command, "emulate", str(rig_file(devices=WIRES, file="served/rig.toml")), "--json"]
    with subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=-1, stderr=-1, text=True) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=SECONDS) == ("", "")
            assert process.returncode == 0
        finally:
            if process.poll() is None:
                process.kill()


def address(place: str) -> tuple[str, int]:
    host, _, port = place.rpartition(":")
    return host, int(port)


def channel(served: dict[str, Any], name: str) -> Channel:
    kind, where = KINDS[name], served["devices"][name]["where"]
    match served["devices"][name]["wire"]:
        case "serial":
            return SerialChannel(kind, where)
        case "modbus-rtu":
            return ModbusRtuChannel(kind, where)
        case "modbus-tcp":
            return ModbusTcpChannel(kind, *address(where))
        case _:
            return MqttChannel(
                kind, where, Server(*address(served["broker"]), version="3.1.1" if name == "rng" else "5")
            )


async def test_every_device_can_be_driven_from_another_process(served):
    assert set(served["devices"]) == set(WIRES)
    for name, place in served["devices"].items():
        wire = channel(served, name)
        await wire.open()
        try:
            reply = await wire.request(Request("identify", {}, 1))
            assert (reply.error, reply.values["kind"]) == (Error.OK, KINDS[place["kind"]].code)
            assert (await wire.events(0)).events[0].name == "started"
        finally:
            await wire.close()


async def test_a_device_on_modbus_answers_a_client_that_is_not_ours(served):
    host, port = address(served["devices"]["shoe"]["where"])
    client = AsyncModbusTcpClient(host, port=port)
    assert await client.connect()
    try:
        registers = (await client.read_input_registers(1, count=2, device_id=1)).registers
        assert registers[0] == KINDS["shoe"].code
    finally:
        client.close()


async def test_a_device_on_mqtt_announces_itself_to_a_client_that_is_not_ours(served):
    host, port = address(served["broker"])
    async with aiomqtt.Client(host, port) as client:
        await client.subscribe(served["devices"]["shaker"]["where"] + "/#")
        async for message in client.messages:
            if message.topic.value.endswith("/online"):
                assert message.retain
                break


def test_devices_of_another_process_are_machines_at_their_ports_and_nobody_is_there_to_drill_them(
    served, feltrig, rig_file
):
    """A number generator and a shaker that are not ours, beside the rig's own card machines. Nobody answers a prompt:
    what only hands can do is not tested, and the machines are not at fault for that."""
    host, port = address(served["broker"])
    shuffler, reader = 'wire = "serial"', 'wire = "modbus-rtu"'
    rig = rig_file(
        devices={"rng": WIRES["rng"], "shaker": WIRES["shaker"], "shuffler": shuffler, "reader": reader},
        emulators={"rng": None, "shaker": None},
        top=f'seed = 3\nbroker = {{ host = "{host}", port = {port} }}',
    )
    assert rigfile.load(rig).devices["rng"].emulator is None
    done = feltrig("certify", rig, "--rounds", "4", "--json")
    assert done.returncode == 3
    assert "Take one die out of the shaker." in done.stderr
    verdict = json.loads(done.stdout)
    devices = verdict["devices"]
    assert verdict["rounds"] == {"asked": 4, "played": 4, "void": 0}
    assert {name: device["emulated"] for name, device in devices.items()} == {
        "rng": False,
        "shaker": False,
        "shuffler": True,
        "shoe": True,
        "reader": True,
    }
    assert [f for f in verdict["findings"] if f["verdict"] == "fail"] == []
    for kind in ("rng", "shaker"):
        drills = {f["check"]: f for f in verdict["findings"] if f["device"] == kind}
        by_hand = [drills[drill.name] for drill in DEVICES[kind].drills if drill.prompts]
        assert {f["verdict"] for f in by_hand} == {"not tested"}
        too_quick = [
            f for f in by_hand if f["lacks"] == ["time at work"]
        ]  # its work is over before hands could reach it
        undone = [f for f in by_hand if f not in too_quick]
        assert too_quick
        assert all(f["detail"].endswith("nobody is there to do it") for f in undone)
        assert devices[kind]["verdict"] == ("inconclusive" if undone else "no failure seen")
    assert devices["shaker"]["verdict"] == "inconclusive"

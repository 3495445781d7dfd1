"""`feltrig emulate` without its command: what it serves, what it says, and how it ends."""

import asyncio
import json
import socket
import ssl
import urllib.request
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from feltrig.errors import RigError
from feltrig.harness.cli.emulate import serve
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.model import Rig
from feltrig.protocols.errors import WireError
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.messages import Request
from feltrig.protocols.modbus.channel import ModbusRtuChannel, ModbusTcpChannel
from feltrig.protocols.mqtt.channel import MqttChannel
from feltrig.protocols.mqtt.link import Server
from feltrig.protocols.serial.channel import SerialChannel
from feltrig.protocols.vocabulary import FaultCode

SECONDS = 10.0


async def announced(capsys, task: asyncio.Task[None]) -> str:
    """What is printed up to the first time that it is flushed."""
    async with asyncio.timeout(SECONDS):
        while not (printed := capsys.readouterr().out):
            if task.done():
                task.result()
            await asyncio.sleep(0.005)
    return printed


def get(url: str, body: object = None) -> dict[str, object]:
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(url, data, timeout=SECONDS) as answer:
        document: dict[str, object] = json.load(answer)
        return document


async def test_it_says_where_everything_listens_on_one_line_of_json(capsys):
    task = asyncio.create_task(serve(rigfile.embedded(), 1, as_json=True, control=0))
    said = json.loads(await announced(capsys, task))
    assert list(said) == ["devices", "broker", "control"]
    devices = await asyncio.to_thread(get, f"{said['control']}/devices")
    for name, place in said["devices"].items():
        assert place.items() <= devices[name].items()
    assert said["devices"]["shuffler"]["address"] == said["devices"]["shoe"]["unit"] == 1
    task.cancel()
    await task
    with pytest.raises(OSError, match="refused"):
        await asyncio.to_thread(get, f"{said['control']}/devices")


async def test_it_says_where_everything_listens_in_a_table_for_people(capsys):
    task = asyncio.create_task(serve(rigfile.embedded(), 1, as_json=False, control=0))
    lines = (await announced(capsys, task)).splitlines()
    assert lines[0].split() == ["device", "kind", "wire", "where"]
    assert [line.split()[0] for line in lines[1:6]] == ["shuffler", "shoe", "shaker", "rng", "reader"]
    assert lines[6].startswith("MQTT broker at 127.0.0.1:")
    assert lines[7].startswith("control interface at http://127.0.0.1:")
    assert lines[8] == "serving until interrupted (Ctrl-C)"
    task.cancel()
    await task


async def test_without_control_there_is_no_control_interface(capsys):
    task = asyncio.create_task(serve(rigfile.embedded(), 1, as_json=True))
    assert list(json.loads(await announced(capsys, task))) == ["devices", "broker"]
    task.cancel()
    await task


async def test_a_jam_injected_by_the_control_interface_is_met_on_the_wire(capsys):
    task = asyncio.create_task(serve(rigfile.embedded(), 1, as_json=True, control=0))
    said = json.loads(await announced(capsys, task))
    host, _, port = said["devices"]["shoe"]["where"].rpartition(":")
    channel = ModbusTcpChannel(KINDS["shoe"], host, int(port), deadline=SECONDS)
    await channel.open()
    await asyncio.to_thread(get, f"{said['control']}/bench/new-deck", {"place": "shoe.well", "deck": "red"})
    await asyncio.to_thread(get, f"{said['control']}/devices/shoe/faults", {"what": "jam", "at": 2})
    for token, fault in ((1, FaultCode.NONE), (2, FaultCode.JAM)):
        await channel.request(Request("dispense", {"size": 4}, token))
        assert (await channel.events(0)).status.fault is fault
    await channel.close()
    task.cancel()
    await task


async def test_a_port_in_use_is_one_line_that_says_so():
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(
            RigError, match=r"^embedded.toml: the control interface cannot be served: 127.0.0.1:\d+: .*in use"
        ),
    ):
        await serve(rigfile.embedded(), 1, as_json=True, control=taken.getsockname()[1])


REAL = 'feltrig = 1\nname = "real"\n[devices.box]\nkind = "shoe"\n'


async def test_a_rig_with_nothing_to_serve_is_one_line_that_says_so(tmp_path):
    file = tmp_path / "real.toml"
    file.write_text(REAL + 'wire = "serial"\nport = "/dev/ttyS0"\n')
    with pytest.raises(RigError, match=r"real.toml: devices: nothing to serve: no device has an emulator"):
        async with asyncio.timeout(SECONDS):
            await serve(rigfile.load(file, to_play=False), 1, as_json=True, control=0)


async def test_the_broker_of_a_rig_is_served_to_a_real_device(capsys, tmp_path):
    file = tmp_path / "real.toml"
    file.write_text(REAL + 'wire = "mqtt"\n[broker]\nhost = "127.0.0.1"\nembedded = {}\n')
    rig = rigfile.load(file, to_play=False)
    rig = replace(rig, broker=replace(rig.broker, port=0))
    task = asyncio.create_task(serve(rig, 1, as_json=True))
    said = json.loads(await announced(capsys, task))
    assert said["devices"] == {}
    assert said["broker"].startswith("127.0.0.1:")
    task.cancel()
    await task


ONE = """
feltrig = 1
name = "one"
game = {{ name = "{game}", jurisdiction = "NJ" }}
[devices.box]
kind = "{kind}"
wire = "{wire}"
emulator = {{}}
{more}
"""


def one(tmp_path, kind: str, wire: str, more: str = "", game: str = "supreme_pai_gow") -> Rig:
    """A rig of one device, which nobody could play on."""
    file = tmp_path / "one.toml"
    file.write_text(ONE.format(kind=kind, wire=wire, more=more, game=game))
    with pytest.raises(RigError, match=r"a game with cards needs one|is the kind of box already"):
        rigfile.load(file)
    return rigfile.load(file, to_play=False)


async def test_any_devices_will_do_where_nobody_plays(capsys, tmp_path):
    rig = one(tmp_path, "shoe", "serial", '[devices.other]\nkind = "shoe"\nwire = "serial"\nemulator = {}')
    task = asyncio.create_task(serve(rig, 1, as_json=True))
    assert list(json.loads(await announced(capsys, task))["devices"]) == ["box", "other"]
    task.cancel()
    await task


async def test_a_new_deck_is_that_of_the_game(capsys, tmp_path):
    task = asyncio.create_task(serve(one(tmp_path, "shoe", "serial", game="let_it_ride"), 1, as_json=True, control=0))
    said = json.loads(await announced(capsys, task))
    brought = await asyncio.to_thread(get, f"{said['control']}/bench/new-deck", {"place": "box.well", "deck": "red"})
    assert brought == {"cards": 52}
    task.cancel()
    await task


async def test_a_rig_that_nobody_plays_on_needs_no_game(capsys, tmp_path):
    file = tmp_path / "one.toml"
    file.write_text('feltrig = 1\nname = "ci"\n[devices.box]\nkind = "shoe"\nwire = "serial"\nemulator = {}\n')
    with pytest.raises(RigError, match="game: is missing"):
        rigfile.load(file)
    task = asyncio.create_task(serve(rigfile.load(file, to_play=False), 1, as_json=True, control=0))
    said = json.loads(await announced(capsys, task))
    brought = await asyncio.to_thread(get, f"{said['control']}/bench/new-deck", {"place": "box.well", "deck": "red"})
    assert brought == {"cards": 52}
    task.cancel()
    await task


NOISE = '[[devices.box.noise]]\nwhat = "{what}"\ntimes = 0\n'


@pytest.mark.parametrize("wire", ["serial", "modbus-rtu"])
async def test_the_noise_of_the_rig_file_is_on_the_wire(capsys, tmp_path, wire):
    task = asyncio.create_task(serve(one(tmp_path, "rng", wire, NOISE.format(what="wrong_baud")), 1, as_json=True))
    where = json.loads(await announced(capsys, task))["devices"]["box"]["where"]
    make = SerialChannel if wire == "serial" else ModbusRtuChannel
    channel = make(KINDS["rng"], where, deadline=0.3)
    await channel.open()
    with pytest.raises(WireError):
        await channel.request(Request("status"))
    await channel.close()
    task.cancel()
    await task


async def test_on_mqtt_noise_is_met_by_an_address_of_its_own(capsys, tmp_path):
    task = asyncio.create_task(serve(one(tmp_path, "rng", "mqtt", NOISE.format(what="disconnect")), 1, as_json=True))
    said = json.loads(await announced(capsys, task))
    place = said["devices"]["box"]
    assert place["broker"] != said["broker"]
    for address, reached in ((said["broker"], True), (place["broker"], False)):
        host, _, port = address.rpartition(":")
        channel = MqttChannel(
            KINDS["rng"], place["where"], Server(host, int(port)), deadline=SECONDS if reached else 0.5
        )
        with nullcontext() if reached else pytest.raises(WireError):
            await channel.open()
            await channel.request(Request("status"))
        await channel.close()
    task.cancel()
    await task


async def test_programs_are_told_by_which_certificate_they_know_a_made_up_device(capsys, tmp_path):
    task = asyncio.create_task(serve(one(tmp_path, "rng", "modbus-tls"), 1, as_json=True))
    said = json.loads(await announced(capsys, task))
    host, _, port = said["devices"]["box"]["where"].rpartition(":")
    context = ssl.create_default_context(cafile=said["ca"])
    channel = ModbusTcpChannel(KINDS["rng"], host, int(port), deadline=SECONDS, tls=context)
    await channel.open()
    assert not (await channel.request(Request("status"))).error
    await channel.close()
    task.cancel()
    await task
    assert not await asyncio.to_thread(Path(said["ca"]).exists)

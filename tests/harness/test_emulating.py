"""`feltrig emulate` without its command: what it serves, what it says, and how it ends."""

import asyncio
import json
import socket
import urllib.request

import pytest

from feltrig.harness import rigfile
from feltrig.harness.emulating import serve
from feltrig.harness.rigfile import RigError
from feltrig.protocols.messages import Request
from feltrig.protocols.modbus_channel import ModbusTcpChannel
from feltrig.protocols.vocabulary import KINDS, Fault

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
    assert {name: device["where"] for name, device in devices.items()} == {
        name: device["where"] for name, device in said["devices"].items()
    }
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
    for token, fault in ((1, Fault.NONE), (2, Fault.JAM)):
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

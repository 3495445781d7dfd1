"""Rounds on devices that share a line, and on serial devices served over TCP."""

import json
from collections.abc import Mapping

import pytest
from rigs import KINDS, make_rig, rig_text

from feltrig.errors import RigError
from feltrig.harness.rig.model import Rig
from feltrig.harness.wires.emulated_rig import EmulatedRig


def shared_rig(
    wire: str,
    emulator: str = "",
    number: str = "",
    more: Mapping[str, str] = {},
    emulators: Mapping[str, str] = {},
) -> Rig:
    """All five devices with one `line`, each with an address or unit of its own; `more` and `emulators` add keys."""
    key = "address" if wire == "serial" else "unit"
    devices = {
        kind: f'wire = "{wire}"\ndeadline = 5.0\n{key} = {number or place}\n{more.get(kind, "")}'
        for place, kind in enumerate(KINDS, 1)
    }
    served = {kind: f'line = "bus"\n{emulator}\n{emulators.get(kind, "")}' for kind in KINDS}
    return make_rig(rig_text(devices, served), "shared.toml")


@pytest.mark.parametrize("serve", ["pty", "tcp", "rfc2217"])
@pytest.mark.parametrize("wire", ["serial", "modbus-rtu"])
async def test_five_devices_on_one_line_play_rounds(play, wire, serve):
    finished = await play(shared_rig(wire, f'serve = "{serve}"'), 4)
    assert finished.verdict["verdict"] == "no failure seen"
    journal = [json.loads(line) for line in (finished.folder / "journal.jsonl").read_text().splitlines()]
    where = {record["data"]["where"] for record in journal if record["kind"] == "device"}
    assert len(where) == 1


async def test_five_devices_behind_one_tcp_address_play_rounds(play):
    finished = await play(shared_rig("modbus-tcp"), 4)
    assert finished.verdict["verdict"] == "no failure seen"


@pytest.mark.parametrize(("serve", "scheme"), [("tcp", "socket"), ("rfc2217", "rfc2217")])
async def test_devices_on_tcp_are_served_at_an_address_that_the_driver_understands(serve, scheme):
    text = rig_text(emulators=dict.fromkeys(KINDS, f'serve = "{serve}"'))
    async with EmulatedRig(make_rig(text), 1) as emulated:
        where = [place.where for place in emulated.endpoints.values()]
    assert all(name.startswith(f"{scheme}://127.0.0.1:") for name in where)
    assert len(set(where)) == len(KINDS)


async def test_a_device_listens_where_it_is_told_and_says_when_it_cannot():
    text = rig_text({"reader": 'wire = "serial"'}, {"reader": 'serve = "tcp"'}, wire='wire = "mqtt"')
    async with EmulatedRig(make_rig(text, "one.toml"), 1) as one:
        port = one.endpoints["reader"].where.rpartition(":")[2]
        again = make_rig(f"{text}listen = {port}\n", "two.toml")
        with pytest.raises(RigError, match=r"two.toml: devices.reader: cannot be served: 127.0.0.1:\d+: .*in use"):
            async with EmulatedRig(again, 1):
                pass
    async with EmulatedRig(again, 1) as two:
        assert two.endpoints["reader"].where == f"socket://127.0.0.1:{port}"


BAD = [
    ({"number": "7"}, "devices.shaker.address: 7 is rng already, on the same line"),
    ({"wire": "modbus-tcp", "number": "7"}, "devices.shaker.unit: 7 is rng already, on the same line"),
    ({"more": {"shoe": "baud = 9600"}}, "devices.shoe.baud: 9600 is not 115200, as rng has it on the same line"),
    (
        {"emulators": {"shoe": 'serve = "tcp"'}},
        "devices.shoe.emulator.serve: 'tcp' is not 'pty', as rng has it on the same line",
    ),
    (
        {"emulator": 'serve = "tcp"', "emulators": {"shoe": "listen = 7001"}},
        "devices.shoe.emulator.listen: 7001 is not 'none', as rng has it on the same line",
    ),
    (
        {"wire": "modbus-tcp", "more": {"shoe": "port = 1502"}},
        "devices.shoe.port: 1502 is not 'none', as rng has it on the same line",
    ),
    (
        {"more": {"shoe": 'noise = [{what = "corrupt"}]'}},
        "devices.shoe.noise: is not possible on a shared line",
    ),
]


@pytest.mark.parametrize(("arguments", "line"), BAD, ids=[line for _, line in BAD])
def test_devices_that_do_not_fit_on_one_line_are_refused(arguments, line):
    with pytest.raises(RigError) as refused:
        shared_rig(**{"wire": "serial", **arguments})
    assert str(refused.value) == f"shared.toml: {line}"


def test_two_wires_on_one_line_are_refused():
    wires = {kind: f'wire = "serial"\naddress = {place}' for place, kind in enumerate(KINDS, 1)}
    wires["shoe"] = 'wire = "modbus-rtu"\nunit = 4'
    with pytest.raises(RigError) as refused:
        make_rig(rig_text(wires, dict.fromkeys(KINDS, 'line = "bus"')), "mixed.toml")
    reason = "'modbus-rtu' is not 'serial', the wire of rng on the same line"
    assert str(refused.value) == f"mixed.toml: devices.shoe.wire: {reason}"


def test_real_machines_share_a_line_by_its_port():
    with pytest.raises(RigError, match="address: 1 is rng already, on the same line"):
        real_rig("/dev/ttyS9", same=True)
    rig = real_rig("/dev/ttyS9")
    assert {device.wire.port for device in rig.devices.values()} == {"/dev/ttyS9"}


def real_rig(port: str, same: bool = False) -> Rig:
    devices = {
        kind: f'wire = "serial"\nport = "{port}"\naddress = {1 if same else place}'
        for place, kind in enumerate(KINDS, 1)
    }
    return make_rig(rig_text(devices, dict.fromkeys(KINDS)), "real.toml")


@pytest.mark.parametrize("port", ["socket://moxa:4001", "rfc2217://[::1]:7000", "rfc2217://10.0.0.7:7000", "COM3"])
def test_a_port_may_be_an_address_of_a_device_server(port):
    assert {device.wire.port for device in real_rig(port).devices.values()} == {port}


@pytest.mark.parametrize("port", ["socket://moxa", "rfc2217://:7000", "telnet://moxa:23", "socket://a b:1"])
def test_a_port_that_is_no_address_is_refused(port):
    with pytest.raises(RigError) as refused:
        real_rig(port)
    expected = "the path of a serial port, socket://host:port or rfc2217://host:port"
    assert str(refused.value) == f"real.toml: devices.rng.port: {port!r} is not {expected}"

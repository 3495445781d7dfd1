"""Plugging in: emulated and real devices on every wire, what is refused in one line, and that nothing is left over."""

import asyncio
import socket
from types import MappingProxyType

import pytest
import rigs
from rigs import nobody, rig_text

from feltrig.errors import RigError
from feltrig.harness.journal import reader as journals
from feltrig.harness.table.bench_operator import BenchOperator
from feltrig.harness.table.technician import Technician
from feltrig.harness.wires.connecting import wire
from feltrig.harness.wires.emulated_rig import EmulatedRig
from feltrig.protocols.errors import NoAnswer

KINDS = ("rng", "shaker", "shuffler", "shoe", "reader")
SERIAL = dict.fromkeys(KINDS, 'wire = "serial"\n')
EACH_WIRE = {
    "rng": 'wire = "mqtt"\nmqtt = "3.1.1"\n',
    "shaker": 'wire = "mqtt"\nmqtt = "5"\n',
    "shuffler": 'wire = "serial"\n',
    "shoe": 'wire = "modbus-tcp"\n',
    "reader": 'wire = "modbus-rtu"\n',
}


def make_rig(wires=SERIAL, real=(), more="", extra=MappingProxyType({})):
    """A rig of all five devices; those named in `real` have no emulator, `extra` is TOML for a device."""
    devices = {kind: f"{wires[kind]}{extra.get(kind, '')}" for kind in KINDS}
    return rigs.make_rig(rig_text(devices, dict.fromkeys(real), more=more))


def noted(journal, kind):
    journal.flush()
    return [record.data for record in journals.read(journal.path).records if record.kind == kind]


@pytest.fixture
def free_port():
    """A port of this computer at which nobody listens: it is bound, and stays so while the test runs."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]


async def test_an_emulated_rig_is_served_wired_and_put_away(journal, nothing_left):
    async with wire(make_rig(EACH_WIRE), journal, 1, nobody) as wired:
        assert set(wired.devices) == set(KINDS)
        assert isinstance(wired.operator, BenchOperator)
        for kind, driver in wired.devices.items():
            assert (driver.name, driver.kind.name, driver.identity.kind) == (kind, kind, kind)
        endpoints = dict(wired.emulated.endpoints)
    recorded = {device["name"]: device for device in noted(journal, "device")}
    assert {name: (d["wire"], d["where"]) for name, d in recorded.items()} == {
        name: (place.wire, place.where) for name, place in endpoints.items()
    }
    assert all(device["emulated"] for device in recorded.values())


async def test_real_devices_on_every_wire_are_found_where_the_file_says_and_let_go(journal, closed_again):
    """What is emulated for one rig is real to another, which stays when the other is done."""
    async with EmulatedRig(make_rig(EACH_WIRE), 1) as lab:
        host, port = lab.endpoints["shoe"].where.split(":")
        where = {
            "shuffler": f'port = "{lab.endpoints["shuffler"].where}"\n',
            "reader": f'port = "{lab.endpoints["reader"].where}"\n',
            "shoe": f'host = "{host}"\nport = {port}\n',
            "rng": f'topic = "{lab.endpoints["rng"].where}"\n',
            "shaker": f'topic = "{lab.endpoints["shaker"].where}"\n',
        }
        broker = f'[broker]\nhost = "{lab.site.broker.host}"\nport = {lab.site.broker.port}\n'
        rig = make_rig(EACH_WIRE, real=KINDS, more=broker, extra=where)
        async with closed_again(), wire(rig, journal, 1, nobody) as wired:
            assert isinstance(wired.operator, Technician)
            assert wired.emulated.endpoints == {}
            assert {kind: d.identity.serial for kind, d in wired.devices.items()} == {k: f"EMU-{k}" for k in KINDS}
        recorded = {device["name"]: device for device in noted(journal, "device")}
        assert {name: d["where"] for name, d in recorded.items()} == {n: p.where for n, p in lab.endpoints.items()}
        assert not any(device["emulated"] for device in recorded.values())


async def test_what_was_submitted_is_on_record_beside_what_the_device_says(journal):
    submitted = '[devices.shoe.identity]\nserial = "S-1"\nfirmware = "9"\n'
    async with wire(make_rig(extra={"shoe": submitted}), journal, 1, nobody):
        pass
    shoe = next(device for device in noted(journal, "device") if device["name"] == "shoe")
    assert shoe["submitted"] == {"serial": "S-1", "firmware": "9"}
    assert (shoe["identity"]["serial"], shoe["identity"]["firmware"]) == ("EMU-shoe", "1.0")


async def test_every_byte_that_passes_is_in_the_journal(journal):
    async with wire(make_rig(EACH_WIRE), journal, 1, nobody):
        pass
    for kind in KINDS:
        directions = {record["outgoing"] for record in noted(journal, "wire") if record["device"] == kind}
        assert directions == {True, False}


async def test_real_and_emulated_card_machines_cannot_be_mixed(journal, nothing_left):
    rig = make_rig(real=["shoe"], extra={"shoe": 'port = "/dev/ttyS77"\n'})
    with pytest.raises(RigError) as refused:
        async with wire(rig, journal, 1, nobody):
            raise AssertionError("it was wired")
    assert str(refused.value) == ("test.toml: devices: real cards of shoe cannot go into the emulated shuffler, reader")


async def test_a_real_generator_may_join_emulated_card_machines(journal, nothing_left):
    async with EmulatedRig(make_rig(), 1) as lab:
        rig = make_rig(real=["rng"], extra={"rng": f'port = "{lab.endpoints["rng"].where}"\n'})
        async with wire(rig, journal, 1, nobody) as wired:
            assert isinstance(wired.operator, BenchOperator)
            assert set(wired.emulated.endpoints) == set(KINDS) - {"rng"}


async def refused_line(rig, journal):
    with pytest.raises(RigError) as refused:
        async with wire(rig, journal, 1, nobody):
            raise AssertionError("it was wired")
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize("line", ["serial", "modbus-rtu"])
async def test_a_port_that_does_not_exist_is_named_with_its_file_and_device(journal, nothing_left, line):
    rig = make_rig(EACH_WIRE | {"rng": f'wire = "{line}"\nport = "/dev/no-such-port"\n'}, real=["rng"])
    assert await refused_line(rig, journal) == ("test.toml: devices.rng: /dev/no-such-port: no such file or directory")


async def test_a_host_that_does_not_listen_is_named_with_its_file_and_device(journal, nothing_left, free_port):
    rig = make_rig(EACH_WIRE | {"rng": f'wire = "modbus-tcp"\nhost = "127.0.0.1"\nport = {free_port}\n'}, real=["rng"])
    line = await refused_line(rig, journal)
    assert line.startswith("test.toml: devices.rng: ")
    assert str(free_port) in line


@pytest.mark.parametrize("version", ["3.1.1", "5"])
@pytest.mark.parametrize("real", [["rng"], []], ids=["real", "emulated"])
async def test_a_broker_that_is_not_there_is_named_with_the_file_and_the_device(
    journal, nothing_left, free_port, version, real
):
    wires = SERIAL | {"rng": f'wire = "mqtt"\nmqtt = "{version}"\n'}
    line = await refused_line(make_rig(wires, real, f"[broker]\nport = {free_port}\n"), journal)
    assert line.startswith("test.toml: devices.rng: ")
    assert str(free_port) in line


@pytest.mark.parametrize("kind", ["rng", "reader"], ids=["first", "last"])
async def test_a_device_that_does_not_say_who_it_is_leaves_nothing_open(journal, nothing_left, kind):
    silent = f'deadline = 0.05\n[devices.{kind}.emulator]\nfaults = [{{ what = "silent", times = 0 }}]\n'
    rig = make_rig(real=[kind], extra={kind: silent})
    with pytest.raises(NoAnswer):
        async with wire(rig, journal, 1, nobody):
            raise AssertionError("it was wired")
    assert [(t["device"], t["what"]) for t in noted(journal, "trouble")] == [(kind, "no answer")]


async def test_a_failure_while_the_rig_is_in_use_leaves_nothing_open(journal, nothing_left):
    with pytest.raises(ZeroDivisionError):
        async with wire(make_rig(EACH_WIRE), journal, 1, nobody):
            raise ZeroDivisionError


async def test_a_run_that_is_cancelled_leaves_nothing_open(journal, nothing_left):
    wired = asyncio.Event()

    async def use():
        async with wire(make_rig(EACH_WIRE), journal, 1, nobody):
            wired.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(use())
    await wired.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize(
    ("kind", "line", "what", "unseen"),
    [
        ("shoe", 'wire = "serial"\n', "duplicate", False),
        ("shoe", 'wire = "serial"\n', "half_open", False),
        ("shoe", 'wire = "serial"\nprofile = "lookalike-card-reports-shoe"\n', "duplicate", True),
        ("shoe", 'wire = "serial"\nprofile = "lookalike-card-reports-shoe"\n', "half_open", True),
        ("shoe", 'wire = "serial"\nprofile = "lookalike-card-reports-shoe"\n', "disconnect", False),
        ("shaker", 'wire = "modbus-rtu"\nprofile = "plc-shaker"\n', "duplicate", True),
        ("shaker", 'wire = "modbus-rtu"\nprofile = "plc-shaker"\n', "half_open", False),
        ("shaker", 'wire = "modbus-tls"\nprofile = "plc-shaker"\n', "duplicate", False),
        ("shaker", 'wire = "modbus-tcp"\nprofile = "plc-shaker"\n', "delay", False),
    ],
)
async def test_noise_that_a_profile_cannot_show_is_on_record_as_unseen(journal, kind, line, what, unseen):
    """By a profile nothing tells a command that came twice, nor a report that never came."""
    noise = f'noise = [{{ what = "{what}", at = 1000, seconds = 0.01 }}]\n'
    async with wire(make_rig(SERIAL | {kind: line}, extra={kind: noise}), journal, 1, nobody):
        pass
    assert [record["unseen"] for record in noted(journal, "noise")] == [unseen]

"""Serial lines by the name of their port, and several devices on one of them."""

import asyncio
import socket

import pytest

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.line_port import MakePort
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.emulators.stations.pty_port import PtyPort
from feltrig.emulators.stations.rfc2217_port import Rfc2217Port
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.emulators.stations.tcp_serial_port import TcpSerialPort
from feltrig.protocols.errors import LineLost, NoAnswer
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.lines.line import SharedPort, open_line
from feltrig.protocols.messages import Channel, Reply, Request
from feltrig.protocols.modbus.channel import ModbusRtuChannel, ModbusTcpChannel
from feltrig.protocols.serial.channel import SerialChannel

PORTS = {"pty": PtyPort, "tcp": TcpSerialPort, "rfc2217": Rfc2217Port}
PROFILES = {"serial": (SerialStation, SerialChannel), "modbus-rtu": (ModbusRtuStation, ModbusRtuChannel)}
LONG, SHORT = 10.0, 0.15
port_kinds = pytest.mark.parametrize("make_port", PORTS.values(), ids=PORTS)
profiles = pytest.mark.parametrize(("station_of", "channel_of"), PROFILES.values(), ids=PROFILES)


class Tapped:
    """Keeps what passes."""

    def __init__(self) -> None:
        self.bytes: list[tuple[bool, bytes]] = []

    def __call__(self, outgoing: bool, data: bytes) -> None:
        self.bytes.append((outgoing, data))


async def serial_number(channel: Channel) -> str:
    return str((await channel.request(Request("identify"))).values["serial"])


@port_kinds
@profiles
async def test_a_driver_asks_its_device_over_every_kind_of_port(make_port: MakePort, station_of, channel_of):
    station = station_of(rng(Setup("one", 1)), 9, port=make_port)
    channel = channel_of(RNG, await station.start(), 9, deadline=LONG)
    await channel.open()
    try:
        assert await serial_number(channel) == "EMU-one"
        assert await channel.request(Request("select", {}, 7)) == Reply()
        assert [event.name for event in (await channel.events(0)).events] == ["started", "selected"]
    finally:
        await channel.close()
        await station.stop()


@port_kinds
@profiles
async def test_a_port_can_be_closed_and_opened_again(make_port: MakePort, station_of, channel_of):
    station = station_of(rng(Setup("one", 1)), 1, port=make_port)
    channel = channel_of(RNG, await station.start(), 1, deadline=LONG)
    for _ in range(3):
        await channel.open()
        assert await serial_number(channel) == "EMU-one"
        await channel.close()
    await station.stop()


@port_kinds
@profiles
async def test_a_line_that_the_device_hangs_up_is_lost_at_once(make_port: MakePort, station_of, channel_of):
    station = station_of(rng(Setup("one", 1)), 1, port=make_port)
    channel = channel_of(RNG, await station.start(), 1, deadline=LONG)
    await channel.open()
    await serial_number(channel)
    await station.stop()
    with pytest.raises(LineLost, match=r"hung up|closed the connection|connection lost"):
        await serial_number(channel)
    await channel.close()


def ignore(_: object) -> None:
    """Nothing comes, or nobody cares."""


@pytest.mark.parametrize("port", ["socket://nowhere", "rfc2217://:77", "socket://h:99999", "rfc2217://[::1"])
async def test_a_name_that_is_no_address_is_a_lost_line_that_says_what_was_expected(port):
    with pytest.raises(LineLost, match=r"expected (socket|rfc2217)://host:port"):
        await open_line(port, 9600, ignore, ignore)


@pytest.mark.parametrize("scheme", ["socket", "rfc2217"])
async def test_nobody_at_the_address_is_a_lost_line(scheme):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = f"{scheme}://127.0.0.1:{probe.getsockname()[1]}"
        with pytest.raises(LineLost, match=rf"{scheme}://.*refused|connect call failed"):
            await open_line(port, 9600, ignore, ignore)


@port_kinds
@profiles
async def test_five_devices_on_one_line_are_asked_at_once_and_no_answer_is_mixed_up(
    make_port: MakePort, station_of, channel_of
):
    names = {address: f"device{address}" for address in (1, 2, 3, 4, 5)}
    station = station_of(rng(Setup(names[1], 1)), 1, port=make_port)
    for address in (2, 3, 4, 5):
        station.add(rng(Setup(names[address], 1)), address)
    port = SharedPort(await station.start(), 115_200, deadline=LONG)
    taps = {address: Tapped() for address in names}
    channels = {address: channel_of(RNG, port, address, 115_200, LONG, taps[address]) for address in names}
    for channel in channels.values():
        await channel.open()
    try:
        for _ in range(10):
            serials = await asyncio.gather(*(serial_number(channel) for channel in channels.values()))
            assert serials == [f"EMU-{name}" for name in names.values()]
    finally:
        for channel in channels.values():
            await channel.close()
        await station.stop()
    # the identity takes two reads, after one question for function 23 and one that settles the line
    asked = 2 + 2 * 10 if channel_of is ModbusRtuChannel else 10
    for tap in taps.values():
        assert {outgoing for outgoing, _ in tap.bytes} == {True, False}
        assert sum(outgoing for outgoing, _ in tap.bytes) == asked


@profiles
async def test_a_device_that_is_not_there_costs_its_own_deadline_and_leaves_the_others_be(station_of, channel_of):
    station = station_of(rng(Setup("one", 1)), 1)
    port = SharedPort(await station.start(), 115_200)
    there, absent = channel_of(RNG, port, 1, deadline=LONG), channel_of(RNG, port, 2, deadline=SHORT)
    await there.open()
    await absent.open()
    missing = asyncio.create_task(serial_number(absent))
    await asyncio.sleep(0)
    assert await serial_number(there) == "EMU-one"
    with pytest.raises(NoAnswer):
        await missing
    await there.close()
    await absent.close()
    await station.stop()


@profiles
async def test_the_late_answer_of_one_device_is_not_taken_for_the_answer_of_another(station_of, channel_of):
    late: list[bytes] = []
    station = station_of(rng(Setup("slow", 1)), 1, misbehave=late.append)
    station.add(rng(Setup("quick", 2)), 2, lambda answer: b"".join((*late, answer)))
    port = SharedPort(await station.start(), 115_200)
    slow, quick = channel_of(RNG, port, 1, deadline=SHORT), channel_of(RNG, port, 2, deadline=LONG)
    await slow.open()
    await quick.open()
    with pytest.raises(NoAnswer):
        await serial_number(slow)
    assert late
    assert await serial_number(quick) == "EMU-quick"
    await slow.close()
    await quick.close()
    await station.stop()


@profiles
async def test_a_shared_port_stays_open_until_the_last_one_closes_it(station_of, channel_of):
    station = station_of(rng(Setup("one", 1)), 1)
    station.add(rng(Setup("two", 1)), 2)
    port = SharedPort(await station.start(), 115_200)
    one, two = channel_of(RNG, port, 1, deadline=LONG), channel_of(RNG, port, 2, deadline=LONG)
    await one.open()
    await two.open()
    await one.close()
    assert await serial_number(two) == "EMU-two"
    with pytest.raises(LineLost):
        await serial_number(one)
    await one.open()
    assert await serial_number(one) == "EMU-one"
    await two.close()
    await one.close()
    await one.close()
    await station.stop()


@profiles
async def test_when_a_shared_line_is_lost_everybody_learns_it(station_of, channel_of):
    station = station_of(rng(Setup("one", 1)), 1)
    station.add(rng(Setup("two", 1)), 2)
    port = SharedPort(await station.start(), 115_200)
    channels = [channel_of(RNG, port, address, deadline=LONG) for address in (1, 2)]
    for channel in channels:
        await channel.open()
    await station.stop()
    for channel in channels:
        with pytest.raises(LineLost):
            await serial_number(channel)
        await channel.close()


async def test_a_cancelled_question_gives_the_turn_to_the_next():
    station = SerialStation(rng(Setup("one", 1)), 1)
    port = SharedPort(await station.start(), 115_200)
    absent, there = SerialChannel(RNG, port, 9, deadline=LONG), SerialChannel(RNG, port, 1, deadline=LONG)
    await absent.open()
    await there.open()
    hopeless = asyncio.create_task(serial_number(absent))
    await asyncio.sleep(0)
    hopeless.cancel()
    assert await serial_number(there) == "EMU-one"
    with pytest.raises(asyncio.CancelledError):
        await hopeless
    await there.close()
    await absent.close()
    await station.stop()


async def test_several_units_answer_behind_one_tcp_address():
    station = ModbusTcpStation(rng(Setup("one", 1)), 1)
    station.add(rng(Setup("two", 2)), 2)
    host, _, number = (await station.start()).rpartition(":")
    channels = [ModbusTcpChannel(RNG, host, int(number), unit, LONG) for unit in (1, 2)]
    for channel in channels:
        await channel.open()
    assert await asyncio.gather(*map(serial_number, channels)) == ["EMU-one", "EMU-two"]
    for unit in (3, 247):
        absent = ModbusTcpChannel(RNG, host, int(number), unit, LONG)
        await absent.open()
        with pytest.raises(NoAnswer, match="gateway"):
            await serial_number(absent)
        await absent.close()
    for channel in channels:
        await channel.close()
    await station.stop()

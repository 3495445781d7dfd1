"""Watching a rig's wires while a program, here a driver's channel, uses the devices."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import pytest
from rigs import RNG_ONLY, make_rig, rig_text, rng_rig_text

from feltrig.emulators.broker import Broker
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.models.shaker import shaker
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.errors import RigError
from feltrig.harness.rig.model import Rig
from feltrig.harness.wires.endpoints import Endpoint
from feltrig.harness.wires.monitoring import monitored
from feltrig.harness.wires.traffic import words
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.kinds.shaker import SHAKER
from feltrig.protocols.messages import Channel, Request
from feltrig.protocols.modbus.channel import ModbusRtuChannel, ModbusTcpChannel
from feltrig.protocols.mqtt.channel import MqttChannel
from feltrig.protocols.mqtt.link import Server
from feltrig.protocols.serial.channel import SerialChannel
from feltrig.protocols.sniffing import Broke, Chatter, Message, is_outgoing


def rig_with(**devices: str) -> Rig:
    """A rig of these devices, real unless their lines say otherwise, and the reader."""
    text = rig_text(devices, dict.fromkeys(devices), kinds=(*devices, "reader"), game=RNG_ONLY)
    return make_rig(text)


class Log:
    """What was heard, as a person would see it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.messages: list[Message] = []
        self._more = asyncio.Event()

    async def until(self, text: str) -> None:
        """Wait until a line has been heard with this in it."""
        async with asyncio.timeout(5):
            while not any(text in line for line in self.lines):
                self._more.clear()
                await self._more.wait()

    def __call__(self, device: str, outgoing: bool, data: bytes, messages: list[Message]) -> None:
        assert data or isinstance(messages[0], Broke)
        self.messages += messages
        self._more.set()
        for message in messages:
            assert is_outgoing(message) == outgoing
            if not isinstance(message, Chatter):
                self.lines.append(f"{device} {'→' if outgoing else '←'} {words(message)}")


@asynccontextmanager
async def opened(channel: Channel) -> AsyncIterator[Channel]:
    await channel.open()
    try:
        yield channel
    finally:
        await channel.close()


def channel_to(place: Endpoint, broker: str | None) -> Channel:
    match place.wire:
        case "serial":
            return SerialChannel(RNG, place.where)
        case "modbus-rtu":
            return ModbusRtuChannel(RNG, place.where)
        case "modbus-tcp":
            host, port = place.where.split(":")
            return ModbusTcpChannel(RNG, host, int(port))
    assert broker is not None
    host, port = broker.split(":")
    return MqttChannel(RNG, place.where, Server(host, int(port)))


def by_name(endpoints: tuple[Endpoint, ...]) -> Mapping[str, Endpoint]:
    return {place.name: place for place in endpoints}


@pytest.mark.parametrize("wire", ["serial", "modbus-rtu", "modbus-tcp", "mqtt"])
async def test_every_message_of_an_emulated_device_is_heard_in_both_directions(wire: str) -> None:
    log = Log()
    rig = rig_with(rng=f'wire = "{wire}"\n[devices.rng.emulator]')
    async with monitored(rig, 3, log) as watched:
        place = by_name(watched.endpoints)["rng"]
        async with opened(channel_to(place, watched.broker)) as channel:
            await channel.request(Request("select", {}, 9))
            (event,) = (await channel.events(1)).events
            await channel.request(Request("display"))
        await log.until("← display")
    number = event.values["number"]
    for line in ("→ select", "← select: ok", "→ display", f"← display: ok number={number}"):
        assert f"rng {line}" in log.lines
    assert any(f"event 2 selected number={number}" in line for line in log.lines)


async def test_on_mqtt_what_is_retained_is_heard_first() -> None:
    log = Log()
    async with monitored(rig_with(rng='wire = "mqtt"\n[devices.rng.emulator]'), 3, log) as watched:
        channel = channel_to(by_name(watched.endpoints)["rng"], watched.broker)
        async with opened(channel):
            await channel.request(Request("status"))
        await log.until("← status")
    assert log.messages[0] == Chatter(False, "is feltrig Emulated rng EMU-rng, firmware 1.0")
    assert log.messages[2] == Chatter(False, "online")
    assert log.lines[:2] == ["rng ← idle, events 1 to 1", "rng → status"]


async def test_a_real_device_is_reached_through_a_place_of_ours() -> None:
    stations = (
        SerialStation(rng(Setup("a", 1))),
        ModbusRtuStation(rng(Setup("a", 1))),
        ModbusTcpStation(rng(Setup("a", 1))),
    )
    for wire, station in zip(("serial", "modbus-rtu", "modbus-tcp"), stations, strict=True):
        where = await station.start()
        try:
            host, _, port = where.rpartition(":")
            line = f'host = "{host}"\nport = {port}' if host else f'port = "{where}"'
            log = Log()
            async with monitored(rig_with(rng=f'wire = "{wire}"\n{line}'), 3, log) as watched:
                place = by_name(watched.endpoints)["rng"]
                assert place.where != where
                async with opened(channel_to(place, None)) as channel:
                    await channel.request(Request("blank", {}, 9))
            assert log.lines[-2:] == ["rng → blank", "rng ← blank: ok"]
            learning = ["rng → status", "rng ← status: ok state=idle fault=none oldest=1 latest=1"]
            assert log.lines[:-2] == ([] if wire == "serial" else learning)
        finally:
            await station.stop()


async def test_devices_that_share_a_line_are_told_apart_and_rubbish_is_shown_once() -> None:
    station = SerialStation(rng(Setup("a", 1)), 1)
    station.add(shaker(Setup("b", 1)), 2)
    port = await station.start()
    lines = {name: f'wire = "serial"\nport = "{port}"\naddress = {n}' for n, name in enumerate(("rng", "shaker"), 1)}
    log = Log()
    try:
        async with monitored(rig_with(**lines), 3, log) as watched:
            endpoints = by_name(watched.endpoints)
            assert endpoints["rng"].where == endpoints["shaker"].where
            async with opened(SerialChannel(RNG, endpoints["rng"].where, 1)) as channel:
                await channel.request(Request("blank", {}, 9))
            async with opened(SerialChannel(SHAKER, endpoints["shaker"].where, 2)) as channel:
                await channel.request(Request("cover", {}, 9))
            watched_line = [*log.lines]
    finally:
        await station.stop()
    assert watched_line == ["rng → blank", "rng ← blank: ok", "shaker → cover", "shaker ← cover: ok"]


async def test_only_the_device_that_was_asked_for_is_watched() -> None:
    log = Log()
    wire = 'wire = "serial"\n[devices.rng.emulator]'
    async with monitored(rig_with(rng=wire), 3, log, only="reader") as watched:
        channel = channel_to(by_name(watched.endpoints)["rng"], None)
        async with opened(channel):
            await channel.request(Request("blank", {}, 9))
    assert log.lines == []


async def test_what_tls_hides_is_served_but_not_watched() -> None:
    log = Log()
    async with monitored(rig_with(rng='wire = "modbus-tls"\n[devices.rng.emulator]'), 3, log) as watched:
        assert watched.unwatched == ("rng",)
        assert by_name(watched.endpoints)["rng"].where.startswith("127.0.0.1:")


async def test_a_name_that_is_not_in_the_rig_is_refused() -> None:
    with pytest.raises(RigError, match=r"test\.toml: there is no device 'shoe' in it: expected one of rng, reader"):
        async with monitored(rig_with(rng='wire = "serial"\n[devices.rng.emulator]'), 3, Log(), only="shoe"):
            raise AssertionError("it was watched")


async def test_a_port_that_cannot_be_opened_is_refused() -> None:
    with pytest.raises(RigError, match=r"test\.toml: devices\.rng: /dev/nowhere: no such file or directory"):
        async with monitored(rig_with(rng='wire = "serial"\nport = "/dev/nowhere"'), 3, Log()):
            raise AssertionError("it was watched")


async def test_a_broker_that_goes_away_is_shown(broker: Broker) -> None:
    log = Log()
    text = rng_rig_text('wire = "mqtt"', None, more=f'[broker]\nhost = "127.0.0.1"\nport = {broker.port}')
    async with monitored(make_rig(text), 3, log):
        await broker.stop()
        await log.until("rng ← line lost: the broker is gone")

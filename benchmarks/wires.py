"""Round trips per second of driver and emulator on each wire, beside the least code that moves the same bytes, and on
Modbus TCP also beside the client and the server of pymodbus.

Wire, anchor and peer take turns in short segments in one event loop, so that all meet the same machine; a ratio is the
median over the turns. On a busy machine all wait for the processor and the ratio of the rates says little: read the
ratio of processor times beside it, and trust the rates of a quiet machine only.

    python benchmarks/wires.py [--quick] [--json] [--wire serial ...]
"""

import argparse
import asyncio
import json
import os
import socket
import statistics
import struct
import sys
import time
import tty
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass, replace

import aiomqtt
from pymodbus.client import AsyncModbusTcpClient
from pymodbus.server import ModbusTcpServer
from pymodbus.simulator import DataType, SimData, SimDevice

from feltrig.emulators.broker import Broker
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.emulators.stations.mqtt_station import MqttStation
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Channel, Request
from feltrig.protocols.modbus.channel import ModbusRtuChannel, ModbusTcpChannel
from feltrig.protocols.mqtt.channel import MqttChannel
from feltrig.protocols.mqtt.link import Server
from feltrig.protocols.serial.channel import SerialChannel

RoundTrip = Callable[[], Awaitable[object]]
Case = Callable[[], AbstractAsyncContextManager[RoundTrip]]

STATUS = Request("status")
LIMIT = 60.0
"""Seconds for one wire; beyond them something hangs."""


@asynccontextmanager
async def asking(channel: Channel) -> AsyncIterator[RoundTrip]:
    """A status request through an open channel."""
    await channel.open()
    try:
        yield lambda: channel.request(STATUS)
    finally:
        await channel.close()


@asynccontextmanager
async def serial_status() -> AsyncIterator[RoundTrip]:
    """Driver and emulator on the open serial profile."""
    station = SerialStation(rng(Setup("bench", 1)))
    path = await station.start()
    try:
        async with asking(SerialChannel(RNG, path)) as once:
            yield once
    finally:
        await station.stop()


@asynccontextmanager
async def rtu_status() -> AsyncIterator[RoundTrip]:
    """Driver and emulator on Modbus RTU."""
    station = ModbusRtuStation(rng(Setup("bench", 1)))
    path = await station.start()
    try:
        async with asking(ModbusRtuChannel(RNG, path)) as once:
            yield once
    finally:
        await station.stop()


@asynccontextmanager
async def tcp_status() -> AsyncIterator[RoundTrip]:
    """Driver and emulator on Modbus TCP."""
    station = ModbusTcpStation(rng(Setup("bench", 1)))
    host, _, port = (await station.start()).rpartition(":")
    try:
        async with asking(ModbusTcpChannel(RNG, host, int(port))) as once:
            yield once
    finally:
        await station.stop()


@asynccontextmanager
async def mqtt_status() -> AsyncIterator[RoundTrip]:
    """Driver and emulator on MQTT 5, through the embedded broker."""
    broker = Broker()
    port = await broker.start()
    station = MqttStation(rng(Setup("bench", 1)), "bench/rng", Server("127.0.0.1", port))
    await station.start()
    try:
        async with asking(MqttChannel(RNG, "bench/rng", Server("127.0.0.1", port))) as once:
            yield once
    finally:
        await station.stop()
        await broker.stop()


@asynccontextmanager
async def pty_pair(serve: Callable[[bytes], bytes]) -> AsyncIterator[Callable[[bytes], Awaitable[bytes]]]:
    """Both ends of a pseudo terminal on bare descriptors; every read is taken for a whole frame."""
    loop = asyncio.get_running_loop()
    master, slave = os.openpty()
    tty.setraw(slave)
    for fd in (master, slave):
        os.set_blocking(fd, False)
    waiting: asyncio.Future[bytes]

    def asked() -> None:
        os.write(master, serve(os.read(master, 4096)))

    def answered() -> None:
        waiting.set_result(os.read(slave, 4096))

    async def ask(data: bytes) -> bytes:
        nonlocal waiting
        waiting = loop.create_future()
        os.write(slave, data)
        return await waiting

    loop.add_reader(master, asked)
    loop.add_reader(slave, answered)
    try:
        yield ask
    finally:
        for fd in (master, slave):
            loop.remove_reader(fd)
            os.close(fd)


@asynccontextmanager
async def raw_pty() -> AsyncIterator[RoundTrip]:
    """An echo of eleven bytes: start, length, payload, exclusive or."""
    payload = bytes(range(8))
    check = 0
    for octet in payload:
        check ^= octet
    frame = bytes((2, len(payload), *payload, check))
    async with pty_pair(lambda data: data) as ask:
        yield lambda: ask(frame)


TABLE = []
for entry in range(256):
    for _ in range(8):
        entry = entry >> 1 ^ (0xA001 if entry & 1 else 0)  # noqa: PLW2901 - eight steps of one division
    TABLE.append(entry)


def crc(data: bytes) -> bytes:
    """CRC-16/MODBUS, as anyone would write it."""
    value = 0xFFFF
    for octet in data:
        value = value >> 8 ^ TABLE[(value ^ octet) & 0xFF]
    return value.to_bytes(2, "little")


REGISTERS = list(range(100))


@asynccontextmanager
async def raw_rtu() -> AsyncIterator[RoundTrip]:
    """Ten registers by Modbus RTU, checked at both ends."""

    def serve(data: bytes) -> bytes:
        if crc(data[:-2]) != data[-2:]:
            return b""
        unit, function, start, count = struct.unpack(">BBHH", data[:-2])
        body = struct.pack(f">BBB{count}H", unit, function, 2 * count, *REGISTERS[start : start + count])
        return body + crc(body)

    async with pty_pair(serve) as ask:

        async def once() -> tuple[int, ...]:
            body = struct.pack(">BBHH", 1, 3, 0, 10)
            answer = await ask(body + crc(body))
            if crc(answer[:-2]) != answer[-2:]:
                raise ValueError("a broken answer")
            return struct.unpack(">10H", answer[3:-2])

        yield once


class RawTcpServer(asyncio.Protocol):
    """Ten registers by Modbus TCP."""

    transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        transaction, _, _, unit, function, start, count = struct.unpack(">HHHBBHH", data)
        values = struct.pack(f">{count}H", *REGISTERS[start : start + count])
        head = struct.pack(">HHHBBB", transaction, 0, 3 + len(values), unit, function, len(values))
        self.transport.write(head + values)


class RawTcpClient(asyncio.Protocol):
    """Takes each segment for the answer."""

    waiting: asyncio.Future[bytes]

    def data_received(self, data: bytes) -> None:
        self.waiting.set_result(data)


@asynccontextmanager
async def raw_tcp() -> AsyncIterator[RoundTrip]:
    """Ten registers by Modbus TCP, by hand at both ends."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(RawTcpServer, "127.0.0.1", 0)
    transport, client = await loop.create_connection(RawTcpClient, *server.sockets[0].getsockname()[:2])
    transaction = 0

    async def once() -> tuple[int, ...]:
        nonlocal transaction
        transaction = transaction + 1 & 0xFFFF
        client.waiting = loop.create_future()
        transport.write(struct.pack(">HHHBBHH", transaction, 0, 6, 1, 3, 0, 10))
        answer = await client.waiting
        if struct.unpack_from(">H", answer)[0] != transaction:
            raise ValueError("an answer to something else")
        return struct.unpack(">10H", answer[9:])

    try:
        yield once
    finally:
        transport.abort()
        server.close()
        await server.wait_closed()


@asynccontextmanager
async def pymodbus_tcp() -> AsyncIterator[RoundTrip]:
    """Ten registers by Modbus TCP, the client and the server of pymodbus."""
    registers = SimData(0, values=REGISTERS, datatype=DataType.REGISTERS)
    server = ModbusTcpServer(SimDevice(id=1, simdata=[registers]), address=("127.0.0.1", 0))
    await server.serve_forever(background=True)
    host, port = server.transport.sockets[0].getsockname()[:2]
    client = AsyncModbusTcpClient(host, port=port, retries=0)
    await client.connect()
    try:
        yield lambda: client.read_holding_registers(0, count=10)
    finally:
        client.close()
        await server.shutdown()


@asynccontextmanager
async def raw_mqtt() -> AsyncIterator[RoundTrip]:
    """Publish, subscriber, reply at QoS 1 by plain aiomqtt, through the embedded broker."""
    broker = Broker()
    port = await broker.start()
    options = ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),)

    async def serve(device: aiomqtt.Client) -> None:
        async for message in device.messages:
            if not message.payload:
                return
            await device.publish("bench/answer", message.payload, qos=1)

    async with (
        aiomqtt.Client("127.0.0.1", port, socket_options=options) as device,
        aiomqtt.Client("127.0.0.1", port, socket_options=options) as driver,
    ):
        await device.subscribe("bench/question", qos=1)
        await driver.subscribe("bench/answer", qos=1)
        serving = asyncio.create_task(serve(device))
        answers = aiter(driver.messages)

        async def once() -> object:
            await driver.publish("bench/question", bytes(16), qos=1)
            return await anext(answers)

        try:
            yield once
        finally:
            # asked to end rather than cancelled: wait_for inside aiomqtt can swallow a cancellation
            await driver.publish("bench/question", b"", qos=1)
            await serving
    await broker.stop()


CASES: dict[str, tuple[Case, Case, int]] = {
    "serial": (serial_status, raw_pty, 400),
    "modbus-rtu": (rtu_status, raw_rtu, 400),
    "modbus-tcp": (tcp_status, raw_tcp, 400),
    "mqtt": (mqtt_status, raw_mqtt, 30),
}
"""Of each wire: ours, the anchor, and round trips per segment."""

PEERS: dict[str, tuple[str, Case]] = {"modbus-tcp": ("pymodbus", pymodbus_tcp)}
"""Of a wire: what other people use at both ends."""


@dataclass(frozen=True, slots=True)
class Figure:
    """Medians of one wire."""

    wire: str
    ours_per_second: float
    raw_per_second: float
    ratio: float
    cpu_ratio: float
    """The anchor's processor time for a round trip over ours."""
    peer: str | None = None
    peer_per_second: float | None = None
    peer_ratio: float | None = None
    """Our rate over the peer's."""
    peer_cpu_ratio: float | None = None


Times = tuple[float, float]
"""Seconds, and seconds of the processor, for one segment."""


async def segment(once: RoundTrip, trips: int) -> Times:
    """Measure one segment."""
    start, cpu = time.perf_counter(), time.process_time()
    for _ in range(trips):
        await once()
    return time.perf_counter() - start, time.process_time() - cpu


async def measure(wire: str, turns: int) -> Figure:
    """Ours, the anchor and the peer in turns; the first turn only warms up."""
    ours_case, raw_case, trips = CASES[wire]
    name, peer_case = PEERS.get(wire, (None, None))
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(asyncio.timeout(LIMIT))
        cases = [await stack.enter_async_context(case()) for case in (ours_case, raw_case, peer_case) if case]
        times = [[await segment(once, trips) for once in cases] for _ in range(turns + 1)]
    del times[0]
    ours, raw, *others = (list(column) for column in zip(*times, strict=True))
    figure = Figure(wire, _rate(ours, trips), _rate(raw, trips), _ratio(raw, ours, 0), _ratio(raw, ours, 1))
    for peer in others:
        figure = replace(
            figure,
            peer=name,
            peer_per_second=_rate(peer, trips),
            peer_ratio=_ratio(peer, ours, 0),
            peer_cpu_ratio=_ratio(peer, ours, 1),
        )
    return figure


def _rate(times: list[Times], trips: int) -> float:
    return statistics.median(trips / seconds for seconds, _ in times)


def _ratio(theirs: list[Times], ours: list[Times], clock: int) -> float:
    """Their time over ours, by the clock on the wall (0) or the processor's (1)."""
    return statistics.median(their[clock] / our[clock] for their, our in zip(theirs, ours, strict=True))


async def run(wires: list[str], turns: int) -> list[Figure]:
    """All figures, in one event loop."""
    return [await measure(wire, turns) for wire in wires]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a few turns only")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--wire", action="append", choices=list(CASES), help="only this wire; may be repeated")
    options = parser.parse_args()
    figures = asyncio.run(run(options.wire or list(CASES), 5 if options.quick else 41))
    if options.json:
        print(json.dumps([asdict(figure) for figure in figures], indent=2))
        return 0
    print(f"{'wire':<12}{'ours/s':>10}{'raw/s':>10}{'ratio':>8}{'cpu':>8}")
    for figure in figures:
        print(
            f"{figure.wire:<12}{figure.ours_per_second:>10.0f}{figure.raw_per_second:>10.0f}"
            f"{figure.ratio:>8.2f}{figure.cpu_ratio:>8.2f}"
        )
    for figure in figures:
        if figure.peer:
            print(
                f"{figure.wire}: {figure.peer} at both ends makes {figure.peer_per_second:.0f}/s; ours is "
                f"{figure.peer_ratio:.1f} times as fast, {figure.peer_cpu_ratio:.1f} times by the processor"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())

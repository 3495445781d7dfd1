"""The emulated devices on their wires, as `fuzz.py` meets them."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any, Protocol

import aiomqtt
from fuzz_frames import MARK, TOPIC

from feltrig.emulators.broker import Broker
from feltrig.emulators.certificates import Authority
from feltrig.emulators.models.device import Device
from feltrig.emulators.stations.line_port import LinePort
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.emulators.stations.mqtt_station import MqttStation
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.protocols.lines.line import Line, open_line
from feltrig.protocols.messages import Channel, Request
from feltrig.protocols.modbus.channel import ModbusTcpChannel
from feltrig.protocols.modbus.frame import TcpDeframer, encode_tcp
from feltrig.protocols.mqtt.channel import MqttChannel
from feltrig.protocols.mqtt.link import Server, Version

DEADLINE = 10.0
CUT = 97
"""Bytes of each piece into which a stream is cut."""
TRIES = 10
LAST = json.dumps({"v": 1, "cmd": "status", "id": "last", "reply_to": f"{TOPIC}/reply/fuzz"}).encode()
"""The question that ends a chunk on MQTT; no frame of it has this id."""
VERSIONS: dict[str, Version] = {"mqtt-3.1.1": "3.1.1", "mqtt-5": "5"}


class Broken(Exception):
    """A device that no longer serves as it should."""


class Target(Protocol):
    """A device on a wire, as this script meets it."""

    answers: int

    async def feed(self, sent: Sequence[bytes]) -> None:
        """Let the station receive the frames."""

    async def check(self, sent: Sequence[bytes]) -> None:
        """Let it receive a few more over the real wire, and see that it answers on either way. Raises Broken."""


class FedPort:
    """A serial line without a line: bytes go straight to the station, and its answers are counted."""

    def __init__(self, on_data: Callable[[bytes], None]) -> None:
        self.receive = on_data
        self.sent: list[bytes] = []

    def open(self) -> str:
        """Nothing to open."""
        return "nowhere"

    def close(self) -> None:
        """Nothing to close."""

    def send(self, data: bytes) -> None:
        """An answer of the station."""
        self.sent.append(data)


class Terminal:
    """A pseudo terminal at its open end, and what is heard on it."""

    def __init__(self) -> None:
        self.line: Line | None = None
        self._heard = b""
        self._news = asyncio.Event()

    def received(self, data: bytes) -> None:
        """Called with what the device says."""
        self._heard += data
        self._news.set()

    async def ask(self, question: bytes, answer: bytes) -> None:
        """Send a question again and again until something is heard that begins an answer to it. Raises Broken."""
        assert self.line is not None
        for _ in range(TRIES):
            self._heard = b""
            self.line.write(question)
            try:
                async with asyncio.timeout(DEADLINE / TRIES):
                    while answer not in self._heard:
                        self._news.clear()
                        await self._news.wait()
            except TimeoutError:
                continue
            return
        raise Broken("status was not answered on the pseudo terminal")


class LineTarget:
    """A device on a serial line or on RTU: once without a wire, and once on a pseudo terminal."""

    def __init__(self, fed: FedPort, terminal: Terminal, question: bytes, answer: bytes) -> None:
        self.answers = 0
        self._fed = fed
        self._terminal = terminal
        self._question = question
        self._answer = answer

    async def feed(self, sent: Sequence[bytes]) -> None:
        """Half of the frames one by one; the other half as one stream, cut anywhere."""
        half = len(sent) // 2
        for frame in sent[:half]:
            self._fed.receive(frame)
        stream = b"".join(sent[half:])
        for at in range(0, len(stream), CUT):
            self._fed.receive(stream[at : at + CUT])
        self.answers += len(self._fed.sent)
        self._fed.sent.clear()

    async def check(self, sent: Sequence[bytes]) -> None:
        """`status` on the station that was fed, and on the pseudo terminal."""
        self._fed.receive(self._question)
        if not any(heard.startswith(self._answer) for heard in self._fed.sent):
            raise Broken("status was not answered")
        self._fed.sent.clear()
        assert self._terminal.line is not None
        for frame in sent:
            self._terminal.line.write(frame)
            await asyncio.sleep(0)
        await self._terminal.ask(self._question, self._answer)


@asynccontextmanager
async def line_target(
    make: Callable[..., Any], machine: Device[Any], question: str, answer: str
) -> AsyncIterator[Target]:
    """The station twice, with one machine: on no wire, and on a pseudo terminal."""
    ports: list[FedPort] = []

    def fed(on_data: Callable[[bytes], None]) -> LinePort:
        ports.append(FedPort(on_data))
        return ports[-1]

    make(machine, 1, port=fed)
    station, terminal = make(machine, 1), Terminal()
    terminal.line = await open_line(await station.start(), 115200, terminal.received, _hung_up)
    try:
        yield LineTarget(ports[0], terminal, bytes.fromhex(question), bytes.fromhex(answer))
    finally:
        terminal.line.close()
        await station.stop()


def _hung_up(reason: str) -> None:
    if reason != "closed":
        raise Broken(f"the pseudo terminal was lost: {reason}")


class TcpTarget:
    """A device on Modbus TCP or TLS: all frames cross a connection, and a driver asks on another."""

    def __init__(self, connect: Callable[[], Any], channel: Channel) -> None:
        self.answers = 0
        self._connect = connect
        self._channel = channel

    async def feed(self, sent: Sequence[bytes]) -> None:
        """A connection for each chunk, until the last question on it is answered."""
        reader, writer = await self._connect()
        hearing = asyncio.create_task(self._hear(reader))
        for at in range(0, len(sent), 20):
            writer.write(b"".join(sent[at : at + 20]))
            await writer.drain()
        # noise may have announced a frame of 260 bytes, which takes what follows for its own
        writer.write(b"\xff" * 300 + encode_tcp(MARK, 1, bytes.fromhex("03 0002 0006")))
        await hearing
        writer.close()

    async def _hear(self, reader: asyncio.StreamReader) -> None:
        deframer = TcpDeframer()
        while piece := await reader.read(65536):
            for transaction, _, pdu in deframer.receive(piece):
                if transaction == MARK and pdu.startswith(b"\x03\x0c"):
                    return
                self.answers += 1
        raise Broken("the connection was closed")

    async def check(self, sent: Sequence[bytes]) -> None:
        """`status` by a driver."""
        await self._channel.request(Request("status"))


@asynccontextmanager
async def tcp_target(machine: Device[Any], tls: bool = False) -> AsyncIterator[Target]:
    """Modbus TCP, with TLS or without."""
    served = trusted = None
    if tls:
        authority = Authority()
        served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue("127.0.0.1").load_into(served)
        trusted = ssl.create_default_context(cadata=authority.pem.decode())
    station = ModbusTcpStation(machine, tls=served)
    host, _, port = (await station.start()).rpartition(":")
    channel = ModbusTcpChannel(machine.kind, host, int(port), deadline=DEADLINE, tls=trusted)
    await channel.open()
    try:
        yield TcpTarget(lambda: asyncio.open_connection(host, int(port), ssl=trusted), channel)
    finally:
        await channel.close()
        await station.stop()


class MqttTarget:
    """A device on a broker: payloads go straight to what the station does with a message."""

    def __init__(self, station: MqttStation, client: aiomqtt.Client, channel: Channel) -> None:
        self.answers = 0
        self._station = station
        self._client = client
        self._channel = channel

    async def feed(self, sent: Sequence[bytes]) -> None:
        """In batches, so that the answers can leave; until the last one has come."""
        for number, payload in enumerate(sent):
            self._receive(payload, number)
            if number % 100 == 0:
                await asyncio.sleep(0)
        self._receive(LAST, len(sent))
        await self._hear()

    async def check(self, sent: Sequence[bytes]) -> None:
        """More payloads cross the broker, and a driver asks for `status`. Nothing is left to be answered before it."""
        for payload in (*sent, LAST):
            await self._client.publish(f"{TOPIC}/cmd", payload, qos=1)
        await self._hear()
        await self._channel.request(Request("status"))

    def _receive(self, payload: bytes, number: int) -> None:
        retained = number % 50 == 0 and payload is not LAST
        self._station._receive(aiomqtt.Message(f"{TOPIC}/cmd", payload, 0, retained, number, None))

    async def _hear(self) -> None:
        """Count the answers up to that to the last question: a device answers in order."""
        async for message in self._client.messages:
            if isinstance(message.payload, bytes) and b'"id":"last"' in message.payload:
                return
            self.answers += 1


@asynccontextmanager
async def mqtt_target(machine: Device[Any], version: Version) -> AsyncIterator[Target]:
    """Topics on the embedded broker."""
    async with AsyncExitStack() as stack:
        broker = Broker()
        port = await broker.start()
        stack.push_async_callback(broker.stop)
        station = MqttStation(machine, TOPIC, Server("127.0.0.1", port, version=version))
        await station.start()
        stack.push_async_callback(station.stop)
        client = await stack.enter_async_context(aiomqtt.Client("127.0.0.1", port))
        await client.subscribe(f"{TOPIC}/reply/fuzz", qos=1)
        channel = MqttChannel(machine.kind, TOPIC, Server("127.0.0.1", port, version=version), deadline=DEADLINE)
        await channel.open()
        stack.push_async_callback(channel.close)
        yield MqttTarget(station, client, channel)


def target_of(wire: str, machine: Device[Any]) -> AbstractAsyncContextManager[Target]:
    """The machine on a wire."""
    match wire:
        case "serial":  # status of address 1 with seq 42, as docs/serial.md has it
            return line_target(SerialStation, machine, "00 06 01 2a 02 c3 32 00", "00 04 01 2a 82")
        case "modbus-rtu":  # registers 2 to 7 of unit 1
            return line_target(ModbusRtuStation, machine, "01 03 0002 0006 64 08", "01 03 0c")
        case "modbus-tcp" | "modbus-tls":
            return tcp_target(machine, tls=wire == "modbus-tls")
    return mqtt_target(machine, VERSIONS[wire])

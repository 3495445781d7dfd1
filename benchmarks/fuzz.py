"""A million random frames against each emulated device on each wire: every one of them must go on serving.

    python benchmarks/fuzz.py [--frames N] [--quick] [--seed N] [--wire serial ...] [--kind shoe ...]

A third of the frames are well formed with random content, a third are such frames spoilt (bytes changed, lost or
inserted), a third are noise. They come in chunks, each from a seed of its own, so that one that fails can be played
alone. After each chunk the device must answer `status` on the same station, and an exception anywhere ends the run with
status 1.

Serial, RTU and MQTT stations are fed without a wire, for the volume; a share of each chunk then crosses the real wire
(a pseudo terminal, the embedded broker). On Modbus TCP and TLS all frames cross a real connection.
"""

import argparse
import asyncio
import json
import random
import ssl
import struct
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import aiomqtt

from feltrig.emulators.bench import Bench
from feltrig.emulators.broker import Broker
from feltrig.emulators.certificates import Authority
from feltrig.emulators.models.device import Device
from feltrig.emulators.stations.line_port import LinePort
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.emulators.stations.mqtt_station import MqttStation
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.harness.emulation import MODELS
from feltrig.protocols.line import Line, open_line
from feltrig.protocols.messages import Channel, Request, Value
from feltrig.protocols.modbus_channel import ModbusTcpChannel
from feltrig.protocols.modbus_frame import TcpDeframer, encode_rtu, encode_tcp
from feltrig.protocols.modbus_map import COMMAND, REGISTERS, RESULT, RING
from feltrig.protocols.mqtt_channel import MqttChannel
from feltrig.protocols.mqtt_link import Version
from feltrig.protocols.packing import OCTETS, Packing
from feltrig.protocols.serial_frame import MAX_DATA, encode
from feltrig.protocols.vocabulary import Kind, Type

CHUNK = 5_000
SHARE = 50
"""Of a chunk, so many frames also cross the real wire where the others do not."""
LIMIT = 60.0
"""Seconds for one chunk; beyond them something hangs."""
DEADLINE = 10.0
CUT = 97
"""Bytes of each piece into which a stream is cut."""
TRIES = 10
MARK = 0xFEED
"""The transaction that ends a chunk; no frame of it has this number."""
TOPIC = "fuzz/device"
LAST = json.dumps({"v": 1, "cmd": "status", "id": "last", "reply_to": f"{TOPIC}/reply/fuzz"}).encode()
"""The question that ends a chunk on MQTT; no frame of it has this id."""
VERSIONS: dict[str, Version] = {"mqtt-3.1.1": "3.1.1", "mqtt-5": "5"}
WIRES = ("serial", "modbus-rtu", "modbus-tcp", "modbus-tls", *VERSIONS)

Frames = Callable[[random.Random, Kind], bytes]


class Broken(Exception):
    """A device that no longer serves as it should."""


@dataclass(slots=True)
class Tally:
    """What one device on one wire was sent, and how often it answered."""

    kind: str
    wire: str
    frames: int = 0
    over_wire: int = 0
    answers: int = 0
    seconds: float = 0.0


def serial_frame(rng: random.Random, kind: Kind) -> bytes:
    """A whole frame: mostly for this device, mostly of a command that it knows."""
    address = rng.choice((1, 1, 1, 1, 255, rng.randrange(256)))
    command = rng.choice(list(kind.commands.values()))
    if rng.random() < 0.3:
        return encode(address, rng.randrange(256), rng.randrange(256), rng.randbytes(rng.randrange(MAX_DATA)))
    token = struct.pack(">I", rng.randrange(64)) if command.acts else b""
    data = token + Packing(command.args, OCTETS).pack(_arguments(rng, command.args))
    return encode(address, rng.randrange(256), command.code, data)


def modbus_pdu(rng: random.Random, kind: Kind) -> bytes:
    """A request: mostly of a function and near a register that there is."""
    start = rng.choice((0, 1, 16, COMMAND, RESULT, RING, RING + 16 * rng.randrange(70), rng.randrange(0x10000)))
    match rng.randrange(6):
        case 0:
            return struct.pack(">BHH", rng.choice((3, 4, 6)), start, rng.randrange(140))
        case 1:
            words = rng.randbytes(2 * rng.randrange(1, 40))
            return struct.pack(">BHHB", 16, start, len(words) // 2, len(words)) + words
        case 2:
            return bytes((0x2B, rng.choice((13, 14)), rng.randrange(6), rng.randrange(256)))
        case 3:
            return rng.randbytes(rng.randrange(1, 60))
    command = rng.choice([c for c in kind.commands.values() if c.name != "events"])
    block = struct.pack(">IH", rng.randrange(64), command.code)
    block += Packing(command.args, REGISTERS).pack(_arguments(rng, command.args))
    return struct.pack(">BHHHHB", 23, RESULT, rng.randrange(1, 126), COMMAND, len(block) // 2, len(block)) + block


def rtu_frame(rng: random.Random, kind: Kind) -> bytes:
    """A whole frame for this unit, for all, or for another."""
    return encode_rtu(rng.choice((1, 1, 1, 1, 0, rng.randrange(248))), modbus_pdu(rng, kind))


def tcp_frame(rng: random.Random, kind: Kind) -> bytes:
    """A whole frame."""
    return encode_tcp(rng.randrange(MARK), rng.choice((1, 1, 1, 0, 255, 9)), modbus_pdu(rng, kind))


def mqtt_payload(rng: random.Random, kind: Kind) -> bytes:
    """A request, mostly of a command that the device knows, sometimes with values that it should not have."""
    command = rng.choice(list(kind.commands.values()))
    odd: list[Any] = [None, True, -1, 1 << 40, "x", [], {}, [256], 0.5, {"a": {"b": [1, None]}}]
    document: dict[str, Any] = {"v": 1, "cmd": command.name, "token": rng.randrange(64)}
    if command.args:
        document["args"] = _arguments(rng, command.args)
    if rng.random() < 0.3:
        document["id"], document["reply_to"] = rng.randrange(1000), f"{TOPIC}/reply/fuzz"
    if rng.random() < 0.3:
        document[rng.choice(("v", "cmd", "token", "args", "id", "reply_to"))] = rng.choice(odd)
    return json.dumps(document).encode()


def _arguments(rng: random.Random, fields: Sequence[Any]) -> dict[str, Value]:
    return {field.name: _value(rng, field.type) for field in fields}


def _value(rng: random.Random, kind: Type) -> Value:
    match kind:
        case Type.BOOL:
            return rng.random() < 0.5
        case Type.BYTES:
            return tuple(rng.randbytes(rng.randrange(40)))
        case Type.TEXT:
            return rng.randbytes(rng.randrange(20)).hex()
        case Type.U8:
            return rng.choice((1, 2, 3, 4, 5, rng.randrange(256)))
    return rng.choice((0, 1, rng.randrange(0x10000)))


FRAMES: dict[str, Frames] = {
    "serial": serial_frame,
    "modbus-rtu": rtu_frame,
    "modbus-tcp": tcp_frame,
    "modbus-tls": tcp_frame,
    "mqtt-3.1.1": mqtt_payload,
    "mqtt-5": mqtt_payload,
}


def frames(wire: str, kind: Kind, seed: str, many: int) -> Iterator[bytes]:
    """Whole frames, spoilt ones and noise, the same again for the same seed."""
    rng = random.Random(seed)
    whole = FRAMES[wire]
    for _ in range(many):
        match rng.randrange(3):
            case 0:
                yield whole(rng, kind)
            case 1:
                yield _spoilt(rng, whole(rng, kind))
            case _:
                yield rng.randbytes(rng.randrange(1, 80))


def _spoilt(rng: random.Random, frame: bytes) -> bytes:
    spoilt = bytearray(frame)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(spoilt) + 1)
        match rng.randrange(3):
            case 0 if at < len(spoilt):
                spoilt[at] ^= rng.randrange(1, 256)
            case 1:
                del spoilt[at : at + rng.randint(1, 4)]
            case _:
                spoilt[at:at] = rng.randbytes(rng.randint(1, 4))
    return bytes(spoilt)


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
        station = MqttStation(machine, TOPIC, "127.0.0.1", port, version=version)
        await station.start()
        stack.push_async_callback(station.stop)
        client = await stack.enter_async_context(aiomqtt.Client("127.0.0.1", port))
        await client.subscribe(f"{TOPIC}/reply/fuzz", qos=1)
        channel = MqttChannel(machine.kind, TOPIC, "127.0.0.1", port, version=version, deadline=DEADLINE)
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


class Hands:
    """An operator who keeps putting the cards back, so that there is always something to do."""

    def __init__(self, kind: str) -> None:
        self.bench = Bench()
        self._kind = kind
        start = {"shuffler": "shuffler.in.1", "shoe": "shoe.well", "reader": "reader.tray"}.get(kind)
        if start is not None:
            self.bench.put_new_deck(start, "red", range(54))

    def put_back(self) -> None:
        """All cards to where the machine takes them from."""
        match self._kind:
            case "shuffler":
                self.bench.move_all("shuffler.out.1", "shuffler.in.1")
            case "shoe":
                self.bench.move_all("shoe.exit", "shoe.well")


async def fuzz(kind: str, wire: str, many: int, seed: int, chunk: int = CHUNK) -> Tally:
    """So many frames against one device on one wire. Raises Broken, or whatever the station raised."""
    tally, hands = Tally(kind, wire), Hands(kind)
    machine = MODELS[kind](kind, seed, **({"bench": hands.bench} if kind in ("shuffler", "shoe", "reader") else {}))
    failures: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))
    began = time.perf_counter()
    async with target_of(wire, machine) as target:
        while tally.frames < many:
            name = f"{seed} {kind} {wire} {tally.frames}"
            sent = list(frames(wire, machine.kind, name, min(chunk, many - tally.frames)))
            try:
                async with asyncio.timeout(LIMIT):
                    await target.feed(sent)
                    await target.check(sent[:SHARE])
            except TimeoutError as error:
                raise Broken(f"chunk {name!r}: does not answer within {LIMIT:g} s") from error
            if failures:
                raise Broken(f"chunk {name!r}: {failures[0]}") from failures[0].get("exception")
            tally.frames += len(sent)
            tally.over_wire += len(sent) if wire.startswith("modbus-t") else min(SHARE, len(sent))
            hands.put_back()
        tally.answers = target.answers
    tally.seconds = time.perf_counter() - began
    return tally


def main() -> int:
    """Fuzz and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=1_000_000, help="against each device on each wire")
    parser.add_argument("--quick", action="store_true", help="ten thousand frames each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wire", action="append", choices=WIRES, help="only this wire; may be repeated")
    parser.add_argument("--kind", action="append", choices=list(MODELS), help="only this device; may be repeated")
    options = parser.parse_args()
    many = 10_000 if options.quick else options.frames
    print(f"{'device':<10}{'wire':<12}{'frames':>10}{'on the wire':>13}{'answers':>10}{'frames/s':>10}")
    for kind in options.kind or MODELS:
        for wire in options.wire or WIRES:
            tally = asyncio.run(fuzz(kind, wire, many, options.seed))
            rate = tally.frames / tally.seconds
            print(
                f"{kind:<10}{wire:<12}{tally.frames:>10}{tally.over_wire:>13}{tally.answers:>10}{rate:>10.0f}",
                flush=True,
            )
    print("every device still serves on every wire")
    return 0


if __name__ == "__main__":
    sys.exit(main())

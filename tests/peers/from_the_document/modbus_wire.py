"""A machine as a Modbus slave, written from docs/modbus.md alone: its registers, RTU on a pseudo-terminal, TCP, TLS."""

import asyncio
import os
import pty
import ssl
import struct
import tty
from functools import partial

from machine import MALFORMED, OK, SIZES, UNKNOWN, Machine, Types

RING = 64
"""Events in the ring."""


def crc_modbus(data: bytes) -> int:
    value = 0xFFFF
    for octet in data:
        value ^= octet
        for _ in range(8):
            value = value >> 1 ^ 0xA001 if value & 1 else value >> 1
    return value


def words(data: bytes) -> list[int]:
    data += b"\0" * (len(data) % 2)
    return [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]


def double(value: int) -> list[int]:
    return [value >> 16, value & 0xFFFF]


def registers_of(types: Types, values: list[object]) -> list[int]:
    out: list[int] = []
    for (_, kind), value in zip(types, values, strict=True):
        if kind == "u32":
            out += double(int(value))
        elif kind in SIZES:
            out.append(int(value))
        else:
            data = value.encode() if kind == "text" else bytes(value)
            out += [len(data), *words(data)]
    return out


def arguments_of(types: Types, given: list[int]) -> list[object] | None:
    values: list[object] = []
    for _, kind in types:
        if not given:
            return None
        first, given = given[0], given[1:]
        if kind == "list":
            size = (first + 1) // 2
            if len(given) < size:
                return None
            values.append(b"".join(word.to_bytes(2, "big") for word in given[:size])[:first])
            given = given[size:]
        else:
            values.append(first)
    return None if given else values


class Exceptional(Exception):
    """A Modbus exception."""


class Map:
    """The registers of a machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.names = {command.code: name for name, command in machine.commands.items() if name != "events"}
        self.written = [0] * 32
        self.result: list[int] = []

    def image(self) -> dict[int, list[int]]:
        """The three blocks by their first address."""
        machine = self.machine
        block = [1, machine.kind, machine.state, machine.fault]
        block += [*double(machine.oldest(RING)), *double(machine.number), *double(machine.last_token)]
        block += [0] * 6
        for value, size in zip(machine.identify()[1:], (16, 16, 16, 8, 32), strict=True):
            block += words(value.encode().ljust(2 * size, b"\0"))
        ring = [0] * 1024
        for number, name, values in machine.events[-RING:]:
            code, types = machine.kinds_of_event[name]
            at = 16 * ((number - 1) % RING)
            ring[at : at + 16] = ([*double(number), code, *registers_of(types, values)] + [0] * 16)[:16]
        result = (self.result + [0] * 128)[:128]
        return {0: (block + [0] * 128)[:128], 256: self.written + result, 512: ring}

    def answer(self, pdu: bytes) -> bytes:
        try:
            return bytes((pdu[0],)) + self.carry_out(pdu[0], pdu[1:])
        except Exceptional as exception:
            return bytes((pdu[0] | 0x80, exception.args[0]))

    def carry_out(self, function: int, data: bytes) -> bytes:
        if function == 3:
            if len(data) != 4:
                raise Exceptional(3)
            start, count = struct.unpack(">HH", data)
            if not 1 <= count <= 125:
                raise Exceptional(3)
            for begin, block in self.image().items():
                if begin <= start and start + count <= begin + len(block):
                    got = block[start - begin : start - begin + count]
                    return bytes((2 * count,)) + struct.pack(f">{count}H", *got)
            raise Exceptional(2)
        if function == 16:
            if len(data) < 5:
                raise Exceptional(3)
            start, count, size = struct.unpack(">HHB", data[:5])
            if not 1 <= count <= 123 or size != 2 * count or len(data) != 5 + size:
                raise Exceptional(3)
            if start != 256 or start + count > 288:
                raise Exceptional(2)
            if count < 3:
                raise Exceptional(3)
            self.command(list(struct.unpack(f">{count}H", data[5:])))
            return data[:4]
        raise Exceptional(1)

    def command(self, given: list[int]) -> None:
        """Obey what was written to the command block."""
        self.written = given + [0] * (32 - len(given))
        token, name = given[0] << 16 | given[1], self.names.get(given[2])
        reply: list[int] = []
        if name is None:
            error = UNKNOWN
        elif (arguments := arguments_of(self.machine.commands[name].args, given[3:])) is None:
            error = MALFORMED
        else:
            sized = zip(self.machine.commands[name].args, arguments, strict=True)
            too_large = any(kind == "u8" and value > 255 for (_, kind), value in sized)
            error, values = self.machine.run(name, token, None if too_large else arguments)
            if error == OK:
                reply = registers_of(self.machine.commands[name].reply, values)
        self.result = [*given[:2], error, len(reply), *reply]


class RtuLine:
    """A machine behind a pseudo-terminal, as a Modbus slave. A frame ends when nothing has come for a while."""

    def __init__(self, machine: Machine, unit: int, settings: dict[str, object]) -> None:
        self.machine, self.unit, self.map = machine, unit, Map(machine)
        self.end, self.other = pty.openpty()
        tty.setraw(self.other)
        self.rest, self.pause = b"", None

    async def open(self) -> dict[str, object]:
        asyncio.get_running_loop().add_reader(self.end, self.heard)
        return {"wire": "modbus-rtu", "port": os.ttyname(self.other), "unit": self.unit}

    async def power_off(self) -> None:
        self.machine.power_off()

    async def power_on(self) -> None:
        self.machine.power_on()

    def heard(self) -> None:
        self.rest += os.read(self.end, 4096)
        if self.pause is not None:
            self.pause.cancel()
        self.pause = asyncio.get_running_loop().call_later(0.004, self.ended)

    def ended(self) -> None:
        frame, self.rest = self.rest, b""
        whole = 4 <= len(frame) <= 256 and frame[-2:] == struct.pack("<H", crc_modbus(frame[:-2]))
        if not self.machine.on or not whole or frame[0] not in (0, self.unit):
            return
        answer = frame[:1] + self.map.answer(frame[1:-2])
        if frame[0] != 0:
            said = answer + struct.pack("<H", crc_modbus(answer))
            self.machine.say(partial(os.write, self.end, said))


class TcpServer:
    """A machine as a Modbus TCP server, with TLS if it has a certificate. It closes a connection whose header makes no
    sense."""

    def __init__(self, machine: Machine, unit: int, settings: dict[str, object]) -> None:
        self.machine, self.unit, self.map = machine, unit, Map(machine)
        self.tls = settings.get("tls")
        self.writers: set[asyncio.StreamWriter] = set()

    async def open(self) -> dict[str, object]:
        context = None
        if self.tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.tls["certificate"], self.tls["key"])
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0, ssl=context)
        where = {"host": "127.0.0.1", "port": self.server.sockets[0].getsockname()[1], "unit": self.unit}
        return {"wire": "modbus-tls", "ca": self.tls["ca"], **where} if self.tls else {"wire": "modbus-tcp", **where}

    async def power_off(self) -> None:
        self.machine.power_off()
        for writer in list(self.writers):
            writer.transport.abort()

    async def power_on(self) -> None:
        self.machine.power_on()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.add(writer)
        try:
            while True:
                head = await reader.readexactly(7)
                transaction, protocol, length, unit = struct.unpack(">HHHB", head)
                if protocol != 0 or not 2 <= length <= 254:
                    break
                pdu = await reader.readexactly(length - 1)
                if not self.machine.on:
                    break
                here = unit == self.unit
                answer = self.map.answer(pdu) if here else bytes((pdu[0] | 0x80, 0x0B))
                said = struct.pack(">HHHB", transaction, 0, len(answer) + 1, unit) + answer
                self.machine.say(partial(writer.write, said))
        except (asyncio.IncompleteReadError, ConnectionError, ssl.SSLError):
            pass
        finally:
            self.writers.discard(writer)
            writer.close()

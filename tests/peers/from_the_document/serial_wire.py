"""A machine behind a pseudo-terminal, written from docs/serial.md alone."""

import asyncio
import os
import pty
import struct
import tty
from functools import partial

from machine import MALFORMED, OK, SIZES, STATUS, UNKNOWN, Machine, Types


def crc_ccitt(data: bytes) -> int:
    value = 0xFFFF
    for octet in data:
        value ^= octet << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return value


def framed(payload: bytes) -> bytes:
    pieces = (payload + struct.pack("<H", crc_ccitt(payload))).split(b"\0")
    return b"\0" + b"".join(bytes((len(piece) + 1,)) + piece for piece in pieces) + b"\0"


def unframed(body: bytes) -> bytes | None:
    plain, at = b"", 0
    while at < len(body):
        plain += body[at + 1 : at + body[at]] + b"\0"
        at += body[at]
    plain = plain[:-1]
    good = at == len(body) and 5 <= len(plain) <= 252 and plain[-2:] == struct.pack("<H", crc_ccitt(plain[:-2]))
    return plain[:-2] if good else None


def packed(types: Types, values: list[object]) -> bytes:
    out = b""
    for (_, kind), value in zip(types, values, strict=True):
        if kind in SIZES:
            out += int(value).to_bytes(SIZES[kind], "big")
        else:
            data = value.encode() if kind == "text" else bytes(value)
            out += bytes((len(data),)) + data
    return out


def unpacked(types: Types, data: bytes) -> list[object] | None:
    values: list[object] = []
    for _, kind in types:
        size = SIZES.get(kind)
        if size is None:
            if not data or len(data) < 1 + data[0]:
                return None
            values.append(data[1 : 1 + data[0]])
            data = data[1 + data[0] :]
        else:
            if len(data) < size:
                return None
            values.append(int.from_bytes(data[:size], "big"))
            data = data[size:]
    return None if data else values


class SerialLine:
    """A machine behind a pseudo-terminal."""

    def __init__(self, machine: Machine, address: int, settings: dict[str, object]) -> None:
        self.machine, self.address = machine, address
        self.names = {command.code: name for name, command in machine.commands.items()}
        self.end, self.other = pty.openpty()
        tty.setraw(self.other)
        self.rest = b""

    async def open(self) -> dict[str, object]:
        asyncio.get_running_loop().add_reader(self.end, self.heard)
        return {"wire": "serial", "port": os.ttyname(self.other), "address": self.address}

    async def power_off(self) -> None:
        self.machine.power_off()

    async def power_on(self) -> None:
        self.machine.power_on()

    def heard(self) -> None:
        data = os.read(self.end, 4096)
        if not self.machine.on:
            self.rest = b""
            return
        *bodies, self.rest = (self.rest + data).split(b"\0")
        for body in bodies:
            asked = unframed(body) if body else None
            if asked is None or asked[0] not in (self.address, 255) or asked[2] & 0x80:
                continue
            answer = bytes((asked[0], asked[1], asked[2] | 0x80)) + self.answer(asked[2], asked[3:], asked[0] == 255)
            if asked[0] != 255:
                self.machine.say(partial(os.write, self.end, framed(answer)))

    def answer(self, code: int, data: bytes, to_all: bool) -> bytes:
        name = self.names.get(code)
        if name is None:
            return bytes((UNKNOWN,))
        if name == "events":
            return self.since(data)
        command = self.machine.commands[name]
        if to_all and not command.acts:
            return b""
        token = 0
        if command.acts:
            if len(data) < 4:
                return bytes((MALFORMED,))
            token, data = int.from_bytes(data[:4], "big"), data[4:]
        arguments = unpacked(command.args, data)
        if arguments is None:
            return bytes((MALFORMED,))
        error, values = self.machine.run(name, token, arguments)
        return bytes((error,)) + (packed(command.reply, values) if error == OK else b"")

    def since(self, data: bytes) -> bytes:
        if len(data) != 4:
            return bytes((MALFORMED,))
        out = bytes((OK,)) + packed(STATUS, self.machine.status())
        for number, name, values in self.machine.events:
            if number > int.from_bytes(data, "big"):
                code, types = self.machine.kinds_of_event[name]
                record = struct.pack(">IB", number, code) + packed(types, values)
                if len(out) + len(record) > 247:
                    break
                out += record
        return out

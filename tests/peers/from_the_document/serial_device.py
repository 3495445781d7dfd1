"""A random number display on a serial line, written from docs/serial.md alone: the standard library and nothing else.

    python -I -S serial_device.py PORT

It serves until its line is hung up, at address 1.
"""

import hashlib
import hmac
import os
import random
import struct
import sys
import tty

ADDRESS, BROADCAST = 1, 255
IDENTITY = ("Foreign Works", "Display 7", "FW-0042", "3.1")
IMAGE = b"the firmware of the foreign display"
IDLE, READY = 0, 2
UNKNOWN_COMMAND, BAD_ARGUMENT, MALFORMED = 1, 2, 5


def crc(data: bytes) -> bytes:
    """CRC-16/CCITT-FALSE, low byte first."""
    value = 0xFFFF
    for octet in data:
        value ^= octet << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return struct.pack("<H", value)


def framed(payload: bytes) -> bytes:
    """Between zeros, and each zero inside replaced by the length of what follows it."""
    pieces = (payload + crc(payload)).split(b"\0")
    return b"\0" + b"".join(bytes((len(piece) + 1,)) + piece for piece in pieces) + b"\0"


def unframed(body: bytes) -> bytes | None:
    """The payload of what stood between two zeros, if it is whole."""
    plain, at = b"", 0
    while at < len(body):
        plain += body[at + 1 : at + body[at]] + b"\0"
        at += body[at]
    plain = plain[:-1]
    return plain[:-2] if at == len(body) and len(plain) >= 5 and crc(plain[:-2]) == plain[-2:] else None


def text(value: str) -> bytes:
    """A text after its length."""
    return bytes((len(value),)) + value.encode()


class Display:
    """Selects numbers from 1 to 7, keeps its events, and answers a repeated token as before."""

    def __init__(self) -> None:
        self.random = random.SystemRandom()
        self.state, self.shown = IDLE, 0
        self.events = [b"\x01"]
        self.answered: dict[bytes, bytes] = {}

    def answer(self, code: int, data: bytes) -> bytes:
        """The data of the answer to one question."""
        plain = {0x01: (self.identify, 0), 0x02: (self.status, 0), 0x11: (self.display, 0)}
        if code in plain:
            return plain[code][0]() if not data else bytes((MALFORMED,))
        if code == 0x03:
            return self.since(data)
        if code == 0x05:
            return self.prove(data)
        if code not in (0x04, 0x10, 0x12):
            return bytes((UNKNOWN_COMMAND,))
        if len(data) != 4:
            return bytes((MALFORMED,))
        if data not in self.answered:
            self.answered[data] = self.act(code)
            if len(self.answered) > 8:
                del self.answered[next(iter(self.answered))]
        return self.answered[data]

    def act(self, code: int) -> bytes:
        if code == 0x10:
            self.state, self.shown = READY, self.random.randint(1, 7)
            self.events.append(bytes((0x10, self.shown)))
        elif code == 0x12:
            self.state, self.shown = IDLE, 0
        else:
            self.state = IDLE
            self.events.append(b"\x03")
        return b"\0"

    def identify(self) -> bytes:
        digest = hashlib.sha256(IMAGE).hexdigest()
        return b"\0\1" + b"".join(text(value) for value in (*IDENTITY, digest))

    def status(self) -> bytes:
        return struct.pack(">BBBII", 0, self.state, 0, 1, len(self.events))

    def display(self) -> bytes:
        return bytes((0, self.shown))

    def since(self, data: bytes) -> bytes:
        if len(data) != 4:
            return bytes((MALFORMED,))
        answer = self.status()
        for number in range(int.from_bytes(data, "big") + 1, len(self.events) + 1):
            record = struct.pack(">I", number) + self.events[number - 1]
            if len(answer) + len(record) > 247:
                break
            answer += record
        return answer

    def prove(self, data: bytes) -> bytes:
        if not data or len(data) != 1 + data[0]:
            return bytes((MALFORMED,))
        if not 16 <= data[0] <= 32:
            return bytes((BAD_ARGUMENT,))
        return b"\0\x20" + hmac.digest(data[1:], IMAGE, "sha256")


def main() -> None:
    line = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
    tty.setraw(line)
    display, rest = Display(), b""
    print("ready", flush=True)
    while True:
        try:
            heard = os.read(line, 4096)
        except OSError:
            return
        if not heard:
            return
        *bodies, rest = (rest + heard).split(b"\0")
        for body in bodies:
            asked = unframed(body)
            if asked is None or asked[0] not in (ADDRESS, BROADCAST) or asked[2] & 0x80:
                continue
            answer = bytes((asked[0], asked[1], asked[2] | 0x80)) + display.answer(asked[2], asked[3:])
            if asked[0] == ADDRESS:
                os.write(line, framed(answer))


main()

"""The checks that serial protocols put on their messages: sums, XOR and CRCs, and how they are written.

A CRC is a row of the parameters by which the catalogues name it; each gives its published value for `123456789`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, reduce
from operator import xor
from typing import Literal

Order = Literal["big", "little"]

Writing = Literal["raw", "hex", "hex-lower", "decimal", "nibbles"]
"""Bytes; hex digits in capital or small letters; decimal digits; or each half of a byte as a character from `0` on."""

WRITINGS: tuple[Writing, ...] = ("raw", "hex", "hex-lower", "decimal", "nibbles")


@dataclass(frozen=True, slots=True)
class Crc:
    """A cyclic redundancy check by its usual parameters; `reflected` is for both input and output."""

    width: int
    polynomial: int
    initial: int
    reflected: bool = False
    final: int = 0

    def __call__(self, data: bytes) -> int:
        table, mask = _table(self), (1 << self.width) - 1
        register = _reversed(self.initial, self.width) if self.reflected else self.initial
        for octet in data:
            if self.reflected:
                register = register >> 8 ^ table[(register ^ octet) & 0xFF]
            else:
                register = (register << 8 ^ table[register >> self.width - 8 ^ octet]) & mask
        return register ^ self.final


@cache
def _table(crc: Crc) -> tuple[int, ...]:
    top, mask = 1 << crc.width - 1, (1 << crc.width) - 1
    polynomial = _reversed(crc.polynomial, crc.width) if crc.reflected else crc.polynomial
    table = []
    for octet in range(256):
        value = octet if crc.reflected else octet << crc.width - 8
        for _ in range(8):
            if crc.reflected:
                value = value >> 1 ^ polynomial if value & 1 else value >> 1
            else:
                value = (value << 1 ^ polynomial if value & top else value << 1) & mask
        table.append(value)
    return tuple(table)


def _reversed(value: int, width: int) -> int:
    return int(format(value, f"0{width}b")[::-1], 2)


def _fletcher(data: bytes) -> int:
    low = high = 0
    for octet in data:
        low = (low + octet) % 255
        high = (high + low) % 255
    return high << 8 | low


def _xor(data: bytes) -> int:
    return reduce(xor, data, 0)


CHECKS: Mapping[str, tuple[int, Callable[[bytes], int]]] = {
    "none": (0, lambda data: 0),
    "xor": (1, _xor),
    "bcc": (1, _xor),
    "sum": (1, lambda data: sum(data) & 0xFF),
    "sum-inverted": (1, lambda data: ~sum(data) & 0xFF),
    "lrc": (1, lambda data: -sum(data) & 0xFF),
    "sum16": (2, lambda data: sum(data) & 0xFFFF),
    "fletcher16": (2, _fletcher),
    "crc8": (1, Crc(8, 0x07, 0)),
    "crc8-maxim": (1, Crc(8, 0x31, 0, reflected=True)),
    "crc16-arc": (2, Crc(16, 0x8005, 0, reflected=True)),
    "crc16-ccitt": (2, Crc(16, 0x1021, 0xFFFF)),
    "crc16-kermit": (2, Crc(16, 0x1021, 0, reflected=True)),
    "crc16-modbus": (2, Crc(16, 0x8005, 0xFFFF, reflected=True)),
    "crc16-x25": (2, Crc(16, 0x1021, 0xFFFF, reflected=True, final=0xFFFF)),
    "crc16-xmodem": (2, Crc(16, 0x1021, 0)),
    "crc32": (4, Crc(32, 0x04C11DB7, 0xFFFFFFFF, reflected=True, final=0xFFFFFFFF)),
}
"""Bytes of each check, and how it is computed. A BCC is an XOR; an LRC as in ISO 1155 is the negative sum."""


@dataclass(frozen=True, slots=True)
class Check:
    """A check over a frame, and how it is written. One that is `ignored` takes its place, and every value will do; with
    `flips` it is wrong on purpose, in these bits."""

    name: str = "none"
    written: Writing = "raw"
    order: Order = "big"
    skips: int = 0
    """Bytes at the front of what it is of that it leaves out."""
    ignored: bool = False
    flips: int = 0

    @property
    def size(self) -> int:
        """Bytes that it takes on the wire."""
        octets = CHECKS[self.name][0]
        match self.written:
            case "raw":
                return octets
            case "decimal":
                return len(str((1 << 8 * octets) - 1)) if octets else 0
        return 2 * octets

    def of(self, data: bytes) -> bytes:
        """The check of these bytes, as it goes on the wire."""
        size, compute = CHECKS[self.name]
        value = compute(data[self.skips :]) ^ self.flips
        raw = value.to_bytes(size, self.order)
        match self.written:
            case "raw":
                return raw
            case "hex":
                return raw.hex().upper().encode()
            case "hex-lower":
                return raw.hex().encode()
            case "decimal":
                return format(value, f"0{self.size}d").encode() if size else b""
        return bytes(0x30 + int(digit, 16) for digit in raw.hex())

    def agrees(self, data: bytes, given: bytes) -> bool:
        """Whether the check that came is that of these bytes; hex may come in capital and in small letters."""
        right = self.of(data)
        return self.ignored or (right == given or (self.written.startswith("hex") and right.upper() == given.upper()))

"""Frames of the open serial protocol: `00 | COBS(address, seq, code, data…, CRC) | 00`.

The CRC is CRC-16/CCITT-FALSE over address, seq, code and data, low byte first. No byte of the stuffed body is zero, so
a receiver is in step again at the next zero, whatever came before; the leading zero ends any noise on an idle line.
"""

from binascii import crc_hqx
from functools import lru_cache
from struct import Struct
from typing import NamedTuple

from feltrig.protocols.cobs import stuff, unstuff

MAX_PAYLOAD = 250
"""Address, seq, code and data. With the CRC it stays below 254 bytes, so COBS adds exactly one."""
MAX_DATA = MAX_PAYLOAD - 3
MAX_BODY = MAX_PAYLOAD + 3
MIN_BODY = 6

BROADCAST = 255
"""The address that means every device on the line: each does what it is told, and none answers."""

_head = Struct("BBB").pack
_crc = Struct("<H").pack
_REMEMBERED = 1024


class Frame(NamedTuple):
    """One frame whose CRC is right."""

    address: int
    seq: int
    code: int
    data: bytes


def encode(address: int, seq: int, code: int, data: bytes) -> bytes:
    """The frame as it goes on the wire."""
    first, middle = _stuffed(data)
    head = _head(address, seq, code)
    crc = _crc(crc_hqx(head + data, 0xFFFF))
    if 0 in head or 0 in crc:
        return wrapped(head + data + crc)
    return b"".join((first, head, middle, crc, b"\0"))


def sealed(payload: bytes) -> bytes:
    """Address, seq, code and data, with their CRC."""
    return payload + _crc(crc_hqx(payload, 0xFFFF))


def wrapped(plain: bytes) -> bytes:
    """What was sealed, as it goes on the wire."""
    return b"\0" + stuff(plain) + b"\0"


class Deframer:
    """Cuts a stream into frames and counts what had to be thrown away."""

    __slots__ = ("_rest", "rejected", "rejected_bytes", "rejected_frames")

    def __init__(self) -> None:
        self.rejected_frames = 0
        self.rejected_bytes = 0
        self.rejected = b""
        """The last that was thrown away."""
        self._rest = b""

    @property
    def waiting(self) -> int:
        return len(self._rest)

    def receive(self, data: bytes) -> list[Frame]:
        bodies = (self._rest + data if self._rest else data).split(b"\0")
        rest = bodies.pop()
        frames = []
        for body in bodies:
            if not body:
                continue
            frame = _decode(body)
            if frame is None:
                self.rejected_frames += 1
                self.rejected_bytes += len(body)
                self.rejected = body
            else:
                frames.append(frame)
        if rest and len(rest) > MAX_BODY + 1:
            # too long to become a frame: kept just long enough to be refused at the next zero
            self.rejected_bytes += len(rest) - (MAX_BODY + 1)
            rest = rest[: MAX_BODY + 1]
        self._rest = rest
        return frames


def plain_body(body: bytes) -> bytes:
    """What stood between two zeros without its stuffing, whatever its CRC; nothing when it cannot be read."""
    return unstuff(body) or b""


def swapped(plain: bytes) -> bool:
    """Whether a CRC is right but for the order of its bytes."""
    return len(plain) > 2 and _crc(crc_hqx(plain[:-2], 0xFFFF)) == plain[:-3:-1]


def _decode(body: bytes) -> Frame | None:
    if not MIN_BODY <= len(body) <= MAX_BODY:
        return None
    head, crc = body[1:4], body[-2:]
    data = _plain(body[0], body[4:-2])
    if data is None:
        plain = unstuff(body)
        if plain is None:
            return None
        head, data, crc = plain[:3], plain[3:-2], plain[-2:]
    if _crc(crc_hqx(head + data, 0xFFFF)) != crc:
        return None
    return _frame(Frame, (*head, data))


_frame = tuple.__new__
"""Makes a Frame of a tuple, at half the cost of a call to it."""


@lru_cache(_REMEMBERED)
def _stuffed(data: bytes) -> tuple[bytes, bytes]:
    """What stands before the head and between head and CRC when neither holds a zero: it depends on the data alone, and
    a poll carries the same data again and again. Data that no frame can carry are a ValueError."""
    if len(data) > MAX_DATA:
        raise ValueError(f"{len(data)} bytes of data, a frame carries at most {MAX_DATA}")
    body = stuff(b"\1\1\1" + data + b"\1\1")
    return b"\0" + body[:1], body[4:-2]


@lru_cache(_REMEMBERED)
def _plain(first: int, middle: bytes) -> bytes | None:
    """The reverse: the data, or None when head or CRC hold a zero or nothing can be made of it."""
    plain = unstuff(bytes((first, 1, 1, 1)) + middle + b"\1\1")
    return plain[3:-2] if plain is not None and plain[:3] + plain[-2:] == b"\1\1\1\1\1" else None

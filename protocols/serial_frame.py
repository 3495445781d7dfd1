"""Frames of the open serial profile: `00 | COBS(address, seq, code, data…, CRC) | 00`.

The CRC is CRC-16/CCITT-FALSE over address, seq, code and data, low byte first. No byte of the stuffed body is zero, so
a receiver is in step again at the next zero, whatever came before; the leading zero ends any noise on an idle line.
"""

from binascii import crc_hqx
from typing import NamedTuple

MAX_PAYLOAD = 250
"""Address, seq, code and data. With the CRC it stays below 254 bytes, so COBS adds exactly one."""
MAX_DATA = MAX_PAYLOAD - 3
MAX_BODY = MAX_PAYLOAD + 3
MIN_BODY = 6

BROADCAST = 255
"""The address that means every device on the line: each does what it is told, and none answers."""

_OCTET = [bytes((n,)) for n in range(256)]


class Frame(NamedTuple):
    """One frame whose CRC is right."""

    address: int
    seq: int
    code: int
    data: bytes


def encode(address: int, seq: int, code: int, data: bytes) -> bytes:
    """The frame as it goes on the wire."""
    if len(data) > MAX_DATA:
        raise ValueError(f"{len(data)} bytes of data, a frame carries at most {MAX_DATA}")
    payload = bytes((address, seq, code)) + data
    return b"\0" + _stuff(payload + crc_hqx(payload, 0xFFFF).to_bytes(2, "little")) + b"\0"


class Deframer:
    """Cuts a stream into frames and counts what had to be thrown away."""

    def __init__(self) -> None:
        self.rejected_frames = 0
        self.rejected_bytes = 0
        self._rest = b""

    @property
    def waiting(self) -> int:
        """Bytes that are no frame yet."""
        return len(self._rest)

    def receive(self, data: bytes) -> list[Frame]:
        """The frames that these bytes complete."""
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
            else:
                frames.append(frame)
        if len(rest) > MAX_BODY + 1:
            # too long to become a frame: kept just long enough to be refused at the next zero
            self.rejected_bytes += len(rest) - (MAX_BODY + 1)
            rest = rest[: MAX_BODY + 1]
        self._rest = rest
        return frames


def _decode(body: bytes) -> Frame | None:
    size = len(body)
    if not MIN_BODY <= size <= MAX_BODY:
        return None
    # undo COBS in place: each length byte becomes the zero that it stands for; the first stands for none
    plain = bytearray(body)
    at = 0
    while at < size:
        step = plain[at]
        plain[at] = 0
        at += step
    if at != size or crc_hqx(plain[1:-2], 0xFFFF) != plain[-2] | plain[-1] << 8:
        return None
    return Frame(plain[1], plain[2], plain[3], bytes(plain[4:-2]))


def _stuff(plain: bytes) -> bytes:
    """COBS: before each run without zeros stands its length plus one, instead of the zero."""
    return b"".join([_OCTET[len(run) + 1] + run for run in plain.split(b"\0")])

"""The two framings of Modbus: MBAP headers on TCP, unit and CRC on serial lines (RTU).

Gaps of silence between RTU frames cannot be seen behind a USB adapter or a pseudo terminal, so frames are found by
their length and their CRC. That deframer finds back into step after any noise; that of TCP passes over what has one
fault in its header, and looks for the next header after anything else.
"""

import struct
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from feltrig.protocols.modbus.pdu import EXCEPTION, IDENTIFY, MAX_PDU, READ_WRITE, WRITE

MAX_RTU = 256
MAX_UNIT = 247
ALL_UNITS = 0
"""The unit of a broadcast on RTU: each does what it is told, and none answers."""

_MBAP = struct.Struct(">HHHB")
_HEADER = _MBAP.size
_MOST = MAX_PDU + 1
"""The largest length that a header may tell: unit and PDU."""
_PASSED_OVER = 300
"""The largest length that is still believed: somebody's frame that came out too long. More is no header at all."""


class TcpFrame(NamedTuple):
    """A PDU from a TCP connection."""

    transaction: int
    unit: int
    pdu: bytes


class RtuFrame(NamedTuple):
    """A PDU from a serial line, where it has no transaction."""

    unit: int
    pdu: bytes

    @property
    def transaction(self) -> None:
        """None."""


Frame = TcpFrame | RtuFrame


def encode_tcp(transaction: int, unit: int, pdu: bytes) -> bytes:
    """The PDU behind its MBAP header."""
    return _MBAP.pack(transaction, 0, len(pdu) + 1, unit) + pdu


def encode_rtu(unit: int, pdu: bytes) -> bytes:
    """The PDU between its unit and its CRC."""
    body = bytes((unit,)) + pdu
    return body + crc16(body).to_bytes(2, "little")


def encoded(frame: Frame) -> bytes:
    """A frame as it stood on its wire."""
    return encode_tcp(*frame) if isinstance(frame, TcpFrame) else encode_rtu(*frame)


def _crc_table() -> list[int]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0xA001 if value & 1 else 0)  # noqa: PLW2901 - eight steps of one division
        table.append(value)
    return table


_CRC = _crc_table()


@lru_cache(maxsize=1024)
def crc16(data: bytes) -> int:
    """CRC-16/MODBUS. Remembered, because a poll asks and hears the same bytes again and again."""
    crc = 0xFFFF
    for octet in data:
        crc = crc >> 8 ^ _CRC[(crc ^ octet) & 0xFF]
    return crc


_frame = tuple.__new__
"""Makes a TcpFrame of a tuple, at half the cost of a call to it."""


class TcpDeframer:
    """Cuts a TCP stream into frames, and counts the bytes that belong to none. A frame of another protocol, too short
    or too long, is passed over whole. After what is no header, the next right one is taken for the next frame."""

    __slots__ = ("_lost", "_rest", "rejected_bytes")

    def __init__(self) -> None:
        self.rejected_bytes = 0
        self._rest = b""
        self._lost = False
        """Whether the stream is out of step, so that a header begins anywhere."""

    def receive(self, data: bytes) -> list[TcpFrame]:
        stream = self._rest + data if self._rest else data
        frames, start, size = [], 0, len(stream)
        while size - start >= _HEADER:
            transaction, protocol, length, unit = _MBAP.unpack_from(stream, start)
            right = not protocol and 2 <= length <= _MOST
            if not right and (self._lost or not _is_believed(protocol, length)):
                self._lost = True
                start += 1
                self.rejected_bytes += 1
                continue
            end = start + 6 + length
            if end > size:
                break
            if right:
                frames.append(_frame(TcpFrame, (transaction, unit, stream[start + _HEADER : end])))
                self._lost = False
            else:
                self.rejected_bytes += end - start
            start = end
        self._rest = stream[start:]
        return frames

    @property
    def waiting(self) -> int:
        return len(self._rest)

    def clear(self) -> None:
        """Forget a frame that broke off; the next byte begins another."""
        self.rejected_bytes += len(self._rest)
        self._rest = b""
        self._lost = False


def _is_believed(protocol: int, length: int) -> bool:
    """Whether a wrong header still tells where its frame ends: noise has more than one fault."""
    return length <= _PASSED_OVER if protocol == 0 else 2 <= length <= _MOST


Length = Callable[[bytes, int], int]
"""Length of the RTU frame at an offset of the buffer; more than there is when that is not known yet."""


class RtuDeframer:
    """Cuts a serial stream into frames, and counts the bytes that belong to none."""

    __slots__ = ("_length", "_rest", "rejected_bytes")

    def __init__(self, length: Length) -> None:
        self.rejected_bytes = 0
        self._length = length
        self._rest = b""

    def receive(self, data: bytes) -> list[RtuFrame]:
        stream = self._rest + data if self._rest else data
        frames, start, size = [], 0, len(stream)
        while size - start >= 4:
            length = self._length(stream, start)
            if length > MAX_RTU or stream[start] > MAX_UNIT:
                taken = 0
            elif start + length > size:
                start_of_last = self._last(stream, start + 1)
                if start_of_last is None:
                    break
                self.rejected_bytes += start_of_last - start
                start, taken = start_of_last, size - start_of_last
            else:
                taken = length if _intact(stream[start : start + length]) else 0
            if taken:
                frames.append(RtuFrame(stream[start], stream[start + 1 : start + taken - 2]))
                start += taken
            else:
                self.rejected_bytes += 1
                start += 1
        self._rest = stream[start:]
        return frames

    @property
    def waiting(self) -> int:
        return len(self._rest)

    def clear(self) -> None:
        """Forget a frame that broke off."""
        self.rejected_bytes += len(self._rest)
        self._rest = b""

    def _last(self, stream: bytes, start: int) -> int | None:
        """Where a whole frame begins that ends with the stream. On a line where one speaks at a time that is a frame,
        and what stands before it is noise that only looked like the beginning of one."""
        size = len(stream)
        for offset in range(start, size - 3):
            if (
                stream[offset] <= MAX_UNIT
                and offset + self._length(stream, offset) == size
                and _intact(stream[offset:])
            ):
                return offset
        return None


def _intact(frame: bytes) -> bool:
    return crc16(frame[:-2]) == frame[-2] | frame[-1] << 8


_REQUEST_LENGTH = {1: 8, 2: 8, 3: 8, 4: 8, 5: 8, 6: 8, 7: 4, 8: 8, 11: 4, 12: 4, 17: 4, 22: 10, 24: 6, IDENTIFY: 7}
_REQUEST_COUNT = {15: 6, WRITE: 6, 20: 2, 21: 2, READ_WRITE: 10}
"""Where the count of the bytes that follow stands. Functions that we refuse are framed too, so that we can refuse."""

_RESPONSE_LENGTH = {5: 8, 6: 8, 15: 8, WRITE: 8}
_RESPONSE_COUNT = {1: 2, 2: 2, 3: 2, 4: 2, 17: 2, READ_WRITE: 2}


def request_length(stream: bytes, start: int) -> int:
    function = stream[start + 1]
    if function in _REQUEST_LENGTH:
        return _REQUEST_LENGTH[function]
    if function in _REQUEST_COUNT:
        return _counted(stream, start, _REQUEST_COUNT[function])
    return _unknown(stream, start)


def response_length(stream: bytes, start: int) -> int:
    function = stream[start + 1]
    if function in _RESPONSE_COUNT:
        return _counted(stream, start, _RESPONSE_COUNT[function])
    if function & EXCEPTION:
        return 5
    if function in _RESPONSE_LENGTH:
        return _RESPONSE_LENGTH[function]
    return _identification_length(stream, start) if function == IDENTIFY else _unknown(stream, start)


def _unknown(stream: bytes, start: int) -> int:
    """A frame of an unknown function is taken to fill the stream. Anywhere else it is noise: were every byte allowed to
    begin such a frame, a right CRC would soon be found by chance."""
    return len(stream) if start == 0 else MAX_RTU + 1


def _counted(stream: bytes, start: int, count_at: int) -> int:
    at = start + count_at
    return count_at + 1 + stream[at] + 2 if at < len(stream) else count_at + 3


def _identification_length(stream: bytes, start: int) -> int:
    """Unit, function, six bytes and the number of objects, then each object with its number and length."""
    end = start + 8
    if end > len(stream):
        return 10
    for _ in range(stream[end - 1]):
        if end + 2 > len(stream):
            return end + 4 - start
        end += 2 + stream[end + 1]
    return end + 2 - start

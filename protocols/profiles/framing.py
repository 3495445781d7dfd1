"""Framings as data: how a model of device marks where a message begins and ends on a serial line.

Each framing wraps a payload and cuts a stream into payloads again. Whatever noise came before, a deframer is in step
again at the next whole frame; where a false beginning hides it, at the latest after a silence.
"""

from binascii import crc_hqx
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Literal, Protocol

from feltrig.protocols.cobs import stuff, unstuff
from feltrig.protocols.modbus.frame import crc16

LONGEST = 1024
"""Bytes of the longest payload; more is noise."""

CHECKS: Mapping[str, tuple[int, Callable[[bytes], int]]] = {
    "none": (0, lambda data: 0),
    "xor": (1, lambda data: reduce(xor, data, 0)),
    "sum": (1, lambda data: sum(data) & 0xFF),
    "lrc": (1, lambda data: -sum(data) & 0xFF),
    "crc16-ccitt": (2, lambda data: crc_hqx(data, 0xFFFF)),
    "crc16-xmodem": (2, lambda data: crc_hqx(data, 0)),
    "crc16-modbus": (2, lambda data: crc16(bytes(data))),
}
"""Bytes of each check, and how it is computed. A BCC is an `xor`; an LRC as in ISO 1155 is the negative sum."""

Order = Literal["big", "little"]


class Framing(Protocol):
    """How payloads become frames, and where in a stream frames are."""

    def frame(self, payload: bytes) -> bytes:
        """The frame as it goes on the wire. A payload that cannot be framed is a ValueError."""

    def match(self, stream: bytes, start: int) -> tuple[int, bytes | None]:
        """What stands at an offset: the end of a frame and its payload, or the end of noise and None. An end equal to
        the start means that more bytes are needed to say."""


class Deframer:
    """Cuts a stream into payloads and counts the bytes that belong to none."""

    def __init__(self, framing: Framing) -> None:
        self.rejected_bytes = 0
        self._match = framing.match
        self._rest = b""

    @property
    def waiting(self) -> int:
        return len(self._rest)

    def receive(self, data: bytes) -> list[bytes]:
        """The payloads that these bytes complete."""
        return self._cut(self._rest + data, final=False)

    def silence(self) -> list[bytes]:
        """The line has been silent: what is incomplete never will be whole. The payloads that it had hidden."""
        return self._cut(self._rest, final=True)

    def _cut(self, stream: bytes, *, final: bool) -> list[bytes]:
        payloads, start = [], 0
        while start < len(stream):
            end, payload = self._match(stream, start)
            if end == start:
                if not final:
                    break
                end = start + 1
            if payload is None:
                self.rejected_bytes += end - start
            else:
                payloads.append(payload)
            start = end
        self._rest = stream[start:]
        return payloads


@dataclass(frozen=True, slots=True)
class Check:
    """A check over a frame, as raw bytes or as hex characters."""

    name: str = "none"
    hex: bool = False
    order: Order = "big"

    @property
    def size(self) -> int:
        return CHECKS[self.name][0] * (2 if self.hex else 1)

    def of(self, data: bytes) -> bytes:
        """The check of these bytes, as it goes on the wire."""
        size, compute = CHECKS[self.name]
        raw = compute(data).to_bytes(size, self.order)
        return raw.hex().upper().encode() if self.hex else raw

    def agrees(self, data: bytes, given: bytes) -> bool:
        """Whether the check that came is that of these bytes; hex may come in small letters."""
        return self.of(data) == (given.upper() if self.hex else given)


@dataclass(frozen=True, slots=True)
class Lines:
    """Text, each message closed by a terminator. An empty line says nothing."""

    end: bytes = b"\r\n"

    def frame(self, payload: bytes) -> bytes:
        if (payload + self.end).find(self.end) != len(payload) or len(payload) > LONGEST:
            raise ValueError(f"{payload!r} cannot be one line")
        return payload + self.end

    def match(self, stream: bytes, start: int) -> tuple[int, bytes | None]:
        at = stream.find(self.end, start)
        if at == start:
            return at + len(self.end), None
        if at < 0:
            # kept just long enough to be refused at the next terminator
            kept = len(stream) - len(self.end)
            return (kept if kept - start > LONGEST else start), None
        return at + len(self.end), stream[start:at] if at - start <= LONGEST else None


@dataclass(frozen=True, slots=True)
class Bare:
    """A message without a frame: so many bytes, known by the first."""

    head: int
    size: int = 1


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A start byte, the payload, an end byte, a check; between frames there may be bare messages such as ACK.

    With an escape byte, start, end and escape inside the payload are sent as the escape and the byte xor 20h. The check
    is of the payload as it was before, and of the start and end byte if it covers them.
    """

    start: int = 0x02
    end: int = 0x03
    check: Check = Check()
    covers_start: bool = False
    covers_end: bool = True
    escape: int | None = None
    bare: tuple[Bare, ...] = ()

    def frame(self, payload: bytes) -> bytes:
        if len(payload) > LONGEST:
            raise ValueError(f"{len(payload)} bytes, a frame carries at most {LONGEST}")
        if any(payload[:1] == bytes((bare.head,)) and len(payload) == bare.size for bare in self.bare):
            return payload
        return (
            bytes((self.start,)) + self._stuffed(payload) + bytes((self.end,)) + self.check.of(self._covered(payload))
        )

    def match(self, stream: bytes, start: int) -> tuple[int, bytes | None]:
        for bare in self.bare:
            if stream[start] == bare.head:
                end = start + bare.size
                return (end, stream[start:end]) if end <= len(stream) else (start, None)
        if stream[start] != self.start:
            return self._next_head(stream, start + 1), None
        return self._enclosed(stream, start)

    def _enclosed(self, stream: bytes, start: int) -> tuple[int, bytes | None]:
        payload = bytearray()
        at = start + 1
        while at < len(stream):
            octet = stream[at]
            if octet == self.end:
                return self._closed(stream, start, at, bytes(payload))
            if octet == self.start:
                return at, None
            if len(payload) == LONGEST:
                return at, None
            if octet == self.escape:
                at += 1
                if at == len(stream):
                    break
                octet = stream[at] ^ 0x20
            payload.append(octet)
            at += 1
        return start, None

    def _closed(self, stream: bytes, start: int, at: int, payload: bytes) -> tuple[int, bytes | None]:
        end = at + 1 + self.check.size
        if end > len(stream):
            return start, None
        good = self.check.agrees(self._covered(payload), stream[at + 1 : end])
        return (end, payload) if good else (start + 1, None)

    def _next_head(self, stream: bytes, at: int) -> int:
        heads = {self.start, *(bare.head for bare in self.bare)}
        return next((n for n in range(at, len(stream)) if stream[n] in heads), len(stream))

    def _covered(self, payload: bytes) -> bytes:
        head = bytes((self.start,)) if self.covers_start else b""
        return head + payload + (bytes((self.end,)) if self.covers_end else b"")

    def _stuffed(self, payload: bytes) -> bytes:
        special = {self.start, self.end, self.escape}
        if self.escape is None:
            if special & set(payload):
                raise ValueError(f"{payload.hex(' ')}: contains a byte that starts or ends a frame")
            return payload
        mark = bytes((self.escape,))
        return b"".join(mark + bytes((octet ^ 0x20,)) if octet in special else bytes((octet,)) for octet in payload)


@dataclass(frozen=True, slots=True)
class Counted:
    """Perhaps a start byte, the length, the payload, a check over all of these."""

    start: int | None = None
    length_size: Literal[1, 2] = 1
    order: Order = "big"
    counts: Literal["payload", "frame"] = "payload"
    check: Check = Check("sum")
    covers_start: bool = True

    def frame(self, payload: bytes) -> bytes:
        length = len(payload) + (self._around if self.counts == "frame" else 0)
        if length >= 1 << 8 * self.length_size or len(payload) > LONGEST:
            raise ValueError(f"{len(payload)} bytes are too long for a frame")
        body = self._head + length.to_bytes(self.length_size, self.order) + payload
        return body + self.check.of(self._covered(body))

    def match(self, stream: bytes, start: int) -> tuple[int, bytes | None]:
        head = len(self._head)
        if head and stream[start] != self.start:
            following = stream.find(self._head, start)
            return (following if following >= 0 else len(stream)), None
        body = start + head + self.length_size
        if body > len(stream):
            return start, None
        size = int.from_bytes(stream[start + head : body], self.order)
        size -= self._around if self.counts == "frame" else 0
        if not 0 <= size <= LONGEST:
            return start + 1, None
        checked = body + size
        end = checked + self.check.size
        if end > len(stream):
            return start, None
        good = self.check.agrees(self._covered(stream[start:checked]), stream[checked:end])
        return (end, stream[body:checked]) if good else (start + 1, None)

    @property
    def _head(self) -> bytes:
        return b"" if self.start is None else bytes((self.start,))

    @property
    def _around(self) -> int:
        return len(self._head) + self.length_size + self.check.size

    def _covered(self, body: bytes) -> bytes:
        return body if self.covers_start else body[len(self._head) :]


@dataclass(frozen=True, slots=True)
class Cobs:
    """Payload and check, stuffed so that no byte is zero (Cheshire and Baker), between zeros."""

    check: Check = Check("crc16-ccitt", order="little")

    def frame(self, payload: bytes) -> bytes:
        if not payload or len(payload) > LONGEST:
            raise ValueError(f"{len(payload)} bytes, a frame carries 1 to {LONGEST}")
        return b"\0" + stuff(payload + self.check.of(payload)) + b"\0"

    def match(self, stream: bytes, start: int) -> tuple[int, bytes | None]:
        at = stream.find(b"\0", start)
        if at < 0:
            return (len(stream) if len(stream) - start > 2 * LONGEST else start), None
        plain = unstuff(stream[start:at])
        size = self.check.size
        if plain is None or not size < len(plain) <= LONGEST + size:
            return at + 1, None
        payload, given = plain[: len(plain) - size], plain[len(plain) - size :]
        return at + 1, payload if self.check.agrees(payload, given) else None

"""Framings as data: how a model of device marks where a message begins and ends on a serial line.

Each framing wraps a payload and cuts a stream into payloads again. Whatever noise came before, a deframer is in step
again at the next whole frame; where a false beginning hides it, at the latest after a silence.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from feltrig.protocols.cobs import stuff, unstuff
from feltrig.protocols.profiles.checksums import Check, Order

LONGEST = 1024
"""Bytes of the longest payload; more is noise."""

BLANKS = b" \t\r\n"
"""Bytes that mean nothing between two frames."""

UNCHECKED, SUM, CRC = Check(), Check("sum"), Check("crc16-ccitt", order="little")


class Framing(Protocol):
    """How payloads become frames, and where in a stream frames are."""

    def frame(self, payload: bytes) -> bytes:
        """The frame as it goes on the wire. A payload that cannot be framed is a ValueError."""

    def match(self, stream: bytes, start: int) -> tuple[int, bytes | None]:
        """What stands at an offset: the end of a frame and its payload, or the end of noise and None. An end equal to
        the start means that more bytes are needed to say."""


class Deframer:
    """Cuts a stream into payloads and counts the bytes that belong to none. White space between frames is not counted.
    What whole frames with a wrong check carry is kept apart."""

    def __init__(self, framing: Framing) -> None:
        self.rejected = b""
        """The last bytes that made no frame, up to the longest payload."""
        self.rejected_bytes = 0
        self.broken: list[bytes] = []
        """The payloads of frames whose check was wrong; whoever has read them empties it."""
        self._match = framing.match
        self._unchecked = unchecked(framing)
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
        payloads, start, noise = [], 0, b""
        while start < len(stream):
            end, payload = self._match(stream, start)
            if end == start:
                if not final:
                    break
                end = start + 1
            if payload is None:
                self._note_broken(stream, start)
                noise += stream[start:end]
            else:
                payloads.append(payload)
            start = end
        self._rest = stream[start:]
        if counted := len(noise.translate(None, BLANKS)):
            self.rejected, self.rejected_bytes = noise[-LONGEST:], self.rejected_bytes + counted
        return payloads

    def _note_broken(self, stream: bytes, start: int) -> None:
        if self._unchecked is not None:
            end, payload = self._unchecked.match(stream, start)
            if payload is not None and end > start:
                self.broken = [*self.broken[-LONGEST:], payload]


def unchecked(framing: Framing) -> Framing | None:
    """The same framing, whatever its check says; None for one that has no check."""
    if isinstance(framing, Lines | Enclosed | Counted | Cobs) and framing.check.size:
        return replace(framing, check=replace(framing.check, ignored=True))
    return None


@dataclass(frozen=True, slots=True)
class Bare:
    """A message without a frame: so many bytes, known by the first."""

    head: int
    size: int = 1


def _is_bare(bare: Sequence[Bare], payload: bytes) -> bool:
    return any(payload[:1] == bytes((each.head,)) and len(payload) == each.size for each in bare)


def _bare_at(bare: Sequence[Bare], stream: bytes, start: int) -> tuple[int, bytes | None] | None:
    """A bare message at an offset, whole or not; None when something else stands there."""
    for each in bare:
        if stream[start] == each.head:
            end = start + each.size
            return (end, stream[start:end]) if end <= len(stream) else (start, None)
    return None


def _next_head(heads: set[int], stream: bytes, at: int) -> int:
    return next((n for n in range(at, len(stream)) if stream[n] in heads), len(stream))


@dataclass(frozen=True, slots=True)
class Lines:
    """Text, each message closed by a terminator; perhaps with an opening, and with a check behind a mark, as in
    `$…*hh`. An empty line says nothing. Line feeds and returns before a line are no part of it."""

    end: bytes = b"\r\n"
    start: bytes = b""
    mark: bytes = b""
    check: Check = UNCHECKED
    covers_start: bool = False
    covers_mark: bool = False
    bare: tuple[Bare, ...] = ()

    def frame(self, payload: bytes) -> bytes:
        if _is_bare(self.bare, payload):
            return payload
        if (payload + self.end).find(self.end) != len(payload) or len(payload) > LONGEST:
            raise ValueError(f"{payload!r} cannot be one line")
        if self.start and self.start in payload:
            raise ValueError(f"{payload!r} contains what begins a line")
        return self.start + payload + self.mark + self.check.of(self._covered(payload)) + self.end

    def match(self, stream: bytes, start: int) -> tuple[int, bytes | None]:
        bare = _bare_at(self.bare, stream, start)
        if bare is not None:
            return bare
        at = stream.find(self.end, start)
        if at == start:
            return at + len(self.end), None
        if at < 0:
            # kept just long enough to be refused at the next terminator
            kept = len(stream) - len(self.end)
            return (kept if kept - start > self._longest else start), None
        begin = self._begin(stream, start, at)
        if begin > start:
            heads = {bare.head for bare in self.bare}
            return min(begin, _next_head(heads, stream, start + 1)), None
        return self._closed(stream, begin, at)

    def _begin(self, stream: bytes, start: int, at: int) -> int:
        """Where the line begins that ends there: at the last opening, so that one that was broken off hides no other.
        Without an opening, behind what is left of the end before it."""
        if self.start:
            find = stream.find if self._raw else stream.rfind  # a raw check may hold what opens a line
            begin = find(self.start, start, at)
            return begin if begin >= 0 else at + len(self.end)
        return at - len(stream[start:at].lstrip(b"\r\n"))

    def _closed(self, stream: bytes, begin: int, at: int) -> tuple[int, bytes | None]:
        body = begin + len(self.start)
        payload = self._read(stream[body:at])
        if payload is None and self._raw:
            # a raw check may hold the terminator: then another one comes where the check would end
            for later in range(at + 1, at + self.check.size + 1):
                if later + len(self.end) > len(stream):
                    return begin, None
                if stream.startswith(self.end, later) and (whole := self._read(stream[body:later])) is not None:
                    return later + len(self.end), whole
            return (begin + 1 if self.start else at + len(self.end)), None
        return at + len(self.end), payload

    def _read(self, body: bytes) -> bytes | None:
        around = len(self.mark) + self.check.size
        payload, tail = body[: len(body) - around], body[len(body) - around :]
        if len(body) < around or not payload or len(payload) > LONGEST or not tail.startswith(self.mark):
            return None
        return payload if self.check.agrees(self._covered(payload), tail[len(self.mark) :]) else None

    def _covered(self, payload: bytes) -> bytes:
        head = self.start if self.covers_start else b""
        return head + payload + (self.mark if self.covers_mark else b"")

    @property
    def _raw(self) -> bool:
        return self.check.written == "raw" and self.check.size > 0

    @property
    def _longest(self) -> int:
        return LONGEST + len(self.start) + len(self.mark) + self.check.size


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A start byte, the payload, an end byte, a check; between frames there may be bare messages such as ACK.

    With an escape byte, start, end and escape inside the payload are sent as the escape and the byte xor 20h. The check
    is of the payload as it was before, and of the start and end byte if it covers them. It follows the end byte, or
    with `check_inside` it stands before it.
    """

    start: int = 0x02
    end: int = 0x03
    check: Check = UNCHECKED
    covers_start: bool = False
    covers_end: bool = True
    escape: int | None = None
    bare: tuple[Bare, ...] = ()
    check_inside: bool = False

    def frame(self, payload: bytes) -> bytes:
        if len(payload) > LONGEST:
            raise ValueError(f"{len(payload)} bytes, a frame carries at most {LONGEST}")
        if _is_bare(self.bare, payload):
            return payload
        start, end, check = bytes((self.start,)), bytes((self.end,)), self.check.of(self._covered(payload))
        if not self.check_inside:
            return start + self._stuffed(payload) + end + check
        return start + self._stuffed(payload) + (check if self.escape is None else self._stuffed(check)) + end

    def match(self, stream: bytes, start: int) -> tuple[int, bytes | None]:
        bare = _bare_at(self.bare, stream, start)
        if bare is not None:
            return bare
        if stream[start] != self.start:
            return _next_head({self.start, *(bare.head for bare in self.bare)}, stream, start + 1), None
        return self._enclosed(stream, start)

    def _enclosed(self, stream: bytes, start: int) -> tuple[int, bytes | None]:
        payload = bytearray()
        inside = self.check.size if self.check_inside else 0
        at = start + 1
        while at < len(stream):
            octet = stream[at]
            if octet == self.end:
                end, whole = self._closed(stream, start, at, bytes(payload))
                if whole is not None or not inside or self.escape is not None:
                    return end, whole
                # a raw check may hold the end byte: then another one comes where the check would end
                following = stream[at + 1 : at + 1 + inside]
                if self.end not in following:
                    return (end, None) if len(following) == inside else (start, None)
            if octet == self.start and not inside:
                return at, None
            if len(payload) == LONGEST + inside:
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
        if self.check_inside:
            size = self.check.size
            payload, given = payload[: len(payload) - size], payload[len(payload) - size :]
            good = len(given) == size and self.check.agrees(self._covered(payload), given)
            return (at + 1, payload) if good else (start + 1, None)
        end = at + 1 + self.check.size
        if end > len(stream):
            return start, None
        good = self.check.agrees(self._covered(payload), stream[at + 1 : end])
        return (end, payload) if good else (start + 1, None)

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
    """Perhaps start bytes, the length, the payload, a check over all of these, perhaps a stop byte. The first bytes of
    the payload, such as an address, may stand before the length."""

    start: bytes = b""
    length_size: Literal[1, 2] = 1
    order: Order = "big"
    counts: Literal["payload", "rest", "frame"] = "payload"
    """The payload behind the length, everything behind the length, or the whole frame."""
    check: Check = SUM
    covers_start: bool = True
    length_at: int = 0
    """Bytes of the payload before the length."""
    length_adds: int = 0
    """What the length says beyond what it counts."""
    covers_length: bool = True
    stop: int | None = None
    bare: tuple[Bare, ...] = ()

    def frame(self, payload: bytes) -> bytes:
        if _is_bare(self.bare, payload):
            return payload
        if len(payload) < self.length_at:
            raise ValueError(f"{len(payload)} bytes, and {self.length_at} of them stand before the length")
        length = len(payload) - self.length_at + self._beside
        if not 0 <= length < 1 << 8 * self.length_size or len(payload) > LONGEST:
            raise ValueError(f"{len(payload)} bytes are too long for a frame")
        said = length.to_bytes(self.length_size, self.order)
        body = self.start + payload[: self.length_at] + said + payload[self.length_at :]
        return body + self.check.of(self._covered(body)) + self._tail

    def match(self, stream: bytes, start: int) -> tuple[int, bytes | None]:
        bare = _bare_at(self.bare, stream, start)
        if bare is not None:
            return bare
        if not stream.startswith(self.start, start):
            if self.start.startswith(stream[start:]):  # the rest of the start bytes may follow
                return start, None
            return _next_head({self.start[0], *(bare.head for bare in self.bare)}, stream, start + 1), None
        where = start + len(self.start) + self.length_at
        body = where + self.length_size
        if body > len(stream):
            return start, None
        size = int.from_bytes(stream[where:body], self.order) - self._beside
        if not 0 <= size <= LONGEST - self.length_at:
            return start + 1, None
        checked = body + size
        end = checked + self.check.size + len(self._tail)
        if end > len(stream):
            return start, None
        given, tail = stream[checked : end - len(self._tail)], stream[end - len(self._tail) : end]
        if tail != self._tail or not self.check.agrees(self._covered(stream[start:checked]), given):
            return start + 1, None
        return end, stream[where - self.length_at : where] + stream[body:checked]

    @property
    def _tail(self) -> bytes:
        return b"" if self.stop is None else bytes((self.stop,))

    @property
    def _beside(self) -> int:
        """What the length says beyond the payload that follows it."""
        rest = self.check.size + len(self._tail)
        whole = len(self.start) + self.length_at + self.length_size + rest
        return self.length_adds + {"payload": 0, "rest": rest, "frame": whole}[self.counts]

    def _covered(self, body: bytes) -> bytes:
        """What the check is of, from all that stands before it."""
        where = len(self.start) + self.length_at
        if not self.covers_length:
            body = body[:where] + body[where + self.length_size :]
        return body if self.covers_start else body[len(self.start) :]


@dataclass(frozen=True, slots=True)
class Cobs:
    """Payload and check, stuffed so that no byte is zero (Cheshire and Baker), between zeros."""

    check: Check = CRC

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

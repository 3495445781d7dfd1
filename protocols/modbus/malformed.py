"""Malformed messages of Modbus RTU and TCP, and what modbus.md says of each. A scene of conformance tries the functions
that a device need not offer, and the commands whose error stands in the result."""

import struct
from collections.abc import Callable, Collection, Iterator

from feltrig.protocols.malformed import CODES, Envelope, MalformedMessage, Write, other_addresses
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus import register_map as regs
from feltrig.protocols.modbus.frame import ALL_UNITS, MAX_RTU, MAX_UNIT, crc16, encode_rtu, encode_tcp
from feltrig.protocols.modbus.pdu import Refusal
from feltrig.protocols.vocabulary import Kind

FUNCTION, ADDRESS, VALUE = Refusal.ILLEGAL_FUNCTION, Refusal.ILLEGAL_ADDRESS, Refusal.ILLEGAL_VALUE

DOES_NOTHING = ("MOD-47", "MOD-71")
"""Every exception tests that nothing is done, and that it is written rightly."""
SKIPPED = ("MOD-61", "MOD-62")
"""Every invalid frame tests that nothing is done, and that the next request is answered."""

UNREADABLE = pdu.refusal(0, FUNCTION)
"""What many servers answer to a request that they cannot read at all: function 0x80, exception 1."""

PAST = regs.RING + regs.SLOTS * regs.SLOT_SIZE
RESULT_END = regs.RESULT + regs.RESULT_SIZE

Frame = Callable[[Envelope, bytes], bytes]
"""Puts a PDU into its frame."""

Request = Callable[..., bytes]
"""Writes a PDU, with the token or the whole envelope."""


def _rtu_frame(envelope: Envelope, request: bytes) -> bytes:
    return encode_rtu(envelope.to, request)


def _tcp_frame(envelope: Envelope, request: bytes) -> bytes:
    return encode_tcp(envelope.number, envelope.to, request)


def rtu_malformed(kind: Kind, taken: Collection[int] = ()) -> Iterator[MalformedMessage]:
    """Those of Modbus RTU for one kind of device. What is meant for another goes to no unit that is taken."""
    yield from _both(_rtu_frame)
    for name, spoil in CHECKSUMS.items():
        yield _silent(name, lambda e, spoil=spoil: _misfit(e, _written(e), spoil), "MOD-63")
        yield _silent(f"{name} of a read", lambda e, spoil=spoil: _misfit(e, _FIRST, spoil), "MOD-63")
    for many in (1, MAX_RTU):
        yield _silent(
            f"{many} bytes too long",
            lambda e, many=many: _rtu_frame(e, _written(e).ljust(MAX_RTU - 3 + many, b"\xff")),
            "MOD-65",
        )
    for cut in (1, 3, 6, 9, -2, -1):
        after = f"after {cut} bytes" if cut > 0 else f"{-cut} bytes before its end"
        yield _silent(f"breaks off {after}", lambda e, cut=cut: _rtu_frame(e, _written(e))[:cut], "MOD-64")
    for number in range(len(other_addresses(1, (), MAX_UNIT))):
        for name, request in (("read", lambda _: _FIRST), ("reset", _written)):
            yield _silent(
                f"a {name} for another unit, {number + 1}",
                lambda e, number=number, request=request: encode_rtu(_other(e, number, taken), request(e)),
                "MOD-58",
            )
    yield _silent("a read for all units", lambda _: encode_rtu(ALL_UNITS, _FIRST), "MOD-60")
    yield _silent("an unknown function for all units", lambda _: encode_rtu(ALL_UNITS, b"\x41"), "MOD-60")


def tcp_malformed(kind: Kind, taken: Collection[int] = ()) -> Iterator[MalformedMessage]:
    """Those of Modbus TCP and TLS for one kind of device."""
    yield from _both(_tcp_frame)
    for name, broken in (
        ("a read that breaks off", pdu.read(0, 1)[:3]),
        ("a read of one byte", pdu.read(0, 1)[:1]),
        ("a read that lacks a byte", pdu.read(0, 1)[:4]),
    ):
        yield _exception(name, _tcp_frame, (VALUE,), _always(broken), "MOD-56", unreadable=True)
    yield MalformedMessage(
        "a read with a byte too many",
        lambda e: _tcp_frame(e, pdu.read(0, 1) + b"\0"),
        lambda e: _tcp_frame(e, pdu.refusal(pdu.READ_HOLDING, VALUE)),
        ("MOD-56", *DOES_NOTHING),
        others=(lambda e: _tcp_frame(e, pdu.registers(pdu.READ_HOLDING, struct.pack(">H", regs.VERSION))),),
    )
    for name, change in (
        ("a write that breaks off", lambda request: request[:3]),
        ("a write that lacks a byte", lambda request: request[:-1]),
        ("a write that lacks a register", lambda request: request[:-2]),
        ("a write with a byte too many", lambda request: request + b"\0"),
        ("a write with a register too many", lambda request: request + b"\0\0"),
    ):
        yield _exception(
            name,
            _tcp_frame,
            (VALUE,),
            lambda token, change=change: change(_reset(token)),
            "MOD-56",
            unreadable=True,
        )
    for protocol in (1, 0x0100, 0xFFFF):
        yield _skipped(f"protocol {protocol}", lambda e, p=protocol: _header(e, p, None, _written(e)), "MOD-66")
    for length, body in ((0, b""), (1, b"")):
        yield _skipped(f"length {length}", lambda e, n=length, b=body: _header(e, 0, n, b), "MOD-67")
    for length in (255, 300):
        yield _skipped(
            f"length {length}",
            lambda e, n=length: _header(e, 0, n, _written(e).ljust(n - 1, b"\xff")),
            "MOD-67",
            refused=True,
        )
    for number in range(len(other_addresses(1, (), MAX_UNIT))):
        for name, request in (("read", lambda _: _FIRST), ("reset", _written)):
            yield _elsewhere(f"a {name} for another unit, {number + 1}", number, taken, request)


def _elsewhere(name: str, number: int, taken: Collection[int], request: Request) -> MalformedMessage:
    """What is for a unit that is not served here; stock servers say that they failed."""

    def refused(code: Refusal) -> Write:
        return lambda e: encode_tcp(e.number, _other(e, number, taken), pdu.refusal(request(e)[0], code))

    return MalformedMessage(
        name,
        lambda e: encode_tcp(e.number, _other(e, number, taken), request(e)),
        refused(Refusal.NO_TARGET),
        ("MOD-57", *DOES_NOTHING, "MOD-70"),
        others=(refused(Refusal.DEVICE_FAILURE),),
    )


def _both(frame: Frame) -> Iterator[MalformedMessage]:
    """What is refused by an exception in both framings."""

    def exception(
        name: str, refusals: tuple[Refusal, ...], request: Request, *ids: str, unreadable: bool = False
    ) -> MalformedMessage:
        return _exception(name, frame, refusals, request, *ids, unreadable=unreadable)

    unknown = {
        1: pdu.read(0, 1, 1),
        2: pdu.read(0, 1, 2),
        5: b"\x05\x01\x00\xff\x00",
        15: b"\x0f\x01\x00\x00\x01\x01\x01",
        22: b"\x16\x01\x00\x00\x00\x00\x04",
        65: b"\x41",
        100: b"\x64",
    }
    for number, request in unknown.items():
        yield exception(f"function {number}", (FUNCTION, ADDRESS), _always(request), "MOD-49", unreadable=True)
    for start, count in (
        *((start, 1) for start in (128, 200, 255, RESULT_END, 511, PAST, 0x8000, 0xFFFF)),
        *((127, 2), (100, 29), (255, 2), (RESULT_END - 1, 2), (511, 2), (PAST - 1, 2), (120, 64), (1500, 40)),
    ):
        read = pdu.read(start, count)
        yield exception(f"a read of {start} to {start + count - 1}", (ADDRESS,), _always(read), "MOD-50")
    for count in (0, pdu.MAX_READ + 1, 0x100, 0xFFFF):
        reasons = (VALUE, ADDRESS) if count > regs.SLOTS * regs.SLOT_SIZE else (VALUE,)
        read = pdu.read(regs.RING, count)
        yield exception(f"a read of {count} registers", reasons, _always(read), "MOD-53", unreadable=True)
    for start in (0, 2, 3, 6, 8, 10, 16, 72, 103, 127, regs.RESULT, 290, 300, RESULT_END - 1, regs.RING, 700, PAST - 1):
        yield exception(f"a write to {start}", (ADDRESS,), lambda _, s=start: pdu.write(s, b"\0\4"), "MOD-51")
    yield exception("a result", (ADDRESS,), lambda t: pdu.write(regs.RESULT, _block(t, 0, 0)), "MOD-51")
    for start in (128, 255, RESULT_END, PAST):
        yield exception(f"a write to {start}", (ADDRESS,), lambda _, s=start: pdu.write(s, b"\0\4"), "MOD-51")
    for start in (257, 258, 259, 270, 286, 287):
        yield exception(
            f"a command at {start}",
            (ADDRESS,),
            lambda t, s=start: pdu.write(s, _block(t, CODES["reset"])),
            "MOD-52",
        )
        yield exception(f"one register at {start}", (ADDRESS,), lambda _, s=start: pdu.write(s, b"\0\4"), "MOD-52")
    yield exception(
        "a command at 255", (ADDRESS,), lambda t: pdu.write(255, b"\0\0" + _block(t, CODES["reset"])), "MOD-51"
    )
    for size in (33, 34, 100):
        yield exception(
            f"a command of {size} registers",
            (ADDRESS,),
            lambda t, size=size: pdu.write(regs.COMMAND, _block(t, CODES["reset"]).ljust(2 * size, b"\0")),
            "MOD-52",
        )
    yield exception("a write of nothing", (VALUE,), lambda _: pdu.write(regs.COMMAND, b""), "MOD-53", "MOD-55")
    yield exception("half a token", (VALUE,), lambda t: pdu.write(regs.COMMAND, regs.TOKEN.pack(t)[:2]), "MOD-55")
    yield exception("a write without a code", (VALUE,), lambda t: pdu.write(regs.COMMAND, regs.TOKEN.pack(t)), "MOD-55")
    for count, size in ((3, 4), (3, 8), (3, 5), (3, 7), (2, 6), (4, 6), (0, 6)):
        yield exception(
            f"{count} registers in {size} bytes",
            (VALUE,),
            lambda t, count=count, size=size: _miscounted(t, count, size),
            "MOD-54",
        )
    yield exception("124 registers", (VALUE,), lambda t: _miscounted(t, pdu.MAX_WRITE + 1, 6), "MOD-53", "MOD-54")


def _exception(
    name: str,
    frame: Frame,
    refusals: tuple[Refusal, ...],
    request: Request,
    *ids: str,
    unreadable: bool = False,
) -> MalformedMessage:
    """A request that gets one of these exceptions; `unreadable` if a server need not understand it at all."""

    def answer(refusal: Refusal) -> Write:
        return lambda e: frame(e, pdu.refusal(request(e.token)[0], refusal))

    first, *others = (answer(refusal) for refusal in refusals)
    if unreadable:
        others.append(lambda e: frame(e, UNREADABLE))
    return MalformedMessage(
        name, lambda e: frame(e, request(e.token)), first, (*ids, *DOES_NOTHING), others=tuple(others)
    )


def _silent(name: str, write: Callable[..., bytes], *ids: str) -> MalformedMessage:
    return MalformedMessage(name, write, requirements=(*ids, *SKIPPED))


def _skipped(name: str, write: Callable[..., bytes], *ids: str, refused: bool = False) -> MalformedMessage:
    """A frame with a wrong header. A server that reads one as long as it says refuses what is in it."""

    def answer(code: Refusal) -> Write:
        return lambda e: _tcp_frame(e, pdu.refusal(pdu.WRITE, code))

    others = tuple(map(answer, (FUNCTION, ADDRESS, VALUE))) if refused else ()
    return MalformedMessage(name, write, requirements=(*ids, *SKIPPED), others=others, may_close=True)


def _always(request: bytes) -> Callable[[int], bytes]:
    return lambda _: request


_FIRST = pdu.read(regs.DEVICE, 1)


def _block(token: int, *registers: int) -> bytes:
    return regs.TOKEN.pack(token) + b"".join(register.to_bytes(2, "big") for register in registers)


def _reset(token: int) -> bytes:
    return pdu.write(regs.COMMAND, _block(token, CODES["reset"]))


def _written(envelope: Envelope) -> bytes:
    return _reset(envelope.token)


def _other(envelope: Envelope, number: int, taken: Collection[int]) -> int:
    others = other_addresses(envelope.to, taken, MAX_UNIT)
    return others[number % len(others)]


def _miscounted(token: int, count: int, size: int) -> bytes:
    """A reset whose count of registers and of bytes do not agree; as many bytes come as are announced."""
    head = struct.pack(">BHHB", pdu.WRITE, regs.COMMAND, count, size)
    return head + _block(token, CODES["reset"]).ljust(size, b"\0")[:size]


def _header(envelope: Envelope, protocol: int, length: int | None, request: bytes) -> bytes:
    """A frame with another protocol or length in its header; without a body if the length has no room for one."""
    length = len(request) + 1 if length is None else length
    body = (bytes((envelope.to,)) + request)[:length]
    return struct.pack(">HHH", envelope.number, protocol, length) + body


CHECKSUMS: dict[str, Callable[[bytes], bytes]] = {
    "wrong low byte of the checksum": lambda body: _with_crc(body, crc16(body) ^ 0x0001),
    "another wrong low byte": lambda body: _with_crc(body, crc16(body) ^ 0x0080),
    "wrong high byte of the checksum": lambda body: _with_crc(body, crc16(body) ^ 0x0100),
    "another wrong high byte": lambda body: _with_crc(body, crc16(body) ^ 0x8000),
    "both bytes of the checksum wrong": lambda body: _with_crc(body, crc16(body) ^ 0x2424),
    "the checksum inverted": lambda body: _with_crc(body, crc16(body) ^ 0xFFFF),
    "bytes of the checksum swapped": lambda body: body + crc16(body).to_bytes(2, "big"),
    "a checksum without the unit": lambda body: _with_crc(body, crc16(body[1:])),
    "zeros for a checksum": lambda body: body + bytes(2),
}
"""Ways to write a frame with a wrong checksum."""


def _with_crc(body: bytes, crc: int) -> bytes:
    return body + crc.to_bytes(2, "little")


def _misfit(envelope: Envelope, request: bytes, spoil: Callable[[bytes], bytes]) -> bytes:
    """A frame with a wrong checksum. Should that be right by chance, another request takes its place."""
    frame = spoil(bytes((envelope.to,)) + request)
    if frame == encode_rtu(envelope.to, request):
        return _misfit(envelope, pdu.read(regs.DEVICE, 2), spoil)
    return frame

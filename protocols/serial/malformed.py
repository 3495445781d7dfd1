"""Malformed messages of the serial wire, and what serial.md says of each."""

from binascii import crc_hqx
from collections.abc import Callable, Collection, Iterator
from functools import partial

from feltrig.protocols.malformed import CODES, Envelope, MalformedMessage, other_addresses, unknown_codes
from feltrig.protocols.serial.codec import ANSWER, TOKEN
from feltrig.protocols.serial.frame import BROADCAST, MAX_PAYLOAD, encode, sealed, wrapped
from feltrig.protocols.vocabulary import Error, Kind

CRC, STUFFING, SHORT, LONG, NOISE, ANSWERS = "SER-26", "SER-27", "SER-28", "SER-29", "SER-30", "SER-31"
FOREIGN, TO_ALL, QUESTION_TO_ALL = "SER-3", "SER-5", "SER-32"
UNKNOWN_CODE, NO_TOKEN, LENGTH = "SER-33", "SER-34", "SER-35"
NOT_ACTED_ON = ("SER-24", "SER-25")
"""Every invalid message tests that nothing is done, and that the next question is answered."""


def malformed(kind: Kind, taken: Collection[int] = ()) -> Iterator[MalformedMessage]:
    """The messages for one kind of device. Addresses that are taken belong to devices of the rig: what is meant for
    another device goes to none of them."""
    for code in unknown_codes(kind):
        yield _refused(f"code {code:#04x}", code, Error.UNKNOWN_COMMAND, TOKEN.pack, UNKNOWN_CODE)
        yield _refused(f"code {code:#04x} without data", code, Error.UNKNOWN_COMMAND, lambda _: b"", UNKNOWN_CODE)
    for name, command in kind.commands.items():
        if command.acts:
            yield _refused(f"{name} without a token", command.code, Error.MALFORMED, lambda _: b"", NO_TOKEN)
            for size in range(1, TOKEN.size):
                part = partial(_beginning, size)
                yield _refused(f"{name} with {size} bytes of a token", command.code, Error.MALFORMED, part, NO_TOKEN)
    yield _refused("a byte too many", CODES["reset"], Error.MALFORMED, lambda token: TOKEN.pack(token) + b"\1", LENGTH)
    yield _refused("a zero too many", CODES["reset"], Error.MALFORMED, lambda token: TOKEN.pack(token) + b"\0", LENGTH)
    yield _refused("data where none belongs", CODES["status"], Error.MALFORMED, lambda _: b"\1", LENGTH)
    yield _refused("identify with a byte too many", CODES["identify"], Error.MALFORMED, lambda _: b"\0", LENGTH)
    for data in (b"", b"\0", b"\0\1", b"\0\0\1", b"\0\0\0\0\0"):
        yield _refused(f"events with {len(data)} bytes", CODES["events"], Error.MALFORMED, partial(_just, data), LENGTH)
    for name, data in (
        ("a list that breaks off", b"\x10\1\2\3"),
        ("a list without its length", b""),
        ("a list with a byte too many", b"\x10" + bytes(range(17))),
        ("a list with a byte too few", b"\x10" + bytes(range(15))),
    ):
        yield _refused(name, CODES["challenge"], Error.MALFORMED, partial(_just, data), LENGTH)
    yield _silent("the code of an answer", lambda e: wrapped(sealed(_reset(e, ANSWER))), ANSWERS)
    yield _silent("the answer to a question", lambda e: encode(e.to, e.number, CODES["status"] | ANSWER, b""), ANSWERS)
    for name, spoil in CHECKSUMS.items():
        yield _silent(name, lambda e, spoil=spoil: wrapped(_misfit(_reset(e), spoil)), CRC)
        yield _silent(f"{name} of a question", lambda e, spoil=spoil: wrapped(_misfit(_question(e), spoil)), CRC)
    yield _silent("wrong stuffing", lambda e: b"\0\xff" + wrapped(sealed(_reset(e)))[2:], STUFFING)
    yield _silent("stuffing one byte too long", _overrun, STUFFING)
    for size in range(3):
        yield _silent(f"a frame of {size} bytes", lambda e, size=size: wrapped(sealed(_reset(e)[:size])), SHORT)
    yield _silent("a frame without a checksum", lambda e: wrapped(_reset(e)[:3]), SHORT)
    yield _silent("without the last byte of the checksum", lambda e: wrapped(sealed(_reset(e))[:-1]), SHORT, CRC)
    yield _silent("without the bytes of the checksum", lambda e: wrapped(_reset(e)), SHORT, CRC)
    for size in (MAX_PAYLOAD + 1, MAX_PAYLOAD + 2, MAX_PAYLOAD + 50):
        for fill in (b"\0", b"\1"):
            what = "zeros" if fill == b"\0" else "others"
            yield _silent(
                f"too long: {size} bytes with {what}",
                lambda e, size=size, fill=fill: wrapped(sealed(_reset(e).ljust(size, fill))),
                LONG,
            )
    yield _silent("noise", lambda _: b"\x55" * 32 + b"\0", NOISE)
    yield _silent("noise of one byte", lambda _: b"\0\x7e\0", NOISE)
    yield _silent("noise of many bytes", lambda _: bytes(range(1, 256)) * 2 + b"\0", NOISE)
    for cut in (2, 4, 6):
        yield _silent(f"breaks off after {cut} bytes", lambda e, cut=cut: wrapped(sealed(_reset(e)))[:cut], SHORT)
    for cut in (2, 3):
        yield _silent(f"{cut - 1} bytes short", lambda e, cut=cut: wrapped(sealed(_reset(e)))[:-cut] + b"\0", SHORT)
    for number in range(len(other_addresses(1, (), BROADCAST - 1, 0))):
        yield _silent(
            f"a question for another address, {number + 1}",
            lambda e, number=number: _to_other(e, number, taken, CODES["status"], b""),
            FOREIGN,
        )
        yield _silent(
            f"a reset for another address, {number + 1}",
            lambda e, number=number: _to_other(e, number, taken, CODES["reset"], TOKEN.pack(e.token)),
            FOREIGN,
        )
    for name in ("identify", "status", "challenge", "events"):
        data = {"challenge": b"\x10" + bytes(16), "events": bytes(4)}.get(name, b"")
        yield _silent(
            f"{name} to all",
            lambda e, name=name, data=data: encode(BROADCAST, e.number, CODES[name], data),
            TO_ALL,
            QUESTION_TO_ALL,
        )
    yield _silent("an unknown code to all", lambda e: encode(BROADCAST, e.number, 0x7F, b""), TO_ALL)


def _refused(name: str, code: int, error: Error, data: Callable[[int], bytes], *ids: str) -> MalformedMessage:
    return MalformedMessage(
        name,
        lambda e: encode(e.to, e.number, code, data(e.token)),
        lambda e: encode(e.to, e.number, code | ANSWER, bytes((error,))),
        (*ids, *NOT_ACTED_ON),
    )


def _silent(name: str, write: Callable[..., bytes], *ids: str) -> MalformedMessage:
    return MalformedMessage(name, write, requirements=(*ids, *NOT_ACTED_ON))


def _beginning(size: int, token: int) -> bytes:
    return TOKEN.pack(token)[:size]


def _just(data: bytes, _: int) -> bytes:
    return data


def _reset(envelope: Envelope, bit: int = 0) -> bytes:
    return bytes((envelope.to, envelope.number, CODES["reset"] | bit)) + TOKEN.pack(envelope.token)


def _question(envelope: Envelope) -> bytes:
    return bytes((envelope.to, envelope.number, CODES["events"])) + b"\xff" * 4


def _with_crc(change: Callable[[int], int], start: int = 0xFFFF) -> Callable[[bytes], bytes]:
    return lambda payload: payload + change(crc_hqx(payload, start)).to_bytes(2, "little")


CHECKSUMS: dict[str, Callable[[bytes], bytes]] = {
    "wrong low byte of the checksum": _with_crc(lambda crc: crc ^ 0x0001),
    "another wrong low byte": _with_crc(lambda crc: crc ^ 0x0080),
    "wrong high byte of the checksum": _with_crc(lambda crc: crc ^ 0x0100),
    "another wrong high byte": _with_crc(lambda crc: crc ^ 0x8000),
    "both bytes of the checksum wrong": _with_crc(lambda crc: crc ^ 0x2424),
    "the checksum inverted": _with_crc(lambda crc: crc ^ 0xFFFF),
    "bytes of the checksum swapped": _with_crc(lambda crc: crc >> 8 | (crc & 0xFF) << 8),
    "a checksum that starts at 0": _with_crc(lambda crc: crc, 0),
    "a checksum without the address": lambda payload: payload + crc_hqx(payload[1:], 0xFFFF).to_bytes(2, "little"),
    "zeros for a checksum": _with_crc(lambda _: 0),
}
"""Ways to write a frame with a wrong checksum."""


def _misfit(payload: bytes, spoil: Callable[[bytes], bytes]) -> bytes:
    """A payload with a wrong checksum. Should that be right by chance, as when both its bytes are the same, the last
    byte of the payload is another."""
    while spoil(payload) == sealed(payload):
        payload = payload[:-1] + bytes(((payload[-1] + 1) & 0xFF,))
    return spoil(payload)


def _overrun(envelope: Envelope) -> bytes:
    """The last length of the stuffing is one more than the bytes that follow."""
    body = bytearray(wrapped(sealed(_reset(envelope)))[1:-1])
    at = 0
    while at + body[at] < len(body):
        at += body[at]
    body[at] += 1
    return b"\0" + bytes(body) + b"\0"


def _to_other(envelope: Envelope, number: int, taken: Collection[int], code: int, data: bytes) -> bytes:
    others = other_addresses(envelope.to, taken, BROADCAST - 1, 0)
    return encode(others[number % len(others)], envelope.number, code, data)

"""Malformed messages of the serial wire, and what serial.md says of each."""

from collections.abc import Callable, Collection, Iterator

from feltrig.protocols.malformed import CODES, Envelope, MalformedMessage, flip_last_bit, other_address, unknown_codes
from feltrig.protocols.serial.codec import ANSWER, TOKEN
from feltrig.protocols.serial.frame import BROADCAST, MAX_PAYLOAD, encode, sealed, wrapped
from feltrig.protocols.vocabulary import Error, Kind


def malformed(kind: Kind, taken: Collection[int] = ()) -> Iterator[MalformedMessage]:
    """The messages for one kind of device. Addresses that are taken belong to devices of the rig: what is meant for
    another device goes to none of them."""
    for code in unknown_codes(kind):
        yield _refused(f"code {code:#04x}", code, Error.UNKNOWN_COMMAND, TOKEN.pack)
    yield _refused("without a token", CODES["reset"], Error.MALFORMED, lambda _: b"")
    yield _refused("half a token", CODES["reset"], Error.MALFORMED, lambda token: TOKEN.pack(token)[:2])
    yield _refused("a byte too many", CODES["reset"], Error.MALFORMED, lambda token: TOKEN.pack(token) + b"\1")
    yield _refused("data where none belongs", CODES["status"], Error.MALFORMED, lambda _: b"\1")
    yield _refused("a number of two bytes for four", CODES["events"], Error.MALFORMED, lambda _: b"\0\1")
    yield _refused("a list that breaks off", CODES["challenge"], Error.MALFORMED, lambda _: b"\x10\1\2\3")
    yield MalformedMessage("the code of an answer", lambda e: wrapped(sealed(_reset(e, ANSWER))))
    yield MalformedMessage("wrong checksum", lambda e: wrapped(flip_last_bit(sealed(_reset(e)))))
    yield MalformedMessage("wrong stuffing", lambda e: b"\0\xff" + wrapped(sealed(_reset(e)))[2:])
    yield MalformedMessage("too long", lambda e: wrapped(sealed(_reset(e).ljust(MAX_PAYLOAD + 1, b"\0"))))
    yield MalformedMessage("noise", lambda _: b"\x55" * 32 + b"\0")
    yield MalformedMessage("breaks off", lambda e: wrapped(sealed(_reset(e)))[:6])
    yield MalformedMessage(
        "for another address", lambda e: encode(other_address(e, taken, BROADCAST - 1), e.number, CODES["status"], b"")
    )
    yield MalformedMessage("a question to all", lambda e: encode(BROADCAST, e.number, CODES["status"], b""))


def _refused(name: str, code: int, error: Error, data: Callable[[int], bytes]) -> MalformedMessage:
    return MalformedMessage(
        name,
        lambda e: encode(e.to, e.number, code, data(e.token)),
        lambda e: encode(e.to, e.number, code | ANSWER, bytes((error,))),
    )


def _reset(envelope: Envelope, bit: int = 0) -> bytes:
    return bytes((envelope.to, envelope.number, CODES["reset"] | bit)) + TOKEN.pack(envelope.token)

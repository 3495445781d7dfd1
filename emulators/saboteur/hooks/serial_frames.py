"""Changes to the frames of the serial protocol: those of answers, and those that come in."""

from collections.abc import Callable

from feltrig.emulators.saboteur.hooks.line import ZERO, answer_bytes
from feltrig.emulators.saboteur.mutant import Change, Victim
from feltrig.protocols.cobs import unstuff
from feltrig.protocols.serial.frame import Frame, encode, sealed, wrapped


def serial_answers(change: Callable[[Frame], bytes | None]) -> Change:
    """Other bytes in place of a frame of the serial protocol."""
    return answer_bytes(lambda answer: change(serial_frame(answer)))


def serial_frame(answer: bytes) -> Frame:
    """The frame in an answer."""
    plain = unstuff(answer.strip(ZERO))
    assert plain is not None
    return Frame(plain[0], plain[1], plain[2], plain[3:-2])


def reframed(change: Callable[[Frame], Frame]) -> Change:
    """Another frame, with its right CRC."""
    return serial_answers(lambda frame: encode(*change(frame)))


def incoming_serial(change: Callable[[bytes], bytes]) -> Change:
    """Other frames in place of those that come on a serial line: of the stuffed body between two zeros, the bytes that
    the device reads. An honest device reads the body with a zero on either side."""

    def tamper(victim: Victim) -> None:
        rest = b""

        def cut(data: bytes) -> bytes:
            nonlocal rest
            *bodies, rest = (rest + data).split(ZERO)
            return b"".join(change(body) if body else ZERO for body in bodies)

        victim.incoming.append(cut)

    return tamper


def framed(body: bytes) -> bytes:
    """A stuffed body as it stood on the line."""
    return ZERO + body + ZERO


def resealed(body: bytes) -> bytes:
    """A frame with its CRC made right, whatever it was."""
    plain = unstuff(body)
    return framed(body) if plain is None or len(plain) < 5 else wrapped(sealed(plain[:-2]))


def readdressed(body: bytes, address: int, only: Callable[[int], bool] = lambda _: True) -> bytes:
    """A frame that is meant for an address, whichever it was meant for."""
    plain = unstuff(body)
    if plain is None or len(plain) < 5 or sealed(plain[:-2]) != plain or not only(plain[0]):
        return framed(body)
    return wrapped(sealed(bytes((address,)) + plain[1:-2]))


def incoming_frames(change: Callable[[Frame], Frame | None]) -> Change:
    """Another question in place of one that came whole on a serial line; None for nothing."""

    def changed(body: bytes) -> bytes:
        frame = whole(body)
        if frame is None:
            return framed(body)
        other = change(frame)
        if other is None:
            return ZERO
        return framed(body) if other == frame else encode(*other)

    return incoming_serial(changed)


def whole(body: bytes) -> Frame | None:
    """The frame in a body whose CRC is right."""
    plain = unstuff(body)
    if plain is None or len(plain) < 5 or sealed(plain[:-2]) != plain:
        return None
    return Frame(plain[0], plain[1], plain[2], plain[3:-2])


def repaired(repair: Callable[[bytes], bytes | None]) -> Change:
    """A device that takes some invalid frames for right: of a body without its stuffing, if that can be read, the
    payload that it reads in it; None if it does not."""

    def changed(body: bytes) -> bytes:
        plain = unstuff(body)
        payload = None if plain is None or whole(body) is not None else repair(plain)
        return framed(body) if payload is None else wrapped(sealed(payload))

    return incoming_serial(changed)


def loses_the_next(invalid: Callable[[bytes], bool]) -> Change:
    """After such a body, the next question that is whole is lost."""

    def tamper(victim: Victim) -> None:
        lost = False

        def changed(body: bytes) -> bytes:
            nonlocal lost
            if invalid(body):
                lost = True
            elif lost and whole(body) is not None:
                lost = False
                return ZERO
            return framed(body)

        incoming_serial(changed)(victim)

    return tamper


ADDRESS = 1
"""Of the device under test on its own line."""

HEAD = 3
"""Bytes of address, seq and code."""


def plain_of(frame: Frame) -> bytes:
    return bytes((frame.address, frame.seq, frame.code)) + frame.data


def questions(change: Callable[[bytes], bytes | None]) -> Change:
    """Reads another question: of address, seq, code and data of a right frame, or None to pass over it."""

    def read(body: bytes) -> bytes:
        plain = unstuff(body)
        if plain is None or len(plain) < HEAD + 2 or sealed(plain[:-2]) != plain:
            return framed(body)
        other = change(plain[:-2])
        return b"" if other is None else wrapped(sealed(other))

    return incoming_serial(read)


def addressed(address: int, only: Callable[[int], bool]) -> Change:
    return incoming_serial(lambda body: readdressed(body, address, only))


def unreadable(body: bytes) -> bool:
    plain = unstuff(body)
    return plain is None or len(plain) < HEAD + 2 or sealed(plain[:-2]) != plain

"""Mutants that take an invalid frame of a serial line for right."""

from collections.abc import Callable

from feltrig.emulators.saboteur.hooks.line import ZERO
from feltrig.emulators.saboteur.hooks.serial_frames import (
    ADDRESS,
    HEAD,
    framed,
    incoming_frames,
    incoming_serial,
    questions,
    readdressed,
    reframed,
    repaired,
    resealed,
    serial_answers,
    unreadable,
)
from feltrig.emulators.saboteur.mutant import Change, Mutant, Victim, fresh
from feltrig.protocols.cobs import unstuff
from feltrig.protocols.messages import Request
from feltrig.protocols.serial.codec import ANSWER, serial_messages
from feltrig.protocols.serial.frame import BROADCAST, MAX_PAYLOAD, encode, sealed, wrapped
from feltrig.protocols.vocabulary import COMMON, Error

IDENTIFY, STATUS, EVENTS, RESET, _ = (command.code for command in COMMON)


def _deaf_after(wrong: Callable[[bytes], bool]) -> Callable[[], Change]:
    """Does not read the next frame after something."""

    def make() -> Change:
        deaf = False

        def read(body: bytes) -> bytes:
            nonlocal deaf
            was, deaf = deaf, wrong(body)
            return b"" if was else framed(body)

        return incoming_serial(read)

    return make


def _acts_in_silence(body: bytes) -> bytes:
    """Obeys a frame with a wrong CRC as if it were a broadcast, which is not answered."""
    if not unreadable(body):
        return framed(body)
    plain = unstuff(body)
    if plain is None or len(plain) < HEAD + 2:
        return framed(body)
    return wrapped(sealed(bytes((BROADCAST,)) + plain[1:-2]))


def _half_checked(byte: int) -> Change:
    """Compares one byte of the CRC only."""

    def read(body: bytes) -> bytes:
        plain = unstuff(body)
        if plain is None or len(plain) < HEAD + 2:
            return framed(body)
        return resealed(body) if sealed(plain[:-2])[byte] == plain[byte] else framed(body)

    return incoming_serial(read)


def _either_order(body: bytes) -> bytes:
    """Takes the CRC in either order."""
    plain = unstuff(body)
    if plain is None or len(plain) < HEAD + 2 or sealed(plain[:-2])[-2:] != plain[-2:][::-1]:
        return framed(body)
    return resealed(body)


def _lenient_stuffing(body: bytes) -> bytes:
    """Reads a frame whose first code byte is wrong as if the rest were right."""
    for first in range(1, min(len(body), 255) + 1):
        plain = unstuff(bytes((first,)) + body[1:])
        if plain is not None and len(plain) > HEAD + 2 and sealed(plain[:-2]) == plain:
            return wrapped(plain)
    return framed(body)


def _complains(error: Error, when: Callable[[bytes], bool]) -> Change:
    """Answers what is no frame with an error: it reads a question that it must refuse."""

    def read(body: bytes) -> bytes:
        return encode(ADDRESS, 0, 0x7E, b"") if when(body) else framed(body)

    return incoming_serial(read)


def _cut(body: bytes) -> bytes:
    """Reads the beginning of a frame that is too long."""
    plain = unstuff(body) or b""
    if len(plain) <= MAX_PAYLOAD + 2:
        return framed(body)
    return wrapped(sealed(plain[: HEAD + 4]))


def _refused_as(was: Error, said: Error) -> Change:
    return reframed(lambda f: f._replace(data=bytes((said,))) if f.data == bytes((was,)) else f)


def _completed(victim: Victim) -> None:
    """Adds zeros to a command that is too short, and cuts one that is too long."""
    messages = serial_messages(victim.device.kind)
    commands = {command.code: command for command in victim.device.kind.commands.values()}

    def change(plain: bytes) -> bytes:
        command = commands.get(plain[2])
        if command is None or command.name in {"challenge", "events"}:
            return plain
        if isinstance(messages.read_request(plain[2], plain[HEAD:]), Request):
            return plain
        size = HEAD + 4 * command.acts + len(command.args)
        return plain[:size].ljust(size, b"\1")

    questions(change)(victim)


def _cuts(victim: Victim) -> None:
    """Ignores bytes after the arguments."""
    messages = serial_messages(victim.device.kind)

    def change(plain: bytes) -> bytes:
        data = plain[HEAD:]
        while data and not isinstance(messages.read_request(plain[2], data), Request):
            data = data[:-1]
        return plain[:HEAD] + (data or plain[HEAD:])

    questions(change)(victim)


MUTANTS = (
    Mutant(
        "acts-on-wrong-crc",
        ("SER-24", "SER-26"),
        "obeys a frame with a wrong CRC in silence",
        incoming_serial(_acts_in_silence),
    ),
    Mutant(
        "deaf-after-wrong-crc",
        ("SER-25", "SER-12"),
        "does not answer the question after a wrong frame",
        fresh(_deaf_after(lambda body: len(body) <= 20 and unreadable(body))),
    ),
    Mutant("any-crc", ("SER-26", "SER-24"), "obeys a frame with a wrong CRC", incoming_serial(resealed)),
    Mutant("crc-low-byte-only", ("SER-26", "SER-24"), "compares the low byte of the CRC only", _half_checked(-2)),
    Mutant("crc-high-byte-only", ("SER-26", "SER-24"), "compares the high byte of the CRC only", _half_checked(-1)),
    Mutant(
        "crc-either-order", ("SER-26", "SER-24"), "takes a CRC in the wrong order too", incoming_serial(_either_order)
    ),
    Mutant(
        "lenient-stuffing",
        ("SER-27", "SER-24"),
        "reads a frame with wrong stuffing",
        incoming_serial(_lenient_stuffing),
    ),
    Mutant(
        "complains-of-short",
        ("SER-28",),
        "answers a frame that breaks off",
        _complains(Error.MALFORMED, lambda body: len(body) < 6),
    ),
    Mutant(
        "cuts-long-frames",
        ("SER-29", "SER-24"),
        "reads the beginning of a frame that is too long",
        incoming_serial(_cut),
    ),
    Mutant(
        "complains-of-noise",
        ("SER-30",),
        "answers noise",
        _complains(Error.MALFORMED, lambda body: len(body) > 20 and unstuff(body) is None),
    ),
    Mutant(
        "obeys-answers",
        ("SER-31", "SER-24"),
        "obeys a code with bit 7 set",
        questions(lambda plain: plain[:2] + bytes((plain[2] & ~ANSWER,)) + plain[3:]),
    ),
    Mutant(
        "answers-questions-to-all",
        ("SER-32", "SER-5"),
        "answers `status` to all",
        incoming_serial(
            lambda body: (
                readdressed(body, ADDRESS, lambda a: a == BROADCAST)
                if (unstuff(body) or b"\0\0\0")[2] == 2
                else framed(body)
            )
        ),
    ),
    Mutant(
        "unknown-as-malformed",
        ("SER-33",),
        "calls an unknown code malformed",
        _refused_as(Error.UNKNOWN_COMMAND, Error.MALFORMED),
    ),
    Mutant(
        "unknown-unanswered",
        ("SER-33",),
        "does not answer an unknown code",
        serial_answers(lambda f: None if f.data == b"\1" else encode(*f)),
    ),
    Mutant(
        "no-token-needed",
        ("SER-34", "SER-24"),
        "obeys a reset without its token",
        questions(lambda plain: plain.ljust(HEAD + 4, b"\x7f") if plain[2] == 4 else plain),
    ),
    Mutant(
        "malformed-as-argument",
        ("SER-35", "SER-34"),
        "calls a malformed command a bad argument",
        _refused_as(Error.MALFORMED, Error.BAD_ARGUMENT),
    ),
    Mutant("short-completed", ("SER-35", "SER-24"), "completes a command that is too short", _completed),
    Mutant("long-cut", ("SER-35", "SER-24"), "ignores bytes after the arguments", _cuts),
    Mutant(
        "seven-bits-of-crc",
        ("SER-26", "SER-24"),
        "does not look at the highest bit of the CRC",
        repaired(lambda plain: plain[:-2] if len(plain) > 4 and sealed(plain[:-2])[-1] ^ plain[-1] == 0x80 else None),
    ),
    Mutant(
        "guesses-the-last-byte",
        ("SER-28", "SER-26"),
        "takes a frame that lacks its last byte",
        repaired(lambda plain: plain[:-1] if len(plain) > 4 and sealed(plain[:-1])[:-1] == plain else None),
    ),
    Mutant(
        "hears-one-answer",
        ("SER-31",),
        "takes the code 0xff for an unknown command",
        incoming_frames(lambda f: f._replace(code=0x7F) if f.code == 0xFF else f),
    ),
    Mutant(
        "knows-one-code-more",
        ("SER-33",),
        "answers the code 0x45 with ok",
        reframed(lambda f: f._replace(data=ZERO) if f.code == 0x45 | ANSWER else f),
    ),
    Mutant(
        "half-a-token",
        ("SER-34", "SER-35"),
        "takes two bytes for a token",
        incoming_frames(lambda f: f._replace(data=ZERO + ZERO + f.data) if f.code == RESET and len(f.data) == 2 else f),
    ),
    Mutant(
        "ignores-data-of-a-question",
        ("SER-35",),
        "ignores data after status and identify",
        incoming_frames(lambda f: f._replace(data=b"") if f.code in (STATUS, IDENTIFY) else f),
    ),
)

"""Mutants with wrong frames on a serial line."""

from binascii import crc_hqx
from collections.abc import Callable

from feltrig.emulators.saboteur.hooks.line import answer_bytes, incoming
from feltrig.emulators.saboteur.hooks.serial_frames import (
    framed,
    incoming_frames,
    incoming_serial,
    plain_of,
    serial_answers,
    serial_frame,
    unreadable,
)
from feltrig.emulators.saboteur.mutant import Change, Mutant, fresh
from feltrig.protocols.serial.frame import MAX_PAYLOAD, Frame, encode, sealed, wrapped


def _unstuffed(answer: bytes) -> bytes:
    """A frame without stuffing."""
    return framed(sealed(plain_of(serial_frame(answer))).replace(b"\0", b"\1"))


def _other_crc(frame: Frame) -> bytes:
    """A CRC with another start."""
    plain = plain_of(frame)
    crc = 0
    for byte in plain:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return wrapped(plain + crc.to_bytes(2, "little"))


def _high_first(frame: Frame) -> bytes:
    whole = sealed(plain_of(frame))
    return wrapped(whole[:-2] + whole[:-3:-1])


def _too_long(frame: Frame) -> bytes:
    """An answer to `events` with more events than fit."""
    if frame.code != 0x83 or len(frame.data) < 20:
        return encode(*frame)
    return wrapped(sealed((plain_of(frame) + frame.data[11:] * 60)[: MAX_PAYLOAD + 12]))


def _no_empty_frames(data: bytes) -> bytes:
    """Loses its way when several zeros come."""
    return b"" if b"\0\0\0" in data else data


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


MUTANTS = (
    Mutant("no-first-zero", ("SER-6",), "leaves out the zero before an answer", answer_bytes(lambda said: said[1:])),
    Mutant("zero-more", ("SER-6",), "sends one more zero after an answer", answer_bytes(lambda said: said + b"\0")),
    Mutant("other-crc", ("SER-7",), "starts the CRC with 0", serial_answers(_other_crc)),
    Mutant("crc-high-first", ("SER-8",), "sends the CRC with its high byte first", serial_answers(_high_first)),
    Mutant("not-stuffed", ("SER-9",), "does not stuff its answers", answer_bytes(_unstuffed)),
    Mutant("frames-too-long", ("SER-10",), "sends more events than a frame can hold", serial_answers(_too_long)),
    Mutant("no-empty-frames", ("SER-11",), "passes over what comes with several zeros", incoming(_no_empty_frames)),
    Mutant(
        "deaf-after-noise",
        ("SER-12", "SER-25"),
        "does not read the frame after noise",
        fresh(_deaf_after(lambda body: len(body) > 20 and unreadable(body))),
    ),
    Mutant(
        "crc-without-address",
        ("SER-7",),
        "leaves the address out of the CRC",
        serial_answers(
            lambda f: wrapped(bytes(f[:3]) + f.data + crc_hqx(bytes(f[1:3]) + f.data, 0xFFFF).to_bytes(2, "little"))
        ),
    ),
    Mutant(
        "short-frames-only",
        ("SER-9",),
        "does not read a frame of more than 128 bytes",
        incoming_frames(lambda f: None if len(f.data) > 125 else f),
    ),
)

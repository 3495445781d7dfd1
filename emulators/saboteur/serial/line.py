"""Mutants that answer on a serial line out of turn or for another address."""

from feltrig.emulators.saboteur.hooks.line import answer_bytes, unasked
from feltrig.emulators.saboteur.hooks.serial_frames import (
    ADDRESS,
    addressed,
    incoming_frames,
    incoming_serial,
    questions,
    readdressed,
)
from feltrig.emulators.saboteur.mutant import Mutant
from feltrig.protocols.serial.codec import ANSWER
from feltrig.protocols.serial.frame import BROADCAST, encode
from feltrig.protocols.vocabulary import COMMON

IDENTIFY, STATUS, EVENTS, RESET, _ = (command.code for command in COMMON)


MUTANTS = (
    Mutant(
        "other-speed",
        ("SER-1",),
        "talks at another speed: nothing of it can be read",
        answer_bytes(lambda said: bytes(b & 0xE0 for b in said)),
        survives="A device at another speed is never understood: the run is inconclusive.",
    ),
    Mutant(
        "needs-handshake",
        ("SER-2",),
        "waits for a line that nobody connects",
        answer_bytes(lambda _: None),
        survives="A device that never answers is never judged: the run is inconclusive.",
    ),
    Mutant(
        "answers-at-all-addresses",
        ("SER-3",),
        "answers whatever address is asked",
        addressed(ADDRESS, lambda a: a != BROADCAST),
    ),
    Mutant(
        "address-of-7-bits",
        ("SER-3",),
        "ignores the highest bit of an address",
        addressed(ADDRESS, lambda a: a & 0x7F == ADDRESS),
    ),
    Mutant(
        "address-of-4-bits",
        ("SER-3",),
        "compares four bits of an address",
        addressed(ADDRESS, lambda a: a & 0x0F == ADDRESS),
    ),
    Mutant("answers-at-zero", ("SER-3",), "answers at address 0 too", addressed(ADDRESS, lambda a: a == 0)),
    Mutant(
        "no-broadcast",
        ("SER-4",),
        "does not obey a broadcast",
        questions(lambda plain: None if plain[0] == BROADCAST else plain),
    ),
    Mutant("answers-broadcast", ("SER-5",), "answers a command to all", addressed(ADDRESS, lambda a: a == BROADCAST)),
    Mutant("chatters", ("SER-13",), "sends two bytes by itself after every answer", unasked(b"\x55\xaa", 0.01)),
    Mutant(
        "chatters-later",
        ("SER-13",),
        "sends a frame by itself a while after an answer, now and then",
        unasked(lambda answer: answer, 0.2, range(5, 9999, 40)),
    ),
    Mutant("answers-twice", ("SER-14",), "sends every answer twice", unasked(lambda answer: answer)),
    Mutant(
        "answers-for-its-neighbour",
        ("SER-3",),
        "answers at the next address too",
        incoming_serial(lambda body: readdressed(body, ADDRESS, lambda address: address == ADDRESS + 1)),
    ),
    Mutant(
        "obeys-for-others",
        ("SER-3", "SER-24"),
        "obeys what is told to another address, without an answer",
        incoming_frames(lambda f: f._replace(address=BROADCAST) if f.address == ADDRESS + 1 else f),
    ),
    Mutant(
        "tells-its-status",
        ("SER-13", "SER-14"),
        "sends a status now and then that nobody asked for",
        unasked(encode(ADDRESS, 0, STATUS | ANSWER, bytes(11)), 0.01, range(40, 10_000, 40)),
    ),
    Mutant(
        "answers-twice-later",
        ("SER-14", "SER-13"),
        "sends every fifth answer again after a moment",
        unasked(lambda answer: answer, 0.02, range(5, 10_000, 5)),
    ),
)

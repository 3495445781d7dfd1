"""Mutants with something wrong in the data of an answer on a serial line."""

from collections.abc import Callable

from feltrig.emulators.saboteur.hooks.serial_frames import reframed
from feltrig.emulators.saboteur.mutant import Change, Mutant
from feltrig.protocols.serial.frame import Frame


def _ok(change: Callable[[Frame], Frame], *codes: int) -> Change:
    """Another answer where nothing was refused."""
    return reframed(lambda f: change(f) if f.data[:1] == b"\0" and (not codes or f.code & 0x7F in codes) else f)


def _little(data: bytes, at: int) -> bytes:
    """Four bytes in the other order."""
    return data[:at] + data[at : at + 4][::-1] + data[at + 4 :]


def _events(change: Callable[[Frame], Frame]) -> Change:
    """Another answer to `events` that has some."""
    return reframed(lambda f: change(f) if f.code == 0x83 and len(f.data) > 11 else f)


def _bools(value: int) -> Change:
    """Another byte for true, in the one event that ends in a bool."""
    return _events(lambda f: f._replace(data=f.data[:-1] + bytes((value if f.data[-1] == 1 else f.data[-1],))))


MUTANTS = (
    Mutant("other-address", ("SER-15",), "answers with address 0", reframed(lambda f: f._replace(address=0))),
    Mutant("other-seq", ("SER-16",), "answers with the next seq", reframed(lambda f: f._replace(seq=f.seq + 1 & 255))),
    Mutant(
        "code-without-bit",
        ("SER-17",),
        "answers with the code of the question",
        reframed(lambda f: f._replace(code=f.code & 0x7F)),
    ),
    Mutant(
        "byte-too-many",
        ("SER-18",),
        "has a byte too many in the answer to `status`",
        _ok(lambda f: f._replace(data=f.data + b"\0"), 2),
    ),
    Mutant(
        "byte-too-many-acting",
        ("SER-18",),
        "has a byte too many in the answer to a command that acts",
        _ok(lambda f: f._replace(data=f.data + b"\0"), 4, 16),
    ),
    Mutant(
        "fields-swapped",
        ("SER-18", "DEV-26"),
        "swaps state and fault in the answer to `status`",
        _ok(lambda f: f._replace(data=f.data[:1] + f.data[2:0:-1] + f.data[3:]), 2),
    ),
    Mutant(
        "refusal-with-more",
        ("SER-19",),
        "has two bytes more in a refusal",
        reframed(lambda f: f if f.data[:1] == b"\0" else f._replace(data=f.data + b"\0\0")),
    ),
    Mutant(
        "event-cut", ("SER-20",), "cuts the last event of an answer", _events(lambda f: f._replace(data=f.data[:-1]))
    ),
    Mutant(
        "events-without-status",
        ("SER-20",),
        "answers `events` without the status",
        reframed(lambda f: f._replace(data=f.data[:1] + f.data[11:]) if f.code == 0x83 else f),
    ),
    Mutant(
        "little-endian",
        ("SER-21",),
        "sends the number of its latest event low byte first",
        _ok(lambda f: f._replace(data=_little(f.data, 7)), 2),
    ),
    Mutant("bool-255", ("SER-22",), "sends 255 for true", _bools(255), ("shuffler",)),
    Mutant(
        "text-not-utf8",
        ("SER-23",),
        "sends its vendor in Latin-1",
        _ok(lambda f: f._replace(data=f.data.replace(b"feltrig", b"feltr\xefg")), 1),
    ),
    Mutant(
        "text-without-length",
        ("SER-23",),
        "ends texts with a zero in place of a length",
        _ok(lambda f: f._replace(data=f.data[:2] + f.data[3 : 3 + f.data[2]] + b"\0" + f.data[3 + f.data[2] :]), 1),
    ),
    Mutant(
        "seven-bits-of-seq",
        ("SER-16",),
        "repeats seven bits of the seq",
        reframed(lambda f: f._replace(seq=f.seq & 0x7F)),
    ),
)

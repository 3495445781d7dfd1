"""Consistent overhead byte stuffing (Cheshire and Baker): bytes without a zero, so that zeros can mark frames."""

FULL = 0xFF
"""The length byte of a block of 254 bytes after which no zero is meant."""


def stuff(plain: bytes) -> bytes:
    """Before each run without zeros stands its length plus one, instead of the zero; runs are cut after 254 bytes."""
    runs = plain.split(b"\0")
    if len(plain) < FULL - 1:
        return b"".join([bytes((len(run) + 1,)) + run for run in runs])
    out = bytearray()
    for number, run in enumerate(runs):
        rest = run
        while len(rest) >= FULL - 1:
            out += bytes((FULL,)) + rest[: FULL - 1]
            rest = rest[FULL - 1 :]
            if not rest and number == len(runs) - 1:
                return bytes(out)
        out += bytes((len(rest) + 1,)) + rest
    return bytes(out)


def unstuff(stuffed: bytes) -> bytes | None:
    """The bytes before `stuff`; None when the lengths do not add up."""
    plain = bytearray(stuffed)
    at, end = 0, len(stuffed)
    full = []
    while at < end:
        step = plain[at]
        if not step:
            return None
        plain[at] = 0  # the zero that the length stands for; the first, and one behind a full block, stand for none
        at += step
        if step == FULL and at < end:
            full.append(at)
    if at != end:
        return None
    for extra in reversed(full):
        del plain[extra]
    return bytes(plain[1:])

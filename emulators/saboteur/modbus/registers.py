"""Mutants whose registers hold something wrong."""

import struct
from collections.abc import Callable

from feltrig.emulators.saboteur.hooks.registers import Honest, exception, query, reads, registers, responses, result
from feltrig.emulators.saboteur.mutant import Change, Mutant, fresh
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus import register_map as regs
from feltrig.protocols.vocabulary import Error


def _shifted(text: bytes) -> bytes:
    """The two bytes of each register in the other order."""
    return b"".join(text[at : at + 2][::-1] for at in range(0, len(text), 2))


def _swap_text(asked: pdu.Read, response: bytes) -> bytes:
    start, size = asked[:2]
    if start >= 104 or start + size <= 16:
        return response
    first, end = max(16 - start, 0), min(104 - start, size)
    data = response[2:]
    return response[:2] + data[: 2 * first] + _shifted(data[2 * first : 2 * end]) + data[2 * end :]


def _low_word_first(asked: pdu.Read, response: bytes) -> bytes:
    """The number of the latest event with its low word first, once both registers are read."""
    start, size = asked[:2]
    if start > 6 or start + size < 8:
        return response
    at = 2 + 2 * (6 - start)
    return response[:at] + response[at + 2 : at + 4] + response[at : at + 2] + response[at + 4 :]


def _after_reply(asked: pdu.Read, response: bytes) -> bytes:
    """Something in the last registers of the result block."""
    start, size = asked[:2]
    if not start <= 415 < start + size:
        return response
    at = 2 + 2 * (415 - start)
    return response[:at] + b"\0\x2a" + response[at + 2 :]


def _in_slots(at: int, value: int, when: Callable[[int], bool]) -> Change:
    """Something in a register of each slot of the ring for which it is told, by what stands in its code."""

    def change(asked: pdu.Read, response: bytes) -> bytes:
        start, size = asked[:2]
        values = list(struct.unpack(f">{size}H", response[2:]))
        for slot in range(regs.SLOTS):
            register = regs.RING + slot * regs.SLOT_SIZE
            whole = start <= register + 2 and register + max(at, 2) < start + size
            if whole and when(values[register + 2 - start]):
                values[register + at - start] = value
        return response[:2] + struct.pack(f">{size}H", *values)

    return reads(change)


def _aligned(asked: pdu.Query) -> bool:
    """A read of the ring that does not begin at a slot."""
    return isinstance(asked, pdu.Read) and asked[0] >= regs.RING and bool((asked[0] - regs.RING) % regs.SLOT_SIZE)


def _cleared_by_reading() -> Change:
    """The result reads as zero after it was read once."""
    read: set[bytes] = set()

    def respond(request: bytes, honest: Honest) -> bytes:
        asked, response = query(request), honest(request)
        if isinstance(asked, pdu.Write | pdu.ReadWrite):
            read.clear()
        if not isinstance(asked, pdu.Read) or asked[0] != regs.RESULT:
            return response
        was = request in read
        read.add(request)
        return response[:2] + bytes(len(response) - 2) if was else response

    return responses(respond)


def _ring_from_one(request: bytes, honest: Honest) -> bytes:
    """Event n in slot n mod 64: the ring turned by one slot."""
    asked = query(request)
    if not isinstance(asked, pdu.Read) or not regs.RING <= asked[0] < regs.RING + 64 * regs.SLOT_SIZE:
        return honest(request)
    start, size = asked[:2]
    values = b""
    for register in range(start, start + size):
        at = regs.RING + (register - regs.RING - regs.SLOT_SIZE) % (64 * regs.SLOT_SIZE)
        values += honest(pdu.read(at, 1))[2:]
    return pdu.registers(request[0], values) if not honest(request)[0] & pdu.EXCEPTION else honest(request)


def _count_in_bytes(head: list[int]) -> None:
    head[3] *= 2


def _other_token(head: list[int]) -> None:
    head[1] += 1


def _error_two_high(head: list[int]) -> None:
    head[2] <<= 8


def _token_of(*errors: Error) -> Change:
    """Leaves the token of a command that it refuses with one of these errors out of 8 to 9."""
    shown: list[bytes] = []

    def respond(request: bytes, honest: Honest) -> bytes:
        asked = query(request)
        before = shown[0] if shown else honest(pdu.read(8, 2))[2:]
        response = honest(request)
        if isinstance(asked, pdu.Write | pdu.ReadWrite):
            shown[:] = [before] if honest(pdu.read(regs.RESULT + 2, 1))[-1] in errors else []
        if not shown or not isinstance(asked, pdu.Read) or not asked.start <= 8 < asked.start + asked.size - 1:
            return response
        at = 2 + 2 * (8 - asked.start)
        return response[:at] + shown[0] + response[at + 4 :]

    return responses(respond)


MUTANTS = (
    Mutant("map-version-2", ("MOD-9",), "says version 2 in register 0", registers(0, lambda _: 2)),
    Mutant(
        "kind-register-wrong", ("MOD-10",), "says another kind in register 1", registers(1, lambda kind: kind % 4 + 1)
    ),
    Mutant("state-register-stuck", ("MOD-11",), "says idle in register 2", registers(2, lambda _: 0)),
    Mutant(
        "fault-register-stuck",
        ("MOD-12",),
        "says no fault in register 3",
        registers(3, lambda _: 0),
        ("shaker", "shuffler", "shoe"),
    ),
    Mutant("fault-register-set", ("MOD-12",), "says a jam in register 3", registers(3, lambda _: 1)),
    Mutant("oldest-register-one", ("MOD-13",), "says 1 in register 5 for ever", registers(5, lambda _: 1)),
    Mutant(
        "latest-register-high",
        ("MOD-14",),
        "leaves something in the high word of the latest event",
        registers(6, lambda _: 1),
    ),
    Mutant(
        "latest-register-behind", ("MOD-14",), "says the event before the latest", registers(7, lambda n: max(n - 1, 1))
    ),
    Mutant("token-register-stuck", ("MOD-15",), "leaves registers 8 to 9 at zero", registers(8, lambda _: 0, 2)),
    Mutant(
        "token-register-obeyed",
        ("MOD-15",),
        "leaves the token of a command that it refuses in its state out of 8 to 9",
        fresh(lambda: _token_of(Error.WRONG_STATE)),
        speed=0.1,
    ),
    Mutant(
        "token-register-not-empty",
        ("MOD-15",),
        "leaves the token of a command that it refuses as empty out of 8 to 9",
        fresh(lambda: _token_of(Error.EMPTY)),
        ("shuffler", "shoe"),
    ),
    Mutant("reserved-not-zero", ("MOD-16",), "has something in register 12", registers(12, lambda _: 7)),
    Mutant("vendor-register", ("MOD-17",), "has another vendor in its registers", registers(17, lambda _: 0x4141)),
    Mutant("model-register", ("MOD-18",), "has another model in its registers", registers(33, lambda _: 0x4141)),
    Mutant(
        "serial-register", ("MOD-19",), "has another serial number in its registers", registers(49, lambda _: 0x4141)
    ),
    Mutant("firmware-register", ("MOD-20",), "has another version in its registers", registers(64, lambda _: 0x4141)),
    Mutant("digest-register", ("MOD-21",), "has another digest in its registers", registers(80, lambda _: 0x4141)),
    Mutant("end-not-zero", ("MOD-22",), "has something in register 110", registers(110, lambda _: 7)),
    Mutant("token-not-read-back", ("MOD-23",), "reads 256 to 257 as zero", registers(256, lambda _: 0, 2)),
    Mutant("code-not-read-back", ("MOD-24",), "reads 258 as zero", registers(258, lambda _: 0)),
    Mutant("arguments-not-read-back", ("MOD-25",), "reads the arguments as 255", registers(259, lambda _: 255, 29)),
    Mutant("result-of-another", ("MOD-26",), "has another token in the result", result(_other_token)),
    Mutant("error-in-high-byte", ("MOD-27",), "has the error in the high byte", result(_error_two_high)),
    Mutant("count-in-bytes", ("MOD-28",), "counts the bytes of a reply", result(_count_in_bytes)),
    Mutant(
        "reply-shifted", ("MOD-29",), "has something in front of the reply", registers(292, lambda value: value ^ 1)
    ),
    Mutant("low-word-first", ("MOD-30",), "has the low word of the latest event first", reads(_low_word_first)),
    Mutant(
        "list-length-in-words",
        ("MOD-31",),
        "gives the length of a proof in registers",
        registers(292, lambda value: 16 if value == 32 else value),
    ),
    Mutant("text-bytes-swapped", ("MOD-32",), "has the first byte of a text in the low byte", reads(_swap_text)),
    Mutant("rubbish-after-reply", ("MOD-33",), "has something in register 415", reads(_after_reply)),
    Mutant("rubbish-after-event", ("MOD-34",), "has something in the last register of a slot", _in_slots(15, 9, bool)),
    Mutant(
        "rubbish-in-empty-slot",
        ("MOD-35",),
        "has something in slots without an event",
        _in_slots(4, 9, lambda code: not code),
    ),
    Mutant("reads-by-slot-only", ("MOD-36",), "refuses a read that begins within a slot", exception(_aligned, 2)),
    Mutant("cleared-by-reading", ("MOD-37",), "has zeros in a result that was read", fresh(_cleared_by_reading)),
    Mutant("ring-turned", ("MOD-43",), "has event n in slot n mod 64", responses(_ring_from_one)),
)

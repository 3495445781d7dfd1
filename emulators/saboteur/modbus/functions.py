"""Mutants with a wrong function of Modbus, or a wrong identification."""

from feltrig.emulators.saboteur.hooks.registers import Honest, exception, function, query, responses, zeros
from feltrig.emulators.saboteur.mutant import Change, Mutant
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus import register_map as regs


def _wide_reads(asked: pdu.Query) -> bool:
    return isinstance(asked, pdu.Read) and asked[1] > 64


def _single_runs(request: bytes, honest: Honest) -> bytes:
    """Function 6 at 256 runs a reset."""
    if request[1:3] == b"\1\0":
        honest(pdu.write(regs.COMMAND, b"\x6a\1\2\3\0\4"))
        return request[:5]
    return honest(request)


def _result_later(request: bytes, honest: Honest) -> bytes:
    """Function 23 with the result of the command before."""
    asked = query(request)
    if not isinstance(asked, pdu.ReadWrite):
        return honest(request)
    before = honest(pdu.read(asked.start, asked.size))
    honest(request)
    return bytes((request[0],)) + before[1:]


FUNCTIONS = (
    Mutant(
        "short-reads-only",
        ("MOD-1",),
        "refuses reads of more than 32 registers",
        exception(lambda asked: isinstance(asked, pdu.Read) and asked[1] > 32, 3),
    ),
    Mutant(
        "reads-63-only",
        ("MOD-1",),
        "refuses a read of 64 registers",
        exception(lambda asked: isinstance(asked, pdu.Read) and asked[1] == 64, 3),
    ),
    Mutant(
        "writes-16-only",
        ("MOD-2",),
        "refuses a write of more than 8 registers",
        exception(lambda asked: isinstance(asked, pdu.Write) and len(asked.data) > 16, 3),
    ),
    Mutant("input-registers-zero", ("MOD-3",), "reads zeros by function 4", function(pdu.READ_INPUT, zeros)),
    Mutant("single-write-runs", ("MOD-4",), "resets itself by function 6", function(pdu.WRITE_ONE, _single_runs)),
    Mutant(
        "result-later-by-23",
        ("MOD-5",),
        "reads the result of the command before by function 23",
        function(pdu.READ_WRITE, _result_later),
    ),
    Mutant(
        "identification-cut",
        ("MOD-6", "MOD-80"),
        "breaks its identification off after the first object",
        function(pdu.IDENTIFY, lambda request, _: request[:3] + b"\x83\0\0\3\0\4Acme"),
    ),
    Mutant(
        "not-offered-as-value",
        ("MOD-7",),
        "refuses functions that it does not offer with exception 3",
        responses(
            lambda request, honest: (
                bytes((request[0] | 128, 3)) if request[0] in (pdu.READ_INPUT, pdu.READ_WRITE) else honest(request)
            )
        ),
    ),
    Mutant(
        "wide-reads-wrong",
        ("MOD-8",),
        "answers a read of more than 64 registers with zeros",
        responses(
            lambda request, honest: (
                zeros(request, honest)
                if (asked := query(request)) is not None and _wide_reads(asked) and not honest(request)[0] & 128
                else honest(request)
            )
        ),
    ),
)


def _objects(number: int, value: bytes | None) -> Change:
    """Another object of the identification, or none."""

    def respond(request: bytes, honest: Honest) -> bytes:
        response = honest(request)
        if response[0] & pdu.EXCEPTION:
            return response
        head, at, kept, objects = response[:6], 7, 0, b""
        while at < len(response):
            size = response[at + 1]
            told = value if response[at] == number else response[at + 2 : at + 2 + size]
            if told is not None:
                objects += bytes((response[at], len(told))) + told
                kept += 1
            at += 2 + size
        return head + bytes((kept,)) + objects

    return function(pdu.IDENTIFY, respond)


IDENTIFICATION = (
    Mutant("object-vendor", ("MOD-80",), "says another vendor by function 43/14", _objects(0x00, b"Nobody")),
    Mutant("object-model-missing", ("MOD-81",), "has no object 0x01", _objects(0x01, None)),
    Mutant("object-model", ("MOD-81",), "says another model by function 43/14", _objects(0x01, b"Nothing")),
    Mutant("object-firmware", ("MOD-82",), "says another version by function 43/14", _objects(0x02, b"9.9")),
    Mutant("object-model-name", ("MOD-83",), "says another model in object 0x05", _objects(0x05, b"Nothing")),
    Mutant("object-serial", ("MOD-84",), "says another serial number in object 0x80", _objects(0x80, b"0")),
    Mutant("object-digest", ("MOD-85",), "says another digest in object 0x81", _objects(0x81, b"ab" * 32)),
)

MUTANTS = (*FUNCTIONS, *IDENTIFICATION)

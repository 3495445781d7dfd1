"""Mutants that read an invalid frame of Modbus."""

from feltrig.emulators.saboteur.hooks.line import incoming, resealed_rtu
from feltrig.emulators.saboteur.mutant import Change, Mutant, fresh
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus import register_map as regs
from feltrig.protocols.modbus.frame import crc16, encode_rtu

RTU, TCP = ("modbus-rtu",), ("modbus-tcp", "modbus-tls")


def _half_crc(byte: int) -> Change:
    """Compares one byte of the CRC only."""

    def read(data: bytes) -> bytes:
        right = len(data) > 4 and crc16(data[:-2]).to_bytes(2, "little")[byte] == data[-2:][byte]
        return resealed_rtu(data) if right else data

    return incoming(read)


def _either_order(data: bytes) -> bytes:
    right = len(data) > 4 and crc16(data[:-2]).to_bytes(2, "big") == data[-2:]
    return resealed_rtu(data) if right else data


def _completes(data: bytes) -> bytes:
    """Completes a write that breaks off."""
    if len(data) == 6 and data[1] == pdu.WRITE:
        return encode_rtu(data[0], pdu.write(regs.COMMAND, b"\x6c\1\2\3\0\4"))
    return data


def _cut(data: bytes) -> bytes:
    """Reads the beginning of a frame that is too long."""
    if len(data) <= 256 or data[1] != pdu.WRITE:
        return data
    return encode_rtu(data[0], data[1 : 7 + data[6]])


def _to_all_in_silence(data: bytes) -> bytes:
    """Obeys a frame with a wrong CRC as if it were a broadcast, which is not answered."""
    right = len(data) > 4 and crc16(data[:-2]).to_bytes(2, "little") == data[-2:]
    return data if right or len(data) <= 8 else encode_rtu(0, data[1:-2])


def _deaf() -> Change:
    """Does not read the request after a wrong one."""
    deaf = False

    def read(data: bytes) -> bytes:
        nonlocal deaf
        was, deaf = deaf, len(data) > 4 and crc16(data[:-2]).to_bytes(2, "little") != data[-2:]
        return b"" if was else data

    return incoming(read)


def _any_protocol(data: bytes) -> bytes:
    return data[:2] + b"\0\0" + data[4:] if len(data) > 7 and data[2:4] != b"\0\0" and data[7] in (3, 16) else data


def _any_length(data: bytes) -> bytes:
    """Reads a request behind a header with a wrong length."""
    if len(data) > 13 and data[7] == pdu.WRITE and int.from_bytes(data[4:6], "big") > 254:
        return data[:4] + (7 + data[12]).to_bytes(2, "big") + data[6 : 13 + data[12]]
    return data


MUTANTS = (
    Mutant(
        "acts-on-wrong-crc-rtu",
        ("MOD-61", "MOD-63"),
        "obeys a frame with a wrong CRC in silence",
        incoming(_to_all_in_silence),
        wires=RTU,
    ),
    Mutant(
        "deaf-after-wrong-crc-rtu", ("MOD-62",), "does not read the request after a wrong one", fresh(_deaf), wires=RTU
    ),
    Mutant("any-crc-rtu", ("MOD-63", "MOD-61"), "obeys a frame with a wrong CRC", incoming(resealed_rtu)),
    Mutant("crc-low-byte-only-rtu", ("MOD-63", "MOD-61"), "compares the low byte of the CRC only", _half_crc(0)),
    Mutant("crc-high-byte-only-rtu", ("MOD-63", "MOD-61"), "compares the high byte of the CRC only", _half_crc(1)),
    Mutant("crc-either-order-rtu", ("MOD-63", "MOD-61"), "takes a CRC in the wrong order too", incoming(_either_order)),
    Mutant("completes-short-frames", ("MOD-64", "MOD-61"), "completes a frame that breaks off", incoming(_completes)),
    Mutant(
        "cuts-long-frames-rtu", ("MOD-65", "MOD-61"), "reads the beginning of a frame that is too long", incoming(_cut)
    ),
    Mutant("any-protocol", ("MOD-66", "MOD-61"), "obeys a frame of another protocol", incoming(_any_protocol)),
    Mutant("any-length", ("MOD-67", "MOD-61"), "obeys a frame with a wrong length", incoming(_any_length)),
)

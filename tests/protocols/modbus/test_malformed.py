"""The malformed messages on Modbus, to the byte, as its page has them."""

import pytest

from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.malformed import Envelope
from feltrig.protocols.modbus.frame import crc16
from feltrig.protocols.modbus.malformed import rtu_malformed, tcp_malformed

MALFORMED = {"modbus-rtu": rtu_malformed, "modbus-tcp": tcp_malformed, "modbus-tls": tcp_malformed}
ENVELOPE = Envelope(1, 0x2A, 0x00010002)


def message(wire, name, kind=RNG):
    return next(m for m in MALFORMED[wire](kind) if m.name == name)


@pytest.mark.parametrize(
    ("wire", "name", "sent", "answered"),
    [
        ("modbus-tcp", "function 1", "00 2a 00 00 00 06 01 01 00 00 00 01", "00 2a 00 00 00 03 01 81 01"),
        ("modbus-tcp", "a read of 0 registers", "00 2a 00 00 00 06 01 03 02 00 00 00", "00 2a 00 00 00 03 01 83 03"),
        ("modbus-tls", "protocol 1", "00 2a 00 01 00 0d 01 10 01 00 00 03 06 00 01 00 02 00 04", ""),
        (
            "modbus-tcp",
            "3 registers in 4 bytes",
            "00 2a 00 00 00 0b 01 10 01 00 00 03 04 00 01 00 02",
            "00 2a 00 00 00 03 01 90 03",
        ),
        ("modbus-rtu", "function 65", "01 41 c0 10", "01 c1 01 b0 50"),
        ("modbus-rtu", "a read for another unit, 9", "f7 03 00 00 00 01 90 9c", ""),
        ("modbus-rtu", "a read for all units", "00 03 00 00 00 01 85 db", ""),
        ("modbus-rtu", "bytes of the checksum swapped of a read", "01 03 00 00 00 01 0a 84", ""),
        (
            "modbus-tcp",
            "a command at 257",
            "00 2a 00 00 00 0d 01 10 01 01 00 03 06 00 01 00 02 00 04",
            "00 2a 00 00 00 03 01 90 02",
        ),
        ("modbus-tcp", "length 1", "00 2a 00 00 00 01 01", ""),
        (
            "modbus-tcp",
            "a read for another unit, 1",
            "00 2a 00 00 00 06 02 03 00 00 00 01",
            "00 2a 00 00 00 03 02 83 0b",
        ),
    ],
)
def test_what_is_sent_and_what_must_be_answered(wire, name, sent, answered):
    wrong = message(wire, name)
    assert (wrong.write(ENVELOPE).hex(" "), wrong.answer(ENVELOPE).hex(" ")) == (sent, answered)


@pytest.mark.parametrize(("wire", "at"), [("modbus-rtu", 0), ("modbus-tcp", 6)])
def test_what_is_for_another_is_for_no_device_of_the_rig(wire, at):
    def addressed(to, taken=()):
        others = [m for m in MALFORMED[wire](RNG, taken) if " for another unit" in m.name]
        return {m.write(Envelope(to, 0x2A, 1))[at] for m in others}

    assert addressed(1) == {2, 3, 5, 9, 17, 33, 65, 129, 247, 246, 245, 244}
    assert not addressed(7, {6, 8, 247}) & {0, 6, 7, 8, 247}


def test_no_checksum_that_is_meant_to_be_wrong_is_right_by_chance():
    wrong = [m for m in rtu_malformed(RNG) if "MOD-63" in m.requirements]
    for unit in range(1, 248):
        for token in (1, unit << 8, 0xFFFF_FFFF):
            for message in wrong:
                frame = message.write(Envelope(unit, 0, token))
                assert crc16(frame[:-2]).to_bytes(2, "little") != frame[-2:], message.name


@pytest.mark.parametrize("wire", ["modbus-rtu", "modbus-tcp"])
def test_a_server_that_cannot_read_a_request_can_answer_with_function_0x80(wire):
    wrong = message(wire, "a read of 0 registers")
    assert [answer.hex(" ") for answer in wrong.answers(ENVELOPE)] == (
        ["01 83 03 01 31", "01 80 01 80 00"]
        if wire == "modbus-rtu"
        else ["00 2a 00 00 00 03 01 83 03", "00 2a 00 00 00 03 01 80 01"]
    )

"""The malformed messages on Modbus, to the byte, as its page has them."""

import pytest

from feltrig.protocols.kinds import KINDS
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.malformed import Envelope
from feltrig.protocols.modbus.malformed import rtu_malformed, tcp_malformed

MALFORMED = {"modbus-rtu": rtu_malformed, "modbus-tcp": tcp_malformed, "modbus-tls": tcp_malformed}
ENVELOPE = Envelope(1, 0x2A, 0x00010002)


def message(wire, name, kind=RNG):
    return next(m for m in MALFORMED[wire](kind) if m.name == name)


@pytest.mark.parametrize(
    ("wire", "name", "sent", "answered"),
    [
        ("modbus-tcp", "function 1", "00 2a 00 00 00 06 01 01 00 00 00 01", "00 2a 00 00 00 03 01 81 01"),
        ("modbus-tcp", "no register", "00 2a 00 00 00 06 01 03 00 00 00 00", "00 2a 00 00 00 03 01 83 03"),
        (
            "modbus-tls",
            "another protocol",
            "00 2a 00 01 00 0d 01 10 01 00 00 03 06 00 01 00 02 00 04",
            "",
        ),
        (
            "modbus-tcp",
            "wrong byte count",
            "00 2a 00 00 00 0b 01 10 01 00 00 03 04 00 01 00 02",
            "00 2a 00 00 00 03 01 90 03",
        ),
        (
            "modbus-tcp",
            "code 0x7f",
            "00 2a 00 00 00 11 01 17 01 20 00 04 01 00 00 03 06 00 01 00 02 00 7f",
            "00 2a 00 00 00 0b 01 17 08 00 01 00 02 00 01 00 00",
        ),
        ("modbus-rtu", "function 65", "01 41 c0 10", "01 c1 01 b0 50"),
        ("modbus-rtu", "for another unit", "f7 03 00 00 00 01 90 9c", ""),
        ("modbus-rtu", "a question to all", "00 03 00 00 00 01 85 db", ""),
        ("modbus-rtu", "function 4", "01 04 00 00 00 02 71 cb", "01 04 04 00 01 00 01 6b 84"),
        (
            "modbus-tcp",
            "a write behind the token",
            "00 2a 00 00 00 0d 01 10 01 01 00 03 06 00 01 00 02 00 04",
            "00 2a 00 00 00 03 01 90 02",
        ),
        (
            "modbus-tcp",
            "registers 10 to 15",
            "00 2a 00 00 00 06 01 03 00 0a 00 06",
            "00 2a 00 00 00 0f 01 03 0c" + 12 * " 00",
        ),
        (
            "modbus-tcp",
            "registers 104 to 127",
            "00 2a 00 00 00 06 01 03 00 68 00 18",
            "00 2a 00 00 00 33 01 03 30" + 48 * " 00",
        ),
        ("modbus-tcp", "for another unit", "00 2a 00 00 00 06 f7 03 00 00 00 01", "00 2a 00 00 00 03 f7 83 0b"),
        ("modbus-tcp", "function 4", "00 2a 00 00 00 06 01 04 00 00 00 02", "00 2a 00 00 00 07 01 04 04 00 01 00 01"),
    ],
)
def test_what_is_sent_and_what_must_be_answered(wire, name, sent, answered):
    wrong = message(wire, name)
    assert (wrong.write(ENVELOPE).hex(" "), wrong.answer(ENVELOPE).hex(" ")) == (sent, answered)


@pytest.mark.parametrize(
    ("wire", "name", "at", "highest"),
    [
        ("modbus-rtu", "for another unit", 0, 247),
        ("modbus-tcp", "for another unit", 6, 247),
    ],
)
def test_what_is_for_another_is_for_no_device_of_the_rig(wire, name, at, highest):
    def addressed(to, taken=()):
        (message,) = [m for m in MALFORMED[wire](RNG, taken) if m.name == name]
        return message.write(Envelope(to, 0x2A, 1))[at]

    assert addressed(1) == highest
    assert addressed(highest) == highest - 1
    assert addressed(highest, {highest - 1, highest - 3}) == highest - 2


@pytest.mark.parametrize("kind", KINDS.values(), ids=str)
@pytest.mark.parametrize("wire", ["modbus-rtu", "modbus-tcp"])
def test_no_unknown_code_is_a_command_of_the_device(wire, kind):
    codes = {int(m.name[5:], 16) for m in MALFORMED[wire](kind) if m.name.startswith("code ")}
    known = set(kind.command_of) - ({kind.commands["events"].code} if wire != "serial" else set())
    assert len(codes) >= 5
    assert not codes & known

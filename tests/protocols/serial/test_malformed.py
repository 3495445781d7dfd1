"""The malformed messages on serial, to the byte, as its page has them."""

import pytest

from feltrig.protocols.kinds import KINDS
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.kinds.shuffler import SHUFFLER
from feltrig.protocols.malformed import Envelope
from feltrig.protocols.serial.malformed import malformed

MALFORMED = {"serial": malformed}
ENVELOPE = Envelope(1, 0x2A, 0x00010002)


def message(wire, name, kind=RNG):
    return next(m for m in MALFORMED[wire](kind) if m.name == name)


@pytest.mark.parametrize(
    ("wire", "name", "sent", "answered"),
    [
        ("serial", "wrong checksum", "00 04 01 2a 04 02 01 04 02 d1 65 00", ""),
        ("serial", "wrong stuffing", "00 ff 01 2a 04 02 01 04 02 d1 64 00", ""),
        ("serial", "breaks off", "00 04 01 2a 04 02", ""),
        ("serial", "for another address", "00 06 fe 2a 02 a0 fd 00", ""),
        ("serial", "a question to all", "00 06 ff 2a 02 90 ca 00", ""),
    ],
)
def test_what_is_sent_and_what_must_be_answered(wire, name, sent, answered):
    wrong = message(wire, name)
    assert (wrong.write(ENVELOPE).hex(" "), wrong.answer(ENVELOPE).hex(" ")) == (sent, answered)


@pytest.mark.parametrize(
    ("wire", "name", "at", "highest"),
    [
        ("serial", "for another address", 2, 254),
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
@pytest.mark.parametrize("wire", ["serial"])
def test_no_unknown_code_is_a_command_of_the_device(wire, kind):
    codes = {int(m.name[5:], 16) for m in MALFORMED[wire](kind) if m.name.startswith("code ")}
    known = set(kind.command_of) - ({kind.commands["events"].code} if wire != "serial" else set())
    assert len(codes) >= 5
    assert not codes & known


def test_a_code_of_other_devices_is_unknown_to_a_shuffler():
    assert message("serial", "code 0x11", SHUFFLER)

"""The malformed messages on serial, to the byte, as its page has them."""

import pytest

from feltrig.protocols.kinds import KINDS
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.kinds.shuffler import SHUFFLER
from feltrig.protocols.malformed import Envelope
from feltrig.protocols.serial.frame import Deframer
from feltrig.protocols.serial.malformed import malformed

MALFORMED = {"serial": malformed}
ENVELOPE = Envelope(1, 0x2A, 0x00010002)


def message(wire, name, kind=RNG):
    return next(m for m in MALFORMED[wire](kind) if m.name == name)


@pytest.mark.parametrize(
    ("wire", "name", "sent", "answered"),
    [
        ("serial", "wrong low byte of the checksum", "00 04 01 2a 04 02 01 04 02 d0 64 00", ""),
        ("serial", "wrong high byte of the checksum", "00 04 01 2a 04 02 01 04 02 d1 65 00", ""),
        ("serial", "bytes of the checksum swapped", "00 04 01 2a 04 02 01 04 02 64 d1 00", ""),
        ("serial", "wrong stuffing", "00 ff 01 2a 04 02 01 04 02 d1 64 00", ""),
        ("serial", "breaks off after 6 bytes", "00 04 01 2a 04 02", ""),
        ("serial", "a question for another address, 1", "00 06 02 2a 02 93 6b 00", ""),
        ("serial", "status to all", "00 06 ff 2a 02 90 ca 00", ""),
    ],
)
def test_what_is_sent_and_what_must_be_answered(wire, name, sent, answered):
    wrong = message(wire, name)
    assert (wrong.write(ENVELOPE).hex(" "), wrong.answer(ENVELOPE).hex(" ")) == (sent, answered)


def test_what_is_for_another_is_for_no_device_of_the_rig():
    def addressed(to, taken=()):
        others = [m for m in malformed(RNG, taken) if " for another address" in m.name]
        return {Deframer().receive(m.write(Envelope(to, 0x2A, 1)))[0].address for m in others}

    assert addressed(1) == {0, 2, 3, 5, 9, 17, 33, 65, 129, 254, 253, 252}
    assert addressed(254) == {253, 255 - 3, 250, 246, 238, 222, 190, 126, 255 - 4, 0, 249, 248}
    assert not addressed(1, {2, 5, 254}) & {1, 2, 5, 254, 255}


def test_no_checksum_that_is_meant_to_be_wrong_is_right_by_chance():
    wrong = [m for m in malformed(RNG) if "SER-26" in m.requirements]
    for seq in range(256):
        for token in (1, seq << 8, 0xFFFF_FFFF):
            for message in wrong:
                assert Deframer().receive(message.write(Envelope(1, seq, token))) == [], message.name


@pytest.mark.parametrize("kind", KINDS.values(), ids=str)
@pytest.mark.parametrize("wire", ["serial"])
def test_no_unknown_code_is_a_command_of_the_device(wire, kind):
    codes = {int(m.name.split()[1], 16) for m in MALFORMED[wire](kind) if m.name.startswith("code ")}
    known = set(kind.command_of) - ({kind.commands["events"].code} if wire != "serial" else set())
    assert len(codes) >= 5
    assert not codes & known


def test_a_code_of_other_devices_is_unknown_to_a_shuffler():
    assert message("serial", "code 0x11", SHUFFLER)

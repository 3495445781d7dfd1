"""Every check: its published value, and every way to write it."""

import pytest

from feltrig.protocols.profiles.checksums import CHECKS, Check

PUBLISHED = {
    "none": 0,
    "xor": 0x31,
    "bcc": 0x31,
    "sum": 0xDD,
    "sum-inverted": 0x22,
    "lrc": 0x23,
    "sum16": 0x01DD,
    "fletcher16": 0x1EDE,
    "crc8": 0xF4,
    "crc8-maxim": 0xA1,
    "crc16-arc": 0xBB3D,
    "crc16-ccitt": 0x29B1,
    "crc16-kermit": 0x2189,
    "crc16-modbus": 0x4B37,
    "crc16-x25": 0x906E,
    "crc16-xmodem": 0x31C3,
    "crc32": 0xCBF43926,
}
"""For the nine digits, as the catalogues print it."""


@pytest.mark.parametrize("name", CHECKS)
def test_each_check_gives_its_published_value_for_the_nine_digits(name):
    assert CHECKS[name][1](b"123456789") == PUBLISHED[name]


@pytest.mark.parametrize(
    ("check", "written"),
    [
        (Check("crc16-ccitt"), b"\x29\xb1"),
        (Check("crc16-ccitt", order="little"), b"\xb1\x29"),
        (Check("crc16-ccitt", "hex"), b"29B1"),
        (Check("crc16-ccitt", "hex-lower", "little"), b"b129"),
        (Check("crc16-ccitt", "decimal"), b"10673"),
        (Check("crc16-ccitt", "nibbles"), b"29;1"),
        (Check("sum", "decimal"), b"221"),
    ],
)
def test_a_check_is_written_as_the_profile_says(check, written):
    assert check.of(b"123456789") == written
    assert len(written) == check.size
    assert check.agrees(b"123456789", written)
    assert not check.agrees(b"123456788", written)


def test_hex_is_read_in_either_case_and_nothing_else_is():
    assert Check("crc16-ccitt", "hex").agrees(b"123456789", b"29b1")
    assert not Check("xor").agrees(b"a", b"A")


def test_what_a_check_leaves_out_does_not_count():
    assert Check("sum", skips=2).of(b"xx123456789") == b"\xdd"

"""Every framing: known bytes, round trips, and back into step after any noise."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from feltrig.protocols.profiles.framing import (
    CHECKS,
    LONGEST,
    Bare,
    Check,
    Cobs,
    Counted,
    Deframer,
    Enclosed,
    Framing,
    Lines,
)

REPORTS = Enclosed(0x05, 0x03, Check("xor", hex=True), bare=(Bare(0x06), Bare(0x15, 3)))
COMMANDS = Enclosed(0x02, 0x03, Check("xor", hex=True), covers_start=True)

FRAMINGS: dict[str, Framing] = {
    "lines": Lines(),
    "lines ended by a carriage return": Lines(b"\r"),
    "start, end, xor in hex": REPORTS,
    "start, end, lrc, stuffed": Enclosed(check=Check("lrc"), escape=0x10),
    "start, end, crc": Enclosed(check=Check("crc16-modbus", order="little"), covers_end=False),
    "cobs": Cobs(),
    "cobs without check": Cobs(Check()),
    "length and sum": Counted(),
    "start, length of the frame, crc": Counted(0x7E, 2, "little", "frame", Check("crc16-xmodem")),
    "length, xor in hex": Counted(0x01, check=Check("xor", hex=True), covers_start=False),
}
EACH = pytest.mark.parametrize("framing", FRAMINGS.values(), ids=list(FRAMINGS))

TEXT = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=1, max_size=40).map(str.encode)
"""Payloads that every framing can carry."""

GOLDEN = [
    (COMMANDS, b"OPLK02", "02 4F 50 4C 4B 30 32 03 31 42"),
    (REPORTS, b"1S", "05 31 53 03 36 31"),
    (REPORTS, b"\x06", "06"),
    (REPORTS, b"\x1521", "15 32 31"),
    (Lines(), b"*u OK", "2A 75 20 4F 4B 0D 0A"),
    (Enclosed(check=Check("lrc"), covers_end=False), b"A", "02 41 03 BF"),
    (Enclosed(check=Check("sum"), covers_end=False, escape=0x10), b"\x02A\x10", "02 10 22 41 10 30 03 53"),
    (Counted(), b"\x01\x02", "02 01 02 05"),
    (Counted(0x7E, counts="frame", check=Check("xor")), b"A", "7E 04 41 3B"),
    (Cobs(Check("crc16-ccitt", order="little")), b"123456789", "00 0C 31 32 33 34 35 36 37 38 39 B1 29 00"),
    (Cobs(Check()), b"\x11\x00\x00", "00 02 11 01 01 00"),
]


@pytest.mark.parametrize(("framing", "payload", "golden"), GOLDEN)
def test_a_frame_is_the_bytes_written_down_by_hand_and_reads_as_what_it_carries(framing, payload, golden):
    assert framing.frame(payload).hex(" ").upper() == golden
    assert Deframer(framing).receive(bytes.fromhex(golden)) == [payload]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("xor", 0x31),
        ("sum", 0xDD),
        ("lrc", 0x23),
        ("crc16-ccitt", 0x29B1),
        ("crc16-xmodem", 0x31C3),
        ("crc16-modbus", 0x4B37),
    ],
)
def test_each_check_gives_its_published_value_for_the_nine_digits(name, value):
    assert CHECKS[name][1](b"123456789") == value


@EACH
@given(payloads=st.lists(TEXT, min_size=1, max_size=5), cut=st.integers(1, 30))
def test_payloads_come_out_as_they_went_in_however_the_stream_is_cut(framing, payloads, cut):
    stream = b"".join(map(framing.frame, payloads))
    deframer = Deframer(framing)
    heard = [p for at in range(0, len(stream), cut) for p in deframer.receive(stream[at : at + cut])]
    assert heard == payloads
    assert deframer.silence() == []


@EACH
@given(noise=st.binary(max_size=60), payload=TEXT)
@example(noise=b"\x05\x05\x7e\xff\x01\x09", payload=b"S")
def test_after_any_noise_and_a_silence_a_frame_is_heard(framing, noise, payload):
    deframer = Deframer(framing)
    deframer.receive(noise)
    deframer.silence()
    assert deframer.receive(framing.frame(payload))[-1:] == [payload]


@pytest.mark.parametrize("name", [n for n, f in FRAMINGS.items() if not isinstance(f, Counted)])
@given(noise=st.binary(max_size=60), payloads=st.lists(TEXT, min_size=3, max_size=3))
def test_a_framing_that_marks_its_ends_needs_no_silence(name, noise, payloads):
    """The frame at the noise may be lost with it; the ones after are not."""
    framing = FRAMINGS[name]
    heard = Deframer(framing).receive(noise + b"".join(map(framing.frame, payloads)))
    assert heard[-2:] == payloads[1:]


@EACH
@given(data=st.lists(st.binary(max_size=300), max_size=8))
def test_no_bytes_make_a_deframer_fail_or_grow(framing, data):
    deframer = Deframer(framing)
    for chunk in data:
        deframer.receive(chunk)
        assert deframer.waiting <= 2 * LONGEST + 300
    deframer.silence()
    assert deframer.waiting == 0


@pytest.mark.parametrize(
    "name", [n for n, f in FRAMINGS.items() if "xor" in n or "lrc" in n or "crc" in n or n == "cobs"]
)
@given(payload=TEXT, data=st.data())
def test_one_changed_bit_never_passes_for_the_message(name, payload, data):
    frame = bytearray(FRAMINGS[name].frame(payload))
    bit = data.draw(st.integers(0, 8 * len(frame) - 1))
    frame[bit // 8] ^= 1 << bit % 8
    # at a new start byte a shorter frame begins, and a check of one byte lets one in 256 of them pass
    assume(frame[bit // 8] != getattr(FRAMINGS[name], "start", None))
    deframer = Deframer(FRAMINGS[name])
    heard = [*deframer.receive(bytes(frame)), *deframer.silence()]
    # hex in small letters is the same check, and a hit outside COBS's own bytes costs nothing
    assert [p for p in heard if p not in (payload, b"\x06") and p[:1] != b"\x15"] == []


@pytest.mark.parametrize(
    ("framing", "payload"),
    [
        (Lines(), b"two\r\nlines"),
        (Lines(b"\r\r"), b"half an end\r"),
        (Lines(), bytes(LONGEST + 1)),
        (Enclosed(), b"\x02"),
        (Enclosed(), b"\x03"),
        (Enclosed(), b"x" * (LONGEST + 1)),
        (Counted(), b"x" * 256),
        (Cobs(), b""),
    ],
)
def test_a_payload_that_would_break_its_frame_is_refused(framing, payload):
    with pytest.raises(ValueError, match=r"cannot|contains|bytes"):
        framing.frame(payload)


def test_an_unfinished_frame_that_hides_a_whole_one_gives_it_up_after_a_silence():
    deframer = Deframer(Counted())
    assert deframer.receive(b"\x60" + Counted().frame(b"whole")) == []
    assert deframer.silence() == [b"whole"]
    assert deframer.rejected_bytes == 1

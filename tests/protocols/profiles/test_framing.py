"""Every framing: known bytes, round trips, and back into step after any noise."""

from dataclasses import replace

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from feltrig.protocols.profiles.checksums import CHECKS, Check
from feltrig.protocols.profiles.framing import LONGEST, Bare, Cobs, Counted, Deframer, Enclosed, Framing, Lines

REPORTS = Enclosed(0x05, 0x03, Check("xor", "hex"), bare=(Bare(0x06), Bare(0x15, 3)))
COMMANDS = Enclosed(0x02, 0x03, Check("xor", "hex"), covers_start=True)

NMEA = Lines(start=b"$", mark=b"*", check=Check("xor", "hex"))

FRAMINGS: dict[str, Framing] = {
    "lines": Lines(),
    "lines ended by a carriage return": Lines(b"\r"),
    "lines with an opening, a mark and an xor": Lines(start=b"\x1b$", mark=b"*~", check=Check("xor", "hex")),
    "lines with an lrc in nibbles": Lines(b"\r", check=Check("lrc", "nibbles")),
    "lines with a raw crc": Lines(b"\r", b"\x01", check=Check("crc16-modbus", order="little")),
    "lines with a decimal crc, and bytes between": Lines(
        start=b"\x02", mark=b"\x03", check=Check("crc16-x25", "decimal"), covers_mark=True, bare=(Bare(0x06),)
    ),
    "start, end, xor in hex": REPORTS,
    "start, end, lrc, stuffed": Enclosed(check=Check("lrc"), escape=0x10),
    "start, end, crc": Enclosed(check=Check("crc16-modbus", order="little"), covers_end=False),
    "start, xor, end": Enclosed(check=Check("xor"), check_inside=True, covers_end=False),
    "start, crc, end, stuffed": Enclosed(check=Check("crc16-kermit"), check_inside=True, escape=0x7D),
    "cobs": Cobs(),
    "cobs without check": Cobs(Check()),
    "length and sum": Counted(),
    "start, length of the frame, crc": Counted(b"\x7e", 2, "little", "frame", Check("crc16-xmodem")),
    "two start bytes, address, length, crc, stop": Counted(
        b"\xaa\x55", 2, "big", "rest", Check("crc16-ccitt"), False, length_at=1, stop=0x03, bare=(Bare(0x15),)
    ),
    "length, xor in hex": Counted(b"\x01", check=Check("xor", "hex"), covers_start=False),
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
    (Enclosed(check=Check("bcc"), check_inside=True, covers_end=False), b"A", "02 41 41 03"),
    (Enclosed(check=Check("bcc"), check_inside=True, covers_end=False), b"BA", "02 42 41 03 03"),
    (Lines(b"\r", check=Check("sum", "decimal")), b"GO", "47 4F 31 35 30 0D"),
    (Lines(b"\r", check=Check("xor"), covers_start=True, start=b"!"), b"A", "21 41 60 0D"),
    (Lines(b"\r", check=Check("sum", "nibbles")), b"\x7f", "7F 37 3F 0D"),
    (Lines(b"\r", check=Check("sum", "hex-lower", skips=1)), b"0\x7f", "30 7F 37 66 0D"),
    (
        Counted(b"\xaa\x55", check=Check("sum"), covers_start=False, length_at=1, stop=3),
        b"\x07AB",
        "AA 55 07 02 41 42 8C 03",
    ),
    (Counted(b"\x02", counts="rest", check=Check("crc16-modbus", order="little"), stop=3), b"A", "02 04 41 12 F0 03"),
    (Counted(length_adds=1, check=Check("sum"), covers_length=False), b"AB", "03 41 42 83"),
    (Counted(), b"\x01\x02", "02 01 02 05"),
    (Counted(b"\x7e", counts="frame", check=Check("xor")), b"A", "7E 04 41 3B"),
    (Cobs(Check("crc16-ccitt", order="little")), b"123456789", "00 0C 31 32 33 34 35 36 37 38 39 B1 29 00"),
    (Cobs(Check()), b"\x11\x00\x00", "00 02 11 01 01 00"),
]


@pytest.mark.parametrize(("framing", "payload", "golden"), GOLDEN)
def test_a_frame_is_the_bytes_written_down_by_hand_and_reads_as_what_it_carries(framing, payload, golden):
    assert framing.frame(payload).hex(" ").upper() == golden
    assert Deframer(framing).receive(bytes.fromhex(golden)) == [payload]


@pytest.mark.parametrize(
    "sentence",
    [
        # published examples: NMEA 0183 as quoted in the manuals of u-blox, SiRF and Trimble receivers
        b"$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47",
        b"$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A",
        b"$GPGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1*39",
        b"$GPGLL,4916.45,N,12311.12,W,225444,A,*1D",
    ],
)
def test_sentences_of_nmea_receivers_are_read_and_written(sentence):
    payload = sentence[1:-3]
    assert Deframer(NMEA).receive(sentence + b"\r\n") == [payload]
    assert NMEA.frame(payload) == sentence + b"\r\n"


def test_a_line_with_a_wrong_check_is_dropped_and_kept_apart_from_noise():
    deframer = Deframer(NMEA)
    assert deframer.receive(b"$RES,5*00\r\nnoise\r\n$RES,6*5E\r\n") == [b"RES,6"]
    assert deframer.broken == [b"RES,5"]
    assert deframer.rejected_bytes == len(b"$RES,5*00noise")


@pytest.mark.parametrize(
    "framing", [NMEA, Lines(), REPORTS, Enclosed(check=Check("lrc")), Counted(b"\x7e")], ids=lambda f: type(f).__name__
)
def test_white_space_between_frames_is_not_noise(framing):
    deframer = Deframer(framing)
    heard = deframer.receive(framing.frame(b"one") + b"\r\n \t\r\n" + framing.frame(b"two") + b"\r\n")
    assert (heard[0], heard[-1].strip()) == (b"one", b"two")
    assert deframer.rejected_bytes == 0


def test_a_line_feed_that_is_left_of_the_end_before_is_no_part_of_a_line():
    assert Deframer(Lines(b"\r")).receive(b"one\r\ntwo\r\n") == [b"one", b"two"]


OTHER = {1: "sum-inverted", 2: "sum16"}
"""A check of each size that no framing here uses."""


@pytest.mark.parametrize(
    # where a raw check can hold the end, nobody knows how long a frame with a wrong one was meant to be
    "framing",
    [
        f
        for name, f in FRAMINGS.items()
        if CHECKS[f.check.name][0] and name not in ("lines with a raw crc", "start, xor, end")
    ],
)
@given(payload=TEXT)
def test_what_a_frame_with_a_wrong_check_carries_is_known(framing, payload):
    wrong = replace(framing, check=replace(framing.check, name=OTHER[CHECKS[framing.check.name][0]]))
    assume(framing.frame(payload) != wrong.frame(payload))
    deframer = Deframer(framing)
    heard = deframer.receive(wrong.frame(payload)) + deframer.silence()
    assert (payload in heard, payload in deframer.broken) == (False, True)


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

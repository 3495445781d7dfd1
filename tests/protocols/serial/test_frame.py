"""Frames of the open serial profile, against the `cobs` package and frames computed by hand."""

from binascii import crc_hqx

import pytest
from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from feltrig.protocols.serial.frame import MAX_DATA, Deframer, Frame, encode

frames = st.builds(Frame, st.integers(0, 255), st.integers(0, 255), st.integers(0, 255), st.binary(max_size=MAX_DATA))

GOLDEN = [
    # 123456789 in ASCII has the CRC 29B1 by the definition of CRC-16/CCITT-FALSE
    (Frame(0x31, 0x32, 0x33, b"456789"), "00 0c 31 32 33 34 35 36 37 38 39 b1 29 00"),
    # 01 00 02 has the CRC DBEE: the zero gives way to the distance to the end
    (Frame(1, 0, 2, b""), "00 02 01 04 02 ee db 00"),
]


@pytest.mark.parametrize(("frame", "golden"), GOLDEN)
def test_frames_are_the_bytes_written_down_by_hand(frame, golden):
    assert encode(*frame) == bytes.fromhex(golden)
    assert Deframer().receive(bytes.fromhex(golden)) == [frame]


def bitwise_crc(data: bytes) -> int:
    crc = 0xFFFF
    for octet in data:
        crc ^= octet << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


@given(frames)
def test_a_frame_is_what_the_cobs_package_and_a_bitwise_crc_make_of_it(frame):
    payload = bytes(frame[:3]) + frame.data
    crc = bitwise_crc(payload)
    assert encode(*frame) == b"\0" + cobs.encode(payload + bytes((crc & 0xFF, crc >> 8))) + b"\0"


def decoded_by_others(body: bytes) -> list[Frame]:
    try:
        plain = cobs.decode(body)
    except cobs.DecodeError:
        return []
    payload, crc = plain[:-2], plain[-2:]
    good = len(payload) >= 3 and bitwise_crc(payload) == int.from_bytes(crc, "little")
    return [Frame(payload[0], payload[1], payload[2], payload[3:])] if good else []


@given(frames, st.integers(0, 253), st.integers(1, 255), st.binary(max_size=20))
def test_a_body_is_a_frame_when_the_cobs_package_and_a_bitwise_crc_say_so(frame, at, octet, noise):
    whole = encode(*frame)[1:-1]
    changed = bytearray(whole)
    changed[at % len(whole)] = octet
    for body in (whole, bytes(changed), whole[: at % len(whole)], noise.replace(b"\0", b"")):
        assert Deframer().receive(body + b"\0") == decoded_by_others(body)


@given(st.lists(frames, max_size=4), st.lists(st.integers(1, 40), max_size=30))
def test_frames_come_out_as_they_went_in_however_the_stream_is_cut(sent, cuts):
    stream = b"".join(encode(*frame) for frame in sent)
    deframer, received, at = Deframer(), [], 0
    for size in [*cuts, len(stream)]:
        received += deframer.receive(stream[at : at + size])
        at += size
    assert received == sent
    assert deframer.rejected_frames == deframer.waiting == 0


@given(st.binary(max_size=600), frames)
def test_after_any_garbage_the_next_frame_is_received(garbage, frame):
    assert Deframer().receive(garbage + encode(*frame))[-1] == frame


@given(st.lists(st.binary(max_size=400), max_size=5))
def test_any_bytes_are_survived_and_memory_stays_bounded(pieces):
    deframer = Deframer()
    for piece in pieces:
        for frame in deframer.receive(piece):
            assert len(frame.data) <= MAX_DATA
    assert deframer.waiting <= 254


@given(frames, st.data())
def test_one_flipped_bit_is_never_taken_for_the_frame(frame, data):
    wire = bytearray(encode(*frame))
    bit = data.draw(st.integers(0, 8 * len(wire) - 1))
    wire[bit // 8] ^= 1 << bit % 8
    assert frame not in Deframer().receive(bytes(wire) + b"\0")


def test_what_is_thrown_away_is_counted():
    deframer = Deframer()
    good = encode(1, 2, 3, b"")
    assert deframer.receive(b"\x55\x55\x55" + good + b"\x07\x07" + good) == [Frame(1, 2, 3, b"")] * 2
    assert (deframer.rejected_frames, deframer.rejected_bytes) == (2, 5)


def test_an_endless_frame_is_refused_and_counted_in_full():
    deframer = Deframer()
    assert deframer.receive(b"\x01" * 10_000 + b"\0") == []
    assert (deframer.rejected_frames, deframer.rejected_bytes) == (1, 10_000)
    for _ in range(100):
        deframer.receive(b"\x01" * 100)
    deframer.receive(b"\0")
    assert (deframer.rejected_frames, deframer.rejected_bytes) == (2, 20_000)


def test_the_longest_frame_fits_and_a_longer_one_is_refused():
    longest = Frame(1, 2, 3, b"\x01" * MAX_DATA)
    assert Deframer().receive(encode(*longest)) == [longest]
    with pytest.raises(ValueError, match="at most 247"):
        encode(1, 2, 3, bytes(MAX_DATA + 1))


def test_a_cobs_block_of_full_length_from_elsewhere_is_not_misread():
    body = cobs.encode(b"\x01" * 254)
    assert Deframer().receive(b"\0" + body + b"\0") == []


def test_the_crc_function_of_the_standard_library_is_the_bitwise_one():
    assert crc_hqx(b"123456789", 0xFFFF) == bitwise_crc(b"123456789") == 0x29B1

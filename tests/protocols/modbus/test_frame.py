"""Frames of Modbus RTU and TCP: cut out of any stream, and survived whatever comes."""

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pymodbus.framer import FramerRTU

from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus.frame import (
    MAX_RTU,
    RtuDeframer,
    RtuFrame,
    TcpDeframer,
    TcpFrame,
    crc16,
    encode_rtu,
    encode_tcp,
    request_length,
    response_length,
)


def test_the_crc_has_its_check_value_and_the_frame_of_the_specification():
    assert crc16(b"123456789") == 0x4B37
    # the example of Modbus over serial line 1.02, 6.2.2: 02 07 gives the CRC 1241, low byte first
    assert encode_rtu(2, b"\x07") == bytes.fromhex("02 07 41 12")


@given(st.binary(max_size=80))
def test_the_crc_is_the_one_of_pymodbus(data):
    assert crc16(data).to_bytes(2, "little") == FramerRTU.compute_CRC(data).to_bytes(2, "big")


units = st.integers(0, 247)
words = st.integers(1, 20).flatmap(lambda n: st.binary(min_size=2 * n, max_size=2 * n))
addresses = st.integers(0, 0xFFFF)
request_pdus = st.one_of(
    st.builds(pdu.read, addresses, st.integers(1, 125), st.sampled_from((3, 4))),
    st.builds(pdu.write_one, addresses, addresses),
    st.builds(pdu.write, addresses, words),
    st.builds(pdu.read_write, addresses, st.integers(1, 125), addresses, words),
    st.builds(pdu.identify, st.integers(1, 4), st.integers(0, 255)),
)
objects = st.lists(st.tuples(st.integers(0, 255), st.binary(max_size=20)), max_size=4)
response_pdus = st.one_of(
    st.builds(pdu.registers, st.sampled_from((3, 4, 23)), words),
    st.builds(pdu.written, addresses, st.integers(1, 123)),
    st.builds(pdu.refusal, st.sampled_from((3, 6, 16, 23, 43)), st.sampled_from(list(pdu.Refusal))),
    st.builds(pdu.identification, st.integers(1, 4), objects),
)
rtu_streams = st.sampled_from([(request_length, request_pdus), (response_length, response_pdus)]).flatmap(
    lambda case: st.tuples(st.just(case[0]), st.lists(st.builds(RtuFrame, units, case[1]), min_size=1, max_size=4))
)

# One noise in 65536 has the right CRC: the examples must not change from run to run.
same_each_time = settings(derandomize=True)


@same_each_time
@given(rtu_streams)
def test_rtu_frames_in_one_piece_come_out_as_they_went_in(case):
    length, sent = case
    deframer = RtuDeframer(length)
    assert deframer.receive(b"".join(encode_rtu(*frame) for frame in sent)) == sent
    assert deframer.waiting == deframer.rejected_bytes == 0


@same_each_time
@given(rtu_streams)
def test_an_rtu_frame_that_comes_byte_by_byte_is_received_at_its_last_byte(case):
    length, (frame, *_) = case
    wire = encode_rtu(*frame)
    deframer = RtuDeframer(length)
    assert [deframer.receive(wire[n : n + 1]) for n in range(len(wire))] == [[]] * (len(wire) - 1) + [[frame]]


@same_each_time
@given(rtu_streams, st.binary(max_size=40))
def test_after_any_noise_the_next_rtu_frame_is_received(case, noise):
    length, (frame, *_) = case
    deframer = RtuDeframer(length)
    deframer.receive(noise)
    assert deframer.receive(encode_rtu(*frame))[-1:] == [frame]


@same_each_time
@given(rtu_streams, st.data())
def test_an_rtu_frame_after_one_that_broke_off_is_received(case, data):
    length, (frame, *_) = case
    wire = encode_rtu(*frame)
    broken = wire[: data.draw(st.integers(1, len(wire) - 1))]
    assert RtuDeframer(length).receive(broken + wire)[-1:] == [frame]


@given(st.lists(st.binary(max_size=300), max_size=4), st.sampled_from([request_length, response_length]))
def test_any_bytes_on_an_rtu_line_are_survived_and_memory_stays_bounded(pieces, length):
    deframer = RtuDeframer(length)
    for piece in pieces:
        for frame in deframer.receive(piece):
            assert 1 <= len(frame.pdu) <= pdu.MAX_PDU
        assert deframer.waiting <= MAX_RTU


def test_an_unknown_function_is_framed_by_its_crc_so_that_it_can_be_refused():
    frame = RtuFrame(1, bytes.fromhex("64 0102 03"))
    assert RtuDeframer(request_length).receive(encode_rtu(*frame)) == [frame]


@given(
    st.lists(st.builds(TcpFrame, addresses, st.integers(0, 255), request_pdus), max_size=4),
    st.lists(st.integers(1, 30), max_size=20),
)
def test_tcp_frames_come_out_as_they_went_in_however_the_stream_is_cut(sent, cuts):
    stream = b"".join(encode_tcp(*frame) for frame in sent)
    deframer, received, at = TcpDeframer(), [], 0
    for size in [*cuts, len(stream)]:
        received += deframer.receive(stream[at : at + size])
        at += size
    assert received == sent
    assert deframer.waiting == deframer.rejected_bytes == 0


def test_the_mbap_header_is_that_of_the_specification():
    assert encode_tcp(0x1501, 0xFF, pdu.read(4, 1)) == bytes.fromhex("1501 0000 0006 ff 03 0004 0001")


@pytest.mark.parametrize("noise", [b"\xff" * 5, b"\x01\x02\x03", bytes.fromhex("0001 0001 ffff 01 03")])
def test_noise_that_is_no_mbap_header_is_skipped_and_counted(noise):
    deframer = TcpDeframer()
    frame = TcpFrame(7, 1, pdu.read(0, 10))
    assert deframer.receive(noise + encode_tcp(*frame)) == [frame]
    assert deframer.rejected_bytes == len(noise)


def announcing(protocol: int, length: int, body: bytes) -> bytes:
    """A frame whose header says what it likes; the body is as long as that."""
    return struct.pack(">HHH", 0x2B, protocol, length) + (body * length)[:length]


wrong_frames = st.builds(
    lambda header, body: announcing(*header, body),
    st.one_of(
        st.tuples(st.integers(1, 0xFFFF), st.integers(2, 254)),
        st.tuples(st.just(0), st.one_of(st.integers(0, 1), st.integers(255, 300))),
    ),
    st.one_of(st.just(b"\0"), st.just(bytes.fromhex("002c 0000 0006 01 03 0000 0002")), st.binary(min_size=1)),
)


@given(
    st.lists(st.one_of(wrong_frames, st.builds(TcpFrame, addresses, st.integers(0, 255), request_pdus)), max_size=6),
    st.lists(st.integers(1, 100), max_size=20),
)
def test_a_tcp_frame_with_one_fault_in_its_header_is_passed_over_whole_however_the_stream_is_cut(sent, cuts):
    sent = [*sent, TcpFrame(7, 1, pdu.read(0, 10))]
    stream = b"".join(encode_tcp(*each) if isinstance(each, TcpFrame) else each for each in sent)
    deframer, received, at = TcpDeframer(), [], 0
    for size in [*cuts, len(stream)]:
        received += deframer.receive(stream[at : at + size])
        at += size
        frames = sum(len(encode_tcp(*frame)) for frame in received)
        assert frames + deframer.rejected_bytes + deframer.waiting == len(stream[:at])
    assert received == [each for each in sent if isinstance(each, TcpFrame)]
    assert deframer.waiting == 0


@pytest.mark.parametrize("header", ["002b 0001 0006", "002b 0000 00ff", "002b 0000 0001"])
def test_a_wrong_tcp_frame_that_broke_off_is_forgotten_like_any_other(header):
    deframer = TcpDeframer()
    broken = bytes.fromhex(header)
    frame = TcpFrame(7, 1, pdu.read(0, 10))
    assert deframer.receive(broken) == []
    assert (deframer.waiting, deframer.rejected_bytes) == (6, 0)
    deframer.clear()
    assert (deframer.waiting, deframer.rejected_bytes) == (0, 6)
    assert deframer.receive(encode_tcp(*frame)) == [frame]


def test_after_what_is_no_header_no_wrong_one_is_believed():
    deframer = TcpDeframer()
    frame = TcpFrame(7, 1, pdu.read(0, 10))
    # at the fifth byte there is a header of another protocol, with a length that takes the frame for its own
    noise = bytes.fromhex("ffff ffff ffff 0001 0010")
    assert deframer.receive(noise[:7]) == []
    assert deframer.receive(noise[7:] + encode_tcp(*frame)) == [frame]
    assert deframer.rejected_bytes == len(noise)
    # and in step again, it is
    assert deframer.receive(announcing(1, 6, b"\0") + encode_tcp(*frame)) == [frame]


@given(st.lists(st.binary(max_size=300), max_size=4))
def test_any_bytes_on_a_tcp_connection_are_survived_and_memory_stays_bounded(pieces):
    deframer = TcpDeframer()
    for piece in pieces:
        for frame in deframer.receive(piece):
            assert 1 <= len(frame.pdu) <= pdu.MAX_PDU
        assert deframer.waiting < 6 + 300

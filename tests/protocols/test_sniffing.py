"""What was recorded on each wire, decoded: on all of them the same story, and never a byte that stops the listener."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recordings import AFTER, BEFORE, RTU, SELECTED, SERIAL, TCP, Recorded, heard, status, told

from feltrig.protocols.kinds import KINDS
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import EventBatch
from feltrig.protocols.modbus.frame import TcpDeframer, encode_tcp
from feltrig.protocols.modbus.sniffer import rtu_sniffer, tcp_sniffer
from feltrig.protocols.mqtt.sniffer import MqttSniffer
from feltrig.protocols.serial.frame import Deframer, encode
from feltrig.protocols.serial.sniffer import SerialSniffer
from feltrig.protocols.sniffing import (
    Cutter,
    NoMessage,
    OpaqueSniffer,
    Sniffer,
    is_outgoing,
)

SELECT: list[object] = [("select", {}), ("select", "OK", {})]
LOOK: list[object] = [("events", {"after": 1}), EventBatch(AFTER, (SELECTED,))]
DISPLAY: list[object] = [("display", {}), ("display", "OK", {"number": 7})]


@pytest.mark.parametrize(
    ("sniffer", "recorded", "story"),
    [
        (SerialSniffer(RNG), SERIAL, [*status(BEFORE), *SELECT, *LOOK, *DISPLAY]),
        (rtu_sniffer(RNG), RTU, [*status(BEFORE), *SELECT, *status(AFTER), *LOOK, *DISPLAY]),
        (tcp_sniffer(RNG), TCP, [*status(BEFORE), *SELECT, *status(AFTER), *LOOK, *DISPLAY]),
    ],
    ids=["serial", "modbus-rtu", "modbus-tcp"],
)
def test_a_recording_is_told_in_the_words_of_the_vocabulary(
    sniffer: Sniffer, recorded: Recorded, story: list[object]
) -> None:
    assert told(heard(sniffer, recorded)) == story
    assert sniffer.end() == []


@pytest.mark.parametrize("size", [1, 2, 3, 7])
@pytest.mark.parametrize(("sniffer", "recorded"), [(SerialSniffer, SERIAL), (tcp_sniffer, TCP), (rtu_sniffer, RTU)])
def test_it_does_not_matter_how_the_bytes_are_cut_into_chunks(
    sniffer: Callable[..., Sniffer], recorded: Recorded, size: int
) -> None:
    whole, cut = sniffer(RNG), sniffer(RNG)
    pieces: list[tuple[bool, str]] = []
    for outgoing, text in recorded:
        data = bytes.fromhex(text)
        pieces += [(outgoing, data[at : at + size].hex()) for at in range(0, len(data), size)]
    assert told(heard(cut, pieces)) == told(heard(whole, recorded))


def test_what_nobody_can_read_is_passed_on_as_it_is() -> None:
    sniffer = OpaqueSniffer("profile x")
    assert sniffer.hear(True, b"\x05A") == [NoMessage(True, "profile x", b"\x05A")]
    assert sniffer.hear(False, b"") == sniffer.end() == []


SNIFFERS: tuple[Callable[[], Sniffer], ...] = tuple(
    make
    for kind in KINDS.values()
    for make in (
        lambda kind=kind: SerialSniffer(kind),
        lambda kind=kind: rtu_sniffer(kind),
        lambda kind=kind: tcp_sniffer(kind),
        lambda kind=kind: MqttSniffer(kind, "t"),
    )
)
chunk = st.tuples(st.booleans(), st.one_of(st.binary(max_size=80), st.just(b"\0" * 4), st.just(b"\x01\x03\0\0\0\x0a")))


@given(st.sampled_from(SNIFFERS), st.lists(chunk, max_size=12))
def test_no_bytes_stop_a_listener(make: Callable[[], Sniffer], chunks: list[tuple[bool, bytes]]) -> None:
    sniffer = make()
    messages = [message for outgoing, data in chunks for message in sniffer.hear(outgoing, data)]
    assert all(isinstance(is_outgoing(message), bool) for message in [*messages, *sniffer.end()])


@given(
    st.sampled_from([(SerialSniffer, SERIAL), (tcp_sniffer, TCP), (rtu_sniffer, RTU)]),
    st.data(),
)
def test_flipped_bits_anywhere_in_a_recording_stop_no_listener(
    wire: tuple[Callable[..., Sniffer], Recorded], data
) -> None:
    make, recorded = wire
    sniffer = make(RNG)
    for outgoing, text in recorded:
        spoilt = bytearray(bytes.fromhex(text))
        place = data.draw(st.integers(0, len(spoilt) - 1))
        spoilt[place] ^= data.draw(st.sampled_from((0, 0, 1, 0x80, 0xFF)))
        sniffer.hear(outgoing, bytes(spoilt))
    sniffer.end()


frames = st.one_of(
    st.binary(max_size=40),
    st.sampled_from(["0001 0001 0006 01 03 0000", "000a", "0001 0000 0000", "0001 0000 0001 01"]).map(bytes.fromhex),
    st.just(bytes.fromhex("0001 0000 00ff 01 03") + bytes(100)),
    st.builds(encode_tcp, st.integers(0, 65535), st.integers(0, 255), st.binary(min_size=1, max_size=20)),
    st.builds(encode, st.integers(0, 255), st.integers(0, 255), st.integers(0, 255), st.binary(max_size=20)),
)


@given(st.lists(frames, max_size=10))
def test_a_cutter_loses_no_byte(chunks: list[bytes]) -> None:
    for deframer, body in ((TcpDeframer(), encode_tcp), (Deframer(), _body)):
        cutter = Cutter(deframer, lambda frame, body=body: body(*frame))
        pieces = [piece for data in chunks for piece in cutter.receive(data)]
        whole = b"".join(piece if isinstance(piece, bytes) else body(*piece) for piece in pieces)
        assert whole + cutter.rest() == b"".join(chunks)


def _body(address: int, seq: int, code: int, data: bytes) -> bytes:
    return encode(address, seq, code, data)[1:-1]

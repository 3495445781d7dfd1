"""Both directions of a wire cut into frames."""

import pytest
from recordings import RTU, SERIAL, TCP, Recorded

from feltrig.protocols.framed import Framed, Piece, Unframed
from feltrig.protocols.modbus import sniffer as modbus
from feltrig.protocols.mqtt import sniffer as mqtt
from feltrig.protocols.serial import sniffer as serial

WIRES = [
    pytest.param(serial.framed, SERIAL, id="serial"),
    pytest.param(lambda: modbus.framed("rtu"), RTU, id="rtu"),
    pytest.param(lambda: modbus.framed("tcp"), TCP, id="tcp"),
]


def whole(recorded: Recorded) -> list[Piece]:
    return [Piece(outgoing, bytes.fromhex(data), True) for outgoing, data in recorded]


@pytest.mark.parametrize(("make", "recorded"), WIRES)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_each_frame_comes_once_however_it_is_cut(make, recorded: Recorded, size: int) -> None:
    framed: Framed = make()
    pieces: list[Piece] = []
    for outgoing, text in recorded:
        data = bytes.fromhex(text)
        for at in range(0, len(data), size):
            pieces += framed.hear(outgoing, data[at : at + size])
    assert [*pieces, *framed.end()] == whole(recorded)


def test_what_lies_between_frames_is_no_frame() -> None:
    framed = serial.framed()
    (outgoing, question), *_ = SERIAL
    pieces = [*framed.hear(False, b"\x07\x08\0"), *framed.hear(outgoing, bytes.fromhex(question))]
    assert pieces == [Piece(False, b"\x07\x08\0", False), Piece(True, bytes.fromhex(question), True)]


def test_an_answer_that_breaks_off_is_given_up_at_the_next_question() -> None:
    framed = modbus.framed("rtu")
    (_, first), (_, answer), (_, second), *_ = RTU
    assert len(framed.hear(True, bytes.fromhex(first))) == 1
    broken = bytes.fromhex(answer)[:5]
    assert framed.hear(False, broken) == []
    assert framed.hear(True, bytes.fromhex(second)) == [
        Piece(False, broken, False),
        Piece(True, bytes.fromhex(second), True),
    ]


def test_a_packet_that_never_ends_is_left_over() -> None:
    framed = mqtt.framed()
    assert framed.hear(True, b"\xc0\x00\x30\x05ab") == [Piece(True, b"\xc0\x00", True)]
    assert framed.end() == [Piece(True, b"\x30\x05ab", False)]


def test_a_wire_without_frames_is_shown_as_it_passed() -> None:
    framed = Unframed()
    assert [*framed.hear(True, b"ab"), *framed.hear(True, b""), *framed.end()] == [Piece(True, b"ab", False)]

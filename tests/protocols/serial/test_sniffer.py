"""What was recorded on a serial line, decoded."""

from recordings import SERIAL, heard

from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Request
from feltrig.protocols.serial.frame import encode
from feltrig.protocols.serial.sniffer import SerialSniffer
from feltrig.protocols.sniffing import (
    Answered,
    Asked,
    NoMessage,
)


def test_the_address_is_learned_from_the_first_question() -> None:
    sniffer = SerialSniffer(RNG)
    heard(sniffer, SERIAL)
    assert sniffer.address == 1


def test_an_answer_names_the_very_question_that_it_answers() -> None:
    first, answer = heard(SerialSniffer(RNG), SERIAL)[:2]
    assert isinstance(first, Asked)
    assert isinstance(answer, Answered)
    assert answer.asked is first


def test_another_devices_frames_on_a_shared_line_are_passed_over() -> None:
    assert heard(SerialSniffer(RNG, address=9), SERIAL) == []


def test_a_broadcast_is_meant_for_every_device_on_the_line() -> None:
    frame = encode(0xFF, 1, RNG.commands["reset"].code, bytes((0, 0, 0, 5)))
    assert SerialSniffer(RNG, address=9).hear(True, frame) == [Asked(Request("reset", {}, 5))]


def test_an_answer_that_comes_late_still_belongs_to_its_own_question() -> None:
    sniffer = SerialSniffer(RNG)
    ask = [encode(1, seq, 0x10, bytes((0, 0, 0, 5))) for seq in (1, 2)]
    first, second = (sniffer.hear(True, frame)[0] for frame in ask)
    (late,) = sniffer.hear(False, encode(1, 1, 0x90, b"\0"))
    assert isinstance(late, Answered)
    assert late.asked is first
    assert late.asked is not second


def test_bytes_that_make_no_frame_are_shown_between_the_messages() -> None:
    sniffer = SerialSniffer(RNG)
    messages = heard(sniffer, [SERIAL[0], (False, "de ad be ef" + SERIAL[1][1])])
    assert messages[1] == NoMessage(False, "bytes that make no frame", bytes.fromhex("deadbeef00"))
    assert isinstance(messages[2], Answered)


def test_half_a_frame_is_noise_when_the_recording_ends() -> None:
    sniffer = SerialSniffer(RNG)
    sniffer.hear(False, bytes.fromhex("00 04 01"))
    assert sniffer.end() == [NoMessage(False, "bytes that make no frame", bytes.fromhex("0401"))]


def test_what_the_codec_refuses_is_noise_with_the_reason() -> None:
    sniffer = SerialSniffer(RNG)
    (unknown,) = sniffer.hear(True, encode(1, 1, 0x7E, b""))
    assert isinstance(unknown, NoMessage)
    assert unknown.why == "code 0x7e: unknown command"
    sniffer.hear(True, encode(1, 2, 0x11, b""))
    (bad,) = sniffer.hear(False, encode(1, 2, 0x91, b"\0"))
    assert isinstance(bad, NoMessage)
    assert bad.why.startswith("display: ")

"""What was recorded on Modbus, decoded."""

from recordings import BEFORE, TCP, heard, status, told

from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Reply, Request
from feltrig.protocols.modbus.sniffer import tcp_sniffer
from feltrig.protocols.sniffing import (
    Answered,
    Asked,
    Chatter,
    NoMessage,
)


def test_the_unit_is_learned_from_the_first_question() -> None:
    sniffer = tcp_sniffer(RNG)
    heard(sniffer, TCP)
    assert sniffer.unit == 1


def test_another_units_frames_are_passed_over() -> None:
    assert heard(tcp_sniffer(RNG, unit=9), TCP) == []


def test_half_a_modbus_response_is_noise_as_soon_as_the_next_request_goes_out() -> None:
    sniffer = tcp_sniffer(RNG)
    messages = heard(sniffer, [TCP[0], (False, "0001 0000 0017 01"), TCP[0], TCP[1]])
    assert messages[1] == NoMessage(False, "bytes that make no frame", bytes.fromhex("00010000001701"))
    assert isinstance(messages[3], Answered)


def test_a_modbus_frame_of_another_protocol_is_noise_in_one_piece_and_the_next_one_is_read() -> None:
    sniffer = tcp_sniffer(RNG)
    wrong = "0001 0001 0006 01 03 0000 0002"
    messages = heard(sniffer, [(True, wrong[:20]), (True, wrong[20:]), *TCP[:2]])
    assert messages[0] == NoMessage(True, "bytes that make no frame", bytes.fromhex(wrong))
    assert told(messages[1:]) == status(BEFORE)


def test_a_modbus_exception_is_noise_with_its_code() -> None:
    sniffer = tcp_sniffer(RNG)
    messages = heard(sniffer, [TCP[2], (False, "0002 0000 0003 01 97 02")])
    assert messages[1] == NoMessage(False, "exception 02", bytes.fromhex("000200000003019702"))


def test_a_command_written_and_fetched_in_two_requests_is_one_exchange() -> None:
    sniffer = tcp_sniffer(RNG)
    recorded = (
        (True, "0001 0000 000d 01 10 0100 0003 06 01020304 0010"),
        (False, "0001 0000 0006 01 10 0100 0003"),
        (True, "0002 0000 0006 01 03 0120 0004"),
        (False, "0002 0000 000b 01 03 08 01020304 0000 0000"),
    )
    messages = heard(sniffer, recorded)
    assert messages[0] == Asked(Request("select", {}, 0x01020304))
    assert messages[1:3] == [Chatter(False, "written"), Chatter(True, "asks for the result")]
    assert isinstance(messages[0], Asked)
    assert messages[3] == Answered(messages[0], Reply())


def test_registers_that_are_no_message_are_shown_as_such() -> None:
    messages = heard(
        tcp_sniffer(RNG), [(True, "0001 0000 0006 01 03 0002 0001"), (False, "0001 0000 0005 01 03 02 0003")]
    )
    assert messages == [Chatter(True, "reads registers 2 to 2"), Chatter(False, "registers 2 to 2: 00 03")]

"""What was recorded on each wire, decoded: on all of them the same story, and never a byte that stops the listener."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.protocols.kinds import KINDS
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Event, EventBatch, Reply, Request, Status
from feltrig.protocols.modbus.frame import TcpDeframer, encode_tcp
from feltrig.protocols.modbus.sniffer import rtu_sniffer, tcp_sniffer
from feltrig.protocols.mqtt.sniffer import MqttSniffer
from feltrig.protocols.serial.frame import Deframer, encode
from feltrig.protocols.serial.sniffer import SerialSniffer
from feltrig.protocols.sniffing import (
    Answered,
    Asked,
    Chatter,
    Cutter,
    Message,
    NoMessage,
    OpaqueSniffer,
    Said,
    Sniffer,
    is_outgoing,
)
from feltrig.protocols.vocabulary import FaultCode, State

Recorded = Sequence[tuple[bool, str]]

SERIAL: Recorded = (
    (True, "00 06 01 01 02 df e8 00"),
    (False, "00 04 01 01 82 01 01 01 01 01 02 01 01 01 04 01 53 81 00"),
    (True, "00 0a 01 02 10 01 02 03 04 b6 cb 00"),
    (False, "00 04 01 02 90 03 ff 84 00"),
    (True, "00 04 01 03 03 01 01 04 01 bc 79 00"),
    (False, "00 04 01 03 83 02 02 01 01 01 02 01 01 01 02 02 01 01 06 02 10 07 51 b3 00"),
    (True, "00 06 01 04 11 78 35 00"),
    (False, "00 04 01 04 91 04 07 42 4e 00"),
)

RTU: Recorded = (
    (True, "01 03 0000 000b 040d"),
    (False, "01 03 16 0001 0001 0000 0000 00000001 00000001 00000000 0000 9972"),
    (True, "01 17 0120 0004 0100 0003 06 01020304 0010 6580"),
    (False, "01 17 08 01020304 0000 0000 c668"),
    (True, "01 03 0000 000a c5cd"),
    (False, "01 03 14 0001 0001 0002 0000 00000001 00000002 01020304 9855"),
    (True, "01 03 0210 0010 447b"),
    (False, "01 03 20 00000002 0010 0007" + "0000" * 12 + "46b8"),
    (True, "01 17 0120 0005 0100 0003 06 80000000 0011 7fd7"),
    (False, "01 17 0a 80000000 0000 0001 0007 036c"),
)

TCP: Recorded = (
    (True, "0001 0000 0006 01 03 0000 000a"),
    (False, "0001 0000 0017 01 03 14 0001 0001 0000 0000 00000001 00000001 00000000"),
    (True, "0002 0000 0011 01 17 0120 0004 0100 0003 06 01020304 0010"),
    (False, "0002 0000 000b 01 17 08 01020304 0000 0000"),
    (True, "0003 0000 0006 01 03 0000 000a"),
    (False, "0003 0000 0017 01 03 14 0001 0001 0002 0000 00000001 00000002 01020304"),
    (True, "0004 0000 0006 01 03 0210 0010"),
    (False, "0004 0000 0023 01 03 20 00000002 0010 0007" + "0000" * 12),
    (True, "0005 0000 0011 01 17 0120 0005 0100 0003 06 80000000 0011"),
    (False, "0005 0000 000d 01 17 0a 80000000 0000 0001 0007"),
)

BEFORE = Status(State.IDLE, FaultCode.NONE, 1, 1)
AFTER = Status(State.READY, FaultCode.NONE, 1, 2)
SELECTED = Event(2, "selected", {"number": 7})


def heard(sniffer: Sniffer, recorded: Recorded) -> list[Message]:
    return [message for outgoing, data in recorded for message in sniffer.hear(outgoing, bytes.fromhex(data))]


def told(messages: list[Message]) -> list[object]:
    """The story without the tokens, which differ from wire to wire, and without what a wire does for itself."""
    story: list[object] = []
    for message in messages:
        match message:
            case Asked(request):
                story.append((request.command, dict(request.values)))
            case Answered(asked, Reply(error, values)):
                story.append((asked.request.command, error.name, dict(values)))
            case Answered(_, EventBatch() as batch):
                story.append(batch)
            case NoMessage():
                story.append(message)
    return story


def status(now: Status) -> list[object]:
    values = {"state": now.state, "fault": now.fault, "oldest": now.oldest, "latest": now.latest}
    return [("status", {}), ("status", "OK", values)]


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


def test_who_was_addressed_is_learned_from_the_first_question() -> None:
    serial, modbus = SerialSniffer(RNG), tcp_sniffer(RNG)
    heard(serial, SERIAL)
    heard(modbus, TCP)
    assert (serial.address, modbus.unit) == (1, 1)


def test_an_answer_names_the_very_question_that_it_answers() -> None:
    first, answer = heard(SerialSniffer(RNG), SERIAL)[:2]
    assert isinstance(first, Asked)
    assert isinstance(answer, Answered)
    assert answer.asked is first


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


def test_another_devices_frames_on_a_shared_line_are_passed_over() -> None:
    assert heard(SerialSniffer(RNG, address=9), SERIAL) == []
    assert heard(tcp_sniffer(RNG, unit=9), TCP) == []


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


def test_half_a_modbus_response_is_noise_as_soon_as_the_next_request_goes_out() -> None:
    sniffer = tcp_sniffer(RNG)
    messages = heard(sniffer, [TCP[0], (False, "0001 0000 0017 01"), TCP[0], TCP[1]])
    assert messages[1] == NoMessage(False, "bytes that make no frame", bytes.fromhex("00010000001701"))
    assert isinstance(messages[3], Answered)


def test_what_the_codec_refuses_is_noise_with_the_reason() -> None:
    sniffer = SerialSniffer(RNG)
    (unknown,) = sniffer.hear(True, encode(1, 1, 0x7E, b""))
    assert isinstance(unknown, NoMessage)
    assert unknown.why == "code 0x7e: unknown command"
    sniffer.hear(True, encode(1, 2, 0x11, b""))
    (bad,) = sniffer.hear(False, encode(1, 2, 0x91, b"\0"))
    assert isinstance(bad, NoMessage)
    assert bad.why.startswith("display: ")


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


def publish(topic: str, payload: str, properties: bytes | None = b"", mid: int = 1) -> bytes:
    """A PUBLISH at QoS 1 as MQTT 5 has it, or 3.1.1 without properties."""
    name = topic.encode()
    body = len(name).to_bytes(2, "big") + name + mid.to_bytes(2, "big")
    body += b"" if properties is None else bytes((len(properties),)) + properties
    body += payload.encode()
    assert len(body) < 128 * 128
    size = (len(body),) if len(body) < 128 else (len(body) & 0x7F | 0x80, len(body) >> 7)
    return bytes((0x32, *size)) + body


CONNECT_5 = bytes.fromhex("100d 0004 4d515454 05 02 003c 00 0000")
CONNECT_311 = bytes.fromhex("100c 0004 4d515454 04 02 003c 0000")
REPLY_TO = bytes.fromhex("08 0009") + b"t/reply/a" + bytes.fromhex("09 0004 00000001")
STATUS = '"state":2,"fault":0,"oldest":1,"latest":2'
EVENT = f'{{"v":1,"n":2,"event":"selected","values":{{"number":7}},{STATUS}}}'


def test_mqtt_5_answers_are_told_apart_by_their_correlation() -> None:
    sniffer = MqttSniffer(RNG, "t")
    messages = [
        *sniffer.hear(True, CONNECT_5),
        *sniffer.hear(True, publish("t/cmd", '{"v":1,"cmd":"select","token":5}', REPLY_TO)),
        *sniffer.hear(False, publish("t/event", EVENT)),
        *sniffer.hear(False, publish("t/state", f'{{"v":1,{STATUS}}}')),
        *sniffer.hear(False, publish("t/reply/a", '{"v":1,"error":"ok"}', bytes.fromhex("09000400000001"))),
        *sniffer.hear(False, publish("t/reply/a", '{"v":1,"error":"ok"}', bytes.fromhex("09000400000002"))),
        *sniffer.hear(False, publish("t/online", '{"v":1,"online":false}')),
    ]
    asked = Asked(Request("select", {}, 5))
    assert messages == [
        Chatter(True, "CONNECT"),
        asked,
        Said(AFTER, SELECTED),
        Said(AFTER),
        Answered(asked, Reply()),
        NoMessage(False, "an answer without a question", b'{"v":1,"error":"ok"}'),
        Chatter(False, "offline"),
    ]


def test_mqtt_3_answers_are_told_apart_by_the_id_in_them() -> None:
    sniffer = MqttSniffer(RNG, "t")
    ask = '{"v":1,"cmd":"events","token":0,"args":{"after":1},"id":8,"reply_to":"t/reply/a"}'
    answer = f'{{"v":1,"error":"ok","status":{{{STATUS}}},"events":[{EVENT}],"id":8}}'
    messages = [
        *sniffer.hear(True, CONNECT_311),
        *sniffer.hear(True, publish("t/cmd", ask, None)),
        *sniffer.hear(False, publish("t/reply/a", answer, None)),
    ]
    asked = Asked(Request("events", {"after": 1}))
    assert messages[1:] == [asked, Answered(asked, EventBatch(AFTER, (SELECTED,)))]
    assert sniffer.version == 4


def test_what_broke_off_with_one_connection_does_not_spoil_the_next() -> None:
    sniffer = MqttSniffer(RNG, "t")
    sniffer.hear(True, CONNECT_5)
    sniffer.hear(False, publish("t/event", EVENT)[:20])
    sniffer.hear(True, CONNECT_5)
    assert sniffer.hear(False, publish("t/event", EVENT)) == [Said(AFTER, SELECTED)]


@pytest.mark.parametrize(
    ("topic", "payload", "why"),
    [
        ("t/cmd", "{}", "v None: expected 1"),
        ("t/cmd", '{"v":1,"cmd":"dance","token":0}', "cmd 'dance': not known to a rng"),
        ("t/event", "rubbish", "event: b'rubbish': expected JSON"),
        ("t/other", "x", "topic t/other"),
    ],
)
def test_payloads_that_say_nothing_are_noise_with_the_reason(topic: str, payload: str, why: str) -> None:
    sniffer = MqttSniffer(RNG, "t")
    assert sniffer.hear(False, publish(topic, payload)) == [NoMessage(topic == "t/cmd", why, payload.encode())]


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


payloads = st.one_of(
    st.binary(max_size=60),
    st.sampled_from([EVENT, '{"v":1,"cmd":"events","token":0,"args":{"after":1}}', "[" * 2000]).map(str.encode),
)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(("t/cmd", "t/event", "t/state", "t/reply/a")), payloads)))
def test_no_payload_stops_a_listener(published: list[tuple[bool, str, bytes]]) -> None:
    sniffer = MqttSniffer(RNG, "t")
    for outgoing, topic, payload in published:
        (message,) = sniffer.hear(outgoing, publish(topic, payload.decode("latin-1")))
        assert not isinstance(message, Chatter)


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

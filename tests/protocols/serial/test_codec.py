"""Messages of the open serial profile: golden data by hand, round trips, refusals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.protocols.kinds import KINDS
from feltrig.protocols.kinds.reader import READER
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.kinds.shaker import SHAKER
from feltrig.protocols.kinds.shoe import SHOE
from feltrig.protocols.kinds.shuffler import SHUFFLER
from feltrig.protocols.messages import Event, EventBatch, Reply, Request, Status
from feltrig.protocols.serial.codec import MOST_EVENTS, SerialMessages
from feltrig.protocols.serial.frame import MAX_DATA
from feltrig.protocols.vocabulary import Error, FaultCode, State

REQUESTS = [
    (RNG, Request("status"), 0x02, ""),
    (RNG, Request("select", token=0xCAFEBABE), 0x10, "cafebabe"),
    (SHAKER, Request("shake", {"times": 3}, 7), 0x10, "00000007 03"),
    (READER, Request("faces", {"offset": 258, "limit": 54}), 0x11, "0102 36"),
    (SHOE, Request("events", {"after": 9}), 0x03, "00000009"),
]

REPLIES = [
    (RNG, "select", Reply(), "00"),
    (RNG, "select", Reply(Error.WRONG_STATE), "03"),
    (RNG, "display", Reply(values={"number": 7}), "00 07"),
    (RNG, "status", Reply(values={"state": 3, "fault": 1, "oldest": 1, "latest": 258}), "00 03 01 00000001 00000102"),
    (READER, "faces", Reply(values={"cards": (0, 52, 0x80)}), "00 03 003480"),
    (
        SHUFFLER,
        "identify",
        Reply(values={"kind": 3, "vendor": "V", "model": "M2", "serial": "", "firmware": "1.0", "digest": "ab"}),
        "00 03 01 56 02 4d32 00 03 312e30 02 6162",
    ),
]

BATCHES = [
    (RNG, EventBatch(Status(State.IDLE, FaultCode.NONE, 0, 0), ()), "00 00 00 00000000 00000000"),
    (
        SHAKER,
        EventBatch(
            Status(State.READY, FaultCode.NONE, 1, 3),
            (
                Event(2, "uncovered", {"commanded": True}),
                Event(3, "rolled", {"dice": (6, 1, 2), "flat": (1, 1, 0)}),
            ),
        ),
        "00 02 00 00000001 00000003   00000002 11 01   00000003 13 03 060102 03 010100",
    ),
    (
        SHUFFLER,
        EventBatch(
            Status(State.FAULT, FaultCode.COUNT, 5, 6),
            (Event(6, "counted", {"deck": 2, "count": 53, "correct": False}),),
        ),
        "00 03 04 00000005 00000006   00000006 12 02 0035 00",
    ),
]


@pytest.mark.parametrize(("kind", "request_", "code", "data"), REQUESTS)
def test_a_request_is_the_data_written_down_by_hand(kind, request_, code, data):
    messages = SerialMessages(kind)
    assert messages.write_request(request_) == (code, bytes.fromhex(data))
    assert messages.read_request(code, bytes.fromhex(data)) == request_


@pytest.mark.parametrize(("kind", "command", "reply", "data"), REPLIES)
def test_a_reply_is_the_data_written_down_by_hand(kind, command, reply, data):
    messages = SerialMessages(kind)
    assert messages.write_reply(command, reply) == bytes.fromhex(data)
    assert messages.read_reply(command, bytes.fromhex(data)) == reply


@pytest.mark.parametrize(("kind", "batch", "data"), BATCHES)
def test_a_batch_is_the_data_written_down_by_hand(kind, batch, data):
    messages = SerialMessages(kind)
    assert messages.write_events(batch) == bytes.fromhex(data)
    assert messages.read_events(bytes.fromhex(data)) == batch


def test_the_short_way_to_write_a_status_is_the_same_as_the_long_one():
    messages = SerialMessages(RNG)
    values = {"state": 1, "fault": 2, "oldest": 3, "latest": 4}
    assert messages.write_status(Status(State.BUSY, FaultCode.STOPPED, 3, 4)) == messages.write_reply(
        "status", Reply(values=values)
    )


@pytest.mark.parametrize(
    ("code", "data", "error"),
    [
        (0x7E, "", Error.UNKNOWN_COMMAND),
        (0x10, "", Error.MALFORMED),
        (0x10, "000000", Error.MALFORMED),
        (0x10, "00000001", Error.MALFORMED),
        (0x10, "00000001 0102", Error.MALFORMED),
        (0x02, "00", Error.MALFORMED),
    ],
)
def test_a_request_that_cannot_be_read_has_its_error(code, data, error):
    assert SerialMessages(SHAKER).read_request(code, bytes.fromhex(data)) is error


@pytest.mark.parametrize("data", ["", "63", "03 00", "00", "00 07 07"])
def test_a_reply_that_cannot_be_read_is_a_value_error(data):
    with pytest.raises(ValueError, match=r"."):
        SerialMessages(RNG).read_reply("display", bytes.fromhex(data))


@pytest.mark.parametrize(
    "data",
    [
        "00 00 00 00000000 000000",
        "04 00 00 00000000 00000000",
        "00 05 00 00000000 00000000",
        "00 00 06 00000000 00000000",
        "00 00 00 00000001 00000001 0000",
        "00 00 00 00000001 00000001 00000001 7f",
        "00 00 00 00000001 00000001 00000001 10",
    ],
)
def test_a_batch_that_cannot_be_read_is_a_value_error(data):
    with pytest.raises(ValueError, match=r"."):
        SerialMessages(RNG).read_events(bytes.fromhex(data))


@pytest.mark.parametrize(
    "request_", [Request("shuffle"), Request("select", {"n": 1}), Request("select", token=1 << 32)]
)
def test_a_request_that_no_device_could_understand_is_not_written(request_):
    with pytest.raises(ValueError, match=r"."):
        SerialMessages(RNG).write_request(request_)


def test_a_batch_holds_as_many_events_as_fit_and_the_rest_is_asked_for_again():
    messages = SerialMessages(RNG)
    events = tuple(Event(n, "started") for n in range(1, 100))
    batch = EventBatch(Status(State.IDLE, FaultCode.NONE, 1, 99), events)
    data = messages.write_events(batch)
    assert len(data) <= MAX_DATA
    assert messages.read_events(data).events == events[:MOST_EVENTS]


def test_a_reply_too_long_for_a_frame_is_refused_as_a_bad_argument():
    messages = SerialMessages(READER)
    fits, too_many = {"cards": (1,) * 245}, {"cards": (1,) * 246}
    assert messages.read_reply("faces", messages.write_reply("faces", Reply(values=fits))).values == fits
    assert messages.write_reply("faces", Reply(values=too_many)) == bytes((Error.BAD_ARGUMENT,))


@given(st.sampled_from(sorted(KINDS)), st.integers(0, 255), st.binary(max_size=60))
def test_any_bytes_are_a_request_or_an_error_and_never_a_crash(kind, code, data):
    messages = SerialMessages(KINDS[kind])
    request = messages.read_request(code, data)
    assert isinstance(request, Error) or messages.write_request(request) == (code, data)


@given(st.sampled_from(sorted(KINDS)), st.binary(max_size=120))
def test_any_bytes_are_a_batch_or_a_value_error(kind, data):
    messages = SerialMessages(KINDS[kind])
    try:
        batch = messages.read_events(data)
    except ValueError:
        return
    assert messages.write_events(batch) == data

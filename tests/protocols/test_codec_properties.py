"""What holds for every message of every kind of device on every wire: it is read as it was written, a corrupted stream
finds back into step, and no bytes do worse than their own error."""

import contextlib
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltrig.protocols.errors import Garbage
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.messages import Event, EventBatch, Identity, Reply, Request, Status, Value
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus.frame import (
    RtuDeframer,
    RtuFrame,
    TcpDeframer,
    TcpFrame,
    encode_rtu,
    encode_tcp,
    request_length,
    response_length,
)
from feltrig.protocols.modbus.register_map import IDENTITY, IDENTITY_SIZES, ModbusMap
from feltrig.protocols.mqtt import codec as mqtt_topics
from feltrig.protocols.mqtt.codec import BadCall
from feltrig.protocols.serial.codec import SerialMessages
from feltrig.protocols.serial.frame import MAX_DATA, Deframer, Frame, encode
from feltrig.protocols.vocabulary import Error, FaultCode, Field, Kind, State, Type

same_each_time = settings(derandomize=True)
"""One noise in 65536 has the right CRC: where that would break a property, the examples must not change."""

u32 = st.integers(0, 0xFFFF_FFFF)
octets = st.lists(st.integers(0, 255), max_size=8).map(tuple)
texts = st.text(st.characters(codec="utf-8"), max_size=8)
VALUES: dict[Type, st.SearchStrategy[Value]] = {
    Type.U8: st.integers(0, 0xFF),
    Type.U16: st.integers(0, 0xFFFF),
    Type.U32: u32,
    Type.BOOL: st.booleans(),
    Type.BYTES: octets,
    Type.TEXT: texts,
}


def values(fields: Sequence[Field]) -> st.SearchStrategy[dict[str, Value]]:
    return st.fixed_dictionaries({field.name: VALUES[field.type] for field in fields})


kinds = st.sampled_from(list(KINDS.values()))
statuses = st.builds(Status, st.sampled_from(State), st.sampled_from(FaultCode), u32, u32)


@st.composite
def requests(draw: st.DrawFn) -> tuple[Kind, Request]:
    """A command of any kind, with a token if it acts."""
    kind = draw(kinds)
    command = draw(st.sampled_from(list(kind.commands.values())))
    return kind, Request(command.name, draw(values(command.args)), draw(u32) if command.acts else 0)


@st.composite
def replies(draw: st.DrawFn) -> tuple[Kind, str, Reply]:
    """A reply to any command but `events`, or its refusal."""
    kind = draw(kinds)
    command = draw(st.sampled_from([c for c in kind.commands.values() if c.name != "events"]))
    error = draw(st.sampled_from(Error))
    return kind, command.name, Reply(error) if error else Reply(Error.OK, draw(values(command.reply)))


@st.composite
def batches(draw: st.DrawFn) -> tuple[Kind, EventBatch]:
    """A status, and events of any sort that the kind has."""
    kind = draw(kinds)
    events = []
    for number in draw(st.lists(u32, max_size=5)):
        event = draw(st.sampled_from(list(kind.events.values())))
        events.append(Event(number, event.name, draw(values(event.fields))))
    return kind, EventBatch(draw(statuses), tuple(events))


@given(requests())
def test_a_request_crosses_every_wire_unchanged(case):
    kind, request = case
    serial = SerialMessages(kind)
    assert serial.read_request(*serial.write_request(request)) == request
    call = mqtt_topics.decode_request(kind, mqtt_topics.encode_request(request, 7, "a/b"))
    assert (call.request, call.id, call.reply_to) == (request, 7, "a/b")
    if request.command != "events":
        device = ModbusMap(kind)
        assert device.read_command(device.write_command(request, request.token)) == request


@given(replies(), u32)
def test_a_reply_crosses_every_wire_unchanged(case, token):
    kind, command, reply = case
    serial, device = SerialMessages(kind), ModbusMap(kind)
    assert serial.read_reply(command, serial.write_reply(command, reply)) == reply
    block = device.write_result(token, command, reply)
    # a master reads as many registers as may come; what stands behind the reply is not its own
    assert device.read_result(command, block.ljust(2 * device.result_size(command), b"\xff")) == reply
    answer = mqtt_topics.decode_answer(mqtt_topics.encode_reply(reply, token))
    assert (mqtt_topics.read_reply(kind.commands[command], answer), answer.id) == (reply, token)


@given(batches())
def test_events_cross_every_wire_unchanged(case):
    kind, batch = case
    serial, device = SerialMessages(kind), ModbusMap(kind)
    data = serial.write_events(batch)
    read = serial.read_events(data)
    assert len(data) <= MAX_DATA
    assert (read.status, read.events) == (batch.status, batch.events[: len(read.events)])
    assert read.events == batch.events or len(data) > MAX_DATA - 40
    assert mqtt_topics.read_batch(kind, mqtt_topics.decode_answer(mqtt_topics.encode_batch(batch))) == batch
    for event in batch.events:
        assert mqtt_topics.decode_event(kind, mqtt_topics.encode_event(event, batch.status)) == (event, batch.status)
        if event.number:  # an empty slot has the number 0
            assert device.read_slot(device.write_slot(event)) == event
    assert mqtt_topics.decode_state(mqtt_topics.encode_state(batch.status)) == batch.status


@given(
    kinds, st.fixed_dictionaries(dict.fromkeys(IDENTITY_SIZES, texts.filter(lambda t: not t.endswith("\0")))), statuses
)
def test_an_identity_is_read_as_it_was_written(kind, said, status):
    who = Identity(kind.name, **{name: text[: IDENTITY_SIZES[name] // 2] for name, text in said.items()})
    assert mqtt_topics.decode_meta(mqtt_topics.encode_meta(kind, who)) == (kind, who)
    device = ModbusMap(kind)
    registers = device.write_status(status, 0).ljust(2 * IDENTITY, b"\0") + device.write_identity(who)
    read = device.read_identity(registers)
    assert read == {"kind": kind.code} | {name: getattr(who, name).rstrip("\0") for name in IDENTITY_SIZES}


@given(kinds, st.data(), st.binary(max_size=260))
def test_no_answer_on_a_serial_line_does_worse_than_a_value_error(kind, data, answer):
    messages = SerialMessages(kind)
    command = data.draw(st.sampled_from(list(kind.commands)))
    with contextlib.suppress(ValueError):
        reply = messages.read_reply(command, answer)
        assert messages.write_reply(command, reply) == answer


@given(kinds, st.data(), st.integers(0, 125).flatmap(lambda n: st.binary(min_size=2 * n, max_size=2 * n)))
def test_no_registers_do_worse_than_a_value_error(kind, data, registers):
    device = ModbusMap(kind)
    command = data.draw(st.sampled_from([name for name in kind.commands if name != "events"]))
    for read, least in (
        (device.read_slot, 32),
        (device.read_status, 20),
        (device.read_identity, 208),
        (lambda block: device.read_result(command, block), 8),
    ):
        if len(registers) >= least:
            with contextlib.suppress(ValueError):
                read(registers[:32] if least == 32 else registers)


@given(requests(), st.data())
def test_no_corrupted_request_on_mqtt_does_worse_than_its_refusal(case, data):
    kind, request = case
    payload = _corrupted(mqtt_topics.encode_request(request, 1, "a/b"), data)
    with contextlib.suppress(BadCall):
        mqtt_topics.decode_request(kind, payload)


@given(batches(), st.data())
def test_no_corrupted_answer_on_mqtt_does_worse_than_garbage(case, data):
    kind, batch = case
    payload = _corrupted(mqtt_topics.encode_batch(batch), data)
    with contextlib.suppress(Garbage):
        mqtt_topics.read_batch(kind, mqtt_topics.decode_answer(payload))


units, addresses = st.integers(0, 247), st.integers(0, 0xFFFF)
words = st.integers(1, 20).flatmap(lambda n: st.binary(min_size=2 * n, max_size=2 * n))
queries = st.one_of(
    st.builds(pdu.Read, addresses, st.integers(1, 125)).map(lambda q: (pdu.read(*q), q)),
    st.builds(pdu.Write, addresses, words).map(lambda q: (pdu.write(*q), q)),
    st.builds(pdu.ReadWrite, addresses, st.integers(1, 125), addresses, words).map(lambda q: (pdu.read_write(*q), q)),
    st.builds(pdu.Identify, st.integers(1, 4), st.integers(0, 255)).map(lambda q: (pdu.identify(*q), q)),
)


@given(queries)
def test_a_modbus_request_is_read_as_it_was_written(case):
    written, query = case
    assert pdu.parse(written) == query


@given(st.binary(max_size=600), queries)
def test_after_any_bytes_and_a_try_in_vain_the_next_tcp_frame_is_received(noise, case):
    """A deframer on a stream has no way back by itself: a driver clears it with each try."""
    deframer = TcpDeframer()
    deframer.receive(noise)
    deframer.clear()
    frame = TcpFrame(7, 1, case[0])
    assert deframer.receive(encode_tcp(*frame)) == [frame]
    assert deframer.waiting == 0


serial_frames = st.builds(Frame, *[st.integers(0, 255)] * 3, st.binary(max_size=40))


@same_each_time
@given(st.lists(serial_frames, min_size=1, max_size=6), st.data())
def test_corruption_costs_a_serial_stream_the_frame_that_it_hit_and_no_other(sent, data):
    hit = data.draw(st.integers(0, len(sent) - 1))
    pieces = [encode(*frame) for frame in sent]
    pieces[hit] = _corrupted(pieces[hit], data)
    received = Deframer().receive(b"".join(pieces))
    spared = sent[:hit] + sent[hit + 1 :]
    assert received in (sent, spared)


@same_each_time
@pytest.mark.parametrize("length", [request_length, response_length])
@given(unit=units, case=queries, data=st.data())
def test_a_corrupted_rtu_frame_is_not_taken_for_a_good_one_and_the_next_is_received(length, unit, case, data):
    content = case[0] if length is request_length else pdu.registers(3, bytes(20))
    frame = RtuFrame(unit, content)
    broken = _corrupted(encode_rtu(*frame), data)
    deframer = RtuDeframer(length)
    first = deframer.receive(broken)
    assert first in ([], [frame])
    deframer.clear()  # as with each try, or after a silence
    assert deframer.receive(encode_rtu(*frame)) == [frame]


def _corrupted(wire: bytes, data: st.DataObject) -> bytes:
    """Bits flipped, bytes lost, or bytes inserted, at one place."""
    at = data.draw(st.integers(0, len(wire) - 1))
    match data.draw(st.sampled_from(["flip", "lose", "insert"])):
        case "flip":
            return wire[:at] + bytes((wire[at] ^ data.draw(st.integers(1, 255)),)) + wire[at + 1 :]
        case "lose":
            return wire[:at] + wire[at + data.draw(st.integers(1, 4)) :]
    return wire[:at] + data.draw(st.binary(min_size=1, max_size=4)) + wire[at:]

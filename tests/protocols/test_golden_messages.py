"""Every message of our own three profiles as the bytes of its wire, written by hand from docs/serial.md, docs/modbus.md
and docs/mqtt.md, with CRCs computed bit by bit. Each row is tested in both directions, and none may be missing."""

import pytest

from feltrig.protocols.kinds import KINDS
from feltrig.protocols.kinds.reader import READER
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.kinds.shaker import SHAKER
from feltrig.protocols.kinds.shoe import SHOE
from feltrig.protocols.kinds.shuffler import SHUFFLER
from feltrig.protocols.messages import Event, EventBatch, Reply, Request, Status
from feltrig.protocols.modbus.register_map import SLOT_SIZE, ModbusMap
from feltrig.protocols.mqtt import codec as mqtt_topics
from feltrig.protocols.mqtt.codec import Call
from feltrig.protocols.serial.codec import ANSWER, SerialMessages
from feltrig.protocols.serial.frame import Deframer, encode
from feltrig.protocols.vocabulary import Error, FaultCode, State

ADDRESS, SEQ = 0x03, 0x11
TOKEN = 0x12345678
STATUS = Status(State.BUSY, FaultCode.NONE, 1, 9)
STATUS_JSON = '"state":1,"fault":0,"oldest":1,"latest":9'
WHO = {"kind": 4, "vendor": "Acme", "model": "R7", "serial": "042", "firmware": "2.1", "digest": "e3b0c442"}

# kind, message, frame on a serial line (address 3, seq 0x11), registers of its block on Modbus, payload on MQTT

ASKED = [
    (RNG, Request("identify"), "00 06 03 11 01 af b5 00", "1234 5678 0001", '{"v":1,"cmd":"identify","token":0}'),
    (RNG, Request("status"), "00 06 03 11 02 cc 85 00", "1234 5678 0002", '{"v":1,"cmd":"status","token":0}'),
    (
        RNG,
        Request("events", {"after": 8}),
        "00 04 03 11 03 01 01 04 08 b2 19 00",
        None,
        '{"v":1,"cmd":"events","token":0,"args":{"after":8}}',
    ),
    (
        RNG,
        Request("reset", {}, TOKEN),
        "00 0a 03 11 04 12 34 56 78 42 4b 00",
        "1234 5678 0004",
        '{"v":1,"cmd":"reset","token":305419896}',
    ),
    (
        RNG,
        Request("challenge", {"nonce": tuple(range(16, 32))}),
        "00 17 03 11 05 10 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f d4 4c 00",
        "1234 5678 0005 0010 1011 1213 1415 1617 1819 1a1b 1c1d 1e1f",
        '{"v":1,"cmd":"challenge","token":0,"args":{"nonce":[16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31]}}',
    ),
    (
        RNG,
        Request("select", {}, TOKEN),
        "00 0a 03 11 10 12 34 56 78 1e c6 00",
        "1234 5678 0010",
        '{"v":1,"cmd":"select","token":305419896}',
    ),
    (RNG, Request("display"), "00 06 03 11 11 9e a7 00", "1234 5678 0011", '{"v":1,"cmd":"display","token":0}'),
    (
        RNG,
        Request("blank", {}, TOKEN),
        "00 0a 03 11 12 12 34 56 78 9d 82 00",
        "1234 5678 0012",
        '{"v":1,"cmd":"blank","token":305419896}',
    ),
    (
        SHAKER,
        Request("shake", {"times": 5}, TOKEN),
        "00 0b 03 11 10 12 34 56 78 05 2f f7 00",
        "1234 5678 0010 0005",
        '{"v":1,"cmd":"shake","token":305419896,"args":{"times":5}}',
    ),
    (
        SHAKER,
        Request("uncover", {}, TOKEN),
        "00 0a 03 11 11 12 34 56 78 4f 6c 00",
        "1234 5678 0011",
        '{"v":1,"cmd":"uncover","token":305419896}',
    ),
    (
        SHAKER,
        Request("cover", {}, TOKEN),
        "00 0a 03 11 12 12 34 56 78 9d 82 00",
        "1234 5678 0012",
        '{"v":1,"cmd":"cover","token":305419896}',
    ),
    (
        SHUFFLER,
        Request("shuffle", {"deck": 2}, TOKEN),
        "00 0b 03 11 10 12 34 56 78 02 c8 87 00",
        "1234 5678 0010 0002",
        '{"v":1,"cmd":"shuffle","token":305419896,"args":{"deck":2}}',
    ),
    (
        SHOE,
        Request("dispense", {"size": 7}, TOKEN),
        "00 0b 03 11 10 12 34 56 78 07 6d d7 00",
        "1234 5678 0010 0007",
        '{"v":1,"cmd":"dispense","token":305419896,"args":{"size":7}}',
    ),
    (
        SHOE,
        Request("unlock", {}, TOKEN),
        "00 0a 03 11 11 12 34 56 78 4f 6c 00",
        "1234 5678 0011",
        '{"v":1,"cmd":"unlock","token":305419896}',
    ),
    (
        SHOE,
        Request("lock", {}, TOKEN),
        "00 0a 03 11 12 12 34 56 78 9d 82 00",
        "1234 5678 0012",
        '{"v":1,"cmd":"lock","token":305419896}',
    ),
    (
        READER,
        Request("scan", {}, TOKEN),
        "00 0a 03 11 10 12 34 56 78 1e c6 00",
        "1234 5678 0010",
        '{"v":1,"cmd":"scan","token":305419896}',
    ),
    (
        READER,
        Request("faces", {"offset": 256, "limit": 54}),
        "00 05 03 11 11 01 04 36 4d 62 00",
        "1234 5678 0011 0100 0036",
        '{"v":1,"cmd":"faces","token":0,"args":{"offset":256,"limit":54}}',
    ),
]

ANSWERED = [
    (
        SHOE,
        "identify",
        Reply(values=WHO),
        "00 04 03 11 81 1d 04 04 41 63 6d 65 02 52 37 03 30 34 32 03 32 2e 31 08 65 33 62 30 63 34 34 32 96 38 00",
        "1234 5678 0000 0011 0004 0004 4163 6d65 0002 5237 0003 3034 3200 0003 322e 3100 0008 6533 6230 6334 3432",
        '{"v":1,"error":"ok","values":{"kind":4,"vendor":"Acme","model":"R7","serial":"042","firmware":"2.1","digest":"e3b0c442"}}',
    ),
    (
        RNG,
        "status",
        Reply(values={"state": 3, "fault": 5, "oldest": 2, "latest": 65536}),
        "00 04 03 11 82 03 03 05 01 01 02 02 02 01 01 03 e5 6e 00",
        "1234 5678 0000 0006 0003 0005 0000 0002 0001 0000",
        '{"v":1,"error":"ok","values":{"state":3,"fault":5,"oldest":2,"latest":65536}}',
    ),
    (RNG, "reset", Reply(), "00 04 03 11 84 03 13 bc 00", "1234 5678 0000 0000", '{"v":1,"error":"ok"}'),
    (
        RNG,
        "challenge",
        Reply(values={"proof": tuple(range(160, 192))}),
        "00 04 03 11 85 24 20 "
        "a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae af b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 ba bb bc bd be bf 18 21 00",
        "1234 5678 0000 0011 0020 a0a1 a2a3 a4a5 a6a7 a8a9 aaab acad aeaf b0b1 b2b3 b4b5 b6b7 b8b9 babb bcbd bebf",
        '{"v":1,"error":"ok","values":{"proof":[160,161,162,163,164,165,166,167,168,169,170,171,172,173,174,175,'
        "176,177,178,179,180,181,182,183,184,185,186,187,188,189,190,191]}}",
    ),
    (RNG, "select", Reply(), "00 04 03 11 90 03 a4 73 00", "1234 5678 0000 0000", '{"v":1,"error":"ok"}'),
    (
        RNG,
        "display",
        Reply(values={"number": 7}),
        "00 04 03 11 91 04 07 23 ad 00",
        "1234 5678 0000 0001 0007",
        '{"v":1,"error":"ok","values":{"number":7}}',
    ),
    (RNG, "blank", Reply(), "00 04 03 11 92 03 c6 15 00", "1234 5678 0000 0000", '{"v":1,"error":"ok"}'),
    (SHAKER, "shake", Reply(), "00 04 03 11 90 03 a4 73 00", "1234 5678 0000 0000", '{"v":1,"error":"ok"}'),
    (SHAKER, "uncover", Reply(), "00 04 03 11 91 03 95 40 00", "1234 5678 0000 0000", '{"v":1,"error":"ok"}'),
    (SHAKER, "cover", Reply(), "00 04 03 11 92 03 c6 15 00", "1234 5678 0000 0000", '{"v":1,"error":"ok"}'),
    (SHUFFLER, "shuffle", Reply(), "00 04 03 11 90 03 a4 73 00", "1234 5678 0000 0000", '{"v":1,"error":"ok"}'),
    (SHOE, "dispense", Reply(), "00 04 03 11 90 03 a4 73 00", "1234 5678 0000 0000", '{"v":1,"error":"ok"}'),
    (SHOE, "unlock", Reply(), "00 04 03 11 91 03 95 40 00", "1234 5678 0000 0000", '{"v":1,"error":"ok"}'),
    (SHOE, "lock", Reply(), "00 04 03 11 92 03 c6 15 00", "1234 5678 0000 0000", '{"v":1,"error":"ok"}'),
    (READER, "scan", Reply(), "00 04 03 11 90 03 a4 73 00", "1234 5678 0000 0000", '{"v":1,"error":"ok"}'),
    (
        READER,
        "faces",
        Reply(values={"cards": (0, 53, 178)}),
        "00 04 03 11 91 02 03 05 35 b2 70 1b 00",
        "1234 5678 0000 0003 0003 0035 b200",
        '{"v":1,"error":"ok","values":{"cards":[0,53,178]}}',
    ),
    (
        SHOE,
        "dispense",
        Reply(Error.UNKNOWN_COMMAND),
        "00 07 03 11 90 01 85 63 00",
        "1234 5678 0001 0000",
        '{"v":1,"error":"unknown_command"}',
    ),
    (
        SHOE,
        "dispense",
        Reply(Error.BAD_ARGUMENT),
        "00 07 03 11 90 02 e6 53 00",
        "1234 5678 0002 0000",
        '{"v":1,"error":"bad_argument"}',
    ),
    (
        SHOE,
        "dispense",
        Reply(Error.WRONG_STATE),
        "00 07 03 11 90 03 c7 43 00",
        "1234 5678 0003 0000",
        '{"v":1,"error":"wrong_state"}',
    ),
    (
        SHOE,
        "dispense",
        Reply(Error.EMPTY),
        "00 07 03 11 90 04 20 33 00",
        "1234 5678 0004 0000",
        '{"v":1,"error":"empty"}',
    ),
    (
        SHOE,
        "dispense",
        Reply(Error.MALFORMED),
        "00 07 03 11 90 05 01 23 00",
        "1234 5678 0005 0000",
        '{"v":1,"error":"malformed"}',
    ),
]

TOLD = [
    (
        RNG,
        Event(9, "started"),
        "00 04 03 11 83 02 01 01 01 01 02 01 01 01 02 09 01 01 05 09 01 63 21 00",
        "0000 0009 0001",
        '{"n":9,"event":"started"}',
    ),
    (
        RNG,
        Event(9, "faulted", {"fault": 2}),
        "00 04 03 11 83 02 01 01 01 01 02 01 01 01 02 09 01 01 06 09 02 02 52 22 00",
        "0000 0009 0002 0002",
        '{"n":9,"event":"faulted","values":{"fault":2}}',
    ),
    (
        RNG,
        Event(9, "cleared"),
        "00 04 03 11 83 02 01 01 01 01 02 01 01 01 02 09 01 01 05 09 03 21 01 00",
        "0000 0009 0003",
        '{"n":9,"event":"cleared"}',
    ),
    (
        RNG,
        Event(9, "selected", {"number": 6}),
        "00 04 03 11 83 02 01 01 01 01 02 01 01 01 02 09 01 01 06 09 10 06 c7 07 00",
        "0000 0009 0010 0006",
        '{"n":9,"event":"selected","values":{"number":6}}',
    ),
    (
        SHAKER,
        Event(9, "shaken", {"times": 5}),
        "00 04 03 11 83 02 01 01 01 01 02 01 01 01 02 09 01 01 06 09 10 05 a4 37 00",
        "0000 0009 0010 0005",
        '{"n":9,"event":"shaken","values":{"times":5}}',
    ),
    (
        SHAKER,
        Event(9, "uncovered", {"commanded": False}),
        "00 04 03 11 83 02 01 01 01 01 02 01 01 01 02 09 01 01 03 09 11 03 30 54 00",
        "0000 0009 0011 0000",
        '{"n":9,"event":"uncovered","values":{"commanded":false}}',
    ),
    (
        SHAKER,
        Event(9, "covered"),
        "00 04 03 11 83 02 01 01 01 01 02 01 01 01 02 09 01 01 05 09 12 31 03 00",
        "0000 0009 0012",
        '{"n":9,"event":"covered"}',
    ),
    (
        SHAKER,
        Event(9, "rolled", {"dice": (6, 5), "flat": (1, 0)}),
        "00 04 03 11 83 02 01 01 01 01 02 01 01 01 02 09 01 01 08 09 13 02 06 05 02 01 03 ef 77 00",
        "0000 0009 0013 0002 0605 0002 0100",
        '{"n":9,"event":"rolled","values":{"dice":[6,5],"flat":[1,0]}}',
    ),
    (
        SHUFFLER,
        Event(9, "shuffling", {"deck": 2}),
        "00 04 03 11 83 02 01 01 01 01 02 01 01 01 02 09 01 01 06 09 10 02 43 47 00",
        "0000 0009 0010 0002",
        '{"n":9,"event":"shuffling","values":{"deck":2}}',
    ),
    (
        SHUFFLER,
        Event(9, "shuffled", {"deck": 2}),
        "00 04 03 11 83 02 01 01 01 01 02 01 01 01 02 09 01 01 06 09 11 02 72 74 00",
        "0000 0009 0011 0002",
        '{"n":9,"event":"shuffled","values":{"deck":2}}',
    ),
    (
        SHUFFLER,
        Event(9, "counted", {"deck": 2, "count": 53, "correct": False}),
        "00 04 03 11 83 02 01 01 01 01 02 01 01 01 02 09 01 01 04 09 12 02 02 35 03 41 7e 00",
        "0000 0009 0012 0002 0035 0000",
        '{"n":9,"event":"counted","values":{"deck":2,"count":53,"correct":false}}',
    ),
    (
        SHOE,
        Event(9, "dispensed", {"stack": 300, "size": 7}),
        "00 04 03 11 83 02 01 01 01 01 02 01 01 01 02 09 01 01 08 09 10 01 2c 07 c0 86 00",
        "0000 0009 0010 012c 0007",
        '{"n":9,"event":"dispensed","values":{"stack":300,"size":7}}',
    ),
    (
        READER,
        Event(9, "scanned", {"count": 54}),
        "00 04 03 11 83 02 01 01 01 01 02 01 01 01 02 09 01 01 03 09 10 04 36 d4 4b 00",
        "0000 0009 0010 0036",
        '{"n":9,"event":"scanned","values":{"count":54}}',
    ),
]


def octets(written: str) -> bytes:
    return bytes.fromhex(written)


def only_frame(frame: str) -> tuple[int, bytes]:
    """Code and data of the one frame that these bytes are."""
    ((address, seq, code, data),) = Deframer().receive(octets(frame))
    assert (address, seq) == (ADDRESS, SEQ)
    return code, data


def named(rows: list[tuple]) -> list:
    return [pytest.param(*row, id=f"{row[0].name}-{row[1]}") for row in rows]


@pytest.mark.parametrize(("kind", "request_", "frame", "registers", "payload"), named(ASKED))
def test_a_question_is_the_bytes_written_by_hand(kind, request_, frame, registers, payload):
    serial, modbus = SerialMessages(kind), ModbusMap(kind)
    assert encode(ADDRESS, SEQ, *serial.write_request(request_)) == octets(frame)
    assert serial.read_request(*only_frame(frame)) == request_
    if registers is not None:
        assert modbus.write_command(request_, TOKEN) == octets(registers)
        assert modbus.read_command(octets(registers)) == Request(request_.command, request_.values, TOKEN)
    assert mqtt_topics.encode_request(request_) == payload.encode()
    assert mqtt_topics.decode_request(kind, payload.encode()) == Call(request_)
    # 3.1.1 has no properties: the document itself says where the answer goes
    with_return = payload[:-1] + ',"id":5,"reply_to":"t/reply/a"}'
    assert mqtt_topics.encode_request(request_, 5, "t/reply/a") == with_return.encode()
    assert mqtt_topics.decode_request(kind, with_return.encode()) == Call(request_, 5, "t/reply/a")


@pytest.mark.parametrize(("kind", "command", "reply", "frame", "registers", "payload"), named(ANSWERED))
def test_an_answer_is_the_bytes_written_by_hand(kind, command, reply, frame, registers, payload):
    serial, modbus, code = SerialMessages(kind), ModbusMap(kind), kind.commands[command].code
    assert encode(ADDRESS, SEQ, code | ANSWER, serial.write_reply(command, reply)) == octets(frame)
    answered, data = only_frame(frame)
    assert (answered, serial.read_reply(command, data)) == (code | ANSWER, reply)
    assert modbus.write_result(TOKEN, command, reply) == octets(registers)
    assert modbus.read_result(command, octets(registers)) == reply
    assert mqtt_topics.encode_reply(reply) == payload.encode()
    assert mqtt_topics.read_reply(kind.commands[command], mqtt_topics.decode_answer(payload.encode())) == reply


@pytest.mark.parametrize(("kind", "event", "frame", "registers", "payload"), named(TOLD))
def test_an_event_is_the_bytes_written_by_hand(kind, event, frame, registers, payload):
    serial, modbus, batch = SerialMessages(kind), ModbusMap(kind), EventBatch(STATUS, (event,))
    assert encode(ADDRESS, SEQ, 0x83, serial.write_events(batch)) == octets(frame)
    code, data = only_frame(frame)
    assert (code, serial.read_events(data)) == (0x83, batch)
    slot = octets(registers).ljust(2 * SLOT_SIZE, b"\0")
    assert modbus.write_slot(event) == slot
    assert modbus.read_slot(slot) == event
    pushed = f'{{"v":1,{payload[1:-1]},{STATUS_JSON}}}'.encode()
    assert mqtt_topics.encode_event(event, STATUS) == pushed
    assert mqtt_topics.decode_event(kind, pushed) == (event, STATUS)
    listed = f'{{"v":1,"error":"ok","status":{{{STATUS_JSON}}},"events":[{payload}]}}'.encode()
    assert mqtt_topics.encode_batch(batch) == listed
    assert mqtt_topics.read_batch(kind, mqtt_topics.decode_answer(listed)) == batch


def test_no_message_of_the_vocabulary_is_left_out():
    """What every device has in common is written down once. The answer to `events` is a batch, which TOLD has."""
    commands = {command for kind in KINDS.values() for command in kind.commands.values()}
    events = {event for kind in KINDS.values() for event in kind.events.values()}
    assert {kind.commands[asked.command] for kind, asked, *_ in ASKED} == commands
    answered = {kind.commands[command] for kind, command, *_ in ANSWERED}
    assert answered == {command for command in commands if command.name != "events"}
    assert {kind.events[event.name] for kind, event, *_ in TOLD} == events
    assert {reply.error for _, _, reply, *_ in ANSWERED} == set(Error)

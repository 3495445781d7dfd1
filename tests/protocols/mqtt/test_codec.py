"""Topics and payloads, against JSON written by hand."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.protocols.errors import Garbage
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.kinds.reader import READER
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.kinds.shaker import SHAKER
from feltrig.protocols.kinds.shoe import SHOE
from feltrig.protocols.messages import Event, EventBatch, Identity, Reply, Request, Status, Value
from feltrig.protocols.mqtt import codec as mqtt_topics
from feltrig.protocols.mqtt.codec import BadCall, Call, Topics
from feltrig.protocols.vocabulary import Error, FaultCode, Field, Kind, State, Type

STATUS = Status(State.FAULT, FaultCode.JAM, 3, 7)
STATUS_JSON = '"state":3,"fault":1,"oldest":3,"latest":7'
IDENTITY = Identity("rng", "Acme", "R7", "0001", "1.2", "ab" * 32)

SAMPLES: dict[Type, Value] = {
    Type.U8: 255,
    Type.U16: 65535,
    Type.U32: 0xFFFF_FFFF,
    Type.BOOL: True,
    Type.BYTES: (0, 53, 255),
    Type.TEXT: 'Ä/\\"x',
}


def samples(fields: tuple[Field, ...]) -> dict[str, Value]:
    return {field.name: SAMPLES[field.type] for field in fields}


def refusal(kind: Kind, payload: bytes) -> BadCall:
    with pytest.raises(BadCall) as caught:
        mqtt_topics.decode_request(kind, payload)
    return caught.value


def test_a_device_has_its_topics_below_its_base() -> None:
    topics = Topics("casino/t1/shoe")
    assert topics.meta == "casino/t1/shoe/meta"
    assert topics.state == "casino/t1/shoe/state"
    assert topics.event == "casino/t1/shoe/event"
    assert topics.cmd == "casino/t1/shoe/cmd"
    assert topics.online == "casino/t1/shoe/online"
    assert topics.reply("x") == "casino/t1/shoe/reply/x"


@pytest.mark.parametrize("base", ["", "a/+/b", "a/#", "a\0b", "\ud800", "x" * 65536])
def test_a_base_that_nobody_can_publish_under_is_refused(base: str) -> None:
    with pytest.raises(ValueError, match="topic"):
        Topics(base)


def test_a_request_is_compact_json() -> None:
    request = Request("dispense", {"size": 4}, 9)
    assert mqtt_topics.encode_request(request) == b'{"v":1,"cmd":"dispense","token":9,"args":{"size":4}}'
    assert (
        mqtt_topics.encode_request(Request("lock", token=1), 5, "r/1")
        == b'{"v":1,"cmd":"lock","token":1,"id":5,"reply_to":"r/1"}'
    )


def test_a_request_written_by_hand_is_understood() -> None:
    payload = b' {"reply_to": "r/1", "id": "x", "ts": 17, "cmd": "dispense", "args": {"size": 4}, "token": 9, "v": 1} '
    assert mqtt_topics.decode_request(SHOE, payload) == Call(Request("dispense", {"size": 4}, 9), "x", "r/1")


def test_only_a_command_that_acts_needs_a_token() -> None:
    assert mqtt_topics.decode_request(RNG, b'{"v":1,"cmd":"display"}').request == Request("display")
    assert refusal(RNG, b'{"v":1,"cmd":"select"}').error is Error.MALFORMED


@pytest.mark.parametrize("kind", KINDS.values(), ids=str)
def test_every_command_and_reply_survives_the_wire(kind: Kind) -> None:
    for command in kind.commands.values():
        request = Request(command.name, samples(command.args), 0xFFFF_FFFF)
        assert mqtt_topics.decode_request(kind, mqtt_topics.encode_request(request)).request == request
        if command.name == "events":
            continue
        reply = Reply(Error.OK, samples(command.reply))
        answer = mqtt_topics.decode_answer(mqtt_topics.encode_reply(reply, 3))
        assert answer.id == 3
        assert mqtt_topics.read_reply(command, answer) == reply
        for error in list(Error)[1:]:
            refused = mqtt_topics.decode_answer(mqtt_topics.encode_reply(Reply(error)))
            assert mqtt_topics.read_reply(command, refused) == Reply(error)


@pytest.mark.parametrize("kind", KINDS.values(), ids=str)
def test_every_event_survives_the_wire(kind: Kind) -> None:
    events = tuple(Event(n, e.name, samples(e.fields)) for n, e in enumerate(kind.events.values(), 1))
    for event in events:
        assert mqtt_topics.decode_event(kind, mqtt_topics.encode_event(event, STATUS)) == (event, STATUS)
    batch = EventBatch(STATUS, events)
    answer = mqtt_topics.decode_answer(mqtt_topics.encode_batch(batch))
    assert mqtt_topics.read_batch(kind, answer) == batch


def test_events_replies_and_states_are_compact_json() -> None:
    event = Event(7, "rolled", {"dice": (1, 2, 6), "flat": (1, 1, 0)})
    event_json = '"n":7,"event":"rolled","values":{"dice":[1,2,6],"flat":[1,1,0]}'
    assert mqtt_topics.encode_event(event, STATUS).decode() == f'{{"v":1,{event_json},{STATUS_JSON}}}'
    assert mqtt_topics.encode_state(STATUS).decode() == f'{{"v":1,{STATUS_JSON}}}'
    assert (
        mqtt_topics.encode_batch(EventBatch(STATUS, (event,)), 2).decode()
        == f'{{"v":1,"error":"ok","status":{{{STATUS_JSON}}},"events":[{{{event_json}}}],"id":2}}'
    )
    assert mqtt_topics.encode_reply(Reply(Error.WRONG_STATE)) == b'{"v":1,"error":"wrong_state"}'
    assert (
        mqtt_topics.encode_reply(Reply(values={"number": 3}), 1) == b'{"v":1,"error":"ok","values":{"number":3},"id":1}'
    )


def test_states_and_the_will_are_read_back() -> None:
    assert mqtt_topics.decode_state(mqtt_topics.encode_state(STATUS)) == STATUS
    assert mqtt_topics.decode_online(mqtt_topics.ONLINE) is True
    assert mqtt_topics.decode_online(mqtt_topics.OFFLINE) is False


def test_a_device_describes_itself() -> None:
    payload = mqtt_topics.encode_meta(RNG, IDENTITY)
    assert json.loads(payload) == {
        "v": 1,
        "kind": "rng",
        "vendor": "Acme",
        "model": "R7",
        "serial": "0001",
        "firmware": "1.2",
        "digest": "ab" * 32,
        "commands": ["identify", "status", "events", "reset", "challenge", "select", "display", "blank"],
        "events": ["started", "faulted", "cleared", "selected"],
    }
    assert mqtt_topics.decode_meta(payload) == (RNG, IDENTITY)


@pytest.mark.parametrize(
    "change", [{"kind": "toaster"}, {"commands": ["fly"]}, {"events": None}, {"serial": 1}, {"digest": None}, {"v": 2}]
)
def test_a_false_description_is_garbage(change: dict[str, object]) -> None:
    document = json.loads(mqtt_topics.encode_meta(RNG, IDENTITY))
    with pytest.raises(Garbage):
        mqtt_topics.decode_meta(json.dumps(document | change).encode())


@pytest.mark.parametrize(
    ("payload", "error"),
    [
        (b"", Error.MALFORMED),
        (b"lock", Error.MALFORMED),
        (b"[1]", Error.MALFORMED),
        (b"\xff\xfe", Error.MALFORMED),
        ('{"v":1,"cmd":"lock","token":1}'.encode("utf-16"), Error.MALFORMED),
        (b"[" * 16000, Error.MALFORMED),
        (b'{"a":' * 3000, Error.MALFORMED),
        (b'{"v":1,"cmd":"lock","token":1}' + b" " * 16384, Error.MALFORMED),
        (b'{"cmd":"lock","token":1}', Error.MALFORMED),
        (b'{"v":2,"cmd":"lock","token":1}', Error.MALFORMED),
        (b'{"v":true,"cmd":"lock","token":1}', Error.MALFORMED),
        (b'{"v":1,"token":1}', Error.MALFORMED),
        (b'{"v":1,"cmd":["lock"],"token":1}', Error.MALFORMED),
        (b'{"v":1,"cmd":"lock","token":-1}', Error.MALFORMED),
        (b'{"v":1,"cmd":"lock","token":4294967296}', Error.MALFORMED),
        (b'{"v":1,"cmd":"lock","token":1.0}', Error.MALFORMED),
        (b'{"v":1,"cmd":"lock","token":NaN}', Error.MALFORMED),
        (b'{"v":1,"cmd":"fly","token":1}', Error.UNKNOWN_COMMAND),
        (b'{"v":1,"cmd":"shake","token":1}', Error.UNKNOWN_COMMAND),
        (b'{"v":1,"cmd":"dispense","token":1}', Error.BAD_ARGUMENT),
        (b'{"v":1,"cmd":"dispense","token":1,"args":{}}', Error.BAD_ARGUMENT),
        (b'{"v":1,"cmd":"dispense","token":1,"args":[4]}', Error.BAD_ARGUMENT),
        (b'{"v":1,"cmd":"dispense","token":1,"args":{"size":"4"}}', Error.BAD_ARGUMENT),
        (b'{"v":1,"cmd":"dispense","token":1,"args":{"size":true}}', Error.BAD_ARGUMENT),
        (b'{"v":1,"cmd":"dispense","token":1,"args":{"size":256}}', Error.BAD_ARGUMENT),
        (b'{"v":1,"cmd":"dispense","token":1,"args":{"size":4,"speed":1}}', Error.BAD_ARGUMENT),
        (b'{"v":1,"cmd":"lock","token":1,"args":{"hard":true}}', Error.BAD_ARGUMENT),
        (b'{"v":1,"cmd":"lock","token":1,"args":null}', Error.BAD_ARGUMENT),
        (b'{"v":1,"cmd":"events","args":{"after":-1}}', Error.BAD_ARGUMENT),
    ],
)
def test_a_bad_request_is_refused_with_its_error(payload: bytes, error: Error) -> None:
    assert refusal(SHOE, payload).error is error


def test_a_refusal_still_knows_where_to_go() -> None:
    bad = refusal(SHOE, b'{"v":1,"cmd":"fly","token":1,"id":8,"reply_to":"r/1"}')
    assert (bad.id, bad.reply_to) == (8, "r/1")


@pytest.mark.parametrize("reply_to", ['"a/#"', '""', "7", '"\\ud800"', '"a\\u0000b"'])
def test_an_impossible_reply_topic_is_ignored(reply_to: str) -> None:
    payload = f'{{"v":1,"cmd":"status","id":[1],"reply_to":{reply_to}}}'
    assert mqtt_topics.decode_request(SHOE, payload.encode()) == Call(Request("status"), None, None)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"null",
        b'{"v":1}',
        b'{"v":1,"error":"fine"}',
        b'{"v":1,"error":0}',
        b'{"v":1,"error":"ok"}',
        b'{"v":1,"error":"ok","values":{}}',
        b'{"v":1,"error":"ok","values":{"number":"3"}}',
        b'{"v":1,"error":"ok","values":{"number":3,"colour":1}}',
        b'{"v":1,"error":"empty","values":{"number":3}}',
        b'{"v":1,"error":"ok","values":null}',
        b'{"v":1,"error":"ok","values":{"number":NaN}}',
        b'{"v":1,"error":"ok","values":{"number":3.0}}',
        b'{"v":1.0,"error":"ok","values":{"number":3}}',
        b'{"v":1,"error":"ok","values":{"number":3},"id":1.5}',
        b'{"error":"ok","values":{"number":3}}',
    ],
)
def test_a_bad_answer_is_garbage(payload: bytes) -> None:
    with pytest.raises(Garbage):
        mqtt_topics.read_reply(RNG.commands["display"], mqtt_topics.decode_answer(payload))


@pytest.mark.parametrize(
    "payload",
    [
        b'{"v":1,"error":"ok"}',
        b'{"v":1,"error":"ok","status":{"state":0,"fault":0,"oldest":0,"latest":0}}',
        b'{"v":1,"error":"ok","status":{"state":9,"fault":0,"oldest":0,"latest":0},"events":[]}',
        b'{"v":1,"error":"ok","status":{"state":0,"fault":0,"oldest":0},"events":[]}',
        b'{"v":1,"error":"ok","status":[],"events":[]}',
        b'{"v":1,"error":"ok","status":{"state":0,"fault":0,"oldest":0,"latest":0},"events":[7]}',
        b'{"v":1,"error":"ok","status":{"state":0,"fault":0,"oldest":0,"latest":0},"events":[{"n":1,"event":"boo"}]}',
        b'{"v":1,"error":"ok","status":{"state":0,"fault":0,"oldest":0,"latest":0},"events":[{"event":"started"}]}',
    ],
)
def test_a_bad_batch_is_garbage(payload: bytes) -> None:
    with pytest.raises(Garbage):
        mqtt_topics.read_batch(RNG, mqtt_topics.decode_answer(payload))


def test_a_device_may_refuse_to_list_its_events() -> None:
    refused = mqtt_topics.decode_answer(b'{"v":1,"error":"malformed"}')
    assert mqtt_topics.read_batch(RNG, refused) is Error.MALFORMED


KEYS = ("v", "cmd", "token", "args", "id", "reply_to", "error", "values", "status", "events", "n", "event", "state")
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(("ok", "select"))
)
DOCUMENTS = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
)
PAYLOADS = st.binary(max_size=60) | DOCUMENTS.map(lambda document: json.dumps(document).encode())


@given(st.sampled_from((RNG, SHAKER, READER)), PAYLOADS)
def test_no_payload_does_worse_than_its_own_error(kind: Kind, payload: bytes) -> None:
    with contextlib.suppress(BadCall):
        mqtt_topics.decode_request(kind, payload)
    for decode in (mqtt_topics.decode_state, mqtt_topics.decode_online, mqtt_topics.decode_meta):
        with contextlib.suppress(Garbage):
            decode(payload)
    with contextlib.suppress(Garbage):
        mqtt_topics.decode_event(kind, payload)
    with contextlib.suppress(Garbage):
        answer = mqtt_topics.decode_answer(payload)
        mqtt_topics.read_reply(kind.commands["identify"], answer)
    with contextlib.suppress(Garbage):
        mqtt_topics.read_batch(kind, mqtt_topics.decode_answer(payload))

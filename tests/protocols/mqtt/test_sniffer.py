"""What was recorded on MQTT, decoded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recordings import AFTER, SELECTED

from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import EventBatch, Reply, Request
from feltrig.protocols.mqtt.sniffer import MqttSniffer
from feltrig.protocols.sniffing import (
    Answered,
    Asked,
    Chatter,
    NoMessage,
    Said,
)


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

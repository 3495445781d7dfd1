"""The malformed messages on MQTT, as its page has them."""

import json

from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.malformed import Envelope
from feltrig.protocols.mqtt.malformed import malformed

ENVELOPE = Envelope(1, 0x2A, 0x00010002)


def message(name):
    return next(m for m in malformed(RNG) if m.name == name)


def test_in_mqtt_5_the_broker_carries_where_the_answer_goes():
    wrong = message("without a token")
    assert json.loads(wrong.write(ENVELOPE)) == {"v": 1, "cmd": "reset"}
    assert json.loads(wrong.answer(ENVELOPE)) == {"v": 1, "error": "malformed"}


def test_in_mqtt_3_1_1_the_payload_says_it_and_one_that_cannot_be_read_is_not_answered():
    envelope = Envelope(0, 7, 9, "a/reply")
    wrong = message("an unknown command")
    assert json.loads(wrong.write(envelope)) == {"v": 1, "cmd": "fly", "token": 9, "id": 7, "reply_to": "a/reply"}
    assert json.loads(wrong.answer(envelope)) == {"v": 1, "error": "unknown_command", "id": 7}
    assert message("no JSON").answer(envelope) == b""
    assert json.loads(message("no JSON").answer(ENVELOPE)) == {"v": 1, "error": "malformed"}

"""Requests in every form: a sound device answers each once and as it must, and one that does not is found."""

import pytest
from aiomqtt import Message

from feltrig.emulators.stations.mqtt_station import MqttStation
from feltrig.harness.plan.conformance.requests import AT_ONCE
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.mqtt import codec
from feltrig.protocols.mqtt.requests import arguments, forms


@pytest.fixture(autouse=True)
def _brief_silence(monkeypatch):
    monkeypatch.setattr("feltrig.harness.plan.conformance.requests.QUIET", 0.02)


@pytest.mark.parametrize("version", ["3.1.1", "5"])
async def test_a_sound_device_answers_every_form(played, version):
    tried = await played("requests", f'wire = "mqtt"\nmqtt = "{version}"')
    assert [(each.command, each.fault) for each in tried if each.fault] == []
    names = [probe.name for probe in (*forms(version == "5"), *arguments(RNG))]
    assert [each.command for each in tried] == [
        *names,
        f"{AT_ONCE} requests in a row",
        "the token of another command beside status",
    ]


def faults(tried):
    return {each.command: each.requirements[0] for each in tried if each.fault}


def hearing(monkeypatch, change):
    """Lets the device hear other requests than were sent."""
    receive = MqttStation._receive

    def hear(station, message):
        payload = change(message.payload)
        if payload is not None:
            receive(
                station, Message(message.topic, payload, message.qos, message.retain, message.mid, message.properties)
            )

    monkeypatch.setattr(MqttStation, "_receive", hear)


async def test_a_small_buffer_is_found(played, monkeypatch):
    hearing(monkeypatch, lambda payload: payload if len(payload) < 4096 else None)
    found = faults(await played("requests", 'wire = "mqtt"'))
    assert found == {"a request of 16384 bytes": "MQT-53"}


async def test_an_id_that_comes_back_as_text_is_found(played, monkeypatch):
    encode = codec.encode_reply
    monkeypatch.setattr(codec, "encode_reply", lambda reply, key=None: encode(reply, None if key is None else str(key)))
    found = faults(await played("requests", 'wire = "mqtt"'))
    assert found["id 0"] == found["id 4294967295"] == "MQT-33"
    assert "id '42'" not in found


async def test_arguments_of_another_type_that_are_taken_are_found(played, monkeypatch):
    monkeypatch.setattr(
        codec, "_number", lambda value, name, width, breach=None: int(value) if isinstance(value, str) else value
    )
    found = faults(await played("requests", 'wire = "mqtt"'))
    assert found["events: after as text"] == found["events: after true"] == "MQT-50"

"""A second driver asks in every form, and knows whether the answer is right."""

import json
from types import SimpleNamespace
from typing import Any

import aiomqtt
import pytest

from feltrig.emulators.broker import Broker
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.mqtt_station import MqttStation
from feltrig.protocols.errors import LineLost
from feltrig.protocols.mqtt.asker import ABSENT, Asker, Letter, WayBack
from feltrig.protocols.mqtt.link import Server, Version


def said(payload: Any, correlation: bytes | None = None) -> aiomqtt.Message:
    properties: Any = SimpleNamespace() if correlation is None else SimpleNamespace(CorrelationData=correlation)
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return aiomqtt.Message("a", data, 1, False, 1, properties)


OK = {"v": 1, "error": "ok"}


@pytest.mark.parametrize(
    ("letter", "answers", "errors", "fault"),
    [
        (Letter("a"), [], (), None),
        (Letter("a"), [said(OK)], (), 'answered {"v": 1, "error": "ok"}, expected silence'),
        (Letter("a"), [], ("ok",), "no answer, expected ok"),
        (Letter("a"), [said(OK)], ("ok", "empty"), None),
        (Letter("a"), [said(OK), said(OK)], ("ok",), "answered 2 times"),
        (Letter("a"), [said(OK)], ("empty", "malformed"), "answered 'ok', expected empty or malformed"),
        (Letter("a"), [said(b"no")], ("ok",), "answered no, expected a JSON object"),
        (Letter("a"), [said(b"[]")], ("ok",), "answered [], expected a JSON object"),
        (Letter("a", correlation=b"\1\2"), [said(OK, b"\1\2")], ("ok",), None),
        (Letter("a", correlation=b"\1\2"), [said(OK, b"\2\1")], ("ok",), "correlation data 02 01, expected 01 02"),
        (Letter("a", correlation=b"\1\2"), [said(OK)], ("ok",), "correlation data none, expected 01 02"),
        (Letter("a", key=0), [said(OK | {"id": 0})], ("ok",), None),
        (Letter("a", key=0), [said(OK | {"id": False})], ("ok",), "id False, expected 0"),
        (Letter("a", key="7"), [said(OK | {"id": 7})], ("ok",), "id 7, expected '7'"),
    ],
)
def test_an_answer_is_what_it_must_be(
    letter: Letter, answers: list[aiomqtt.Message], errors: tuple[str, ...], fault: str | None
) -> None:
    letter = Letter(letter.back, letter.key, letter.correlation, answers)
    assert letter.fault(*errors) == fault


@pytest.mark.parametrize("version", ["3.1.1", "5"])
async def test_a_device_is_asked_in_every_form(broker: Broker, version: Version) -> None:
    server = Server("127.0.0.1", broker.port, version)
    station, asker = MqttStation(rng(Setup("rng", 1)), "t/rng", server), Asker("t/rng", server, 5.0)
    await station.start()
    await asker.open()
    ways = [None, WayBack(properties=False, key="x"), WayBack(correlation=b"\0" * 200), WayBack(topic="/a b/ü")]
    letters = [
        asker.post({"cmd": "status"}, way, qos=qos, size=size) for way in ways for qos, size in ((0, 0), (1, 900))
    ]
    mute = asker.post({"cmd": "status", "token": ABSENT}, WayBack(named=False))
    broken = asker.post(b"{")
    for letter in letters:
        assert await asker.answered(letter, 5.0)
        assert letter.fault("ok") is None
    last = await asker.ask({"cmd": "reset", "token": asker.new_token()}, 5.0)
    assert last.fault("ok") is None
    assert mute.fault() is None
    assert (broken.fault("malformed") if version == "5" else broken.fault()) is None
    await asker.close()
    await asker.close()
    await station.stop()
    with pytest.raises(LineLost):
        asker.post({"cmd": "status"})


async def test_a_retained_request_is_cleared(broker: Broker) -> None:
    asker = Asker("t/rng", Server("127.0.0.1", broker.port), 5.0)
    await asker.open()
    letter = asker.post({"cmd": "reset", "token": asker.new_token()}, retain=True)
    assert not await asker.answered(letter, 0.01)
    async with aiomqtt.Client("127.0.0.1", broker.port) as other:
        await other.subscribe("t/rng/cmd", 1)
        assert json.loads((await anext(other.messages)).payload)["cmd"] == "reset"
        asker.clear_retained()
        assert (await anext(other.messages)).payload == b""
    await asker.close()
    async with aiomqtt.Client("127.0.0.1", broker.port) as late:
        await late.subscribe([("t/rng/cmd", 1), ("mark", 1)])
        await late.publish("mark", b"", 1)
        assert (await anext(late.messages)).topic.value == "mark"

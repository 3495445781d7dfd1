"""What a device on MQTT publishes unasked: good ones are found good by both versions, and each way to err is found."""

import json

import pytest

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.mqtt_presence import Presence
from feltrig.emulators.stations.mqtt_station import MqttStation
from feltrig.harness.journal.reader import read
from feltrig.harness.plan.conformance.publications import judged
from feltrig.harness.table.driver import Driver
from feltrig.protocols import malformed
from feltrig.protocols.errors import LineLost
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.mqtt.channel import MqttChannel
from feltrig.protocols.mqtt.link import Server
from feltrig.protocols.serial.channel import SerialChannel

GOOD = dict.fromkeys(("meta", "online", "state", "event"))
BASE = "test/rng"


@pytest.fixture(autouse=True)
def _brief_silence(monkeypatch):
    for module in ("malformed", "mqtt.channel"):
        monkeypatch.setattr(f"feltrig.protocols.{module}.QUIET", 0.02)
    monkeypatch.setattr("feltrig.harness.plan.conformance.publications.LIMIT", 0.02)


@pytest.fixture
def look(broker, journal):
    """What is wrong on each topic of a random number display."""

    async def looked(version="5"):
        station = MqttStation(rng(Setup("rng", 1)), BASE, Server("127.0.0.1", broker.port, version=version))
        await station.start()
        channel = MqttChannel(RNG, BASE, Server("127.0.0.1", broker.port, version=version), deadline=0.6)
        try:
            await channel.open()
            driver = Driver("rng", RNG, channel, journal, 5.0)
            await driver.open()
            return await judged(driver, journal)
        finally:
            await channel.close()
            await station.stop()

    return looked


@pytest.fixture
def changed(monkeypatch):
    """Lets the device publish otherwise: `change` gets topic, payload and whether to retain it, and returns them, and
    at which QoS, or None for nothing."""

    def change_by(change):
        def send(presence, topic, payload, retain=False, properties=None):
            if properties is None:
                what = change(topic.removeprefix(f"{BASE}/"), payload, retain)
                if what is not None:
                    payload, retain, qos = what
                    presence._link._paho.publish(topic, payload, qos, retain)
                return True
            return publish(presence, topic, payload, retain, properties)

        publish = Presence.send
        monkeypatch.setattr(Presence, "send", send)

    return change_by


@pytest.mark.parametrize("version", ["3.1.1", "5"])
async def test_a_good_device_publishes_as_documented(look, journal, version):
    assert await look(version) == GOOD
    journal.flush()
    seen = [r.data for r in read(journal.path).records if r.kind == "publication"]
    assert {(r["device"], r["topic"], r["qos"]) for r in seen} == {("rng", t, 1) for t in ("meta", "online", "state")}
    assert {json.loads(r["payload"])["v"] for r in seen} == {1}


@pytest.mark.parametrize("topic", ["meta", "online", "state"])
async def test_what_is_not_retained_is_found(look, changed, topic):
    changed(lambda where, payload, retain: (payload, retain and where != topic, 1))
    assert await look() == GOOD | {topic: "nothing is retained"}


@pytest.mark.parametrize("topic", ["meta", "online", "state"])
async def test_what_is_sent_at_another_qos_is_found(look, changed, topic):
    changed(lambda where, payload, retain: (payload, retain, 0 if where == topic else 1))
    assert await look() == GOOD | {topic: "published at QoS 0, expected 1"}


@pytest.mark.parametrize("topic", ["meta", "state"])
async def test_what_is_no_json_is_found(look, changed, topic):
    changed(lambda where, payload, retain: (b"hello" if where == topic else payload, retain, 1))
    assert await look() == GOOD | {topic: f"{topic}: b'hello': expected JSON"}


async def test_another_identity_than_the_device_tells_is_found(look, changed):
    changed(lambda where, payload, retain: (payload.replace(b'"firmware":"1.0"', b'"firmware":"9"'), retain, 1))
    assert await look() == GOOD | {"meta": "firmware '9', and identify says '1.0'"}


async def test_a_state_that_is_published_but_once_is_found(look, changed):
    published = []

    def once(where, payload, retain):
        if where == "state" and published:
            return None
        published.extend([True] if where == "state" else [])
        return payload, retain, 1

    changed(once)
    stale = "idle, fault none, events 1 to 1, and status says idle, fault none, events 1 to 9"
    assert await look() == GOOD | {"state": stale}


async def test_a_device_that_denies_to_be_there_is_found(look, changed, monkeypatch):
    monkeypatch.setattr(MqttChannel, "_take_online", lambda channel, online: None)
    changed(lambda where, payload, retain: (payload.replace(b"true", b"false"), retain, 1))
    assert await look() == GOOD | {"online": "says that it is not"}


async def test_an_event_that_is_not_published_is_found(look, changed):
    changed(lambda where, payload, retain: None if where == "event" else (payload, retain, 1))
    assert await look() == GOOD | {"event": "cleared, number 2, is not published"}


async def test_an_event_now_and_then_that_is_not_published_is_found(look, changed):
    def fifth(where, payload, retain):
        lost = where == "event" and json.loads(payload)["n"] % 5 == 0
        return None if lost else (payload, retain, 1)

    changed(fifth)
    assert await look() == GOOD | {"event": "cleared, number 5, is not published"}


async def test_an_event_that_is_retained_is_found(look, changed):
    changed(lambda where, payload, retain: (payload, True, 1))
    assert await look() == GOOD | {"event": "is retained"}


async def test_a_connection_that_breaks_is_not_the_devices_fault(broker, journal, monkeypatch):
    monkeypatch.setattr(malformed, "QUIET", 60)
    channel = MqttChannel(RNG, BASE, Server("127.0.0.1", broker.port), deadline=60)
    await channel.open()

    async def lose(link, *topics):
        link.abort()

    monkeypatch.setattr("feltrig.protocols.mqtt.link.MqttLink.subscribe", lose)
    driver = Driver("rng", RNG, channel, journal, 5.0)
    with pytest.raises(LineLost, match="the connection to the broker was lost"):
        await driver.retained()
    await channel.close()
    journal.flush()
    assert [r.data["what"] for r in read(journal.path).records if r.kind == "trouble"] == ["line lost"]


async def test_a_device_on_another_wire_says_nothing_unasked(journal):
    driver = Driver("rng", RNG, SerialChannel(RNG, "/dev/null"), journal, 5.0)
    with pytest.raises(TypeError, match="rng: says nothing unasked"):
        await driver.retained()

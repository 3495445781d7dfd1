"""A bystander at the broker hears what a device publishes, with the flags that it was published with, on both versions
of the protocol, and comes back when the broker was lost."""

import asyncio

import pytest

from feltrig.emulators.broker import Broker
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.mqtt_presence import Presence
from feltrig.emulators.stations.mqtt_station import MqttStation
from feltrig.protocols.errors import LineLost
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Request
from feltrig.protocols.mqtt.bystander import Bystander
from feltrig.protocols.mqtt.channel import MqttChannel
from feltrig.protocols.mqtt.link import Server, Version

BASE = "t/rng"


def bystander(broker: Broker, version: Version, complaints: list[tuple[str, str]]) -> Bystander:
    server = Server("127.0.0.1", broker.port, version)
    return Bystander(RNG, BASE, server, 2.0, {"select": "selected"}, lambda *said: complaints.append(said))


async def play(broker: Broker, version: Version) -> Bystander:
    """A device joins, is asked and leaves, and somebody listens."""
    complaints: list[tuple[str, str]] = []
    listening = bystander(broker, version, complaints)
    await listening.open()
    server = Server("127.0.0.1", broker.port, version)
    station, channel = MqttStation(rng(Setup("rng", 1)), BASE, server), MqttChannel(RNG, BASE, server)
    await station.start()
    await channel.open()
    for token, command in enumerate(("identify", "status", "select", "display", "status", "reset", "status"), 1):
        await channel.request(Request(command, token=token))
    await channel.close()
    await station.stop()
    await listening.caught_up()
    await listening.close()
    assert [each for faults in listening.faults.values() for each in faults] == [fault for _, fault in complaints]
    return listening


@pytest.mark.parametrize("version", ["3.1.1", "5"])
async def test_a_sound_device_is_heard(broker: Broker, version: Version) -> None:
    heard = await play(broker, version)
    assert heard.faults == {}
    assert heard.listener.heard == {"cmd": 7, "reply": 7, "meta": 1, "event": 3, "state": 3, "online": 2}


@pytest.mark.parametrize("version", ["3.1.1", "5"])
async def test_an_event_that_is_published_to_be_kept_is_heard(
    broker: Broker, version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = Presence.send

    def kept(presence: Presence, topic: str, payload: bytes, retain: bool = False, properties=None) -> bool:  # type: ignore[no-untyped-def]
        return send(presence, topic, payload, retain or topic.endswith("event"), properties)

    monkeypatch.setattr(Presence, "send", kept)
    assert set((await play(broker, version)).faults) == {"MQT-4"}


async def test_it_comes_back_when_the_broker_was_lost(broker: Broker) -> None:
    complaints: list[tuple[str, str]] = []
    listening = bystander(broker, "5", complaints)
    await listening.open()
    await broker.stop()
    with pytest.raises(LineLost):
        await listening.caught_up()
    await broker.start()
    async with asyncio.timeout(10):
        while True:
            try:
                await listening.caught_up()
                break
            except LineLost:
                await asyncio.sleep(0.01)
    await listening.close()
    await listening.close()


async def test_without_a_broker_nobody_listens(broker: Broker) -> None:
    await broker.stop()
    with pytest.raises(LineLost):
        await bystander(broker, "5", []).open()

"""The station with a small machine, asked by plain clients and by our own channel."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import aiomqtt
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from feltrig.emulators.broker import Broker
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.mqtt_station import EVENTS_AT_ONCE, MqttStation
from feltrig.protocols.errors import LineLost
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Event, EventBatch, Identity, Reply, Request, Status
from feltrig.protocols.mqtt.bystander import Bystander
from feltrig.protocols.mqtt.channel import MqttChannel
from feltrig.protocols.mqtt.link import Server, Version
from feltrig.protocols.vocabulary import Error, FaultCode, State

BASE = "casino/t1/rng"
PROTOCOLS = {"3.1.1": aiomqtt.ProtocolVersion.V311, "5": aiomqtt.ProtocolVersion.V5}


class Lottery:
    """A machine that selects 4 some time after it was told to, and remembers every event."""

    kind = RNG
    identity = Identity("rng", "Acme", "R7", "0001", "1.2", "ab" * 32)

    def __init__(self, takes: float = 0.0) -> None:
        self.handled: list[Request] = []
        self.log: list[Event] = []
        self._takes = takes
        self._number = 0
        self._due: float | None = None
        self._answers: dict[int, Reply] = {}
        self.happen("started")

    def happen(self, name: str, **values: int) -> None:
        self.log.append(Event(len(self.log) + 1, name, values))

    def restart(self) -> None:
        self.log.clear()
        self.happen("started")

    def handle(self, request: Request, now: float) -> Reply:
        self.handled.append(request)
        if request.command == "display":
            return Reply(values={"number": self._number})
        if request.command == "status":
            status = self.status(now)
            return Reply(values={f: int(getattr(status, f)) for f in ("state", "fault", "oldest", "latest")})
        if request.command != "select":
            return Reply(Error.WRONG_STATE)
        if request.token not in self._answers:
            self._due = now + self._takes
            self._answers[request.token] = Reply()
        return self._answers[request.token]

    def events(self, after: int, now: float, limit: int) -> EventBatch:
        return EventBatch(self.status(now), tuple(self.log[after : after + limit]))

    def advance(self, now: float) -> None:
        if self._due is not None and self._due <= now:
            self._due, self._number = None, 4
            self.happen("selected", number=4)

    def due(self) -> float | None:
        return self._due

    def status(self, now: float) -> Status:
        return Status(State.IDLE if self._due is None else State.BUSY, FaultCode.NONE, 1, len(self.log))


@pytest.fixture(params=["3.1.1", "5"])
def version(request: pytest.FixtureRequest) -> Version:
    chosen: Version = request.param
    return chosen


@contextlib.asynccontextmanager
async def serving(machine: Lottery, broker: Broker, version: Version) -> AsyncIterator[MqttStation]:
    station = MqttStation(machine, BASE, Server(broker.host, broker.port, version=version))
    assert await station.start() == BASE
    try:
        yield station
    finally:
        await station.stop()


@contextlib.asynccontextmanager
async def driving(broker: Broker, version: Version) -> AsyncIterator[MqttChannel]:
    channel = MqttChannel(RNG, BASE, Server(broker.host, broker.port, version=version), deadline=5.0)
    await channel.open()
    try:
        yield channel
    finally:
        await channel.close()


async def next_on(client: aiomqtt.Client, topic: str) -> dict[str, Any]:
    """The next message on a topic of the device."""
    async with asyncio.timeout(5):
        async for message in client.messages:
            assert isinstance(message.payload, bytes)
            if message.topic.value == f"{BASE}/{topic}":
                document: dict[str, Any] = json.loads(message.payload)
                return document
    raise AssertionError("the messages ended")


async def ask(client: aiomqtt.Client, version: Version, payload: bytes) -> dict[str, Any]:
    """The answer to any payload at all."""
    if version == "5":
        properties = Properties(PacketTypes.PUBLISH)
        properties.ResponseTopic = f"{BASE}/mine"
        properties.CorrelationData = b"k"
        await client.publish(f"{BASE}/cmd", payload, 1, properties=properties)
    else:
        await client.publish(f"{BASE}/cmd", payload, 1)
    return await next_on(client, "mine")


async def test_a_newcomer_finds_who_the_device_is_and_what_it_does(broker: Broker, version: Version) -> None:
    async with serving(Lottery(), broker, version), aiomqtt.Client(broker.host, broker.port) as client:
        await client.subscribe(f"{BASE}/#", 1)
        found = {}
        async with asyncio.timeout(5):
            async for message in client.messages:
                assert isinstance(message.payload, bytes)
                found[message.topic.value.removeprefix(f"{BASE}/")] = json.loads(message.payload)
                if {"meta", "state", "online"} <= found.keys():
                    break
    assert found["meta"]["serial"] == "0001"
    assert found["meta"]["commands"] == list(RNG.commands)
    assert found["state"] == {"v": 1, "state": 0, "fault": 0, "oldest": 1, "latest": 1}
    assert found["online"] == {"v": 1, "online": True}


async def test_our_channel_and_our_station_understand_each_other(broker: Broker, version: Version) -> None:
    machine = Lottery()
    async with serving(machine, broker, version), driving(broker, version) as channel:
        assert await channel.request(Request("select", token=1)) == Reply()
        async with asyncio.timeout(5):
            while not (batch := await channel.events(1)).events:
                await channel.idle(5)
        assert batch == EventBatch(Status(State.IDLE, FaultCode.NONE, 1, 2), (Event(2, "selected", {"number": 4}),))
        assert (await channel.request(Request("display"))).values == {"number": 4}
        assert await channel.request(Request("blank", token=2)) == Reply(Error.WRONG_STATE)
        assert (await channel.request(Request("status"))).values["latest"] == 2


async def test_a_driver_of_3_1_1_reaches_a_device_of_5(broker: Broker) -> None:
    async with serving(Lottery(), broker, "5"), driving(broker, "3.1.1") as channel:
        assert (await channel.request(Request("display"))).values == {"number": 0}


async def test_an_event_is_pushed_when_its_time_comes(broker: Broker, version: Version) -> None:
    machine = Lottery(takes=0.03)
    async with (
        serving(machine, broker, version),
        aiomqtt.Client(broker.host, broker.port, protocol=PROTOCOLS[version]) as client,
    ):
        await client.subscribe(f"{BASE}/event", 1)
        await client.publish(f"{BASE}/cmd", b'{"v":1,"cmd":"select","token":1}', 1)
        pushed = await next_on(client, "event")
    assert pushed == {
        "v": 1,
        "n": 2,
        "event": "selected",
        "values": {"number": 4},
        "state": 0,
        "fault": 0,
        "oldest": 1,
        "latest": 2,
    }


async def test_what_a_hand_does_to_the_machine_is_pushed_too(broker: Broker, version: Version) -> None:
    machine = Lottery()
    async with serving(machine, broker, version), aiomqtt.Client(broker.host, broker.port) as client:
        await client.subscribe(f"{BASE}/event", 1)
        machine.happen("cleared")
        assert (await next_on(client, "event"))["event"] == "cleared"


async def test_many_events_are_fetched_in_several_batches(broker: Broker, version: Version) -> None:
    machine = Lottery()
    async with serving(machine, broker, version):
        for _ in range(EVENTS_AT_ONCE):
            machine.happen("cleared")
        async with driving(broker, version) as channel:
            assert [event.number for event in (await channel.events(0)).events] == list(range(1, EVENTS_AT_ONCE + 1))
            assert (await channel.events(EVENTS_AT_ONCE)).events[0].number == EVENTS_AT_ONCE + 1


async def test_a_restart_of_the_machine_is_pushed_from_the_first_event(broker: Broker, version: Version) -> None:
    machine = Lottery()
    async with serving(machine, broker, version), aiomqtt.Client(broker.host, broker.port) as client:
        await client.subscribe(f"{BASE}/event", 1)
        machine.happen("cleared")
        assert (await next_on(client, "event"))["n"] == 2
        machine.restart()
        assert (await next_on(client, "event"))["n"] == 1


@pytest.mark.parametrize(
    ("payload", "error"),
    [
        (b"hello", "malformed"),
        (b"", "malformed"),
        (b"[" * 9000, "malformed"),
        (b'{"v":1,"cmd":"fly","token":1}', "unknown_command"),
        (b'{"v":1,"cmd":"events","args":{"after":"x"}}', "bad_argument"),
        (b'{"v":1,"cmd":"display","args":{"x":1}}', "bad_argument"),
    ],
)
async def test_a_bad_request_is_answered_with_an_error(broker: Broker, payload: bytes, error: str) -> None:
    machine = Lottery()
    async with (
        serving(machine, broker, "5"),
        aiomqtt.Client(broker.host, broker.port, protocol=aiomqtt.ProtocolVersion.V5) as client,
    ):
        await client.subscribe(f"{BASE}/mine", 1)
        assert await ask(client, "5", payload) == {"v": 1, "error": error}
        assert machine.handled == []


async def test_a_request_of_3_1_1_is_answered_where_it_says_with_its_id(broker: Broker, version: Version) -> None:
    async with serving(Lottery(), broker, version), aiomqtt.Client(broker.host, broker.port) as client:
        await client.subscribe(f"{BASE}/mine", 1)
        payload = b'{"v":1,"cmd":"display","id":"q-7","reply_to":"%b/mine"}' % BASE.encode()
        assert await ask(client, "3.1.1", payload) == {"v": 1, "error": "ok", "values": {"number": 0}, "id": "q-7"}
        payload = b'{"v":1,"cmd":"fly","id":8,"reply_to":"%b/mine"}' % BASE.encode()
        assert await ask(client, "3.1.1", payload) == {"v": 1, "error": "unknown_command", "id": 8}


async def test_a_retained_command_is_not_obeyed(broker: Broker, version: Version) -> None:
    machine = Lottery()
    async with aiomqtt.Client(broker.host, broker.port, protocol=PROTOCOLS[version]) as client:
        await client.publish(f"{BASE}/cmd", b'{"v":1,"cmd":"select","token":1}', 1, retain=True)
        async with serving(machine, broker, version), driving(broker, version) as channel:
            await channel.request(Request("display"))
        assert [request.command for request in machine.handled] == ["display"]


async def test_the_state_is_published_only_when_it_changed(broker: Broker, version: Version) -> None:
    async with serving(Lottery(), broker, version), aiomqtt.Client(broker.host, broker.port) as client:
        await client.subscribe(f"{BASE}/#", 1)
        question = b'{"v":1,"cmd":"display","reply_to":"%b/mine"}' % BASE.encode()
        await ask(client, "3.1.1", question)  # after its answer, what was retained has arrived
        await client.publish(f"{BASE}/cmd", question, 1)
        topics = []
        async with asyncio.timeout(5):
            async for message in client.messages:
                topics.append(message.topic.value.removeprefix(f"{BASE}/"))
                if topics[-1] == "mine":
                    break
        assert topics == ["cmd", "mine"]


async def test_stopping_says_offline_and_leaves_nothing_running(broker: Broker, version: Version) -> None:
    before = asyncio.all_tasks()
    async with aiomqtt.Client(broker.host, broker.port) as client:
        station = MqttStation(Lottery(), BASE, Server(broker.host, broker.port, version=version))
        await station.start()
        await client.subscribe(f"{BASE}/online", 1)
        assert (await next_on(client, "online"))["online"] is True
        await station.stop()
        await station.stop()
        assert (await next_on(client, "online"))["online"] is False
    await asyncio.sleep(0.01)  # the loop lets go of what was cancelled
    assert asyncio.all_tasks() == before


async def test_a_crash_is_announced_by_the_broker(broker: Broker, version: Version) -> None:
    async with (
        serving(Lottery(), broker, version) as station,
        aiomqtt.Client(broker.host, broker.port) as client,
    ):
        await client.subscribe(f"{BASE}/online", 1)
        assert (await next_on(client, "online"))["online"] is True
        station._presence.vanish()  # as when its power fails
        assert (await next_on(client, "online"))["online"] is False


async def test_it_comes_back_after_the_broker_was_lost(broker: Broker, version: Version) -> None:
    machine = Lottery()
    async with serving(machine, broker, version):
        await broker.stop()
        machine.happen("cleared")
        await broker.start()
        async with aiomqtt.Client(broker.host, broker.port) as client:
            await client.subscribe(f"{BASE}/online", 1)
            assert (await next_on(client, "online"))["online"] is True
        async with driving(broker, version) as channel, asyncio.timeout(5):
            while not (batch := await channel.events(1)).events:
                await channel.idle(5)
            assert batch.events == (Event(2, "cleared"),)
            assert (await channel.request(Request("display"))).values == {"number": 0}


async def test_it_cannot_start_without_a_broker(broker: Broker, version: Version) -> None:
    await broker.stop()
    station = MqttStation(Lottery(), BASE, Server(broker.host, broker.port, version=version))
    with pytest.raises(LineLost):
        await station.start()
    await station.stop()


async def test_it_can_be_stopped_while_the_broker_is_away(broker: Broker, version: Version) -> None:
    async with asyncio.timeout(5):
        async with serving(Lottery(), broker, version) as station:
            await broker.stop()
            await asyncio.sleep(0.01)
        await station.stop()


@pytest.mark.parametrize("forgetful", [True, False])
async def test_without_power_its_will_speaks_and_with_power_it_comes_back(
    broker: Broker, version: Version, forgetful: bool
) -> None:
    machine = rng(Setup("rng", 1))
    machine.board.keeps_memory = not forgetful
    complaints: list[str] = []
    server = Server("127.0.0.1", broker.port, version)
    listening = Bystander(RNG, BASE, server, 5.0, {}, lambda requirement, fault: complaints.append(fault))
    station = MqttStation(machine, BASE, server, powered=lambda: not machine.board.off)
    await listening.open()
    await station.start()
    machine.board.switch_off()
    async with asyncio.timeout(10):
        while listening.listener.online:
            await listening.next_message(0.1)
        machine.board.switch_on()
        while not listening.listener.online:
            await listening.next_message(0.1)
    assert listening.listener.event(1 if forgetful else 2) == Event(1 if forgetful else 2, "started")
    await station.stop()
    await listening.caught_up()
    await listening.close()
    assert complaints == []

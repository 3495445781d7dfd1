"""What a device must remember: each way to forget is found."""

import time
from collections import deque

import pytest

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_server import ModbusServer
from feltrig.emulators.stations.modbus_station import ModbusTcpStation
from feltrig.emulators.stations.mqtt_station import MqttStation
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.harness.journal.reader import read
from feltrig.harness.plan.conformance.memory import judged
from feltrig.harness.table.driver import Driver
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import EventBatch
from feltrig.protocols.modbus.channel import ModbusTcpChannel
from feltrig.protocols.mqtt.channel import MqttChannel
from feltrig.protocols.mqtt.link import Server
from feltrig.protocols.serial.channel import SerialChannel

GOOD = {"events": None, "tokens": None}
BASE = "test/rng"


@pytest.fixture(params=["serial", "modbus-tcp", "mqtt"])
def look(request, journal, broker):
    """What is wrong with the memory of a display, after so many events."""

    async def looked(spoil=lambda machine: None, events=70):
        machine = rng(Setup("rng", 1))
        spoil(machine)
        match request.param:
            case "serial":
                station = SerialStation(machine)
                channel = SerialChannel(RNG, await station.start())
            case "modbus-tcp":
                station = ModbusTcpStation(machine)
                host, _, number = (await station.start()).rpartition(":")
                channel = ModbusTcpChannel(RNG, host, int(number))
            case _:
                station = MqttStation(machine, BASE, Server(broker.host, broker.port))
                await station.start()
                channel = MqttChannel(RNG, BASE, Server(broker.host, broker.port))
        try:
            await channel.open()
            driver = Driver("rng", RNG, channel, journal, 5.0)
            await driver.open()
            for _ in range(events):
                await driver.perform("reset", "cleared")
            return await judged(driver, journal)
        finally:
            await channel.close()
            await station.stop()

    return looked


@pytest.mark.parametrize("events", [1, 70])
async def test_a_good_device_remembers(look, events):
    assert await look(events=events) == GOOD


async def test_too_few_events_are_found(look):
    def forgetful(machine):
        machine.board._events = deque(machine.board._events, maxlen=8)

    found = await look(forgetful)
    assert found == GOOD | {"events": "events 64 to 71 are reported as kept; expected the last 64"}


async def test_an_event_before_the_first_is_found(look, monkeypatch):
    registers = ModbusServer._status
    monkeypatch.setattr(ModbusServer, "_status", lambda *a: (said := registers(*a))[:8] + bytes(4) + said[12:])

    def boastful(machine):
        reply, events = machine.handle, machine.events
        status = machine.status

        def lying(now):
            return type(status(now))(status(now).state, status(now).fault, 0, status(now).latest)

        def handle(request, now):
            answer = reply(request, now)
            return type(answer)(answer.error, {**answer.values, "oldest": 0}) if request.command == "status" else answer

        machine.status, machine.handle = lying, handle
        machine.events = lambda after, now, limit: EventBatch(lying(now), events(after, now, limit).events)

    found = await look(boastful, events=3)
    assert found == GOOD | {"events": "events 0 to 65 are reported as kept, but events are numbered from 1"}


async def test_events_that_are_not_given_are_found(look):
    def leaky(machine):
        events = machine.events

        def lacking(after, now, limit):
            batch = events(after, now, limit)
            kept = tuple(event for event in batch.events if event.number > 9 or batch.status.latest < 70)
            return EventBatch(batch.status, kept)

        machine.events = lacking

    assert await look(leaky) == GOOD | {"events": "event 8 is missing, although it is one of the last 64"}


async def test_too_few_tokens_are_found(look, monkeypatch):
    monkeypatch.setattr("feltrig.emulators.models.device.REMEMBERED", 7)
    assert await look() == GOOD | {"tokens": "a repeat after 7 other commands was acted on"}


async def test_a_quiet_command_that_is_done_again_is_found(look):
    def forgetful(machine):
        handle = machine.handle

        def forgets(request, now):
            if request.command == "blank":
                machine._answered.clear()
            return handle(request, now)

        machine.handle = forgets

    assert await look(forgetful) == GOOD | {"tokens": "a repeat of blank was acted on"}


async def test_the_slowest_answer_of_each_wire_is_known(look, journal):
    def slow(machine):
        events = machine.events
        calls = []

        def late(after, now, limit):
            calls.append(after)
            if len(calls) == 2:
                time.sleep(0.3)
            return events(after, now, limit)

        machine.events = late

    await look(slow, events=3)
    journal.flush()
    seconds = [record.data["seconds"] for record in read(journal.path).records if record.kind == "slowest"]
    assert seconds == sorted(seconds)
    assert seconds[-1] >= 0.3

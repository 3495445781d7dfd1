"""On every wire a channel says how often it had to ask again."""

from contextlib import asynccontextmanager

import pytest

from feltrig.emulators.broker import Broker
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.emulators.stations.mqtt_station import MqttStation
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import RepeatingChannel, Request
from feltrig.protocols.modbus.channel import ModbusRtuChannel, ModbusTcpChannel
from feltrig.protocols.mqtt.channel import MqttChannel
from feltrig.protocols.mqtt.link import Server
from feltrig.protocols.serial.channel import SerialChannel


class Swallows:
    """Swallows the first answers."""

    def __init__(self, many):
        self.left = many

    def __call__(self, answer):
        self.left -= 1
        return None if self.left >= 0 else answer


@asynccontextmanager
async def channel_to(wire, swallows, deadline):
    machine, broker = rng(Setup("rng", 1)), Broker()
    try:
        match wire:
            case "serial":
                station = SerialStation(machine, misbehave=swallows)
                channel = SerialChannel(RNG, await station.start(), deadline=deadline)
            case "modbus-rtu":
                station = ModbusRtuStation(machine, misbehave=swallows)
                channel = ModbusRtuChannel(RNG, await station.start(), deadline=deadline)
            case "modbus-tcp":
                station = ModbusTcpStation(machine, misbehave=swallows)
                host, _, port = (await station.start()).rpartition(":")
                channel = ModbusTcpChannel(RNG, host, int(port), deadline=deadline)
            case "mqtt":
                port = await broker.start()
                station = MqttStation(machine, "felt/rng", Server("127.0.0.1", port), misbehave=swallows)
                await station.start()
                channel = MqttChannel(RNG, "felt/rng", Server("127.0.0.1", port), deadline=deadline)
        await channel.open()
        yield channel
        await channel.close()
        await station.stop()
    finally:
        await broker.stop()


WIRES = ["serial", "modbus-rtu", "modbus-tcp", "mqtt"]


@pytest.mark.parametrize("wire", WIRES)
async def test_a_channel_counts_the_questions_that_it_sent_again(wire):
    async with channel_to(wire, Swallows(1), deadline=0.6) as channel:
        assert isinstance(channel, RepeatingChannel)
        await channel.request(Request("display"))
        assert channel.repeats > 0


@pytest.mark.parametrize("wire", WIRES)
async def test_a_question_that_is_answered_is_sent_once(wire):
    async with channel_to(wire, Swallows(0), deadline=30.0) as channel:
        await channel.request(Request("display"))
        assert channel.repeats == 0

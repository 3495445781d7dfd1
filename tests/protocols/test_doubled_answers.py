"""An answer that comes twice: its copy arrives when the next question is open, and is not taken for the answer."""

import pytest

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Request
from feltrig.protocols.modbus.channel import ModbusRtuChannel, ModbusTcpChannel
from feltrig.protocols.serial.channel import SerialChannel


class Doubling:
    """Before each answer comes a copy of the one before."""

    def __init__(self):
        self._before = b""

    def __call__(self, answer):
        before, self._before = self._before, answer
        return before + answer


def tcp_channel(kind, where):
    host, _, port = where.rpartition(":")
    return ModbusTcpChannel(kind, host, int(port))


@pytest.mark.parametrize(
    ("station_on", "channel_on"),
    [(SerialStation, SerialChannel), (ModbusRtuStation, ModbusRtuChannel), (ModbusTcpStation, tcp_channel)],
    ids=["serial", "modbus-rtu", "modbus-tcp"],
)
async def test_the_copy_of_an_answer_is_not_taken_for_the_next(station_on, channel_on):
    machine = rng(Setup("rng", 1))
    station = station_on(machine, misbehave=Doubling())
    channel = channel_on(RNG, await station.start())
    await channel.open()
    try:
        seen = 1
        for _ in range(20):
            assert (await channel.request(Request("status"))).values["latest"] == machine.status(0.0).latest
            assert (await channel.events(seen)).status.latest == seen
            machine.handle(Request("select"), 0.0)
            latest = machine.status(0.0).latest
            batch = await channel.events(seen)
            assert batch.status.latest == latest
            assert [event.number for event in batch.events] == list(range(seen + 1, latest + 1))
            seen = latest
    finally:
        await channel.close()
        await station.stop()
